// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/settings_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/catalog.h"
#include "core/custom/definition.h"
#include "core/mechanics/random_state.h"
#include "core/scenario/definition_io.h"
#include "core/scenario/keys.h"
#include "core/scenario/run_clock.h"
#include "core/scenario/sections.h"
#include "core/scenario/tangent_maps.h"
#include "core/scenario/writer.h"

namespace twosphere::document {

namespace {

/// Fails if a potential that an event sets is finite nowhere: neither at the start nor at a few
/// other states.
void check_potential(const Value& section, const System& system, const Columns& q) {
  constexpr unsigned others = 4;
  bool finite = std::isfinite(system.potential(q));
  for (unsigned k = 0; k < others && !finite; ++k)
    finite = std::isfinite(system.potential(random_directions(system.size(), k)));
  if (!finite)
    section.named(section.path() + ".potential")
        .fail("is not a finite number, at the start or at other states");
}

/// Fails at a step that is too small for the times of its lane.
void check_times(const Value& root, const Scenario& scenario) {
  for (std::size_t i = 0; i < scenario.lanes.size(); ++i) {
    const double step = scenario.lanes[i].step;
    double first = std::abs(start_time(scenario));
    if (const auto& from = scenario.continuation; from && i < from->lanes.size()) {
      const RestartState::Lane& own = from->lanes[i];
      first =
          std::max(first, std::abs(own.time_origin + static_cast<double>(own.step_index) * step));
    }
    if (const std::string wrong = unresolved_times(step, first + scenario.duration); !wrong.empty())
      fail_at(root, {ErrorKind::usage, lane_location(scenario, i) + ".step", wrong});
  }
}

}  // namespace

Value start_section(const Value& root) {
  // The errors that are located here have paths such as q[0], which the root does not have.
  return root.find("initial").value_or(root.named("initial"));
}

std::unique_ptr<const System> read_system_at_start(const Value& root, Scenario& scenario,
                                                   const Values* former) {
  const Value section = root.member("system");
  auto system = read_system(section, scenario, former);
  check_texts(section, *system, scenario);
  if (const auto& check = info_of(scenario).check_start; check && !scenario.definition)
    if (auto possible = check(scenario.q, scenario.parameters); !possible)
      fail_at(start_section(root), possible.error());
  return system;
}

std::unique_ptr<const System> checked_system(const Value& section, const Scenario& scenario) {
  auto made = create_system(scenario);
  if (!made) fail_at(section, made.error());
  return std::move(*made);
}

std::vector<Value> lane_entries(const Value& root, int bodies) {
  const auto listed = root.find("lanes");
  if (!listed) return {root.member("integrator")};
  if (root.find("integrator")) listed->fail("integrator and lanes cannot be given together");
  return listed_lanes(*listed, bodies);
}

std::vector<LaneSpec> read_lanes(const Value& root, int bodies, const System* system, bool saved) {
  const std::vector<Value> entries = lane_entries(root, bodies);
  Names more;
  if (saved && entries.size() > 1) more = key_names("lane_state");
  std::vector<LaneSpec> lanes;
  lanes.reserve(entries.size());
  for (const Value& entry : entries) {
    if (!more.empty() && lanes.size() == 1) more = key_names_of({"lane_state", "later_lane_state"});
    lanes.push_back(read_lane(entry, root.find("lanes").has_value(), system, more));
  }
  check_lanes(entries, lanes);
  return lanes;
}

void read_title(const Value& root, Scenario& scenario) {
  const auto read = [&root](const char* key, std::size_t longest, std::string& to) {
    const auto given = root.find(key);
    if (!given) return;
    if (given->text().size() > longest)
      given->fail(fmt::format("must have at most {} bytes, not {}", longest, given->text().size()));
    to = given->text();
  };
  read("title", 1'000, scenario.title);
  read("description", 20'000, scenario.description);
}

void read_rest(const Value& root, Scenario& scenario) {
  if (const auto duration = root.find("duration"))
    scenario.duration = read_duration(*duration, scenario.lanes);
  check_times(root, scenario);
  if (const auto every = root.find("every")) scenario.every = every->whole(1);
  if (const auto stop = root.find("stop")) scenario.stop = read_stop(*stop, scenario);
  if (const auto section = root.find("section"))
    scenario.section = read_section(*section, scenario);
  if (const auto signal = root.find("signal")) scenario.signal = read_signal(*signal, scenario);
  if (const auto plots = root.find("plots")) scenario.plots = read_plots(*plots, scenario);
}

void check_following(const Value& root, const Scenario& scenario, const System& system) {
  if (auto follow = check_conditions(scenario.stop, scenario.lanes, system, scenario.parameters);
      !follow)
    fail_at(root, follow.error());
}

std::unique_ptr<const System> read_given_sections(const Value& root, Scenario& scenario,
                                                  SettingsCheck check) {
  read_title(root, scenario);
  std::unique_ptr<const System> system;
  const bool lanes_given = root.find("integrator") || root.find("lanes");
  if (const auto section = root.find("system")) {
    const bool full = scenario.definition && is_full_definition(*section);
    const Values* former = full ? nullptr : &scenario.parameters;
    switch (check) {
      case SettingsCheck::at_start:
        system = read_system_at_start(root, scenario, former);
        break;
      case SettingsCheck::running:
        system = read_system(*section, scenario, former);
        if (scenario.definition) check_potential(*section, *system, scenario.q);
        break;
      case SettingsCheck::none:
        read_system_values(*section, scenario, former);
        break;
    }
    for (std::size_t i = 0; system && i < scenario.lanes.size() && !lanes_given; ++i)
      check_method(root.named(lane_location(scenario, i) + ".type"),
                   *find_integrator(scenario.lanes[i].type), *system);
  } else if (lanes_given && check != SettingsCheck::none) {
    system = checked_system(root.named("system"), scenario);
  }
  if (lanes_given)
    scenario.lanes =
        read_lanes(root, scenario.size(), system.get(), scenario.continuation.has_value());
  read_rest(root, scenario);
  if (check != SettingsCheck::none && need_methods(scenario.stop)) {
    const auto own = system ? nullptr : checked_system(root.named("system"), scenario);
    check_following(root, scenario, system ? *system : *own);
  }
  return root.find("system") ? std::move(system) : nullptr;
}

}  // namespace twosphere::document
