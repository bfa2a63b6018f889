// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

#include "core/run/worker.h"
#include "ui/plot/axis.h"

namespace twosphere::ui {

/// Tags that are drawn as one: one alone, or changes of the same settings in a row, each close to
/// the one before, as a drag in a run makes them.
struct TagMark {
  std::size_t first = 0, last = 0;  ///< of the tags
};
/// The mark that begins with the tag `first`, where up to `gap` seconds are close.
TagMark tag_mark(const std::vector<RunMarker>& tags, std::size_t first, double gap);
/// The gap of an axis that shows so much time, as wide as plots are: 12 of 320 pixels [s].
inline double tag_gap(const Interval& shown) { return shown.span() * 12 / 320; }

}  // namespace twosphere::ui
