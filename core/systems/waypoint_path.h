// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "core/mechanics/sphere.h"

namespace twosphere {

/// A path through places x_k [m] at times t_k [s], with continuous velocity and acceleration:
/// between two of them a polynomial of degree 5 in t (Hermite). At x_k the acceleration is 0 and
/// the velocity that of the parabola through x_k and its neighbours; before the first time and
/// after the last it rests.
class WaypointPath {
 public:
  /// `numbers`: t_k, x, y, z of each, at least one; times ascend.
  explicit WaypointPath(std::span<const double> numbers);

  Vec3 at(double t) const;  ///< [m]

 private:
  std::vector<double> times_;
  Columns places_, velocities_;
};

}  // namespace twosphere
