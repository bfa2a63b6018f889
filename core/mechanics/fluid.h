// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

#include "core/mechanics/state.h"

namespace twosphere {

/// A fluid on the unit sphere that carries the bodies of a system, which are its point vortices.
struct Fluid {
  Eigen::VectorXd circulations;  ///< Γ_j of the bodies [m²/s]
  double rotation = 0;           ///< Ω of the fluid as a whole, about e3 [rad/s]

  /// ψ [m²/s], with the mean 0 over the sphere, at the unit vectors x: the fluid moves with ∇ψ × x,
  ///
  ///   ψ(x) = −(1/4π) Σ Γ_j [ln(1 − x·q_j) − ln 2 + 1] + Ω e3·x,
  ///
  /// of which q_j moves along the lines of the others. Within the angle `core` [rad] of a body ψ
  /// grows no further. O(n) for each x.
  void stream_function(const Columns& q, const Columns& x, double core, Eigen::VectorXd& psi) const;
  /// The typical size of ψ [m²/s], which does not depend on q.
  double stream_scale() const;
};

}  // namespace twosphere
