// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/stops.h"

#include <algorithm>

#include "core/scenario/timetable.h"

namespace twosphere {

std::vector<std::int64_t> stops_of(const Scenario& record, std::int64_t head,
                                   std::span<const double> times) {
  std::vector<std::int64_t> stops{0, head};
  for (const Event& event : record.events) {
    // What a run does by itself is no change.
    const bool own = event.resume || (event.set.size() == 1 && event.set[0].path == "every");
    if (!own && event.step <= head) stops.push_back(event.step);
  }
  const Timetable table(record);
  for (const double time : times) stops.push_back(table.step_at(time, head));
  std::sort(stops.begin(), stops.end());
  stops.erase(std::unique(stops.begin(), stops.end()), stops.end());
  return stops;
}

std::optional<std::int64_t> next_stop(std::span<const std::int64_t> stops, std::int64_t step) {
  const auto next = std::upper_bound(stops.begin(), stops.end(), step);
  return next == stops.end() ? std::nullopt : std::optional(*next);
}

std::optional<std::int64_t> previous_stop(std::span<const std::int64_t> stops, std::int64_t step) {
  const auto next = std::lower_bound(stops.begin(), stops.end(), step);
  return next == stops.begin() ? std::nullopt : std::optional(*(next - 1));
}

}  // namespace twosphere
