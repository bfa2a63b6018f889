// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/systems/waypoint_path.h"

#include <algorithm>
#include <cstddef>

namespace twosphere {

WaypointPath::WaypointPath(std::span<const double> numbers)
    : places_(3, static_cast<Eigen::Index>(numbers.size() / 4)),
      velocities_(Columns::Zero(3, places_.cols())) {
  const Eigen::Index n = places_.cols();
  for (Eigen::Index k = 0; k < n; ++k) {
    const auto one = numbers.subspan(4 * static_cast<std::size_t>(k), 4);
    times_.push_back(one[0]);
    places_.col(k) = Vec3(one[1], one[2], one[3]);
  }
  for (Eigen::Index k = 1; k + 1 < n; ++k) {
    const auto i = static_cast<std::size_t>(k);
    const double before = times_[i] - times_[i - 1], after = times_[i + 1] - times_[i];
    const Vec3 slope_before = (places_.col(k) - places_.col(k - 1)) / before,
               slope_after = (places_.col(k + 1) - places_.col(k)) / after;
    velocities_.col(k) = (after * slope_before + before * slope_after) / (before + after);
  }
}

Vec3 WaypointPath::at(double t) const {
  if (t <= times_.front()) return places_.col(0);
  if (t >= times_.back()) return places_.rightCols<1>();
  const auto i =
      static_cast<std::size_t>(std::upper_bound(times_.begin(), times_.end(), t) - times_.begin());
  const auto k = static_cast<Eigen::Index>(i) - 1;
  const double h = times_[i] - times_[i - 1], u = (t - times_[i - 1]) / h, cube = u * u * u;
  // The polynomials of the way and of the velocities at both ends.
  const double way = cube * (10 - 15 * u + 6 * u * u), first = u - cube * (6 - 8 * u + 3 * u * u),
               last = -cube * (4 - 7 * u + 3 * u * u);
  return places_.col(k) + way * (places_.col(k + 1) - places_.col(k)) +
         h * (first * velocities_.col(k) + last * velocities_.col(k + 1));
}

}  // namespace twosphere
