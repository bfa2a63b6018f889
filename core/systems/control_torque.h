// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <variant>
#include <vector>

#include "core/base/result.h"
#include "core/mechanics/parameter.h"
#include "core/mechanics/sphere.h"

namespace twosphere {

/// The torque of a motor on a body of direction q and angular velocity ω ⟂ q [N m], in one of three
/// ways. Only its part ⟂ q acts: that of a force f on q, as System::force() has it, and of damping,
/// q × f − k_d ω.
class ControlTorque {
 public:
  /// τ held constant: f = τ × q.
  struct Constant {
    Vec3 torque;  ///< τ [N m]
  };
  /// τ(t) = A sin(2π ν t + φ), with the time t of the run [s]: f = τ(t) × q.
  struct Sine {
    Vec3 amplitude;    ///< A [N m]
    double frequency;  ///< ν [Hz]
    double phase;      ///< φ [rad]
  };
  /// u = k_p q × q_d − k_d ω, which turns q to the target q_d and takes its speed: f = k_p q_d.
  /// |q × q_d| is the sine of the angle between them, so that u has no part that grows beyond a
  /// right angle and vanishes opposite to the target.
  struct Pd {
    Vec3 target;  ///< q_d, |q_d| = 1
    double kp;    ///< k_p ≥ 0 [N m]
    double kd;    ///< k_d ≥ 0 [N m s]
  };

  /// From the numbers of control_torque_parameter(); a target may have any length but 0.
  explicit ControlTorque(const std::vector<double>& numbers);

  /// f [N m].
  Vec3 force(double t, const Vec3& q) const;
  /// Whether f is anything but zero.
  bool acts() const;
  /// Whether f changes with time where q stays.
  bool time_dependent() const;
  /// k_d [N m s].
  double damping() const;
  /// About which axes f has no torque on any q.
  std::array<bool, 3> symmetric() const;

 private:
  std::variant<Constant, Sine, Pd> form_;
};

/// The parameter "control_torque" with a form for each way.
ParameterInfo control_torque_parameter();
/// Refuses a target without a direction.
Result<void> check_control_torque(const Values& values);

}  // namespace twosphere
