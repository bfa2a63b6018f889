// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

#include "core/mechanics/system.h"

namespace twosphere {

/// The Hessian of the potential V on (S²)ⁿ at a configuration q, as a linear map of tangent
/// vectors, ξ_i ⟂ q_i:
///
///   (K ξ)_i = Π_i Σ_j ∂²V/∂q_i∂q_j ξ_j − (q_i·∂V/∂q_i) ξ_i
///
/// The second term is the curvature of the spheres: d²/dt² V along great circles is ξ·K ξ. External
/// forces are not in it. The system and q must outlive it.
class TangentHessian {
 public:
  TangentHessian(const System& system, const Columns& q);

  /// ∂V/∂q at q [J], in R³, not projected.
  const Columns& gradient() const { return gradient_; }
  /// image = K v [J]. It must not alias v. Costs one product with the Hessian.
  void times(const Columns& v, Columns& image) const;

 private:
  const System& system_;
  const Columns& q_;
  Columns gradient_;
  Eigen::VectorXd radial_;  // q_i·∂V/∂q_i
};

/// Coordinates of tangent vectors at q, two for each body: ξ_i = tangent_basis(q_i) (x_2i, x_2i+1).
Columns from_tangent_coordinates(const Columns& q, const Eigen::VectorXd& x);
/// x of the parts of these vectors ⟂ q_i.
Eigen::VectorXd to_tangent_coordinates(const Columns& q, const Columns& vectors);
/// K in these coordinates: symmetric, 2n×2n. 2n products with the Hessian.
Eigen::MatrixXd tangent_matrix(const TangentHessian& hessian, const Columns& q);

}  // namespace twosphere
