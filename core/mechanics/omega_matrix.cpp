// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/omega_matrix.h"

#include <algorithm>
#include <variant>

#include "core/base/decompositions.h"

namespace twosphere {

namespace {

/// The block −M_ij q̂_i q̂_j on the tangent planes, in the bases of both.
Eigen::Matrix2d tangent_block(double m, const Vec3& qi, const Vec3& qj) {
  return -m * (tangent_basis(qi).transpose() * hat(qi) * hat(qj) * tangent_basis(qj));
}

}  // namespace

OmegaMatrix omega_matrix(const Inertia& inertia, const Columns& q) {
  if (const auto* uncoupled = std::get_if<DiagonalInertia>(&inertia)) {
    const Eigen::VectorXd& m = uncoupled->m;
    return {m.array().cube().prod(), m.maxCoeff() / m.minCoeff()};
  }
  const Eigen::MatrixXd m = dense(inertia, q);
  const Eigen::Index n = q.cols();
  Eigen::MatrixXd k(2 * n, 2 * n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j)
      k.block<2, 2>(2 * i, 2 * j) = i == j ? Eigen::Matrix2d(m(i, i) * Eigen::Matrix2d::Identity())
                                           : tangent_block(m(i, j), q.col(i), q.col(j));
  const Eigen::VectorXd values = symmetric_eigenvalues(k);
  const Eigen::VectorXd radial = m.diagonal();
  return {radial.prod() * values.prod(), std::max(values.maxCoeff(), radial.maxCoeff()) /
                                             std::min(values.minCoeff(), radial.minCoeff())};
}

}  // namespace twosphere
