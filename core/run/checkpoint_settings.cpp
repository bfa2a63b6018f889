// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/checkpoint_settings.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/document.h"
#include "core/base/json.h"
#include "core/run/simulation.h"
#include "core/scenario/branches.h"
#include "core/scenario/reader.h"
#include "core/scenario/writer.h"

namespace twosphere {

namespace {

bool can_be_stride(const SampleStride& stride) {
  return std::min({stride.first, stride.rows, stride.checks}) >= 1 &&
         stride.rows <= document::most_steps && stride.rows % stride.checks == 0;
}

bool can_be_lane(const Lane::Checkpoint& lane, int bodies) {
  const State& state = lane.state;
  return state.size() == bodies && state.w.cols() == state.q.cols() && state.q.allFinite() &&
         state.w.allFinite() && std::isfinite(state.t) && lane.clock.is_sound() &&
         std::isfinite(lane.energy_reference);
}

}  // namespace

Scenario without_events(Scenario record) {
  record = main_record(std::move(record));
  record.events.clear();
  return record;
}

Result<std::shared_ptr<const RunCheckpoint::Settings>> start_settings(const Scenario& record) {
  auto system = Simulation::make_system(record);
  if (!system) return system.error();
  return std::make_shared<const RunCheckpoint::Settings>(
      RunCheckpoint::Settings{without_events(record), std::move(*system)});
}

std::string settings_text(const RunCheckpoint::Settings& settings) {
  Scenario present = settings.present;
  present.continuation.reset();
  return json::write(edit_document(present, {}, EditScope::without_start));
}

Result<std::shared_ptr<const RunCheckpoint::Settings>> read_settings(
    std::string_view text, const Scenario& record, const RunCheckpoint::Settings& before) {
  const auto root = json::parse(text, "");
  if (!root) return root.error();
  Scenario start = without_events(record);
  start.continuation.reset();
  auto present = read_edited(*root, start, EditScope::without_start, true, nullptr);
  if (!present) return present.error();
  present->continuation = record.continuation;
  if (auto& from = present->continuation; from && from->lanes.size() < present->lanes.size())
    from->lanes.resize(present->lanes.size(), {.time_origin = start_time(record)});
  std::shared_ptr<const System> system = before.system;
  if (!same_system(*present, before.present)) {
    auto made = Simulation::make_system(*present);
    if (!made) return made.error();
    system = std::move(*made);
  }
  return std::make_shared<const RunCheckpoint::Settings>(
      RunCheckpoint::Settings{std::move(*present), std::move(system)});
}

bool fits(const RunCheckpoint& state, const std::vector<RunMarker>& markers,
          const RunCheckpoint::Settings& settings, const Scenario& record) {
  const std::size_t lanes = settings.present.lanes.size();
  const int bodies = settings.system->size();
  return state.clock.is_sound() && can_be_stride(state.stride) && state.lanes.size() == lanes &&
         std::all_of(state.lanes.begin(), state.lanes.end(),
                     [bodies](const auto& lane) { return can_be_lane(lane, bodies); }) &&
         state.events_applied <= record.events.size() && state.stops.fits(lanes) &&
         state.guard.fits(lanes, bodies) &&
         std::all_of(state.pulls.begin(), state.pulls.end(),
                     [bodies](const auto& active) {
                       return active.pull.body >= 0 && active.pull.body < bodies &&
                              active.pull.force.allFinite();
                     }) &&
         std::all_of(markers.begin(), markers.end(), [](const RunMarker& marker) {
           return marker.step >= 0 && std::isfinite(marker.t);
         });
}

}  // namespace twosphere
