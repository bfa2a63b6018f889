// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/result.h"
#include "core/custom/definition.h"
#include "core/mechanics/parameter.h"
#include "core/mechanics/sphere.h"
#include "core/systems/driven_vector.h"

namespace twosphere {

/// The torque [N m] of a motor on a body of direction q and angular velocity ω ⟂ q, in one of four
/// forms. Only its part ⟂ q acts: q × f − k_d ω, with the force f of System::force() and the
/// damping k_d.
class ControlTorque {
 public:
  /// u = k_p q × q_d − k_d ω, which turns q towards the target q_d and damps its motion: f = k_p
  /// q_d. |q × q_d| is the sine of the angle between q and q_d: the proportional term is largest at
  /// a right angle and vanishes opposite to the target.
  struct Pd {
    Vec3 target;      ///< q_d, |q_d| = 1
    double kp;        ///< k_p ≥ 0 [N m]
    double kd;        ///< k_d ≥ 0 [N m s]
    bool every_link;  ///< the same on each link of a chain: the chain is held straight along q_d
  };

  /// From the numbers of control_torque_parameter(); a target may have any nonzero length.
  explicit ControlTorque(const std::vector<double>& numbers);

  /// Whether it acts on every link of a chain, and not only on the first.
  bool on_every_link() const;
  /// f [N m].
  Vec3 force(double t, const Vec3& q) const;
  /// ∂f/∂q v [N m].
  Vec3 force_slope(double t, const Vec3& v) const;
  /// Whether f can be nonzero.
  bool acts() const;
  /// Whether f depends explicitly on t.
  bool time_dependent() const;
  /// The time after which f repeats [s]; 0 where it does not depend on t.
  double period() const;
  /// k_d [N m s].
  double damping() const;
  /// The axes about which f exerts no torque for any q.
  std::array<bool, 3> symmetric() const;

 private:
  /// τ(t) of the forces τ × q, zero for PD control.
  Vec3 torque(double t) const;

  /// τ(t), constant or a sine, of f = τ × q; or PD control.
  std::variant<DrivenVector, Pd> form_;
};

/// The key of the parameter.
inline constexpr std::string_view control_torque_key = "control_torque";
/// The parameter with its four forms.
ParameterInfo control_torque_parameter();
/// Adds the torque to the definition of a chain, with parameters of its own; nothing if it is 0.
void add_control_torque(Definition& definition, const Values& values);
/// Fails if the target has length 0.
Result<void> check_control_torque(const Values& values);

}  // namespace twosphere
