// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/dipoles.h"

namespace twosphere::dipole_kernel {

Mat3 pair(const Vec3& r, double moment, double other_moment) {
  const double distance = r.norm();
  const Vec3 direction = r / distance;
  return permeability_over_4pi * moment * other_moment / (distance * distance * distance) *
         (Mat3::Identity() - 3 * direction * direction.transpose());
}

void plain_multiply(const Columns& pivots, const Eigen::VectorXd& moments, const Columns& q,
                    Columns& g) {
  g.setZero();
  for (Eigen::Index i = 0; i < q.cols(); ++i)
    for (Eigen::Index j = 0; j < i; ++j) {
      const Mat3 k = pair(pivots.col(i) - pivots.col(j), moments[i], moments[j]);
      g.col(i) += k * q.col(j);
      g.col(j) += k * q.col(i);
    }
}

}  // namespace twosphere::dipole_kernel
