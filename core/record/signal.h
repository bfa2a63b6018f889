// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/mechanics/diagnostics.h"
#include "core/run/step_cost.h"

namespace twosphere {

/// A number that every sample of a run has and that can be plotted: a quantity, a component of the
/// state, or what the step to it cost. Bodies count from 0 in keys, as in the files, and from 1 in
/// labels, as in the papers.
///
/// Keys: every Quantity's ("energy_error") and StepQuantity's ("newton_iterations"); of body i,
/// with x, y, z along e1, e2, e3:
///   q{i}_x …         direction q_i [1]
///   omega{i}_x …     angular velocity ω_i [rad/s]
///   position{i}_x …  where the body is [m], System::figure(); of the last body of a chain: its tip
///   polar{i}         θ_i = atan2(√(q_x² + q_y²), q_z), the angle from e3 [rad], 0 … π
///   azimuth{i}       φ_i = atan2(q_y, q_x), about e3 from e1 [rad], −π … π
/// Of a component of the angular momentum, where the system's runs have it:
///   angular_momentum_x_error …  J₁ less what it was at the start of the run [J s]
/// Of one lane beside another:
///   distance         how far it is from the reference lane: distance() of their states [rad]
class Signal {
 public:
  enum class Kind {
    quantity,
    step,
    distance,
    momentum_error,
    direction,
    angular_velocity,
    position,
    polar,
    azimuth
  };

  Signal(Quantity quantity) : index_(static_cast<int>(quantity)) {}
  Signal(StepQuantity quantity) : kind_(Kind::step), index_(static_cast<int>(quantity)) {}
  /// A component of body `body`, from 0; axis 0, 1, 2, and 0 for the angles, which have none.
  Signal(Kind kind, int body, int axis = 0);
  static Signal distance();
  /// Of the component along e1, e2 or e3: axis 0, 1, 2.
  static Signal momentum_error(int axis);

  /// The signal of that key, if it has one's form; whether a run has it says exists().
  static std::optional<Signal> parse(std::string_view key);
  std::string key() const;
  std::string label() const;      ///< "energy error", "angular velocity ω₂·e₂"
  std::string symbol() const;     ///< "E − E₀ − W", "ω₂·e₂"
  std::string_view unit() const;  ///< "J", "rad/s"
  bool error() const;             ///< an error: plotted as |value| on a log axis
  bool count() const;             ///< a whole number
  std::string_view help() const;  ///< what a quantity is; empty for components of the state

  Kind kind() const { return kind_; }
  /// From 0; −1: none.
  int body() const { return kind_ <= Kind::momentum_error ? -1 : index_; }
  std::optional<Quantity> quantity() const;           ///< nothing if it is something else
  std::optional<StepQuantity> step_quantity() const;  ///< likewise
  /// Which component of the angular momentum it is, or is the change of: 0, 1, 2.
  std::optional<int> momentum_axis() const;
  /// Whether runs of such a system with so many bodies and lanes have it.
  bool exists(const SystemInfo& info, int bodies, int lanes = 1) const;
  /// Of a state with ω up to date; not for quantities, which samples or steps have, for the
  /// distance and for the change of the momentum, which take two states. Cost: O(1), position that
  /// of a figure.
  double value(const System& system, const State& state) const;

  auto operator<=>(const Signal&) const = default;

 private:
  const QuantityInfo* known() const;

  Kind kind_ = Kind::quantity;
  int index_;  // of the quantity or the body
  int axis_ = 0;
};

/// The quantity that is the component along e1, e2 or e3: axis 0, 1, 2.
Quantity angular_momentum(int axis);

/// All that runs of such a system with so many bodies and lanes have, in order.
std::vector<Signal> signals(const SystemInfo& info, int bodies, int lanes = 1);

/// The geodesic distance of the bodies that are farthest apart: max_i of the angle between q_i of
/// one and of the other [rad].
double distance(const Eigen::Ref<const Columns>& q, const Eigen::Ref<const Columns>& other);

}  // namespace twosphere
