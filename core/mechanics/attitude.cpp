// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/attitude.h"

namespace twosphere {

Columns first_attitude(const Columns& q) {
  constexpr double along_axis = 1e-8;
  Columns x(3, 2 * q.cols());
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    const Vec3 at = q.col(i);
    Vec3 b = at.cross(Vec3::UnitZ());
    if (b.norm() < along_axis) b = at.cross(Vec3::UnitX());
    x.col(2 * i) = b.cross(at);
  }
  settle_attitude(q, x);
  return x;
}

void carry_attitude(const Columns& from, State& state) {
  for (Eigen::Index i = 0; i < from.cols(); ++i)
    state.x.col(2 * i) = carried(from.col(i), state.q.col(i), state.x.col(2 * i));
  settle_attitude(state.q, state.x);
}

void settle_attitude(const Columns& q, Columns& x) {
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    const Vec3 at = q.col(i), a = tangent(at, x.col(2 * i)).normalized();
    x.col(2 * i) = a;
    x.col(2 * i + 1) = at.cross(a);
  }
}

}  // namespace twosphere
