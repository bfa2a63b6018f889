// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/schedule.h"

#include <algorithm>

#include "core/scenario/run_clock.h"

namespace twosphere {

namespace {

/// The lane whose step a path sets, if any; the step of a single lane has two paths.
std::optional<std::size_t> lane_of_step(const SettingPath& path, std::size_t lanes) {
  if (lanes == 1 && path == "integrator.step") return 0;
  const auto lane = path.lane();
  if (lane && *lane < lanes && path.size() == 3 && path.key(2) == "step") return lane;
  return {};
}

}  // namespace

void follow_lanes(const Event& event, std::vector<LaneSpec>& lanes) {
  if (event.add_lane) lanes.push_back(event.add_lane->lane);
  for (const auto& [path, value] : event.set)
    if (const auto lane = lane_of_step(path, lanes.size())) lanes[*lane].step = value.number;
}

std::int64_t planned_steps(const Scenario& scenario) {
  RunClock clock(scenario);
  std::vector<LaneSpec> lanes = scenario.lanes;
  double duration = scenario.duration;
  std::int64_t planned = clock.planned_steps();
  // A run that is reversed at its planned end continues from there.
  const auto goes_on = [&](std::int64_t end) {
    return std::any_of(scenario.events.begin(), scenario.events.end(),
                       [end](const Event& event) { return event.step == end && event.reverse; });
  };
  for (const Event& event : scenario.events) {
    if (event.step > planned || (event.step == planned && !goes_on(planned))) break;
    const double former = duration;
    for (const auto& [path, value] : event.set)
      if (path == "duration") duration = value.number;
    follow_lanes(event, lanes);
    clock.advance(event.step - clock.steps());
    clock.change(grid_step(lanes), duration - former);
    if (event.reverse) clock.reverse();
    // The step after the event is taken.
    planned = std::max(clock.planned_steps(), event.step + 1);
  }
  return planned;
}

double duration_of(std::int64_t steps, std::vector<LaneSpec> lanes,
                   const std::vector<Event>& events) {
  double duration = 0;
  std::int64_t from = 0;
  for (const Event& event : events) {
    if (event.step >= steps) break;
    const double before = grid_step(lanes);
    follow_lanes(event, lanes);
    if (grid_step(lanes) == before) continue;
    duration += static_cast<double>(event.step - from) * before;
    from = event.step;
  }
  return duration + static_cast<double>(steps - from) * grid_step(lanes);
}

std::int64_t base_stride(const Scenario& scenario) {
  if (scenario.every > 0) return scenario.every;
  constexpr std::int64_t rows = 10000;
  return std::max<std::int64_t>(1, (planned_steps(scenario) + rows - 1) / rows);
}

std::int64_t stride_through(const Scenario& scenario, std::int64_t last) {
  std::int64_t stride = base_stride(scenario);
  for (const Event& event : scenario.events)
    for (const auto& [path, value] : event.set)
      if (path == "every" && event.step <= last)
        stride = coarser_stride(stride, static_cast<std::int64_t>(value.number)).value_or(stride);
  return stride;
}

std::int64_t sampling_stride(const Scenario& scenario) {
  if (!stride_changes(scenario.events)) return base_stride(scenario);
  return stride_through(scenario, planned_steps(scenario));
}

bool stride_changes(const std::vector<Event>& events) {
  return std::any_of(events.begin(), events.end(), [](const Event& event) {
    return std::any_of(event.set.begin(), event.set.end(),
                       [](const Setting& setting) { return setting.path == "every"; });
  });
}

Scenario with_extent(const Scenario& scenario, Scenario begun, bool changed,
                     const RunExtent& extent) {
  Scenario out = scenario;
  if (extent.steps)
    out.duration = duration_of(*extent.steps, begun.lanes, out.events);
  else if (extent.duration)
    out.duration = *extent.duration;
  if (extent.every) out.every = *extent.every;
  begun.duration = out.duration;
  begun.every = out.every;
  // The stride is computed after the changes, for this run and its repetitions.
  if (changed) out.every = base_stride(begun);
  if (!extent.every && stride_changes(scenario.events))
    out.every =
        stride_through(scenario, std::max(planned_steps(scenario), extent.steps.value_or(0)));
  return out;
}

std::optional<std::int64_t> coarser_stride(std::int64_t present, std::int64_t given) {
  if (given % present == 0) return given;
  if (present % given == 0) return present;
  return {};
}

SampleStride::SampleStride(const Scenario& scenario)
    : first(base_stride(scenario)), rows(sampling_stride(scenario)), checks(first) {}

bool SampleStride::set(std::int64_t given) {
  const auto next = coarser_stride(rows, given);
  if (!next) return false;
  rows = *next;
  checks = coarser_stride(checks, given).value_or(checks);
  return true;
}

}  // namespace twosphere
