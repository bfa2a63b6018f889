// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/scenario.h"

#include <fmt/format.h>

#include <algorithm>

namespace twosphere {

std::vector<std::string> default_names(const std::vector<LaneSpec>& lanes) {
  std::vector<std::string> names;
  for (auto lane = lanes.begin(); lane != lanes.end(); ++lane) {
    const auto earlier = std::count_if(
        lanes.begin(), lane, [&](const LaneSpec& other) { return other.type == lane->type; });
    names.push_back(earlier == 0 ? lane->type : fmt::format("{}.{}", lane->type, earlier + 1));
  }
  return names;
}

bool same(const Scenario& a, const Scenario& b) {
  const auto columns = [](const Columns& x, const Columns& y) {
    return x.cols() == y.cols() && x == y;
  };
  const auto setting = [](const Setting& x, const Setting& y) {
    return x.path == y.path && same(x.value, y.value);
  };
  const auto event = [&](const Event& x, const Event& y) {
    return x.step == y.step && x.resume == y.resume && x.reverse == y.reverse && x.pull == y.pull &&
           std::equal(x.set.begin(), x.set.end(), y.set.begin(), y.set.end(), setting);
  };
  const auto lane = [&](const RestartState::Lane& x, const RestartState::Lane& y) {
    return columns(x.q, y.q) && columns(x.omega, y.omega) && x.time_origin == y.time_origin &&
           x.step_index == y.step_index && x.energy_reference == y.energy_reference &&
           x.work == y.work && x.memory == y.memory;
  };
  const auto place = [&](const std::optional<RestartState>& x,
                         const std::optional<RestartState>& y) {
    if (!x || !y) return !x && !y;
    return x->time_origin == y->time_origin && x->step_index == y->step_index &&
           x->reversed == y->reversed && x->pulls == y->pulls &&
           std::equal(x->lanes.begin(), x->lanes.end(), y->lanes.begin(), y->lanes.end(), lane);
  };
  return a.title == b.title && a.description == b.description && a.system == b.system &&
         a.parameters == b.parameters && columns(a.q, b.q) && columns(a.omega, b.omega) &&
         a.lanes == b.lanes && a.duration == b.duration && a.every == b.every && a.stop == b.stop &&
         std::equal(a.events.begin(), a.events.end(), b.events.begin(), b.events.end(), event) &&
         place(a.continuation, b.continuation);
}

}  // namespace twosphere
