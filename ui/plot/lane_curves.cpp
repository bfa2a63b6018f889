// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/lane_curves.h"

#include <algorithm>

#include "core/scenario/writer.h"

namespace twosphere::ui {

std::string lane_path(const Scenario& scenario, int lane, std::string_view key) {
  return twosphere::lane_path(static_cast<std::size_t>(lane), scenario.lanes.size(), key);
}

std::vector<Segment> segments(const History& history, const Scenario& record, int lane) {
  std::vector<Segment> result;
  // A single lane may be written in both ways.
  const bool only = record.lanes.size() == 1 && lane == 0;
  const auto sets_type = [&](const SettingPath& path) {
    if (path.key() == "integrator") return only && path.size() == 2 && path.key(1) == "type";
    return path.lane() == static_cast<std::size_t>(lane) && path.size() == 3 &&
           path.key(2) == "type";
  };
  std::string integrator = recorded_lanes(record)[static_cast<std::size_t>(lane)].type;
  const Series& times = history.column(Quantity::time);
  std::size_t first = history.first();
  const auto add_part = [&](std::size_t last, bool way_back) {
    if (last <= first) return;
    if (!result.empty() && result.back().integrator == integrator &&
        result.back().way_back == way_back)
      result.back().samples.last = last;
    else
      result.push_back({{first, last}, integrator, way_back});
    first = last;
  };
  const auto add = [&](std::size_t last) {
    for (const IndexRange& leg : history.legs())
      if (leg.size() > 0)
        add_part(std::min(leg.last, last), times[leg.last - 1] < times[leg.first]);
  };
  for (const Event& event : record.events)
    for (const Setting& setting : event.set) {
      if (!sets_type(setting.path)) continue;
      add(history.steps().lower_bound(static_cast<double>(event.step)));
      integrator = setting.value.text;
    }
  add(history.size());
  return result;
}

}  // namespace twosphere::ui
