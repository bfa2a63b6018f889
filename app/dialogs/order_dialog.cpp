// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/order_dialog.h"

#include <fmt/format.h>

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <string_view>

#include "app/base/labels.h"
#include "app/base/qt_text.h"
#include "app/dialogs/figure_view.h"
#include "app/dialogs/widgets.h"
#include "app/export/export_controller.h"
#include "app/figures/order_figure.h"
#include "app/figures/paper_figure.h"
#include "app/session/document_controller.h"
#include "core/base/json.h"
#include "core/catalog.h"
#include "core/language/evaluate.h"
#include "core/scenario/live_edit.h"
#include "core/studies/order_table.h"

namespace twosphere {

namespace {

/// The default duration is so many steps of the scenario at most: short enough for the motion not
/// to magnify errors, and for all runs to end soon.
constexpr double default_length = 400;

}  // namespace

OrderDialog::OrderDialog(const DialogContext& context)
    : StudyDialog(context, "order_dialog", {1060, 760}) {
  QWidget* fields = make_fields();
  make_results();
  make_buttons();
  lay_out(fields, "Cancels the study");
  poll();
}

QWidget* OrderDialog::make_fields() {
  auto* fields = new QWidget(this);
  title_ = text_lines(*fields, "scenario");
  methods_ = named(new QListWidget(fields), "methods", "Integrators");
  methods_->setMinimumWidth(250);
  const auto line = [fields](const char* name, const QString& tip) {
    return named(new QLineEdit(fields), name, {}, tip);
  };
  const QString series =
      "Numbers or expressions, separated by commas, or a range such as 0.04:0.00125:/2, each half "
      "of the one before. ";
  duration_ = line("duration", "Simulated time of each run. The errors are measured at its end.");
  steps_ = line("steps", series +
                             "Each must divide the duration. For an adaptive integrator they "
                             "are its first inner step.");
  tolerances_ =
      line("tolerances", series + "Relative tolerances of integrators with error control.");
  tolerances_->setText("1e-3:1e-12:/10");
  reference_ = drop_down(
      fields, "reference", {},
      "Errors are distances from this integrator, with a quarter of the smallest step", 22);

  auto* choose = new QHBoxLayout;
  const auto check_button = [&](const char* name, const QString& label, const QString& tip,
                                bool (*wanted)(const IntegratorInfo&)) {
    QPushButton* button = push_button(*fields, name, label, tip);
    connect(button, &QPushButton::clicked, this, [this, wanted] { check_methods(wanted); });
    choose->addWidget(button);
  };
  check_button("all_methods", "All", "Every integrator",
               [](const IntegratorInfo&) { return true; });
  check_button("symplectic_methods", "Symplectic", "Only symplectic integrators",
               [](const IntegratorInfo& info) { return info.symplectic; });
  check_button("no_methods", "None", "No integrator", [](const IntegratorInfo&) { return false; });
  auto* form = new QFormLayout;
  form->addRow("Duration T [s]", duration_);
  form->addRow("Steps h [s]", steps_);
  form->addRow("Tolerances", tolerances_);
  form->addRow("Reference", reference_);
  auto* left = new QVBoxLayout(fields);
  left->setContentsMargins(0, 0, 0, 0);
  left->addWidget(title_);
  left->addWidget(methods_, 1);
  left->addLayout(choose);
  left->addLayout(form);
  return fields;
}

void OrderDialog::make_results() {
  view_ = named(new FigureView(this), "figure", "Work-precision diagram");
  view_->show_text(
      "Start runs each integrator with every step from the start of the scenario, and compares the "
      "ends with the reference.");
  table_ = results_table(this, "orders", "Orders",
                         {"Integrator", "Order", "Nominal order", "Smallest error", "Evaluations"});
  table_->horizontalHeader()->setStretchLastSection(true);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  summary_ = text_lines(*this, "summary");
  results_->addWidget(splitter(this, Qt::Vertical, {{view_, 4, 520}, {table_, 1, 160}}), 1);
  results_->addWidget(summary_);
}

void OrderDialog::make_buttons() {
  start_ = add_button("start", "&Start", "Run the study", [this] { start(); });
  start_->setDefault(true);
  cancel_ = add_button("cancel", "&Cancel", "Cancel the study", [this] {
    cancel();
    poll();
  });
  row_->addWidget(make_bar("Runs done"), 1);
  bar_->setFormat("%v of %m runs");
  row_->addStretch(0);
  const auto name = [this] { return file_name(study_.scenario.title, "study", "orders"); };
  save_ = add_button("save", "Save &figure…", "Write the diagrams as PDF, SVG or PNG",
                     [this, name] { context_.exports.save_paper_figure(*figure_, name()); });
  save_table_ = add_button("save_table", "Save &table…", "Write all runs as CSV", [this, name] {
    context_.exports.save_table(order_table(study_, *result_), name());
  });
}

void OrderDialog::prepare(const QString& /*topic*/) {
  Session& session = context_.document.session();
  session.update();
  const Scenario& scenario = *session.document().settings;
  const bool other = scenario_.lanes.empty() || !same_kind(scenario_, scenario) ||
                     scenario_.size() != scenario.size() ||
                     scenario_.lanes[0].step != scenario.lanes[0].step;
  scenario_ = scenario;
  title_->setText(QStringLiteral("%1, from its start").arg(to_qstring(scenario.title)));
  if (!other) return;
  const auto system = create_system(scenario);
  const std::vector<std::string> keys =
      system ? study_methods(**system) : std::vector<std::string>();
  methods_->clear();
  reference_->clear();
  const std::string reference = default_reference(keys);
  const std::vector<std::string> checked = default_methods(keys);
  for (const std::string& key : keys) {
    const IntegratorInfo& info = *find_integrator(key);
    auto* item = new QListWidgetItem(to_qstring(info.title), methods_);
    item->setData(Qt::UserRole, to_qstring(key));
    item->setToolTip(
        plain_tip(QStringLiteral("%1: %2").arg(to_qstring(key), to_qstring(info.description))));
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
    item->setCheckState(std::find(checked.begin(), checked.end(), key) != checked.end()
                            ? Qt::Checked
                            : Qt::Unchecked);
    if (accuracy_control(info) == AccuracyControl::step)
      reference_->addItem(to_qstring(info.title), to_qstring(key));
  }
  reference_->setCurrentIndex(reference_->findData(to_qstring(reference)));
  Scenario shorter = scenario;
  shorter.duration = std::min(scenario.duration, default_length * scenario.lanes[0].step);
  duration_->setText(to_qstring(json::shortest(shorter.duration)));
  steps_->setText(to_qstring(series_text(default_steps(shorter))));
}

void OrderDialog::check_methods(bool (*wanted)(const IntegratorInfo& info)) {
  for (int i = 0; i < methods_->count(); ++i) {
    QListWidgetItem& item = *methods_->item(i);
    const std::string key = item.data(Qt::UserRole).toString().toStdString();
    item.setCheckState(wanted(*find_integrator(key)) ? Qt::Checked : Qt::Unchecked);
  }
}

/// The study as the fields say. The place of an error is the name of the field.
Result<OrderStudy> OrderDialog::planned() const {
  OrderChoice choice;
  for (int i = 0; i < methods_->count(); ++i)
    if (const QListWidgetItem& item = *methods_->item(i); item.checkState() == Qt::Checked)
      choice.methods.push_back(item.data(Qt::UserRole).toString().toStdString());
  if (choice.methods.empty()) return Error{ErrorKind::usage, "Integrators", "choose one at least"};
  const auto duration = evaluate(typed(*duration_), "s");
  if (!duration) return Error{ErrorKind::usage, "Duration", duration.error().message};
  const auto timed = with_setting(scenario_, "duration", *duration);
  if (!timed) return Error{ErrorKind::usage, "Duration", timed.error().message};
  auto steps = parse_series(steps_->text().toStdString(), "Steps", "s");
  if (!steps) return steps.error();
  auto tolerances = parse_series(tolerances_->text().toStdString(), "Tolerances", "1");
  if (!tolerances) return tolerances.error();
  choice.steps = std::move(*steps);
  choice.tolerances = std::move(*tolerances);
  choice.reference = reference_->currentData().toString().toStdString();
  return plan_order_study(*timed, choice);
}

void OrderDialog::start() {
  if (busy()) return;
  auto study = planned();
  refuse(study ? QString() : to_qstring(study.error().text()));
  if (!study) return;
  study_ = std::move(*study);
  result_.reset();
  figure_.reset();
  table_->setRowCount(0);
  view_->show_text("Running the integrators");
  compute(
      [this, study = study_] {
        return run_order_study(
            study, spare_threads(),
            {.proceed = [this](std::size_t done, std::size_t all) { return proceed(done, all); }});
      },
      [this](Result<std::optional<OrderStudyResult>> result) { take(std::move(result)); });
  poll();
}

void OrderDialog::take(Result<std::optional<OrderStudyResult>> result) {
  if (!result) {
    refuse(to_qstring(result.error().text()));
    view_->show_text("The study has failed");
  } else if (!*result) {
    view_->show_text("Cancelled");
  } else {
    result_ = std::move(**result);
    show_results();
  }
  poll();
}

void OrderDialog::poll() {
  StudyDialog::poll();
  start_->setEnabled(!busy());
  cancel_->setEnabled(busy() && !cancelled());
  for (QPushButton* button : {save_, save_table_}) button->setEnabled(result_.has_value());
  summary_->setVisible(result_.has_value());
}

void OrderDialog::show_results() {
  figure_ = Figure(draw_order_figure(study_, *result_,
                                     fmt::format("{}: work and precision", study_.scenario.title)));
  view_->show_figure(*figure_, paper_page(FigureFormat::png).points, paper_look());
  const std::vector<OrderRow> rows = order_rows(study_, *result_);
  table_->setRowCount(static_cast<int>(rows.size()));
  for (std::size_t m = 0; m < rows.size(); ++m)
    for (std::size_t column = 0; column < rows[m].size(); ++column)
      put_cell(*table_, static_cast<int>(m), static_cast<int>(column), to_qstring(rows[m][column]),
               to_qstring(study_.methods[m].type), column > 0);
  const std::string_view reference = find_integrator(study_.reference.type)->title;
  summary_->setText(to_qstring(fmt::format("Reference: {}. Errors below {:.0e} are not resolved.",
                                           reference_in_words(study_, *result_, reference),
                                           result_->min_error())));
}

DialogRecord order_dialog() {
  return study_record<OrderDialog>("order", QStringLiteral("Order study"));
}

}  // namespace twosphere

#include "moc_order_dialog.cpp"
