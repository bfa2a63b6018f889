// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "core/mechanics/sphere.h"

namespace twosphere::test {

/// The root of the mean square of the errors of the torques q_i × g_i, over the median of their
/// lengths.
inline double torque_error(const Columns& q, const Columns& g, const Columns& exact) {
  std::vector<double> lengths;
  double squares = 0;
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    const Vec3 at = q.col(i), torque = at.cross(Vec3(exact.col(i)));
    lengths.push_back(torque.norm());
    squares += (at.cross(Vec3(g.col(i))) - torque).squaredNorm();
  }
  const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
  std::nth_element(lengths.begin(), middle, lengths.end());
  return std::sqrt(squares / static_cast<double>(q.cols())) / *middle;
}

}  // namespace twosphere::test
