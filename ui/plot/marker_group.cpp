// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/marker_group.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace twosphere::ui {

namespace {

constexpr int most_named = 4;

// A drag in a run sends a value four times per second, and none while the mouse rests. Longer gaps
// than of 1 s at 1× separate two drags; in a slower run, once its intervals are known, than of four
// of them.
constexpr double longest_pause = 1;  // [s]
constexpr double most_intervals = 4;
constexpr std::size_t least_known = 4;  // so many intervals

}  // namespace

MarkerGroup marker_group(const std::vector<RunMarker>& markers, std::size_t first, double gap) {
  MarkerGroup mark{first, first};
  const std::string& paths = markers[first].paths;
  for (std::size_t k = first + 1; !paths.empty() && k < markers.size(); ++k) {
    if (markers[k].paths != paths) break;
    const auto seconds = [&](std::size_t from, std::size_t to) {
      return std::abs(markers[to].t - markers[from].t);
    };
    const std::size_t known = mark.last - first;
    const double interval = known < least_known
                                ? longest_pause
                                : seconds(first, mark.last) / static_cast<double>(known);
    if (seconds(mark.last, k) > std::max(gap, std::min(longest_pause, most_intervals * interval)))
      break;
    mark.last = k;
  }
  return mark;
}

void MarkerNotes::add(const std::vector<RunMarker>& markers, const MarkerGroup& group) {
  if (named_ == most_named) {
    ++unnamed_;
    return;
  }
  const RunMarker &first = markers[group.first], &last = markers[group.last];
  label_ += (named_ ? "\n" : "") + fmt::format("{:.6g} s  {}", first.t, first.text);
  if (group.last > group.first)
    label_ += fmt::format("\n{:.6g} s  {} (the last of {} changes)", last.t, last.text,
                          group.last - group.first + 1);
  ++named_;
}

std::string MarkerNotes::text() const {
  return unnamed_ ? label_ + fmt::format("\nand {} more", unnamed_) : label_;
}

}  // namespace twosphere::ui
