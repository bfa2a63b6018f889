// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/marker_group.h"

#include <fmt/core.h>

namespace twosphere::ui {

namespace {

constexpr int most_named = 4;

}  // namespace

MarkerGroup marker_group(const std::vector<RunMarker>& markers, std::size_t first, double gap) {
  MarkerGroup mark{first, first};
  const std::string& paths = markers[first].paths;
  for (std::size_t k = first + 1; !paths.empty() && k < markers.size(); ++k) {
    if (markers[k].paths != paths || markers[k].t - markers[k - 1].t > gap) break;
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
