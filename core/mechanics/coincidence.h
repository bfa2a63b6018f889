// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <utility>

#include "core/mechanics/sphere.h"

namespace twosphere {

/// The first point i that equals an earlier one, and the first of those, j: (i, j). None if all
/// points differ. O(n log n).
std::optional<std::pair<Eigen::Index, Eigen::Index>> coincidence(const Columns& points);

/// Two points (i, j), i < j, that are no farther apart than any two others. At least two points.
/// O(n) on average over the order in which they are taken, which is always the same.
std::pair<Eigen::Index, Eigen::Index> nearest_pair(const Columns& points);

}  // namespace twosphere
