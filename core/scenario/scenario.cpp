// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/scenario.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/catalog.h"
#include "core/custom/definition_keys.h"

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

std::vector<std::string> names_of(const std::vector<LaneSpec>& lanes) {
  return texts_of(lanes, &LaneSpec::name);
}

const SystemInfo& info_of(const Scenario& scenario) {
  return scenario.definition ? scenario.definition->info() : *find_system(scenario.system);
}

Result<std::unique_ptr<const System>> create_system(const Scenario& scenario) {
  return info_of(scenario).create(scenario.size(), scenario.parameters);
}

bool has_parameter(const Scenario& scenario, std::string_view key) {
  const auto& infos = info_of(scenario).parameters;
  return std::any_of(infos.begin(), infos.end(),
                     [key](const ParameterInfo& p) { return p.key == key; });
}

bool same_kind(const Scenario& a, const Scenario& b) {
  if (a.system != b.system || !a.definition != !b.definition) return false;
  return a.definition == b.definition ||
         same_but_values(a.definition->definition(), b.definition->definition());
}

bool same_system(const Scenario& a, const Scenario& b) {
  return same_kind(a, b) && a.parameters == b.parameters;
}

std::vector<LaneSpec> recorded_lanes(const Scenario& record) {
  std::vector<LaneSpec> lanes = record.lanes;
  for (const Event& event : record.events)
    if (event.add_lane) lanes.push_back(event.add_lane->lane);
  return lanes;
}

bool same(const Event& a, const Event& b) {
  const auto setting = [](const Setting& x, const Setting& y) {
    return x.path == y.path && same(x.value, y.value);
  };
  return a.step == b.step && a.since == b.since && a.resume == b.resume && a.reverse == b.reverse &&
         a.pull == b.pull && a.add_lane == b.add_lane &&
         std::equal(a.set.begin(), a.set.end(), b.set.begin(), b.set.end(), setting);
}

bool same(const Scenario& a, const Scenario& b) {
  const auto columns = [](const Columns& x, const Columns& y) {
    return x.cols() == y.cols() && x == y;
  };
  const auto events = [](const std::vector<Event>& x, const std::vector<Event>& y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                      [](const Event& e, const Event& f) { return same(e, f); });
  };
  const auto branch = [&](const BranchSpec& x, const BranchSpec& y) {
    return x.name == y.name && x.from_step == y.from_step && events(x.events, y.events) &&
           x.steps == y.steps && x.color == y.color && x.hidden == y.hidden;
  };
  const auto lane = [&](const RestartState::Lane& x, const RestartState::Lane& y) {
    return columns(x.q, y.q) && columns(x.omega, y.omega) && x.time_origin == y.time_origin &&
           x.step_index == y.step_index && x.energy_reference == y.energy_reference &&
           x.work == y.work && x.memory == y.memory;
  };
  const auto continuation = [&](const std::optional<RestartState>& x,
                                const std::optional<RestartState>& y) {
    if (!x || !y) return !x && !y;
    return x->time_origin == y->time_origin && x->step_index == y->step_index &&
           x->reversed == y->reversed && x->pulls == y->pulls &&
           std::equal(x->lanes.begin(), x->lanes.end(), y->lanes.begin(), y->lanes.end(), lane);
  };
  return a.schema == b.schema && a.title == b.title && a.description == b.description &&
         same_system(a, b) && columns(a.q, b.q) && columns(a.omega, b.omega) && a.base == b.base &&
         a.lanes == b.lanes && a.duration == b.duration && a.every == b.every && a.stop == b.stop &&
         a.section == b.section && a.signal == b.signal && a.plots == b.plots &&
         events(a.events, b.events) &&
         std::equal(a.branches.begin(), a.branches.end(), b.branches.begin(), b.branches.end(),
                    branch) &&
         a.orbit == b.orbit && same(a.view, b.view) && continuation(a.continuation, b.continuation);
}

}  // namespace twosphere
