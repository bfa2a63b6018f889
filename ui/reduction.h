// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

#include "core/history.h"
#include "ui/axis.h"

namespace twosphere::ui {

/// What a column of pixels shows of a curve: actual values of samples.
struct Extremes {
  double low = 0, high = 0;
  bool empty = true;
};

/// Samples [first, last).
struct Stretch {
  std::size_t first = 0, last = 0;
};
/// Of the samples `within`, those in a stretch of time and one beyond on either side, as far as
/// there are any.
Stretch visible(const History& history, Stretch within, Interval time);

/// Smallest and largest value (magnitude: of |value|) of the samples `within` in each of `count`
/// equal parts of a stretch of time. The largest magnitude is always exact; the smallest is that of
/// a sample, and exact where the value keeps its sign over a sixteenth of the part. Cost: O(count ·
/// log n).
std::vector<Extremes> reduce(const History& history, Stretch within, Quantity quantity,
                             bool magnitude, Interval time, int count);

}  // namespace twosphere::ui
