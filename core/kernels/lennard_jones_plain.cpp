// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/lennard_jones.h"

namespace twosphere::lennard_jones_kernel {

void plain_gradient(const Law& law, const Columns& q, Columns& g) {
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    Vec3 sum = Vec3::Zero();
    for (Eigen::Index j = 0; j < q.cols(); ++j) {
      const Vec3 apart = q.col(i) - q.col(j);
      const double r2 = apart.squaredNorm();
      if (j == i || r2 >= law.reach) continue;
      const double s2 = law.sigma_squared / r2, s6 = s2 * s2 * s2;
      sum += (law.depth * (6 - 12 * s6) * s6 / r2) * apart;
    }
    g.col(i) = sum;
  }
}

double plain_potential(const Law& law, const Columns& q) {
  double sum = 0;
  for (Eigen::Index i = 0; i < q.cols(); ++i)
    for (Eigen::Index j = 0; j < i; ++j)
      if (const double r2 = (q.col(i) - q.col(j)).squaredNorm(); !(r2 >= law.reach))
        sum += pair_potential(law, r2) - law.shift;
  return sum;
}

void plain_hessian_times(const Law& law, const Columns& q, const Columns& v, Columns& h) {
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    Vec3 sum = Vec3::Zero();
    for (Eigen::Index j = 0; j < q.cols(); ++j) {
      const Vec3 apart = q.col(i) - q.col(j), change = v.col(i) - v.col(j);
      const double r2 = apart.squaredNorm();
      if (j == i || r2 >= law.reach) continue;
      const double s2 = law.sigma_squared / r2, s6 = s2 * s2 * s2, unit = law.depth * s6 / r2;
      sum += unit * ((6 - 12 * s6) * change + (168 * s6 - 48) * apart.dot(change) / r2 * apart);
    }
    h.col(i) = sum;
  }
}

}  // namespace twosphere::lennard_jones_kernel
