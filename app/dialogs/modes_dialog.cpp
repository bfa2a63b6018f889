// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/modes_dialog.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QMainWindow>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QSplitter>
#include <QTableWidget>
#include <QVBoxLayout>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

#include "app/base/labels.h"
#include "app/base/plural.h"
#include "app/base/qt_text.h"
#include "app/dialogs/mode_view.h"
#include "app/dialogs/widgets.h"
#include "app/export/export_controller.h"
#include "app/session/document_controller.h"
#include "core/studies/equilibria_table.h"
#include "ui/plot/axis.h"

namespace twosphere {

namespace {

constexpr double degree = std::numbers::pi / 180;
constexpr int shown_digits = 10, angle_digits = 4;
constexpr int quality_column = 4, energy_sign_column = 5;  // of the modes

QString number_text(double value, int digits) {
  return std::isfinite(value) ? to_qstring(ui::significant(value, digits)) : QStringLiteral("–");
}

/// The row that is selected in a table.
std::optional<std::size_t> chosen_row(const QTableWidget& table) {
  const QList<QTableWidgetItem*> items = table.selectedItems();
  if (items.isEmpty()) return {};
  return static_cast<std::size_t>(items.front()->row());
}

QTableWidget* rows_table(QWidget* parent, const char* name, const QString& spoken,
                         const QStringList& headings) {
  QTableWidget* made = results_table(parent, name, spoken, headings);
  made->setSelectionBehavior(QAbstractItemView::SelectRows);
  made->setSelectionMode(QAbstractItemView::SingleSelection);
  return made;
}

}  // namespace

ModesDialog::ModesDialog(const DialogContext& context)
    : StudyDialog(context, "modes_dialog", {900, 680}) {
  QWidget* fields = make_fields();
  make_results();
  make_buttons();
  lay_out(fields, "Cancels the search");
  animate();
  poll();
}

QWidget* ModesDialog::make_fields() {
  auto* fields = new QWidget(this);
  title_ = text_lines(*fields, "scenario");
  tries_ = named(new QSpinBox(fields), "tries", "Random starts",
                 "Random configurations from which the search begins, beside the start of the "
                 "scenario and bodies that point up or down");
  tries_->setRange(0, EquilibriumSearch::max_tries);
  tries_->setValue(EquilibriumSearch{}.tries);
  seed_ = named(new QSpinBox(fields), "seed", "Seed", "Another seed has other random starts");
  seed_->setRange(0, 1'000'000'000);
  seed_->setValue(static_cast<int>(EquilibriumSearch{}.seed));
  amplitude_ = named(new QDoubleSpinBox(fields), "amplitude", "Amplitude",
                     "How far the body that moves most is from the equilibrium where a run begins "
                     "in a mode, and in the animation");
  amplitude_->setRange(0.01, 90);
  amplitude_->setValue(5);
  amplitude_->setSuffix(QStringLiteral("°"));
  auto* form = new QFormLayout;
  form->addRow("Random starts", tries_);
  form->addRow("Seed", seed_);
  form->addRow("Amplitude", amplitude_);
  auto* column = new QVBoxLayout(fields);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(title_);
  column->addLayout(form);
  column->addStretch(1);
  return fields;
}

void ModesDialog::make_results() {
  equilibria_ = rows_table(
      this, "equilibria", "Equilibria",
      {"Number", "Potential energy [J]", "Index", "Nullity", "Kind", "From the start [°]"});
  list_ = rows_table(
      this, "modes", "Modes",
      {"Mode", "ν² [rad²/s²]", "Frequency [Hz]", "Growth [1/s]", "Quality", "Energy sign"});
  list_->horizontalHeaderItem(energy_sign_column)
      ->setToolTip(QStringLiteral("Whether the oscillation raises or lowers the energy: where one "
                                  "of each sign meet, damping "
                                  "or another parameter may make the equilibrium unstable"));
  summary_ = text_lines(*this, "summary");
  view_ = named(new ModeView(this), "animation", "Animation of the mode");
  animated_ = check_box(this, "animate", "&Animate the mode",
                        "Move the bodies to and fro by the shape of the chosen mode, at the "
                        "amplitude beside");
  view_note_ = text_lines(*this, "animation_note");
  view_note_->setText(
      QStringLiteral("One period in %1 s, whatever the frequency. This is the shape of the mode, "
                     "not a motion of the system: at large amplitudes that is another one, which "
                     "Open mode shows.")
          .arg(ModeView::period));
  results_->addWidget(
      splitter(this, Qt::Vertical, {{equilibria_, 1, 260}, {list_, 1, 260}, {view_, 1, 260}}), 1);
  results_->addWidget(animated_);
  results_->addWidget(view_note_);
  results_->addWidget(summary_);
  connect(animated_, &QCheckBox::toggled, this, &ModesDialog::animate);
  connect(list_, &QTableWidget::itemSelectionChanged, this, &ModesDialog::animate);
  connect(amplitude_, qOverload<double>(&QDoubleSpinBox::valueChanged), this,
          &ModesDialog::animate);
  connect(equilibria_, &QTableWidget::itemSelectionChanged, this, &ModesDialog::compute_modes);
  connect(list_, &QTableWidget::itemSelectionChanged, this, &ModesDialog::poll);
  connect(equilibria_, &QTableWidget::cellDoubleClicked, this, &ModesDialog::open_equilibrium);
  connect(list_, &QTableWidget::cellDoubleClicked, this, &ModesDialog::open_mode);
}

void ModesDialog::make_buttons() {
  start_ = add_button("start", "&Search", "Look for equilibria again", [this] { start(); });
  cancel_ = add_button("cancel", "&Cancel", "Cancel the search", [this] {
    cancel();
    poll();
  });
  row_->addWidget(make_bar("Starts done"), 1);
  bar_->setFormat("%v of %m starts");
  row_->addStretch(0);
  open_equilibrium_ = add_button("open_equilibrium", "Open &equilibrium",
                                 "Open a run that begins at rest in the chosen equilibrium",
                                 [this] { open_equilibrium(); });
  open_mode_ = add_button("open_mode", "Open &mode", "Open a run that begins in the chosen mode",
                          [this] { open_mode(); });
  save_ = add_button("save_table", "Save &table…", "Write the modes as CSV", [this] {
    const ModeTable table{scenario_, found_.list[*shown_], modes_, modes_.list.size()};
    context_.exports.save_table(table.csv(), file_name(scenario_.title, "system", "modes"));
  });
}

/// Shows the chosen mode in the view, which is hidden if nothing is to be animated.
void ModesDialog::animate() {
  const auto mode = chosen_mode();
  const bool shows = animated_->isChecked() && mode && shown_ && shown_ == chosen_equilibrium();
  if (shows)
    view_->show_mode(system_, found_.list[*shown_].q, modes_.list[*mode],
                     amplitude_->value() * degree);
  else
    view_->clear();
  view_->setVisible(animated_->isChecked());
  view_note_->setVisible(animated_->isChecked());
}

void ModesDialog::prepare(const QString& /*topic*/) {
  Session& session = context_.document.session();
  session.update();
  const Scenario& scenario = *session.document().settings;
  const bool known = system_ && scenario_.q.cols() == scenario.q.cols() &&
                     same_system(scenario_, scenario) && scenario_.q == scenario.q;
  scenario_ = scenario;
  title_->setText(QStringLiteral("%1, from its start").arg(to_qstring(scenario.title)));
  if (known && !again_) return;
  again_ = busy();
  if (again_)
    cancel();
  else
    start();
}

void ModesDialog::start() {
  if (busy()) return;
  system_ = rest_ = nullptr;
  take_equilibria({});
  refuse({});
  auto system = info_of(scenario_).create(scenario_.size(), scenario_.parameters);
  if (!system) return refuse(to_qstring(system.error().text()));
  const std::shared_ptr<const System> made = std::move(*system);
  auto rest = system_at_rest(made, 0, scenario_.q);
  if (!rest) return refuse(to_qstring("The system " + rest.error().message));
  system_ = made;
  rest_ = std::move(*rest);
  const EquilibriumSearch search{.tries = tries_->value(),
                                 .seed = static_cast<std::uint64_t>(seed_->value())};
  compute(
      [this, rest = rest_, q = scenario_.q, search] {
        return Result<Equilibria>(find_equilibria(
            *rest, q, search, spare_threads(),
            [this](std::size_t done, std::size_t all) { return go_on(done, all); }));
      },
      [this](Result<Equilibria> found) {
        if (std::exchange(again_, false)) return start();
        if (!found) return refuse(to_qstring(found.error().text()));
        take_equilibria(std::move(*found));
        if (found_.list.empty())
          refuse(cancelled() ? QStringLiteral("Cancelled")
                             : QStringLiteral("No equilibrium was found; try more random starts"));
      });
  poll();
}

void ModesDialog::take_equilibria(Equilibria found) {
  found_ = std::move(found);
  modes_ = {};
  shown_.reset();
  {
    const QSignalBlocker quiet(equilibria_);
    equilibria_->clearSelection();
    equilibria_->setRowCount(static_cast<int>(found_.list.size()));
    for (std::size_t k = 0; k < found_.list.size(); ++k) {
      const Equilibrium& e = found_.list[k];
      const double turn = turn_between(scenario_.q, e.q, rest_->conserved_momentum());
      int column = 0;
      const auto put = [&](const QString& text, bool number) {
        put_cell(*equilibria_, static_cast<int>(k), column++, text, {}, number);
      };
      put(QString::number(k), true);
      put(number_text(e.potential_energy, shown_digits), true);
      put(QString::number(e.index), true);
      put(QString::number(e.nullity), true);
      put(to_qstring(name(e.kind())), false);
      put(number_text(turn / degree, angle_digits), true);
    }
  }
  list_->setRowCount(0);
  if (!found_.list.empty()) equilibria_->selectRow(0);
  poll();
}

std::optional<std::size_t> ModesDialog::chosen_equilibrium() const {
  return chosen_row(*equilibria_);
}

std::optional<std::size_t> ModesDialog::chosen_mode() const { return chosen_row(*list_); }

/// Of the equilibrium that is chosen. Another one that is chosen meanwhile comes after it.
void ModesDialog::compute_modes() {
  const auto of = chosen_equilibrium();
  if (busy() || !of || of == shown_) return;
  compute([system = system_, rest = rest_,
           at = found_.list[*of]] { return modes_at(*system, *rest, at); },
          [this, of = *of](Result<Modes> found) { take_modes(of, std::move(found)); });
  poll();
}

void ModesDialog::take_modes(std::size_t of, Result<Modes> found) {
  if (std::exchange(again_, false)) return start();
  refuse(found ? QString() : to_qstring("The system " + found.error().message));
  modes_ = found ? std::move(*found) : Modes{};
  shown_ = of;
  list_->clearSelection();
  list_->setRowCount(static_cast<int>(modes_.list.size()));
  list_->setColumnHidden(quality_column, !modes_.damped);
  list_->setColumnHidden(energy_sign_column, !modes_.has_energy_signs());
  for (std::size_t k = 0; k < modes_.list.size(); ++k) {
    const Mode& mode = modes_.list[k];
    const int row = static_cast<int>(k);
    put_cell(*list_, row, 0, QString::number(k), {}, true);
    int column = 1;
    for (const double value : {mode.square, mode.frequency, mode.growth, mode.quality})
      put_cell(*list_, row, column++, number_text(value, shown_digits), {}, true);
    put_cell(*list_, row, energy_sign_column,
             to_qstring(mode.energy_sign > 0   ? "+1"
                        : mode.energy_sign < 0 ? "−1"
                                               : "0"),
             {}, true);
  }
  if (!modes_.list.empty()) list_->selectRow(0);
  poll();
  compute_modes();
}

void ModesDialog::poll() {
  StudyDialog::poll();
  start_->setEnabled(!busy());
  cancel_->setEnabled(busy() && !cancelled());
  open_equilibrium_->setEnabled(chosen_equilibrium().has_value());
  const bool modes = shown_ && shown_ == chosen_equilibrium();
  open_mode_->setEnabled(modes && chosen_mode());
  save_->setEnabled(modes && !modes_.list.empty());
  summary_->setText(found_.list.empty()
                        ? QString()
                        : QStringLiteral("%1, where %2 of %3 starts ended. Index 0 is stable.")
                              .arg(counted(found_.list.size(), "equilibrium", "equilibria"))
                              .arg(found_.converged)
                              .arg(found_.starts));
}

void ModesDialog::open_equilibrium() {
  if (const auto at = chosen_equilibrium()) open_run(scenario_at_rest(scenario_, found_.list[*at]));
}

void ModesDialog::open_mode() {
  const auto mode = chosen_mode();
  if (!mode || !shown_ || shown_ != chosen_equilibrium()) return;
  open_run(scenario_in_mode(scenario_, found_.list[*shown_], modes_, *mode,
                            amplitude_->value() * degree));
}

void ModesDialog::open_run(const Scenario& scenario) {
  context_.document.start(scenario, {});
  context_.window.raise();
  context_.window.activateWindow();
}

DialogRecord modes_dialog() {
  return study_record<ModesDialog>("modes", QStringLiteral("Equilibria and modes"));
}

}  // namespace twosphere

#include "moc_modes_dialog.cpp"
