// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mechanics/state.h"
#include "core/mechanics/system.h"

namespace twosphere {

/// A hold on a body by a damped spring, for pulls by hand. With x = c + Σ_j a_j q_j the point at
/// which the body is pulled (System::lever()),
///
///   F = μ (ω² s − 2 ω ẋ),   1/μ = a M⁻¹ aᵀ,
///
/// μ [kg] is the mass that a force on x moves if the bodies are free to leave their spheres:
/// constraints never make it smaller. A force that is held for a time T is therefore stable for
/// ω T < 1. The stretch s from x to where it is pulled is cut so that the speed ω |s|, to which the
/// spring brings a free mass, turns no link by more than a tenth of a radian in a step.
class Grip {
 public:
  /// `q`: where the body is held. O(n) to O(n³), like a factorisation of M.
  Grip(const System& system, const Columns& q, int body);

  double mass() const { return mass_; }     ///< μ [kg]
  Vec3 point(const Columns& q) const;       ///< x [m]
  Vec3 velocity(const State& state) const;  ///< ẋ [m/s]

  struct Spring {
    double frequency = 0;   ///< ω [rad/s]
    double step = 0;        ///< H > 0 of the run [s]
    bool reversed = false;  ///< the run goes backwards in time, and is damped on its way
  };
  /// F [N] towards `target` [m].
  Vec3 force(const State& state, const Vec3& target, const Spring& spring) const;

  static constexpr double most_phase = 0.5;  ///< largest ω T
  static constexpr double most_turn = 0.1;   ///< of a link in a step [rad]

 private:
  Eigen::VectorXd levers_;  // a_j
  Vec3 offset_;             // c
  double mass_ = 0;
  double shortest_ = 0;  // |a_j| > 0
};

}  // namespace twosphere
