// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/sweep_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QGroupBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "app/base/labels.h"
#include "app/base/qt_text.h"
#include "app/dialogs/signal_form.h"
#include "app/dialogs/widgets.h"
#include "core/catalog.h"
#include "core/scenario/schedule.h"
#include "ui/plot/axis.h"

namespace twosphere {

namespace {

constexpr int max_points = 2000, max_steps = 1'000'000'000;
constexpr int list_letters = 16;  // of lists, at least

QString path_of(const QComboBox& box) { return box.currentData().toString(); }

void choose_data(QComboBox& box, const QString& data) {
  if (const int index = box.findData(data); index >= 0) box.setCurrentIndex(index);
}

/// A number that reads well in a field.
QString number(double value) {
  return to_qstring(json::shortest(QString::number(value, 'g', 4).toDouble()));
}

}  // namespace

SweepForm::SweepForm(QWidget* parent) : QWidget(parent) {
  title_ = text_lines(*this, "scenario");
  method_ = drop_down(this, "method", {}, "The integrator of every task: a lane of the run",
                      list_letters);
  measure_ = drop_down(this, "measure", {},
                       "What is drawn. MEGNO is 2 for a regular motion and grows with time for a "
                       "chaotic one.",
                       list_letters);
  steps_ = named(new QSpinBox(this), "steps", "Steps", "Steps of each task");
  steps_->setRange(1, max_steps);
  steps_->setSingleStep(1000);
  duration_ = named(plain_label({}, this), "duration");
  no_exponents_ = text_lines(*this, "no_exponents");

  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->addWidget(title_);
  for (int k = 0; k < 2; ++k) all->addWidget(make_axis(k));
  auto* length = new QHBoxLayout;
  length->addWidget(steps_, 1);
  length->addWidget(duration_);
  auto* form = new QFormLayout;
  form->addRow("Measure", measure_);
  form->addRow(no_exponents_);
  form->addRow("Integrator", method_);
  form->addRow("Steps", length);
  all->addLayout(form);
  auto* group = new QGroupBox("Signal", this);
  group->setToolTip(QStringLiteral("The signal of the state whose frequencies are measured"));
  signal_ = new SignalForm(group);
  (new QVBoxLayout(group))->addWidget(signal_);
  all->addWidget(group);

  connect(method_, &QComboBox::activated, this, [this] {
    fill_settings();
    show_duration();
    fit_measures();
  });
  connect(steps_, &QSpinBox::valueChanged, this, &SweepForm::show_duration);
  connect(measure_, &QComboBox::currentIndexChanged, this, [this] {
    picked_ = path_of(*measure_);
    show_signal();
  });
  show_signal();
}

QWidget* SweepForm::make_axis(int index) {
  auto* group = new QGroupBox(index == 0 ? "Horizontal axis" : "Vertical axis", this);
  // "from1", and "Horizontal axis: from" to be spoken.
  const auto part = [&](auto* widget, const char* name, const char* spoken, const char* tip) {
    return named(widget, (name + std::to_string(index + 1)).c_str(), group->title() + ": " + spoken,
                 tip);
  };
  AxisFields& axis = axes_[static_cast<std::size_t>(index)];
  axis.setting = part(drop_down(this, "", {}, {}, list_letters), "setting", "setting", "");
  for (auto [field, name] : {std::pair(&axis.from, "from"), std::pair(&axis.to, "to")})
    *field = part(new QLineEdit(this), name, name, "A number or an expression, such as pi/4");
  axis.points = part(new QSpinBox(this), "points", "number of values", "Number of values");
  axis.points->setRange(2, max_points);
  axis.ratios = part(check_box(this, "", "Logarithmic spacing"), "ratios", "equal ratios",
                     "Neighbouring values have equal ratios instead of equal differences");
  auto* count = new QHBoxLayout;
  count->addWidget(axis.points, 1);
  count->addWidget(axis.ratios);
  auto* form = new QFormLayout(group);
  form->addRow(axis.setting);
  form->addRow("From", field_pair(axis.from, "to", axis.to));
  form->addRow("Values", count);
  connect(axis.setting, &QComboBox::activated, this, [this, &axis] {
    show_range(axis);
    fit_measures();
  });
  for (QLineEdit* field : {axis.from, axis.to})
    connect(field, &QLineEdit::editingFinished, this, &SweepForm::fit_measures);
  return group;
}

std::size_t SweepForm::lane() const {
  return static_cast<std::size_t>(std::max(0, method_->currentIndex()));
}

void SweepForm::set_scenario(const Scenario& scenario) {
  const bool other = scenario_.lanes.empty() || !same_kind(scenario_, scenario) ||
                     scenario_.size() != scenario.size();
  if (other || scenario.signal != scenario_.signal)
    signal_->set_signal(scenario.signal.value_or(ComplexSignal{}));
  scenario_ = scenario;
  title_->setText(QStringLiteral("%1, from its start").arg(to_qstring(scenario.title)));
  const DefaultSweep defaults = other ? default_sweep(scenario) : DefaultSweep{};
  const int lane_before = method_->currentIndex();
  method_->clear();
  for (const LaneSpec& spec : scenario.lanes) {
    const IntegratorInfo* info = find_integrator(spec.type);
    method_->addItem(to_qstring(info ? info->title : std::string_view(spec.type)));
  }
  method_->setCurrentIndex(
      other || lane_before >= method_->count() ? static_cast<int>(defaults.lane) : lane_before);
  method_->setEnabled(method_->count() > 1);
  if (other) picked_.clear();
  {
    const QSignalBlocker quiet(measure_);
    measure_->clear();
    for (const SweepMeasure& choice : sweep_measures(scenario))
      measure_->addItem(to_qstring(choice.label()), to_qstring(choice.key()));
  }
  fill_settings();
  if (other) {
    axes_[1].setting->setCurrentIndex(0);
    for (std::size_t k = 0; k < defaults.axes.size(); ++k) choose(axes_[k], defaults.axes[k]);
    for (AxisFields& axis : axes_) axis.points->setValue(defaults.points);
    steps_->setValue(static_cast<int>(defaults.steps));
  }
  show_duration();
  fit_measures();
}

/// The settings of the method chosen; what was chosen stays.
void SweepForm::fill_settings() {
  settings_ = sweep_settings(one_lane(scenario_, lane()), chosen_);
  for (AxisFields& axis : axes_) {
    const QSignalBlocker quiet(axis.setting);
    const QString before = path_of(*axis.setting);
    axis.setting->clear();
    if (&axis == &axes_[1]) axis.setting->addItem(QStringLiteral("None"), QString());
    for (const SweepSetting& s : settings_)
      add_choice(*axis.setting, to_qstring(s.title()), to_qstring(s.path), to_qstring(s.path));
    choose_data(*axis.setting, before);
    if (path_of(*axis.setting) != before) show_range(axis);
  }
}

void SweepForm::choose(AxisFields& axis, const std::string& path) {
  choose_data(*axis.setting, to_qstring(path));
  show_range(axis);
}

bool SweepForm::choose_axis(const QString& path) {
  // A field of a lane, or the step of the run, is that of the only lane of the sweep.
  QString own = path;
  if (const SettingPath at(path.toStdString()); at.lane()) {
    method_->setCurrentIndex(static_cast<int>(*at.lane()));
    own = to_qstring(at.with_first(2, "integrator").text());
  } else if (path == QLatin1String("lanes step")) {
    own = QStringLiteral("integrator.step");
  }
  own = to_qstring(sweep_path(scenario_, own.toStdString()));
  chosen_ = own.toStdString();
  fill_settings();
  if (axes_[0].setting->findData(own) < 0) return false;
  if (path_of(*axes_[1].setting) == own) choose(axes_[1], path_of(*axes_[0].setting).toStdString());
  choose(axes_[0], own.toStdString());
  fit_measures();
  return true;
}

/// The range that is offered for the setting chosen.
void SweepForm::show_range(AxisFields& axis) {
  const std::string path = path_of(*axis.setting).toStdString();
  const auto found = std::find_if(settings_.begin(), settings_.end(),
                                  [&](const SweepSetting& s) { return s.path == path; });
  const bool given = found != settings_.end();
  show_duration();
  for (QWidget* field :
       std::initializer_list<QWidget*>{axis.from, axis.to, axis.points, axis.ratios})
    field->setEnabled(given);
  if (!given) return;
  axis.from->setText(number(found->low));
  axis.to->setText(number(found->whole ? found->low + axis.points->value() - 1 : found->high));
  axis.ratios->setChecked(found->logarithmic);
}

bool SweepForm::sweeps_duration() const {
  return std::any_of(axes_.begin(), axes_.end(), [](const AxisFields& axis) {
    return path_of(*axis.setting) == QLatin1String("duration");
  });
}

void SweepForm::show_duration() {
  if (scenario_.lanes.empty()) return;
  steps_->setEnabled(!sweeps_duration());
  if (sweeps_duration()) return duration_->setText(QStringLiteral("by the axis"));
  const double h = scenario_.lanes[lane()].step;
  duration_->setText(
      QStringLiteral("= %1 s").arg(to_qstring(ui::significant(h * steps_->value(), 4))));
}

/// The measure chosen; none before there is a scenario.
std::optional<SweepMeasure> SweepForm::measure() const {
  if (scenario_.lanes.empty()) return {};
  const auto measure = parse_measure(path_of(*measure_).toStdString(), scenario_);
  return measure ? std::optional(*measure) : std::nullopt;
}

/// Offers the measures that this map can have, with the reason where exponents are not among them.
/// What was chosen stays if it is one of them.
void SweepForm::fit_measures() {
  if (scenario_.lanes.empty()) return;
  Sweep plan{.scenario = one_lane(scenario_, lane())};
  for (const AxisFields& fields : axes_)
    if (!path_of(*fields.setting).isEmpty())
      if (auto made = axis_of(fields, plan.scenario)) plan.axes.push_back(std::move(*made));
  const MapExponents exponents = exponents_on(plan);
  const QString why =
      QStringLiteral("MEGNO, FLI and Lyapunov exponents cannot be measured%1: %2.")
          .arg(exponents.somewhere ? QStringLiteral(" everywhere on this map") : QString(),
               to_qstring(exponents.why));
  no_exponents_->setText(exponents.everywhere ? QString() : why);
  no_exponents_->setVisible(!exponents.everywhere);
  const auto& list = *qobject_cast<QStandardItemModel*>(measure_->model());
  for (int i = 0; i < measure_->count(); ++i) {
    const auto read = parse_measure(measure_->itemData(i).toString().toStdString(), scenario_);
    QString why_not;
    if (read && read->vectors() > 0 && !exponents.somewhere)
      why_not = why;
    else if (read)
      why_not = to_qstring(why_not_measured(plan, *read));
    list.item(i)->setEnabled(why_not.isEmpty());
    list.item(i)->setToolTip(plain_tip(!why_not.isEmpty() ? why_not
                                       : read             ? to_qstring(read->meaning())
                                                          : QString()));
  }
  const int picked = measure_->findData(picked_);
  const bool still_offered = picked >= 0 && list.item(picked)->isEnabled();
  const QSignalBlocker quiet(measure_);
  choose_data(*measure_, still_offered ? picked_ : to_qstring(default_measure(exponents)));
  show_signal();
}

/// The signal has fields only while something is measured of it.
void SweepForm::show_signal() {
  const auto chosen = measure();
  signal_->parentWidget()->setVisible(chosen && chosen->needs_signal());
}

Result<SweepAxis> SweepForm::axis_of(const AxisFields& fields, const Scenario& scenario) const {
  return parse_axis(
      QStringLiteral("%1=%2:%3:%4%5")
          .arg(path_of(*fields.setting), fields.from->text().trimmed(), fields.to->text().trimmed())
          .arg(fields.points->value())
          .arg(fields.ratios->isChecked() ? QStringLiteral(":log") : QString())
          .toStdString(),
      &scenario);
}

Result<Sweep> SweepForm::sweep() const {
  const auto refuse = [](const char* location, const std::string& why) {
    return Error{ErrorKind::usage, location, why};
  };
  if (scenario_.continuation)
    return refuse("Scenario", "a map begins at a start, but this run continues a saved state");
  Sweep sweep = sweep_of(one_lane(scenario_, lane()));
  sweep.scenario.duration = duration_of(steps_->value(), sweep.scenario.lanes, {});
  sweep.scenario.every = 0;
  for (const AxisFields& fields : axes_) {
    if (path_of(*fields.setting).isEmpty()) continue;
    const char* location = &fields == &axes_[0] ? "Horizontal axis" : "Vertical axis";
    auto made = axis_of(fields, sweep.scenario);
    if (!made) return refuse(location, made.error().text());
    if (!sweep.axes.empty() && sweep.axes[0].path == made->path)
      return refuse(location, "is the same setting as the horizontal axis");
    sweep.axes.push_back(std::move(*made));
  }
  auto measure = parse_measure(path_of(*measure_).toStdString(), sweep.scenario);
  if (!measure) return refuse("Measure", measure.error().text());
  sweep.measures.push_back(*measure);
  if (measure->needs_signal()) {
    const auto signal = signal_->signal(sweep.scenario);
    if (!signal) return signal.error();
    sweep.scenario.signal = *signal;
    // A frequency map has both: which lines there are, and where they stay.
    using Kind = SweepMeasure::Kind;
    sweep.measures.push_back(
        {.kind = measure->kind == Kind::diffusion ? Kind::frequency : Kind::diffusion});
  }
  return sweep;
}

}  // namespace twosphere

#include "moc_sweep_form.cpp"
