// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>

#include "core/mechanics/sphere.h"

namespace twosphere::n_body_kernel {

/// A close or nearly antipodal pair on the sphere, with nothing subtracted but d∓ = q_j ∓ q_i; see
/// core/kernels/n_body.h.
struct ClosePair {
  Vec3 minus, plus;
  double near, far, square;  ///< |d₋|², |d₊|² and s² = |d₋|² |d₊|²/4

  /// Of q + q_low if a q_low is given.
  ClosePair(const Columns& q, const Columns* q_low, Eigen::Index i, Eigen::Index j)
      : minus(q.col(j) - q.col(i)), plus(q.col(j) + q.col(i)) {
    if (q_low) {
      minus += q_low->col(j) - q_low->col(i);
      plus += q_low->col(j) + q_low->col(i);
    }
    near = minus.squaredNorm();
    far = plus.squaredNorm();
    square = near * far / 4;
  }
  /// c/s, c = (|d₊|² − |d₋|²)/4
  double ratio() const { return (far - near) / (4 * std::sqrt(square)); }
  /// The terms (q_j − c q_i)/s³ of body i, side 1, and (q_i − c q_j)/s³ of body j, side −1.
  Vec3 term(double side) const {
    return (side * far * minus + near * plus) / (4 * square * std::sqrt(square));
  }
};

}  // namespace twosphere::n_body_kernel
