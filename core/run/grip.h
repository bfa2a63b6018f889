// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mechanics/state.h"
#include "core/mechanics/system.h"

namespace twosphere {

/// A damped spring that holds a body, for pulls by hand. With the point x = c + Σ_j a_j q_j at
/// which the body is pulled (System::lever()),
///
///   F = μ (ω² s − 2 ω ẋ),   1/μ = a M⁻¹ aᵀ,
///
/// μ [kg] is the mass that a force on x would move if the bodies were free to leave their spheres;
/// constraints can only increase this mass. Holding a force for a time T is therefore stable for ω
/// T < 1. The elongation s, from x to the target, is limited so that the speed ω |s|, which the
/// spring gives to a free mass, turns no link by more than a tenth of a radian in one step.
class Grip {
 public:
  /// `q`: the configuration when the grip begins. Costs O(n) to O(n³), like a factorisation of M.
  Grip(const System& system, const Columns& q, int body);

  double mass() const { return mass_; }     ///< μ [kg]
  Vec3 point(const Columns& q) const;       ///< x [m]
  Vec3 velocity(const State& state) const;  ///< ẋ [m/s]

  struct Spring {
    double frequency = 0;  ///< ω [rad/s]
    double step = 0;       ///< H > 0 of the run [s]
    /// The run goes backwards in time; the damping then acts along its direction.
    bool reversed = false;
  };
  /// The force F [N] towards `target` [m].
  Vec3 force(const State& state, const Vec3& target, const Spring& spring) const;

  static constexpr double most_phase = 0.5;  ///< largest ω T
  static constexpr double most_turn = 0.1;   ///< largest rotation of a link in one step [rad]

 private:
  Eigen::VectorXd levers_;  // a_j
  Vec3 offset_;             // c
  double mass_ = 0;
  double shortest_ = 0;  // the smallest |a_j| > 0
};

}  // namespace twosphere
