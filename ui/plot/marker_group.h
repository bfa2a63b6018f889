// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/run/worker.h"
#include "ui/plot/axis.h"

namespace twosphere::ui {

/// Run markers that are drawn as one: a single one, or consecutive changes of the same settings, as
/// made by a drag during a run. The record does not say which changes are of one drag; those of
/// another path are not, nor those after a pause. A change after at most 1 s of simulated time is
/// of the same drag, because a drag at 1× sends a value every 0.25 s; once the intervals are known,
/// the pause may be at most four of them, so that in a slow run two drags are two marks. In a run
/// faster than 4×, a drag is one mark as long as its changes are drawn close together.
struct MarkerGroup {
  std::size_t first = 0, last = 0;  ///< indices of the markers
};
/// The mark that begins with marker `first`. Changes at most `gap` seconds apart are drawn close
/// together, and as one mark too.
MarkerGroup marker_group(const std::vector<RunMarker>& markers, std::size_t first, double gap);
/// The gap for an axis with this time range and the usual width of plots: 12 of 320 pixels [s].
inline double marker_gap(const Interval& shown) { return shown.span() * 12 / 320; }

/// What the groups at one place say, for a tooltip: the first few in words, the number of others.
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
