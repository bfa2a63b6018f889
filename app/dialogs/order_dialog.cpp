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
#include <QMainWindow>
#include <QProgressBar>
#include <QPushButton>
#include <QScreen>
#include <QSplitter>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <string_view>

#include "app/base/labels.h"
#include "app/base/qt_text.h"
#include "app/base/user_files.h"
#include "app/dialogs/dialog.h"
#include "app/dialogs/figure_view.h"
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

constexpr double order_share = 0.92;  // of the screen at most
constexpr int order_interval = 150;   // [ms] between two looks at what is done
/// The usual duration is so many steps of the scenario at most: short enough for the motion not to
/// magnify errors, and for all runs to end soon.
constexpr double usual_length = 400;

/// Steps as parse_series() reads them: a range where each is half of the one before.
QString series_of(const std::vector<double>& steps) {
  const auto uneven = [](double before, double after) { return after != before / 2; };
  if (steps.size() > 2 && std::adjacent_find(steps.begin(), steps.end(), uneven) == steps.end())
    return to_qstring(
        fmt::format("{}:{}:/2", json::shortest(steps.front()), json::shortest(steps.back())));
  QStringList all;
  for (const double step : steps) all << to_qstring(json::shortest(step));
  return all.join(QStringLiteral(", "));
}

/// The best that a study has found for one of its methods: the row of the table.
struct BestRun {
  double error = -1;  // below 0: none was resolved
  std::int64_t evaluations = 0;
  int failed = 0;
};

BestRun best_run(const OrderStudyResult& result, std::size_t method) {
  BestRun best;
  for (const OrderPoint& p : result.points) {
    if (p.method != method) continue;
    if (p.status != StepStatus::ok) ++best.failed;
    if (p.status != StepStatus::ok || !(best.error < 0 || p.error < best.error)) continue;
    best.error = p.error;
    best.evaluations = p.evaluations;
  }
  return best;
}

}  // namespace

OrderDialog::OrderDialog(QWidget* parent) : QDialog(parent) {
  setObjectName(QStringLiteral("order_dialog"));
  resize(QSize(1060, 760).boundedTo(screen()->availableSize() * order_share));
  // In the order in which Tab goes through them.
  QWidget* fields = make_fields();
  QLayout* results = make_results();
  QLayout* buttons = make_buttons();
  lay_out(*this, *fields, *results, *buttons);
  connect(this, &QDialog::finished, this, &OrderDialog::cancel);
  connect(&look_, &QTimer::timeout, this, &OrderDialog::show_state);
  show_state();
}

OrderDialog::~OrderDialog() { stop_ = true; }

QWidget* OrderDialog::make_fields() {
  auto* fields = new QWidget(this);
  title_ = text_lines(*fields, "scenario");
  methods_ = new QListWidget(fields);
  methods_->setObjectName(QStringLiteral("methods"));
  methods_->setAccessibleName(QStringLiteral("Integrators"));
  methods_->setMinimumWidth(250);
  const auto line = [fields](const char* name, const QString& tip) {
    auto* field = new QLineEdit(fields);
    field->setObjectName(QLatin1String(name));
    field->setToolTip(plain_tip(tip));
    return field;
  };
  const QString series = QStringLiteral(
      "Numbers or expressions, separated by commas, or a range such as "
      "0.04:0.00125:/2, each half of the one before. ");
  duration_ = line("duration", QStringLiteral("Simulated time of each run. The errors are "
                                              "measured at its end."));
  steps_ = line("steps", series + QStringLiteral("Each must divide the duration. For an adaptive "
                                                 "integrator they are its first inner step."));
  tolerances_ =
      line("tolerances", series + QStringLiteral("Relative tolerances of integrators with error "
                                                 "control."));
  tolerances_->setText(QStringLiteral("1e-3:1e-12:/10"));
  reference_ = new QComboBox(fields);
  reference_->setObjectName(QStringLiteral("reference"));
  reference_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  reference_->setMinimumContentsLength(22);
  reference_->setToolTip(
      QStringLiteral("Errors are distances from this integrator, with a quarter "
                     "of the smallest step"));

  auto* choose = new QHBoxLayout;
  const auto check_button = [&](const char* name, const QString& label, const QString& tip,
                                bool (*wanted)(const IntegratorInfo&)) {
    QPushButton* button = push_button(*fields, name, label, tip);
    connect(button, &QPushButton::clicked, this, [this, wanted] { check_methods(wanted); });
    choose->addWidget(button);
  };
  check_button("all_methods", QStringLiteral("All"), QStringLiteral("Every integrator"),
               [](const IntegratorInfo&) { return true; });
  check_button("symplectic_methods", QStringLiteral("Symplectic"),
               QStringLiteral("Only symplectic integrators"),
               [](const IntegratorInfo& info) { return info.symplectic; });
  check_button("no_methods", QStringLiteral("None"), QStringLiteral("No integrator"),
               [](const IntegratorInfo&) { return false; });
  auto* form = new QFormLayout;
  form->addRow(QStringLiteral("Duration T [s]"), duration_);
  form->addRow(QStringLiteral("Steps h [s]"), steps_);
  form->addRow(QStringLiteral("Tolerances"), tolerances_);
  form->addRow(QStringLiteral("Reference"), reference_);
  auto* left = new QVBoxLayout(fields);
  left->setContentsMargins(0, 0, 0, 0);
  left->addWidget(title_);
  left->addWidget(methods_, 1);
  left->addLayout(choose);
  left->addLayout(form);
  return fields;
}

QLayout* OrderDialog::make_results() {
  view_ = new FigureView(this);
  view_->setObjectName(QStringLiteral("figure"));
  view_->setAccessibleName(QStringLiteral("Work-precision diagram"));
  view_->show_text(
      QStringLiteral("Start runs each integrator with every step from the start of the scenario, "
                     "and compares the ends with the reference."));
  table_ = new QTableWidget(0, 5, this);
  table_->setObjectName(QStringLiteral("orders"));
  table_->setAccessibleName(QStringLiteral("Orders"));
  table_->setHorizontalHeaderLabels(
      {QStringLiteral("Integrator"), QStringLiteral("Order"), QStringLiteral("Nominal order"),
       QStringLiteral("Smallest error"), QStringLiteral("Evaluations")});
  table_->verticalHeader()->hide();
  for (QHeaderView* header : {table_->horizontalHeader(), table_->verticalHeader()})
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
  table_->horizontalHeader()->setStretchLastSection(true);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  summary_ = text_lines(*this, "summary");
  problem_ = text_lines(*this, "problem");
  auto* beneath = new QSplitter(Qt::Vertical, this);
  beneath->addWidget(view_);
  beneath->addWidget(table_);
  beneath->setStretchFactor(0, 4);
  beneath->setStretchFactor(1, 1);
  beneath->setSizes({520, 160});
  auto* right = new QVBoxLayout;
  right->addWidget(beneath, 1);
  right->addWidget(summary_);
  right->addWidget(problem_);
  return right;
}

QLayout* OrderDialog::make_buttons() {
  auto* row = new QHBoxLayout;
  const auto button = [&](const char* name, const QString& label, const QString& tip) {
    return push_button(*this, name, label, tip);
  };
  start_ = button("start", QStringLiteral("&Start"), QStringLiteral("Run the study"));
  start_->setDefault(true);
  cancel_ = button("cancel", QStringLiteral("&Cancel"), QStringLiteral("Cancel the study"));
  bar_ = new QProgressBar(this);
  bar_->setObjectName(QStringLiteral("progress"));
  bar_->setAccessibleName(QStringLiteral("Runs done"));
  save_ = button("save", QStringLiteral("Save &figure…"),
                 QStringLiteral("Write the diagrams as PDF, SVG or PNG"));
  save_table_ =
      button("save_table", QStringLiteral("Save &table…"), QStringLiteral("Write all runs as CSV"));
  auto* close = button("close", QStringLiteral("Close"), QStringLiteral("Cancels the study"));
  for (QWidget* one : std::initializer_list<QWidget*>{start_, cancel_}) row->addWidget(one);
  row->addWidget(bar_, 1);
  row->addStretch(0);
  for (QWidget* one : std::initializer_list<QWidget*>{save_, save_table_, close})
    row->addWidget(one);
  connect(start_, &QPushButton::clicked, this, &OrderDialog::start);
  connect(cancel_, &QPushButton::clicked, this, &OrderDialog::cancel);
  connect(save_, &QPushButton::clicked, this, [this] {
    if (figure_) Q_EMIT save_wanted(*figure_, name());
  });
  connect(save_table_, &QPushButton::clicked, this, [this] {
    if (result_) Q_EMIT table_wanted(order_table(study_, *result_), name());
  });
  connect(close, &QPushButton::clicked, this, &QDialog::reject);
  return row;
}

QString OrderDialog::name() const {
  return file_name_of(to_qstring(study_.scenario.title), QStringLiteral("study")) +
         QStringLiteral("-orders");
}

void OrderDialog::set_scenario(const Scenario& scenario) {
  const bool other = scenario_.lanes.empty() || !same_kind(scenario_, scenario) ||
                     scenario_.size() != scenario.size() ||
                     scenario_.lanes[0].step != scenario.lanes[0].step;
  scenario_ = scenario;
  title_->setText(QStringLiteral("%1, from its start").arg(to_qstring(scenario.title)));
  if (!other) return;
  const auto system = info_of(scenario).create(scenario.size(), scenario.parameters);
  const std::vector<std::string> keys =
      system ? study_methods(**system) : std::vector<std::string>();
  methods_->clear();
  reference_->clear();
  const std::string usual = usual_reference(keys);
  const std::vector<std::string> checked = usual_methods(keys);
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
  reference_->setCurrentIndex(reference_->findData(to_qstring(usual)));
  Scenario shorter = scenario;
  shorter.duration = std::min(scenario.duration, usual_length * scenario.lanes[0].step);
  duration_->setText(to_qstring(json::shortest(shorter.duration)));
  steps_->setText(series_of(usual_steps(shorter)));
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
  const auto duration = evaluate(duration_->text().trimmed().toStdString(), "s");
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
  if (work_.busy()) return;
  auto study = planned();
  problem_->clear();
  if (!study) {
    problem_->setText(to_qstring(study.error().text()));
    return show_state();
  }
  study_ = std::move(*study);
  result_.reset();
  figure_.reset();
  table_->setRowCount(0);
  view_->show_text(QStringLiteral("Running the integrators"));
  stop_ = false;
  done_ = 0;
  all_ = 1;
  look_.start(order_interval);
  work_.start(
      [this, study = study_] {
        return run_order_study(study, spare_threads(),
                               {.go_on = [this](std::size_t done, std::size_t all) {
                                 done_ = done;
                                 all_ = all;
                                 return !stop_;
                               }});
      },
      [this](Result<std::optional<OrderStudyResult>> result) { take(std::move(result)); });
  show_state();
}

void OrderDialog::cancel() { stop_ = true; }

void OrderDialog::take(Result<std::optional<OrderStudyResult>> result) {
  look_.stop();
  if (!result) {
    problem_->setText(to_qstring(result.error().text()));
    view_->show_text(QStringLiteral("The study has failed"));
  } else if (!*result) {
    view_->show_text(QStringLiteral("Cancelled"));
  } else {
    result_ = std::move(**result);
    show_results();
  }
  show_state();
}

void OrderDialog::show_state() {
  const bool busy = work_.busy();
  start_->setEnabled(!busy);
  cancel_->setEnabled(busy && !stop_);
  bar_->setVisible(busy);
  bar_->setRange(0, static_cast<int>(all_));
  bar_->setValue(static_cast<int>(done_));
  bar_->setFormat(QStringLiteral("%v of %m runs"));
  for (QPushButton* button : {save_, save_table_}) button->setEnabled(result_.has_value());
  problem_->setVisible(!problem_->text().isEmpty());
  summary_->setVisible(result_.has_value());
}

void OrderDialog::show_results() {
  figure_ = Figure(draw_order_figure(study_, *result_,
                                     fmt::format("{}: work and precision", study_.scenario.title)));
  view_->show_figure(*figure_, paper_page(FigureFormat::png).points, paper_look());
  table_->setRowCount(static_cast<int>(study_.methods.size()));
  for (std::size_t m = 0; m < study_.methods.size(); ++m) {
    const IntegratorInfo& info = *find_integrator(study_.methods[m].type);
    const auto order = order_of(study_, *result_, m);
    const BestRun best = best_run(*result_, m);
    std::string error = best.error >= 0 ? error_in_words(*result_, best.error) : "none";
    if (best.failed > 0)
      error += fmt::format(" ({} {} failed)", best.failed, best.failed == 1 ? "run" : "runs");
    int column = 0;
    for (const std::string& cell :
         {std::string(info.title), order ? in_words(*order) : std::string("–"),
          accuracy_control(info) == AccuracyControl::step ? fmt::format("{}", info.order)
                                                          : std::string("by tolerance"),
          error, best.error >= 0 ? fmt::format("{}", best.evaluations) : std::string("–")}) {
      auto* item = new QTableWidgetItem(to_qstring(cell));
      item->setToolTip(plain_tip(to_qstring(info.key)));
      if (column > 0) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
      table_->setItem(static_cast<int>(m), column++, item);
    }
  }
  const std::string_view reference = find_integrator(study_.reference.type)->title;
  summary_->setText(to_qstring(fmt::format("Reference: {}. Errors below {:.0e} are not resolved.",
                                           reference_in_words(study_, *result_, reference),
                                           result_->least_error())));
}

namespace {

QDialog* make_order_dialog(const DialogContext& context) {
  auto* dialog = new OrderDialog(&context.window);
  QObject::connect(dialog, &OrderDialog::save_wanted, &context.window, figure_saver(context));
  QObject::connect(dialog, &OrderDialog::table_wanted, &context.window,
                   [&exports = context.exports](const std::string& table, const QString& name) {
                     exports.save_table(table, name);
                   });
  return dialog;
}

void show_order_dialog(QDialog& dialog, const DialogContext& context, const QString&) {
  context.document.session().update();
  static_cast<OrderDialog&>(dialog).set_scenario(*context.document.session().document().settings);
  bring_up(dialog);
}

}  // namespace

DialogRecord order_dialog() {
  return {.key = "order",
          .title = QStringLiteral("Order study"),
          .make = make_order_dialog,
          .show = show_order_dialog};
}

}  // namespace twosphere

#include "moc_order_dialog.cpp"
