// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/mechanics/diagnostics.h"
#include "core/run/step_cost.h"
#include "core/scenario/plotted_expression.h"

namespace twosphere {

/// A number that is recorded over a run and can be plotted: a quantity, a component of the state,
/// or a step quantity. Bodies are numbered from 0 in keys, as in files, and from 1 in labels, as in
/// the papers.
///
/// Keys: those of Quantity ("energy_error") and StepQuantity ("newton_iterations"); of body i, with
/// x, y, z along e1, e2, e3:
///   q{i}_x …         direction q_i [1]
///   omega{i}_x …     angular velocity ω_i [rad/s]
///   mu{i}_x …        momentum μ_i [J s], momenta()
///   pi{i}_x …        angular momentum π_i [J s], angular_momenta()
///   position{i}_x …  position of the body [m], from System::geometry()
///   polar{i}         θ_i = atan2(√(q_x² + q_y²), q_z), the angle from e3 [rad], 0 … π
///   azimuth{i}       φ_i = atan2(q_y, q_x), about e3 from e1 [rad], −π … π
///   height{i}        minus the position along e3, along which gravity acts [m]
/// Of a text-defined system, the quantities that it names:
///   own:height_of_the_last_bob[m]   name and unit; a blank is _, and _, %, [ and ] are %5F, …
/// Of the state, an expression with its name and unit (StateExpression), written in the same way:
///   expression:height[m]=-e3.q%5B1%5D
/// Of bodies that attract one another without bound where they meet:
///   closest_angle    angle of the closest pair, System::closest_encounter() [rad]
/// Of two or more bodies:
///   mean_direction_z       mean of e3·q_i over the bodies [1]
/// Of many bodies on a sphere, SystemInfo::field:
///   temperature            temperature() [J]
///   pressure               pressure() [N/m]
///   kinetic_energy_peak    largest value of the kinetic energy field over the mean of its values,
///                          SurfaceField [1]
/// Of at most max_omega_matrix_bodies bodies, of the matrix of [P1] (2.11):
///   inertia_determinant    OmegaMatrix::determinant [1]
///   inertia_condition      OmegaMatrix::condition [1]
/// Of a lane whose method has a modified energy in the system, ModifiedEnergy; else NaN:
///   modified_energy_error  H̃ − H̃₀ − W, ModifiedEnergyError [J]
/// For each component of the angular momentum that is recorded for the system:
///   angular_momentum_x_error …  J₁ minus its value at the first sample of the lane [J s]
/// Between two lanes, or runs of the same start:
///   distance         distance() from the state of the reference lane; between two runs, from that
///                    of the same lane of the run that distances are measured to [rad]
class Signal {
 public:
  enum class Kind {
    quantity,
    step,
    distance,
    closest_angle,
    mean_direction,
    energy_peak,
    temperature,
    pressure,
    inertia_determinant,
    inertia_condition,
    modified_energy_error,
    own,
    expression,
    momentum_error,
    direction,
    angular_velocity,
    momentum,
    angular_momentum,
    position,
    polar,
    azimuth,
    height
  };

  Signal(Quantity quantity) : index_(static_cast<int>(quantity)) {}
  Signal(StepQuantity quantity) : kind_(Kind::step), index_(static_cast<int>(quantity)) {}
  /// A component of body `body`, numbered from 0; axis 0, 1, 2, and 0 for the angles.
  Signal(Kind kind, int body, int axis = 0);
  /// The only signal of a kind without bodies and components.
  static Signal of_kind(Kind kind);
  static Signal distance() { return of_kind(Kind::distance); }
  static Signal closest_angle() { return of_kind(Kind::closest_angle); }
  static Signal mean_direction() { return of_kind(Kind::mean_direction); }
  static Signal energy_peak() { return of_kind(Kind::energy_peak); }
  static Signal temperature() { return of_kind(Kind::temperature); }
  static Signal pressure() { return of_kind(Kind::pressure); }
  static Signal inertia_determinant() { return of_kind(Kind::inertia_determinant); }
  static Signal inertia_condition() { return of_kind(Kind::inertia_condition); }
  static Signal modified_energy_error() { return of_kind(Kind::modified_energy_error); }
  static Signal own(const OwnQuantity& quantity);
  explicit Signal(const PlottedExpression& plotted);
  /// The change of the component along e1, e2 or e3: axis 0, 1, 2.
  static Signal momentum_error(int axis);

  /// The signal with this key, if the key has a valid form; exists() tells whether a run has it.
  static std::optional<Signal> parse(std::string_view key);
  std::string key() const;
  std::string label() const;      ///< "energy error", "angular velocity ω₂·e₂"
  std::string symbol() const;     ///< "E − E₀ − W", "ω₂·e₂"
  std::string_view unit() const;  ///< "J", "rad/s"
  bool error() const;             ///< an error: plotted as |value| on a log axis
  bool count() const;             ///< an integer
  std::string_view help() const;  ///< a sentence; the text of an expression
  /// The name of its column in tables: the key, or "plots." before its own name.
  std::string column() const;

  Kind kind() const { return kind_; }
  /// Numbered from 0; −1: none.
  int body() const { return kind_ <= Kind::momentum_error ? -1 : index_; }
  std::optional<Quantity> quantity() const;             ///< none if it is another kind
  std::optional<StepQuantity> step_quantity() const;    ///< none if it is another kind
  std::optional<PlottedExpression> expression() const;  ///< none if it is another kind
  /// The axis, if it is a component of the angular momentum or its change: 0, 1, 2.
  std::optional<int> momentum_axis() const;
  /// Whether a run of this system with this many bodies and lanes has the signal; always of an
  /// expression. Other runs of the
  /// same start count as lanes.
  bool exists(const SystemInfo& info, int bodies, int lanes = 1) const;
  /// The value at a state of this system whose ω is up to date. Not for quantities, the distance,
  /// the change of the momentum and of the modified energy, which are not functions of one state,
  /// and expressions, which StateExpression evaluates. Cost: O(1), for a position or height that of
  /// System::geometry(), for a momentum a product with M, for the peak of the kinetic energy that
  /// of SurfaceField::update(), for the pressure a gradient, and O(n³) for the matrix of (2.11).
  double value(const System& system, const State& state) const;

  // NOLINTNEXTLINE(modernize-use-nullptr): the 0 of a default comparison
  auto operator<=>(const Signal&) const = default;

 private:
  const QuantityInfo* known() const;
  bool is_named() const { return kind_ == Kind::own || kind_ == Kind::expression; }

  Kind kind_ = Kind::quantity;
  int index_;  // the quantity or the body
  int axis_ = 0;
  // Of an own quantity, and with the text of an expression; they live as long as the program.
  std::string_view name_{}, unit_{}, text_{};
};

/// The component of the angular momentum along e1, e2 or e3: axis 0, 1, 2.
Quantity angular_momentum(int axis);

/// All signals of a run of this system with this many bodies and lanes, in order.
std::vector<Signal> signals(const SystemInfo& info, int bodies, int lanes = 1);

/// The largest geodesic distance of a body between two configurations: the maximum over i of the
/// angle between q_i and other_i [rad]. Between states of a base that flies the greater of that and
/// base_distance().
double distance(const Eigen::Ref<const Columns>& q, const Eigen::Ref<const Columns>& other);
double distance(const System& system, const State& state, const State& other);

}  // namespace twosphere
