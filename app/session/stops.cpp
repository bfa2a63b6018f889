// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/stops.h"

#include <algorithm>

#include "core/scenario/timetable.h"

namespace twosphere {

std::vector<std::int64_t> changes_of(const Scenario& record) {
  std::vector<std::int64_t> changes;
  std::int64_t pulled = -1;  // up to this step
  for (const Event& event : record.events) {
    const bool own = event.resume || (event.set.size() == 1 && event.set[0].path == "every"),
               continues = event.since || (event.pull && event.step == pulled);
    if (event.pull) pulled = event.step + event.pull->steps;
    if (!own && !continues) changes.push_back(event.step);
  }
  return changes;
}

std::vector<std::int64_t> stops_of(const Scenario& record, std::int64_t head,
                                   std::span<const double> times) {
  std::vector<std::int64_t> stops{0, head};
  for (const std::int64_t step : changes_of(record))
    if (step <= head) stops.push_back(step);
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
