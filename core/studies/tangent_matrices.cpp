// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/tangent_matrices.h"

#include <variant>

#include "core/mechanics/tangent_hessian.h"

namespace twosphere {

Eigen::MatrixXd tangent_inertia(const System& system, const Columns& q) {
  const Eigen::MatrixXd m = dense(system.inertia(), q);
  Eigen::MatrixXd k(2 * q.cols(), 2 * q.cols());
  for (Eigen::Index i = 0; i < q.cols(); ++i)
    for (Eigen::Index j = 0; j < q.cols(); ++j)
      k.block<2, 2>(2 * i, 2 * j) =
          m(i, j) * tangent_basis(q.col(i)).transpose() * tangent_basis(q.col(j));
  return k;
}

Eigen::MatrixXd velocity_torques(const System& system, const Columns& q) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(2 * q.cols(), 2 * q.cols());
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    auto block = out.block<2, 2>(2 * i, 2 * i);
    if (system.strength().size() > 0) {
      const Vec3 at = q.col(i);
      const auto basis = tangent_basis(at);
      block(0, 1) = system.strength()[i] * basis.col(0).dot(at.cross(basis.col(1)));
      block(1, 0) = -block(0, 1);
    }
    if (damped(system)) block.diagonal().array() -= system.damping()[i];
  }
  return out;
}

Eigen::MatrixXd turning_torques(const System& system, const Columns& q, const Vec3& turn) {
  const Mat3 cross = hat(turn);
  const Eigen::MatrixXd m = dense(system.inertia(), q);
  const auto* variable = std::get_if<VariableInertia>(&system.inertia());
  Eigen::MatrixXd slope(2 * q.cols(), 2 * q.cols()), dm(q.cols(), q.cols());
  for (Eigen::Index j = 0; j < q.cols(); ++j)
    for (Eigen::Index b = 0; b < 2; ++b) {
      const Vec3 along = tangent_basis(q.col(j)).col(b);
      Columns change = cross * along * m.col(j).transpose();
      if (variable) {
        Columns moved = Columns::Zero(3, q.cols());
        moved.col(j) = along;
        variable->field->derivative_along(q, moved, dm);
        change += cross * q * dm;
      }
      slope.col(2 * j + b) = to_tangent_coordinates(q, change);
    }
  return slope - slope.transpose();
}

}  // namespace twosphere
