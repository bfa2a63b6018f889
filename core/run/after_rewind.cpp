// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/after_rewind.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include "core/catalog.h"
#include "core/mechanics/diagnostics.h"
#include "core/run/lane.h"
#include "core/scenario/initial_conditions.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/run_clock.h"
#include "core/scenario/schedule.h"
#include "core/scenario/writer.h"

namespace twosphere {

namespace {

bool same_start(const Scenario& a, const Scenario& b) {
  return a.size() == b.size() && a.q == b.q && a.omega == b.omega && a.base == b.base;
}

/// Clocks that restart at time `t` in a given direction.
RestartState starting_at(double t, bool reversed, std::size_t lanes) {
  RestartState c;
  c.time_origin = t;
  c.reversed = reversed;
  c.lanes.assign(lanes, {.time_origin = t});
  return c;
}

}  // namespace

// An edited start is no longer taken bit for bit but checked like a hand-written one.
Result<AfterRewind> AfterRewind::with(const std::vector<Setting>& changes, const Scenario& record,
                                      const Scenario& present) const {
  static constexpr std::array<std::string_view, 7> allowed{
      "system", "initial", "integrator", "lanes", "duration", "every", "stop"};
  AfterRewind next{{}, lanes_wait};
  bool start_edited = false;
  for (const auto& [path, value] : changes) {
    if (!path.valid()) return Error{ErrorKind::usage, path.text(), path.problem()};
    const std::string_view key = path.key();
    if (std::find(allowed.begin(), allowed.end(), key) == allowed.end())
      return Error{
          ErrorKind::usage, path.text(),
          fmt::format("cannot be set during a run; allowed: {}", fmt::join(allowed, ", "))};
    // Does an edit touch the start, or the list of lanes?
    start_edited |= key == "initial";
    next.lanes_wait |= path == "lanes" || path == "integrator";
  }
  Scenario from = settings;
  from.continuation.reset();
  auto edited = with_settings(from, changes, nullptr, record.continuation && !start_edited);
  if (!edited) return edited.error();
  next.settings = std::move(*edited);
  // A list that is the present one again does not wait.
  next.lanes_wait = next.lanes_wait && next.settings.lanes != present.lanes;
  next.settings.continuation = present.continuation;
  if (record.continuation && (next.lanes_wait || !same_start(next.settings, record)))
    next.settings.continuation =
        starting_at(start_time(record), record.continuation->reversed, next.settings.lanes.size());
  return next;
}

std::vector<Setting> AfterRewind::pending(const Scenario& present) const {
  if (!lanes_wait) return differences(present, settings);
  // The list as one setting: settings within it may name lanes that are not there yet.
  Scenario same_lanes = settings;
  same_lanes.lanes = present.lanes;
  std::vector<Setting> waiting = differences(present, same_lanes);
  waiting.push_back(lanes_setting(settings));
  return waiting;
}

Scenario AfterRewind::start(const Scenario& record, const Scenario& present) const {
  Scenario s = settings;
  if (ends_by_reversal(record)) s.duration = record.duration;
  if (!record.continuation) return s;
  // For a saved state whose settings have changed, the time is kept, but energies and the variables
  // of the methods start afresh, on the sphere if the method preserves it. Several lanes begin at
  // their own saved states, or all at the start if the start or the list of lanes has changed.
  const bool moved = lanes_wait || !same_start(s, record);
  if (!moved && same_system(s, record) && s.lanes == record.lanes) return s;
  const auto on_manifold = [](const Columns& q, const Columns& omega, bool keeps_sphere) {
    State state{0, q, omega};
    if (keeps_sphere) (void)project_to_manifold(state);
    return state;
  };
  const auto keeps_sphere = [](const LaneSpec& lane) {
    return find_integrator(lane.type)->keeps_sphere;
  };
  RestartState c = starting_at(start_time(record), record.continuation->reversed, s.lanes.size());
  // Settings that make no system leave the energies at 0: Simulation::create() will refuse them.
  const auto system = create_system(s);
  const bool one_keeps = std::any_of(s.lanes.begin(), s.lanes.end(), keeps_sphere);
  const State common = on_manifold(s.q, s.omega, moved ? one_keeps : keeps_sphere(s.lanes[0]));
  s.q = common.q;
  s.omega = common.w;
  for (std::size_t i = 0; i < s.lanes.size(); ++i) {
    RestartState::Lane& lane = c.lanes[i];
    if (!moved && i > 0) {
      const RestartState::Lane& from = present.continuation->lanes[i];
      if (from.q.cols() > 0) {
        const State own = on_manifold(from.q, from.omega, keeps_sphere(s.lanes[i]));
        lane.q = own.q;
        lane.omega = own.w;
      }
      // Of a base that flies, the centre of mass; the attitude of tops.
      for (const auto& entry : from.memory)
        if (system && (entry.first == centre_entry
                           ? (*system)->free_base() != nullptr
                           : entry.first == attitude_entry && (*system)->follows_attitude()))
          lane.memory.push_back(entry);
    }
    if (system) lane.energy_reference = total_energy(**system, saved_state(s, **system, lane));
  }
  s.continuation = std::move(c);
  return s;
}

}  // namespace twosphere
