// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/nearby_state.h"

#include "core/base/philox.h"

namespace twosphere {

void scatter(Columns& q, Columns& omega, double spread, std::uint64_t member, std::uint64_t seed) {
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    // Four normal numbers for each body.
    const auto z =
        normal_numbers({static_cast<std::uint32_t>(member),
                        static_cast<std::uint32_t>(member >> 32), static_cast<std::uint32_t>(i), 0},
                       seed);
    const Vec3 from = q.col(i), w = omega.col(i);
    const Eigen::Matrix<double, 3, 2> plane = tangent_basis(from);
    // q moved in its tangent plane; ω changed there and carried along.
    const Vec3 turned = (from + spread * (z[0] * plane.col(0) + z[1] * plane.col(1))).normalized();
    const Vec3 change = spread * (z[2] * plane.col(0) + z[3] * plane.col(1));
    q.col(i) = turned;
    omega.col(i) = tangent(turned, carried(from, turned, w + change));
  }
}

}  // namespace twosphere
