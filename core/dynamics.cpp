// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dynamics.h"

#include <cmath>

namespace twosphere {

namespace {

/// Two orthonormal vectors orthogonal to q, of any length, without a branch that could flip between
/// neighbours of q = ±e3.
Eigen::Matrix<double, 3, 2> tangent_basis(const Vec3& q) {
  const Vec3 e = q / q.norm();
  const double sign = std::copysign(1.0, e.z());
  const double a = -1 / (sign + e.z());
  const double b = e.x() * e.y() * a;
  Eigen::Matrix<double, 3, 2> basis;
  basis.col(0) << 1 + sign * e.x() * e.x() * a, sign * b, -sign * e.x();
  basis.col(1) << b, sign + e.y() * e.y() * a, -e.y();
  return basis;
}

}  // namespace

EquationsOfMotion::EquationsOfMotion(int n)
    : g_(3, n), f_(3, n), nodes_(static_cast<std::size_t>(n)) {}

double EquationsOfMotion::evaluate(const System& system, double t, const Columns& q,
                                   const Columns& w, Columns& qdot, Columns& wdot) {
  for (Eigen::Index i = 0; i < q.cols(); ++i) qdot.col(i) = w.col(i).cross(q.col(i));
  generalised_gradient(system, t, q, g_, f_);
  const double power = system.driven() ? (f_.array() * qdot.array()).sum() : 0;
  std::visit([&](const auto& inertia) { solve(inertia, q, w, wdot); }, system.inertia());
  return power;
}

void EquationsOfMotion::solve(const DiagonalInertia& inertia, const Columns& q, const Columns&,
                              Columns& wdot) const {
  for (Eigen::Index i = 0; i < q.cols(); ++i)
    wdot.col(i) = g_.col(i).cross(q.col(i)) / inertia.m[i];
}

void EquationsOfMotion::solve(const ChainInertia& inertia, const Columns& q, const Columns& w,
                              Columns& wdot) {
  const auto n = q.cols();
  Mat3 a = Mat3::Zero();
  Vec3 b = Vec3::Zero();
  for (auto i = n; i-- > 0;) {
    Node& node = nodes_[static_cast<std::size_t>(i)];
    const Vec3 qi = q.col(i);
    const double l = inertia.length[i];
    const double d = (1 / qi.squaredNorm() - 1) * l * l * inertia.carried[i];
    a.diagonal().array() += inertia.mass[i];
    node.a = a;
    node.b = b;
    node.basis = tangent_basis(qi);
    const Eigen::Matrix<double, 3, 2> ae = a * node.basis;
    Eigen::Matrix2d s = l * l * (node.basis.transpose() * ae);
    s.diagonal().array() += d;
    node.inverse = s.inverse();
    // Eliminate the link: what the masses from here on ask of the one above.
    const Vec3 centripetal = -l * w.col(i).squaredNorm() * qi;
    const Vec3 pull = a * centripetal + b;
    const Eigen::Vector2d u = -node.inverse * (node.basis.transpose() * (l * pull + g_.col(i)));
    b = pull + l * (ae * u);
    a -= (l * l) * (ae * node.inverse * ae.transpose());
  }
  Vec3 acceleration = Vec3::Zero();
  for (Eigen::Index i = 0; i < n; ++i) {
    const Node& node = nodes_[static_cast<std::size_t>(i)];
    const Vec3 qi = q.col(i);
    const double l = inertia.length[i];
    const Vec3 known = acceleration - l * w.col(i).squaredNorm() * qi;
    const Eigen::Vector2d u =
        -node.inverse * (node.basis.transpose() * (l * (node.a * known + node.b) + g_.col(i)));
    const Vec3 tangential = node.basis * u;
    wdot.col(i) = qi.cross(tangential) / qi.squaredNorm();
    acceleration = known + l * tangential;
  }
}

}  // namespace twosphere
