// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mechanics/sphere.h"

/// Directions as sums q + e of two parts, e less than the last digit of q, so that changes are
/// added without rounding.
namespace twosphere {

/// q_i + e_i ← q_i + e_i + Δq
inline void add_compensated(const Vec3& change, Eigen::Index i, Columns& q, Columns& e) {
  // The sum and its rounding error, which e takes up.
  const Vec3 from = q.col(i), sum = from + change, taken = sum - from;
  const Vec3 rest = e.col(i) + ((from - (sum - taken)) + (change - taken));
  const Vec3 next = sum + rest;
  q.col(i) = next;
  e.col(i) = rest - (next - sum);
}

/// |q + e|² − 1 to 1e-23. The squares of the components rounded to multiples of 2⁻²⁶ are multiples
/// of 2⁻⁵², so that their sum is exact.
inline double compensated_excess(const Vec3& q, const Vec3& rest) {
  constexpr double unit = 1.5 * (1 << 26);  // its last bit is 2⁻²⁶
  // |head|² − 1 is exact; the rest are small products.
  const Vec3 head = (q.array() + unit) - unit;
  const double exact = ((head.x() * head.x() - 1) + head.y() * head.y()) + head.z() * head.z();
  return exact + ((q - head).dot(q + head) + 2 * q.dot(rest));
}

/// The change along q after which |q + e| = 1.
inline Vec3 length_correction(const Vec3& q, const Vec3& e) {
  return (-compensated_excess(q, e) / 2) * q;
}

}  // namespace twosphere
