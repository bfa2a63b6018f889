// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/saved_states.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "core/base/build.h"
#include "core/base/fields.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/run/simulation.h"
#include "core/scenario/branches.h"
#include "core/scenario/document.h"
#include "core/scenario/reader.h"
#include "core/scenario/writer.h"

namespace twosphere {

namespace {

bool can_be_stride(const SampleStride& stride) {
  return std::min({stride.first, stride.rows, stride.checks}) >= 1 &&
         stride.rows <= document::max_steps && stride.rows % stride.checks == 0;
}

bool can_be_lane(const Lane::Checkpoint& lane, const System& system) {
  const State& state = lane.state;
  // Anything that a step takes for granted.
  const Eigen::Index further = moving(system) - system.size();
  return state.size() == system.size() && state.w.cols() == state.q.cols() && state.q.allFinite() &&
         state.w.allFinite() && state.x.cols() == further && state.v.cols() == further &&
         state.x.allFinite() && state.v.allFinite() && std::isfinite(state.t) &&
         lane.clock.is_sound() && std::isfinite(lane.energy_reference);
}

/// A checkpoint with its settings, whose text is empty if they are those of the one before.
struct SavedState {
  std::string settings;
  std::vector<RunMarker> markers;
  RunCheckpoint state;

  /// All members after the settings.
  template <class Fields>
  void transfer(Fields& fields) {
    fields(state.pulls, markers, state, state.start_distances, state.reached);
  }
};

/// The program and format that read and write the same bytes.
std::string writer_of_states() { return program_version() + ", states 4"; }

Error not_read(const char* why) { return {ErrorKind::usage, "states", why}; }

/// All that the lanes continue with, without the tangent vectors that may follow them.
std::string lane_bytes(RunCheckpoint state) {
  std::string text;
  // Vectors that follow change nothing in the lane.
  for (Lane::Checkpoint& lane : state.lanes) lane.exponents.reset();
  FieldWriter fields(text);
  fields(state.lanes);
  return text;
}

}  // namespace

Scenario start_of_record(Scenario record) {
  record = main_record(std::move(record));
  record.events.clear();
  return record;
}

Result<std::shared_ptr<const RunCheckpoint::Settings>> start_settings(const Scenario& record) {
  auto system = Simulation::make_system(record);
  if (!system) return system.error();
  return std::make_shared<const RunCheckpoint::Settings>(
      RunCheckpoint::Settings{start_of_record(record), std::move(*system)});
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
  Scenario start = start_of_record(record);
  start.continuation.reset();
  // The text is without the start, which is that of the record.
  auto present = read_edited(*root, start, EditScope::without_start, true, nullptr);
  if (!present) return present.error();
  present->continuation = record.continuation;
  // Lanes that were added since begin, after Rewind, where the first lane does.
  if (auto& from = present->continuation; from && from->lanes.size() < present->lanes.size())
    from->lanes.resize(present->lanes.size(), {.time_origin = start_time(record)});
  std::shared_ptr<const System> system = before.system;
  // States with the same system share one.
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
                     [&](const auto& lane) { return can_be_lane(lane, *settings.system); }) &&
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

std::string write_states(const RunStates& states) {
  std::string text, program = writer_of_states();
  FieldWriter fields(text);
  auto count = static_cast<std::uint64_t>(states.size());
  fields(program, count);
  const RunCheckpoint* before = nullptr;
  for (const auto& state : states) {
    // Settings are large and change seldom: they are written where they change.
    const bool same_settings = before && before->settings == state->settings;
    SavedState saved{same_settings ? std::string() : settings_text(*state->settings),
                     *state->markers, *state};
    fields(saved.settings, saved);
    before = state.get();
  }
  std::uint32_t sum = checksum(text);
  FieldWriter end(text);
  end(sum);
  return text;
}

Result<RunStates> read_states(std::string_view bytes, const Scenario& record) {
  std::uint32_t sum = 0;
  if (bytes.size() < sizeof sum) return not_read("are incomplete");
  const std::string_view content = bytes.substr(0, bytes.size() - sizeof sum);
  FieldReader end(bytes.substr(content.size()));
  end(sum);
  // The checksum first: what is damaged is not interpreted.
  if (sum != checksum(content)) return not_read("are damaged");
  FieldReader fields(content);
  std::string program;
  std::uint64_t count = 0;
  fields(program);
  if (!fields.ok() || program != writer_of_states())
    return not_read("were written by another version of the program");
  fields(count);
  auto settings = start_settings(record);
  if (!settings) return settings.error();
  RunStates states;
  for (; count > 0 && fields.ok(); --count) {
    SavedState saved;
    fields(saved.settings);
    if (!saved.settings.empty()) {
      auto read = read_settings(saved.settings, record, **settings);
      if (!read) return read.error();
      settings = std::move(read);
    }
    // Conditions are armed or not one by one, so that they must be known before.
    saved.state.stops.watch((*settings)->present,
                            static_cast<int>((*settings)->present.lanes.size()));
    fields(saved);
    // Steps ascend, and all members fit the record.
    const std::int64_t min_step = states.empty() ? 0 : states.back()->step();
    if (!fields.ok() || !fits(saved.state, saved.markers, **settings, record) ||
        saved.state.step() < min_step)
      return not_read("do not fit the record");
    saved.state.settings = *settings;
    saved.state.markers = std::make_shared<const std::vector<RunMarker>>(std::move(saved.markers));
    states.push_back(std::make_shared<const RunCheckpoint>(std::move(saved.state)));
  }
  if (!fields.at_end() || states.empty()) return not_read("are incomplete");
  return states;
}

bool continue_alike(const Scenario& record, const RunCheckpoint& a, const RunCheckpoint& b) {
  if (a.step() != b.step()) return false;
  // Where one has applied the events of its step and the other has not, a step decides.
  if (a.events_applied == b.events_applied) return lane_bytes(a) == lane_bytes(b);
  Simulation one = Simulation::at(record, a), other = Simulation::at(record, b);
  const bool failed = one.step().has_value(), other_failed = other.step().has_value();
  if (failed || other_failed) return failed == other_failed;
  return lane_bytes(one.checkpoint()) == lane_bytes(other.checkpoint());
}

}  // namespace twosphere
