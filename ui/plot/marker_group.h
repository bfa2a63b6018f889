// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/worker/worker.h"
#include "ui/plot/axis.h"

namespace twosphere::ui {

/// Run markers that are drawn as one: a single one, or the changes of one gesture, as the record
/// knows them (Event::since), however far apart. So are consecutive changes of the same settings
/// that are too close to be told apart.
struct MarkerGroup {
  std::size_t first = 0, last = 0;  ///< indices of the markers; others may lie between them
  std::size_t count = 1;
};
/// All groups, in order of their first markers. Changes at most `gap` seconds apart are too close.
std::vector<MarkerGroup> marker_groups(const std::vector<RunMarker>& markers, double gap);
/// The gap for an axis with this time range and the usual width of plots: 12 of 320 pixels [s].
inline double marker_gap(const Interval& shown) { return shown.span() * 12 / 320; }

/// The text of the groups at one place, for a tooltip: the first few in words, the number of
/// others.
class MarkerNotes {
 public:
  void add(const std::vector<RunMarker>& markers, const MarkerGroup& group);
  /// One line for a marker, or two for the first and the last of several; empty without any.
  std::string text() const;

 private:
  std::string label_;
  int named_ = 0, unnamed_ = 0;
};

}  // namespace twosphere::ui
