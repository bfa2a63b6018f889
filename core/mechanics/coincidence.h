// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <utility>

#include "core/mechanics/sphere.h"

namespace twosphere {

/// The first point i that equals an earlier point, with the first such point j: (i, j). None if all
/// points differ. O(n log n).
std::optional<std::pair<Eigen::Index, Eigen::Index>> coincidence(const Columns& points);

/// A closest pair of points (i, j), i < j, or with `side` = −1 a pair with the least |x_i + x_j|,
/// closest to antipodes; needs at least two points. Expected O(n), by a randomised incremental
/// method with a fixed seed; up to O(n²) where no pair comes close to antipodes.
std::pair<Eigen::Index, Eigen::Index> nearest_pair(const Columns& points, double side = 1);

}  // namespace twosphere
