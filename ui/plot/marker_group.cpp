// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/marker_group.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace twosphere::ui {

namespace {

constexpr int max_named = 4;

/// The group with the changes made so far by the gesture of this one; null if it is the first.
MarkerGroup* group_of_gesture(const std::vector<RunMarker>& markers, std::int64_t since,
                              std::vector<MarkerGroup>& groups) {
  const auto found = std::find_if(groups.rbegin(), groups.rend(), [&](const MarkerGroup& group) {
    const RunMarker& last = markers[group.last];
    return !last.paths.empty() && last.since.value_or(last.step) == since;
  });
  return found == groups.rend() ? nullptr : &*found;
}

}  // namespace

std::vector<MarkerGroup> marker_groups(const std::vector<RunMarker>& markers, double gap) {
  std::vector<MarkerGroup> groups;
  for (std::size_t k = 0; k < markers.size(); ++k) {
    const RunMarker& marker = markers[k];
    MarkerGroup* group = nullptr;
    if (marker.since) {
      group = group_of_gesture(markers, *marker.since, groups);
    } else if (k > 0 && !marker.paths.empty() && groups.back().last == k - 1) {
      const RunMarker& before = markers[k - 1];
      if (marker.paths == before.paths && std::abs(marker.t - before.t) <= gap)
        group = &groups.back();
    }
    if (group) {
      group->last = k;
      ++group->count;
    } else {
      groups.push_back({k, k});
    }
  }
  return groups;
}

void MarkerNotes::add(const std::vector<RunMarker>& markers, const MarkerGroup& group) {
  if (named_ == max_named) {
    ++unnamed_;
    return;
  }
  const RunMarker &first = markers[group.first], &last = markers[group.last];
  label_ += (named_ ? "\n" : "") + fmt::format("{:.6g} s  {}", first.t, first.text);
  if (group.last > group.first)
    label_ +=
        fmt::format("\n{:.6g} s  {} (the last of {} changes)", last.t, last.text, group.count);
  ++named_;
}

std::string MarkerNotes::text() const {
  return unnamed_ ? label_ + fmt::format("\nand {} more", unnamed_) : label_;
}

}  // namespace twosphere::ui
