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
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <utility>

#include "app/base/qt_text.h"
#include "app/dialogs/widgets.h"
#include "core/base/json.h"
#include "core/language/evaluate.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/inertia.h"

namespace twosphere {

namespace {

constexpr int axis_letters = 8, most_members = 10'000, most_momenta_shown = 1000;

std::string typed(const QLineEdit& field) { return field.text().trimmed().toStdString(); }

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

}  // namespace

OrbitsForm::OrbitsForm(QWidget* parent) : QWidget(parent) {
  // `form`: an example of what may be typed, or what an empty field means.
  const auto line = [this](const char* name, const QString& tip, const QString& form = {}) {
    auto* made = named(new QLineEdit(this), name, {}, tip);
    made->setPlaceholderText(form);
    return made;
  };
  const auto whole = [this](const char* name, const QString& tip, int low, int high, int value) {
    auto* made = named(new QSpinBox(this), name, {}, tip);
    made->setRange(low, high);
    made->setValue(value);
    return made;
  };
  title_ = text_lines(*this, "scenario");
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(title_);

  QFormLayout& rests = *add_group("Equilibria and modes");
  tries_ = whole("tries",
                 "Random configurations from which the search begins, beside the start of the "
                 "scenario and bodies that point up or down",
                 0, EquilibriumSearch::max_tries, EquilibriumSearch{}.tries);
  seed_ = whole("seed", "Another seed has other random starts", 0, 1'000'000'000,
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
  mode_ = add_button(orbits, "find_mode", "From the &mode",
                     "Find the orbit of this energy that the chosen mode grows into",
                     &OrbitsForm::mode_wanted);
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
  period_ = line("period", "T [s], near which an orbit through the present state is looked for");
  orbits.addRow("Period [s]", period_);
  present_ = add_button(orbits, "find_present", "From the &present state",
                        "Find the periodic orbit of about this period at the present state",
                        &OrbitsForm::present_wanted);

  QFormLayout& families = *add_group("Family");
  over_ = drop_down(this, "over", {},
                    "What the family is followed over; of relative orbits the momentum is held "
                    "meanwhile, over the momentum the energy",
                    axis_letters);
  for (const FamilyOver over : {FamilyOver::energy, FamilyOver::period, FamilyOver::momentum})
    over_->addItem(to_qstring(name(over)));
  families.addRow("Over", over_);
  to_ = line("to",
             "Where the family ends [J, s or J s]; an energy may be rest+E. Empty: upwards, as far "
             "as it goes.",
             "as far as it goes");
  families.addRow("Up to", to_);
  count_ = whole("count", "The most orbits that are found at once", 2, most_members, 100);
  families.addRow("Orbits", count_);
  follow_ = add_button(families, "follow", "&Follow",
                       "Follow the family of the chosen orbit, or that of the chosen mode",
                       &OrbitsForm::follow_wanted);
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
  values_ = whole("momenta", "How many momenta, evenly spaced", 2, most_momenta_shown, 20);
  turning.addRow("From [J s]", from_momentum_);
  turning.addRow("To [J s]", to_momentum_);
  turning.addRow("Momenta", values_);
  find_relative_ = add_button(turning, "find_relative", "Find t&urning states",
                              "Find the relative equilibria of these momenta, on their curves",
                              &OrbitsForm::relative_wanted);
  column->addStretch(1);

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

void OrbitsForm::set_usual(const System& rest, const State& start) {
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
  search_->setEnabled(what.search);
  mode_->setEnabled(what.mode);
  for (QPushButton* button : {present_, return_, find_relative_}) button->setEnabled(what.run);
  follow_->setEnabled(what.follow);
  branch_->setEnabled(what.branch);
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
  if (const std::string text = typed(*energy_); !text.empty()) {
    const auto energy = read_energy(text);
    if (!energy) return in_field("Energy", energy.error());
    request.energy = energy->value;
    request.above_rest = energy->above_rest;
  }
  if (from == OrbitRequest::From::mode) return request;
  if (const std::string name = relative_->currentData().toString().toStdString(); !name.empty()) {
    const auto axis = read_axis(name, system, state);
    if (!axis) return in_field("Turning about", axis.error());
    request.closure.axis = *axis;
  }
  if (const std::string text = typed(*places_); !text.empty()) {
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
  request.over = static_cast<FamilyOver>(over_->currentIndex());
  request.count = static_cast<std::size_t>(count_->value());
  request.to = std::numeric_limits<double>::infinity();
  const std::string text = typed(*to_);
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
