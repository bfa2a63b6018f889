// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/orbits_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QGroupBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "app/base/labels.h"
#include "app/base/qt_text.h"
#include "app/dialogs/widgets.h"
#include "app/session/sweep_choices.h"
#include "core/base/json.h"
#include "core/language/evaluate.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/inertia.h"
#include "core/scenario/setting.h"
#include "core/scenario/writer.h"
#include "core/studies/orbit_parameter.h"
#include "ui/plot/axis.h"

namespace twosphere {

namespace {

constexpr int axis_letters = 8, max_members = 10'000, max_momenta_shown = 1000;

Error in_field(const char* name, const Error& error) {
  return {ErrorKind::usage, name, error.message};
}

/// The number in a field; none if it is empty.
Result<std::optional<double>> number_in(const QLineEdit& field, const char* name,
                                        const char* unit) {
  const std::string text = typed(field);
  if (text.empty()) return std::optional<double>();
  const auto value = evaluate(text, unit);
  if (!value) return in_field(name, value.error());
  return std::optional(*value);
}

/// Enables a widget; while it is grey its tooltip ends with why, if that is known.
void allow(QWidget& widget, bool on, const QString& why_not) {
  constexpr const char* own = "own_tip";
  if (!widget.property(own).isValid()) widget.setProperty(own, widget.toolTip());
  const QString tip = widget.property(own).toString();
  widget.setEnabled(on);
  widget.setToolTip(plain_tip(on || why_not.isEmpty() ? tip : tip + "\n\n" + why_not));
  widget.setAccessibleDescription(on ? QString() : why_not);
}

/// The numbers of the system of a scenario that orbits may be followed over.
std::vector<SweepSetting> system_numbers(const Scenario& scenario) {
  std::vector<SweepSetting> numbers = sweep_settings(one_lane(scenario, 0));
  const json::Node document = to_json(scenario);
  std::erase_if(numbers, [&](const SweepSetting& one) {
    const SettingPath path(one.path);
    if (path.key() != family_setting || one.whole) return true;
    const json::Node* value = find_setting(document, path);
    return !value || value->kind != json::Kind::number;
  });
  return numbers;
}

/// That which is chosen where no energy is kept: the first amplitude of a force that is not 0, else
/// the first number; −1 if there is none.
int default_number(const std::vector<SweepSetting>& numbers, const Scenario& scenario) {
  const auto found = std::find_if(numbers.begin(), numbers.end(), [&](const SweepSetting& one) {
    return one.path.find(".amplitude") != std::string::npos && number_at(scenario, one.path) != 0;
  });
  if (numbers.empty()) return -1;
  return found == numbers.end() ? 0 : static_cast<int>(found - numbers.begin());
}

constexpr const char *kept_by_none = "Damping and forces determine the orbit: they do not keep it.",
                     *from_the_mode =
                         "Find the orbit of this energy that the chosen mode grows into",
                     *near_period =
                         "T [s], near which an orbit through the present state is looked for";

}  // namespace

OrbitsForm::OrbitsForm(QWidget* parent) : QWidget(parent) {
  // `form`: an example of what may be typed, or what an empty field means.
  const auto line = [this](const char* name, const QString& tip, const QString& form = {}) {
    auto* made = named(new QLineEdit(this), name, {}, tip);
    made->setPlaceholderText(form);
    return made;
  };
  title_ = text_lines(*this, "scenario");
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(title_);

  QFormLayout& rests = *add_group("Equilibria and modes");
  tries_ = number_box(this, "tries", {},
                      "Random configurations from which the search begins, beside the start of the "
                      "scenario and bodies that point up or down",
                      0, EquilibriumSearch::max_tries, EquilibriumSearch{}.tries);
  seed_ = number_box(this, "seed", {}, "Another seed has other random starts", 0, 1'000'000'000,
                     static_cast<int>(EquilibriumSearch{}.seed));
  rests.addRow("Random starts", tries_);
  rests.addRow("Seed", seed_);
  merge_ = check_box(this, "merge_equal", "Merge e&qual bodies",
                     "List one of those that differ only in which of several equal bodies is where",
                     false);
  rests.addRow(merge_);
  search_ = add_button(rests, "start", "&Search", "Look for equilibria again",
                       &OrbitsForm::search_wanted);
  amplitude_ = named(new QDoubleSpinBox(this), "amplitude", {},
                     "How far the body that moves most is from the equilibrium where a run begins "
                     "in a mode, and in the animation");
  amplitude_->setRange(0.01, 90);
  amplitude_->setValue(5);
  amplitude_->setSuffix(QStringLiteral("°"));
  rests.addRow("Amplitude", amplitude_);
  animated_ = check_box(this, "animate", "&Animate",
                        "Show the shape of the chosen mode, to and fro at the amplitude above, or "
                        "the chosen orbit: one period in two seconds",
                        true);
  rests.addRow(animated_);

  QFormLayout& orbits = *add_group("Periodic orbits");
  energy_ = line("energy",
                 "E [J], or rest+E: above that of the nearest stable equilibrium. Empty: that of "
                 "the start, in a mode one of 1°.",
                 "E, or rest+E");
  orbits.addRow("Energy [J]", energy_);
  mode_ =
      add_button(orbits, "find_mode", "From the &mode", from_the_mode, &OrbitsForm::mode_wanted);
  relative_ = drop_down(this, "relative", "Axis about which the orbit turns",
                        "Let the orbit of the run close after a rotation of all bodies about an "
                        "axis of symmetry. Where the momentum about it is not zero, few orbits "
                        "close without one.",
                        axis_letters);
  relative_->addItem("no axis", QString());
  for (const char* axis : {"e1", "e2", "e3", "J"}) relative_->addItem(axis, QLatin1String(axis));
  orbits.addRow("Turning about", relative_);
  places_ =
      line("relabel",
           "Equal bodies that change places in a part of the period: 1,2,0 means that body 0 "
           "comes to where body 1 was, body 1 to 2, and 2 to 0. any: those with which the return "
           "of the run is nearest. Empty: none do.",
           "such as 1,2,0");
  orbits.addRow("New places", places_);
  return_ = add_button(orbits, "close_run", "C&lose this",
                       "Find the periodic orbit at the nearest return of the run",
                       &OrbitsForm::return_wanted);
  period_ = line("period", near_period);
  orbits.addRow("Period [s]", period_);
  present_ = add_button(orbits, "find_present", "From the &present state",
                        "Find the periodic orbit of about this period at the present state",
                        &OrbitsForm::present_wanted);

  QFormLayout& families = *add_group("Family");
  over_ = drop_down(this, "over", {},
                    "What the family is followed over, and the diagram, if it is a number of the "
                    "system; of relative orbits the momentum is held meanwhile, over the momentum "
                    "the energy, over a number both",
                    axis_letters);
  for (const FamilyOver over : {FamilyOver::energy, FamilyOver::period, FamilyOver::momentum})
    over_->addItem(to_qstring(name(over)));
  families.addRow("Over", over_);
  to_ = line("to",
             "Where the family ends [J, s, J s or the unit of the number]; an energy may be "
             "rest+E. Empty: upwards, as far as it goes, but over a number of the system.",
             "as far as it goes");
  families.addRow("Up to", to_);
  count_ =
      number_box(this, "count", {}, "The most orbits that are found at once", 2, max_members, 100);
  families.addRow("Orbits", count_);
  follow_ = add_button(families, "follow", "&Follow",
                       "Follow the family of the chosen orbit, or that of the chosen mode",
                       &OrbitsForm::follow_wanted);
  direction_ = drop_down(this, "direction", {},
                         "Where a symmetry lets several families begin together: what the one that "
                         "branches off moves",
                         axis_letters);
  families.addRow("Direction", direction_);
  branch_ =
      add_button(families, "branch", "&Branch off",
                 "Follow the family that branches off at the next branching or doubling after "
                 "the chosen orbit. A drag along the curve chooses one.",
                 &OrbitsForm::branch_wanted);

  QFormLayout& turning = *add_group("Relative equilibria");
  about_ = drop_down(this, "about", "Axis of relative equilibria",
                     "All bodies turn about this axis like a rigid body", axis_letters);
  about_->addItems({"e1", "e2", "e3"});
  about_->setCurrentIndex(2);
  turning.addRow("About", about_);
  from_momentum_ = line("from_momentum", "The first momentum about the axis [J s]");
  to_momentum_ = line("to_momentum", "The last momentum about the axis [J s]");
  values_ =
      number_box(this, "momenta", {}, "How many momenta, evenly spaced", 2, max_momenta_shown, 20);
  turning.addRow("From [J s]", from_momentum_);
  turning.addRow("To [J s]", to_momentum_);
  turning.addRow("Momenta", values_);
  find_relative_ = add_button(turning, "find_relative", "Find t&urning states",
                              "Find the relative equilibria of these momenta, on their curves",
                              &OrbitsForm::relative_wanted);
  column->addStretch(1);

  connect(over_, &QComboBox::currentIndexChanged, this, &OrbitsForm::show_over);
  connect(animated_, &QCheckBox::toggled, this, &OrbitsForm::animation_changed);
  connect(amplitude_, qOverload<double>(&QDoubleSpinBox::valueChanged), this,
          &OrbitsForm::animation_changed);
}

QFormLayout* OrbitsForm::add_group(const char* title) {
  auto* group = new QGroupBox(QLatin1String(title), this);
  layout()->addWidget(group);
  return new QFormLayout(group);
}

QPushButton* OrbitsForm::add_button(QFormLayout& to, const char* name, const QString& label,
                                    const QString& tip, void (OrbitsForm::*wanted)()) {
  QPushButton* made = push_button(*this, name, label, tip);
  to.addRow(made);
  connect(made, &QPushButton::clicked, this, wanted);
  return made;
}

void OrbitsForm::set_title(const QString& title) { title_->setText(title); }

void OrbitsForm::set_systems(const Scenario& scenario, const OrbitSystems& systems) {
  const bool kept = systems.keeps_energy(), driven = systems.driven();
  no_rest_ = to_qstring(systems.no_rest);
  no_orbits_ = to_qstring(systems.no_orbits);
  no_turning_ = to_qstring(systems.no_turning);
  allow(*energy_, kept, QLatin1String(kept_by_none));
  allow(*places_, kept,
        QStringLiteral("Bodies change places only without damping, and without forces of the time "
                       "or of velocities."));
  const bool turns = !systems.orbits || !orbit_axes(*systems.orbits).empty();
  allow(*relative_, turns,
        QStringLiteral("There is no axis about which the system and its forces are symmetric."));
  mode_->setText(driven ? QStringLiteral("Fro&m rest") : QStringLiteral("From the &mode"));
  mode_->setProperty(
      "own_tip",
      driven ? QStringLiteral("Find the orbit, of the period of the forces, that is near rest in "
                              "the chosen equilibrium, which is one without them")
             : QLatin1String(from_the_mode));
  const double of_forces = driven && systems.orbits ? systems.orbits->force_period() : 0;
  period_->setPlaceholderText(
      of_forces > 0
          ? QStringLiteral("%1, of the forces").arg(to_qstring(ui::significant(of_forces, 8)))
          : QString());
  period_->setToolTip(plain_tip(
      of_forces > 0 ? QStringLiteral("T [s], a multiple of the period of the forces. Empty: that.")
      : driven ? QStringLiteral("T [s], after which the forces of the time repeat, or a multiple "
                                "of it: their period is not known")
               : QLatin1String(near_period)));
  fill_over(scenario, systems);
  const State start{0, scenario.q, scenario.omega};
  if (kept && systems.rest) return set_default(*systems.rest, start);
  relative_->setCurrentIndex(0);
  from_momentum_->clear();
  to_momentum_->clear();
  if (!driven && systems.rest) {
    set_default(*systems.rest, start);
    relative_->setCurrentIndex(0);
  }
}

/// Energy, period and momentum, and the numbers of the system; what was chosen stays.
void OrbitsForm::fill_over(const Scenario& scenario, const OrbitSystems& systems) {
  constexpr int kept_count = 3;
  const bool kept = systems.keeps_energy();
  {
    const QSignalBlocker quiet(over_);
    const QString before = over_->currentData().toString();
    const int first = std::max(0, over_->currentIndex());
    while (over_->count() > kept_count) over_->removeItem(kept_count);
    const std::vector<SweepSetting> numbers = system_numbers(scenario);
    for (const SweepSetting& one : numbers)
      add_choice(*over_, to_qstring(one.title()), to_qstring(one.path), to_qstring(one.path));
    const auto& list = *qobject_cast<QStandardItemModel*>(over_->model());
    for (int k = 0; k < kept_count; ++k) {
      list.item(k)->setEnabled(kept);
      list.item(k)->setToolTip(plain_tip(kept ? QString() : QLatin1String(kept_by_none)));
    }
    const int chosen = before.isEmpty() ? -1 : over_->findData(before);
    const int initial = !kept ? default_number(numbers, scenario) : first < kept_count ? first : 0;
    const bool of_system = !kept && initial >= 0;
    over_->setCurrentIndex(chosen >= 0 ? chosen : of_system ? kept_count + initial : initial);
  }
  show_over();
}

void OrbitsForm::show_over() {
  to_->setPlaceholderText(number().empty() ? QStringLiteral("as far as it goes")
                                           : QStringLiteral("its last value"));
  Q_EMIT over_changed();
}

std::string OrbitsForm::number() const { return over_->currentData().toString().toStdString(); }

/// The first values for a system and the start of its run.
void OrbitsForm::set_default(const System& rest, const State& start) {
  constexpr double none = 1e-9;  // of a momentum, relative to that of all bodies
  Eigen::VectorXd inertia;
  diagonal(rest.inertia(), start.q, inertia);
  const auto conserved = rest.conserved_momentum();
  const Vec3 j = momentum_map(rest, start);
  const bool all = std::all_of(conserved.begin(), conserved.end(), [](bool one) { return one; });
  const double scale = start.w.norm() * inertia.sum();
  int axis = 2;
  for (int k = 0; k < 3; ++k)
    if (conserved[static_cast<std::size_t>(k)]) axis = k;
  about_->setCurrentIndex(axis);
  const bool turns = (all ? j.norm() : std::abs(j[axis])) > none * scale;
  const bool about = conserved[static_cast<std::size_t>(axis)] && turns;
  relative_->setCurrentIndex(!about ? 0 : all ? 4 : axis + 1);
  const double momentum = std::abs(j[axis]);
  const bool known = momentum > none * scale && momentum > 0;
  const auto text = [](double value) {
    return to_qstring(json::shortest(QString::number(value, 'g', 2).toDouble()));
  };
  from_momentum_->setText(known ? text(momentum / 5) : QString());
  to_momentum_->setText(known ? text(2 * momentum) : QString());
}

void OrbitsForm::set_possible(const Possible& what) {
  allow(*search_, what.search && no_rest_.isEmpty(), no_rest_);
  allow(*mode_, what.mode, no_orbits_.isEmpty() ? no_rest_ : no_orbits_);
  for (QPushButton* button : {present_, return_}) allow(*button, what.run, no_orbits_);
  allow(*find_relative_, what.turning, no_turning_);
  allow(*follow_, what.follow, no_orbits_);
  allow(*branch_, what.branch, no_orbits_);
}

void OrbitsForm::set_directions(const std::vector<std::string>& told) {
  if (told != directions_) {
    directions_ = told;
    direction_->clear();
    for (std::size_t k = 0; k < told.size(); ++k)
      add_choice(*direction_, QStringLiteral("%1: %2").arg(k).arg(to_qstring(told[k])), {},
                 to_qstring(told[k]));
  }
  allow(*direction_, told.size() > 1,
        QStringLiteral("No branching or doubling with several directions comes next."));
}

std::size_t OrbitsForm::direction() const {
  return static_cast<std::size_t>(std::max(0, direction_->currentIndex()));
}

EquilibriumSearch OrbitsForm::search() const {
  return {.tries = tries_->value(),
          .seed = static_cast<std::uint64_t>(seed_->value()),
          .merge_equal = merge_->isChecked()};
}

double OrbitsForm::amplitude() const { return amplitude_->value() * std::numbers::pi / 180; }

bool OrbitsForm::animates() const { return animated_->isChecked(); }

Result<OrbitRequest> OrbitsForm::request(OrbitRequest::From from, const System& system,
                                         const State& state) const {
  OrbitRequest request;
  request.from = from;
  if (const std::string text = typed(*energy_); energy_->isEnabled() && !text.empty()) {
    const auto energy = read_energy(text);
    if (!energy) return in_field("Energy", energy.error());
    request.energy = energy->value;
    request.above_rest = energy->above_rest;
  }
  if (from == OrbitRequest::From::mode) return request;
  if (const std::string name = relative_->currentData().toString().toStdString();
      relative_->isEnabled() && !name.empty()) {
    const auto axis = read_axis(name, system, state);
    if (!axis) return in_field("Turning about", axis.error());
    request.closure.axis = *axis;
  }
  if (const std::string text = typed(*places_); places_->isEnabled() && !text.empty()) {
    if (const auto read = read_relabel(text, request); !read)
      return in_field("New places", read.error());
  }
  const auto period = number_in(*period_, "Period", "s");
  if (!period) return period.error();
  request.period = *period;
  return request;
}

Result<FamilyRequest> OrbitsForm::family(const Scenario& scenario) const {
  FamilyRequest request;
  const std::string over = number().empty() ? over_->currentText().toStdString() : number();
  if (const auto read = read_over(over, scenario, request); !read)
    return in_field("Over", read.error());
  request.count = static_cast<std::size_t>(count_->value());
  request.to = std::numeric_limits<double>::infinity();
  const std::string text = typed(*to_);
  if (text.empty() && request.over == FamilyOver::parameter)
    return Error{ErrorKind::usage, "Up to", "needs the value of " + over + " where it ends"};
  if (text.empty()) return request;
  if (const auto read = read_to(text, scenario, request); !read)
    return in_field("Up to", read.error());
  return request;
}

int OrbitsForm::axis() const { return about_->currentIndex(); }

Result<std::vector<double>> OrbitsForm::momenta() const {
  const auto first = number_in(*from_momentum_, "From", "J s");
  if (!first) return first.error();
  const auto last = number_in(*to_momentum_, "To", "J s");
  if (!last) return last.error();
  if (!*first || !*last)
    return Error{ErrorKind::usage, "Relative equilibria", "need the first and the last momentum"};
  if (**first == **last)
    return Error{ErrorKind::usage, "Relative equilibria", "need two different momenta"};
  std::vector<double> momenta;
  for (int k = 0; k < values_->value(); ++k)
    momenta.push_back(**first + (**last - **first) * k / (values_->value() - 1));
  return momenta;
}

}  // namespace twosphere

#include "moc_orbits_form.cpp"
