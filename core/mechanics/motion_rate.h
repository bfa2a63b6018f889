// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mechanics/system.h"

namespace twosphere {

/// Scratch memory of motion_rate(), which gives it its size: repeated calls allocate only once.
struct MotionRateWorkspace {
  Columns v, g, f, h;
  Eigen::VectorXd m;
  Eigen::MatrixXd dm;  // only for an inertia that depends on q
};

/// The squared rate κ of the motion at (q, ω), for methods that choose their steps by it: that of
/// the closest encounters, System::encounter_rate(), if the system has any, and otherwise
///
///   κ² = (2T/Σ_i m_ii)² + Σ_i |G_i|²/m_ii²,  G = ∂V/∂q − f
///
/// with the speed of the bodies and the frequency that the forces give them, f being left out of G
/// if it depends explicitly on t. The first term is absent if there is damping, which can change it
/// faster than the motion itself. κ̇ is the rate of change along the motion, by
/// System::hessian_times(). Zero if κ = 0. Even in ω, and κ̇ odd. Cost: about two gradients. Tests:
/// κ̇ against differences.
MotionRate motion_rate(const System& system, double t, const Columns& q, const Columns& w,
                       MotionRateWorkspace& work);

}  // namespace twosphere
