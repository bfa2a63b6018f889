// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/sweep_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/interrupt.h"
#include "core/base/json.h"
#include "core/run/simulation.h"
#include "core/scenario/schedule.h"
#include "core/scenario/setting.h"
#include "core/scenario/writer.h"
#include "core/studies/basins.h"
#include "core/studies/task_orbit.h"

namespace twosphere {

namespace {

/// The stride of the rows where no measure depends on them.
constexpr std::int64_t sparse_rows = 1000;

Error wrong(const char* location, std::string message) {
  return {ErrorKind::usage, location, std::move(message)};
}

Error placed(const char* location, const Error& error) {
  return {error.kind, location, error.text()};
}

Result<void> check_members(const Sweep& sweep) {
  if (sweep.members > 1 && sweep.spread == 0)
    return wrong("spread", "is missing; it says how far the members begin from one another");
  if (sweep.spread != 0 && !(sweep.spread > 0 && sweep.spread <= 0.1))
    return wrong("spread", "must be above 0 and at most 0.1");
  return {};
}

Result<void> check_axes(const Sweep& sweep) {
  const json::Node root = to_json(sweep.scenario);
  std::vector<SettingPath> paths;
  for (const SweepAxis& axis : sweep.axes) {
    const SettingPath path = canonical(axis.path, root);
    for (std::size_t k = 0; k < paths.size(); ++k) {
      if (path == paths[k])
        return wrong("axis", fmt::format("{} is given twice", axis.path.text()));
      if (path.within(paths[k]) || paths[k].within(path)) {
        std::string part = axis.path.text(), whole = sweep.axes[k].path.text();
        if (paths[k].within(path)) part.swap(whole);
        return wrong("axis", fmt::format("{} is a part of {}, which is an axis, too", part, whole));
      }
    }
    paths.push_back(path);
  }
  if (std::string why = sweep.why_too_large(); !why.empty()) return wrong("axis", std::move(why));
  for (const SweepAxis& axis : sweep.axes) {
    std::set<std::pair<double, std::string>> values;
    for (const json::Node& value : axis.values)
      if (!values.emplace(value.number, value.text).second)
        return wrong("axis",
                     fmt::format("{} has the value {} twice", axis.path.text(),
                                 value.kind == json::Kind::string ? json::quote(value.text)
                                                                  : json::shortest(value.number)));
  }
  return {};
}

/// Whether events and branches begin at whole steps for every value of an axis of the step, which
/// leaves them at their times.
Result<void> check_times(const Sweep& sweep) {
  const Scenario& scenario = sweep.scenario;
  if (scenario.events.empty() && scenario.branches.empty()) return {};
  const json::Node root = to_json(scenario);
  const SettingPath step = canonical("lanes[0].step", root);
  for (const SweepAxis& axis : sweep.axes) {
    if (canonical(axis.path, root) != step) continue;
    for (const json::Node& value : axis.values) {
      if (!(value.kind == json::Kind::number && value.number > 0)) continue;
      Scenario moved;
      moved.lanes = scenario.lanes;
      moved.events = scenario.events;
      moved.branches = scenario.branches;
      std::vector<LaneSpec> lanes = scenario.lanes;
      lanes[0].step = value.number;
      if (auto kept = keep_times(moved, lanes); !kept)
        return wrong("axis", fmt::format("{}={}: {}", axis.path.text(),
                                         json::shortest(value.number), kept.error().message));
    }
  }
  return {};
}

Result<void> check_measures(const Sweep& sweep) {
  if (sweep.measures.empty()) return wrong("measure", "is missing; give one or more");
  for (auto measure = sweep.measures.begin(); measure != sweep.measures.end(); ++measure)
    if (std::find(sweep.measures.begin(), measure, *measure) != measure)
      return wrong("measure", fmt::format("{} is given twice", measure->key()));
  return {};
}

Result<void> begin(const Sweep& sweep, std::size_t task) {
  auto scenario = sweep_scenario(sweep, task);
  if (!scenario) return placed("axis", scenario.error());
  if (scenario->lanes.size() != 1) return wrong("axis", "the number of lanes cannot change");
  auto run = Simulation::create(std::move(*scenario));
  if (!run) return placed("axis", run.error());
  if (sweep.orbit)
    if (auto fine = check_task_orbit(*sweep.orbit, run->record(), run->system()); !fine)
      return fine.error().location == "orbit" || fine.error().location == "system"
                 ? placed("measure", fine.error())
                 : fine;
  if (!sweep.equilibria.empty())
    if (auto watch =
            BasinWatch::create(sweep.equilibria, sweep.scenario, run->record(), run->system());
        !watch)
      return placed("measure", watch.error());
  if (sweep.vectors() == 0) return {};
  if (auto follows = run->follow_exponents(sweep.vectors()); !follows)
    return placed("measure", follows.error());
  return {};
}

}  // namespace

Result<void> check_starts(const Sweep& sweep) {
  if (sweep.scenario.continuation) return wrong("scenario", "must be a start, not a saved state");
  if (recorded_lanes(sweep.scenario).size() != 1)
    return wrong("scenario",
                 "has several integrators; choose one, or compare them by an axis integrator.type");
  for (const auto check : {check_members, check_axes, check_times})
    if (auto fine = check(sweep); !fine) return fine;
  std::optional<Error> first;
  for (const std::size_t task : {std::size_t{0}, sweep.tasks() / 2, sweep.tasks() - 1}) {
    const auto begins = begin(sweep, task);
    if (begins) return {};
    if (!first) first = begins.error();
  }
  return *first;
}

Result<bool> complete_sweep(Sweep& sweep, int threads, const SearchProgress& proceed) {
  if (auto fine = check_measures(sweep); !fine) return fine.error();
  if (sweep.axes.empty() && sweep.members == 1)
    return wrong("axis", "is missing; give one or more, or several members");
  // The plan says the signal, also where it is the default.
  if (!sweep.scenario.signal && sweep.has(&SweepMeasure::needs_signal))
    sweep.scenario.signal.emplace();
  if (!sweep.has(&SweepMeasure::needs_rows) && sweep.scenario.every == 0)
    sweep.scenario.every = sparse_rows;
  if (sweep.has(&SweepMeasure::of_orbit)) {
    if (!sweep.orbit) sweep.orbit = default_orbit_plan(sweep.scenario);
  } else if (sweep.orbit) {
    return wrong("from", "is of the measures orbit.period and orbit.multiplier[k]");
  }
  if (sweep.has(&SweepMeasure::of_basin)) {
    auto found = basin_equilibria(sweep.scenario, threads, [&](std::size_t done, std::size_t all) {
      return proceed(done, all) && !interrupted();
    });
    if (!found) return placed("measure", found.error());
    if (!*found) return false;
    sweep.equilibria = std::move(**found);
  }
  const auto fine = check_starts(sweep);
  // What an interruption has cut short is no failure.
  if (interrupted()) return false;
  if (!fine) return fine.error();
  return true;
}

}  // namespace twosphere
