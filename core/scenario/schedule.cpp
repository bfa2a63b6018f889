// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/scenario/branches.h"
#include "core/scenario/document.h"
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

/// The step numbers of a record, and those at the same times if it began with other lanes.
class OtherSteps {
 public:
  OtherSteps(std::vector<LaneSpec> lanes, std::vector<LaneSpec> others,
             const std::vector<Event>& events)
      : parts_{{0, 0, grid_step(lanes) / grid_step(others)}} {
    for (const Event& event : events) {
      follow_lanes(event, lanes);
      follow_lanes(event, others);
      const double ratio = grid_step(lanes) / grid_step(others);
      if (ratio != parts_.back().ratio) parts_.push_back({event.step, at(event.step), ratio});
    }
  }

  /// Not whole if none of the other steps ends at that time.
  double at(std::int64_t step) const {
    const auto next =
        std::upper_bound(parts_.begin() + 1, parts_.end(), step,
                         [](std::int64_t taken, const Part& part) { return taken < part.first; });
    const Part& part = *(next - 1);
    return part.other + static_cast<double>(step - part.first) * part.ratio;
  }

  /// Replaces a step by the other one at its time; `whose` it is, for the error.
  Result<void> move(std::int64_t& step, const std::string& whose) const {
    const double other = at(step), whole = std::round(other);
    if (!is_whole(other, whole, other))
      return Error{ErrorKind::usage, "",
                   fmt::format("step {} {} would become step {}, which must be a whole number: "
                               "choose a step that divides the times of all events",
                               step, whose, json::shortest(other))};
    step = std::llround(whole);
    return {};
  }

  /// The same for the length of a pull that begins before step `from`.
  Result<void> move(Pull& pull, std::int64_t from) const {
    const double end = at(from + pull.steps), steps = end - at(from), whole = std::round(steps);
    if (!is_whole(steps, whole, end) || (whole == 0 && pull.steps > 0))
      return Error{ErrorKind::usage, "",
                   fmt::format("the {} of the pull from step {} would become {}, which must "
                               "be a whole number: choose a step that divides the times of all "
                               "pulls",
                               counted(pull.steps, "step"), from, json::shortest(steps))};
    pull.steps = std::llround(whole);
    return {};
  }

  Result<void> move(std::vector<Event>& events) const {
    for (Event& event : events) {
      if (event.pull)
        if (auto done = move(*event.pull, event.step); !done) return done;
      if (event.since)
        if (auto done = move(*event.since, "(since)"); !done) return done;
      if (auto done = move(event.step, "of an event"); !done) return done;
    }
    return {};
  }

 private:
  /// To 1e-9 of a number of steps.
  static bool is_whole(double steps, double whole, double of) {
    return std::abs(steps - whole) <= 1e-9 * of &&
           whole <= static_cast<double>(document::max_steps);
  }

  /// Steps between two changes of the step by events.
  struct Part {
    std::int64_t first = 0;  ///< steps taken before it
    double other = 0;        ///< other steps taken before it
    double ratio = 1;        ///< other steps per step
  };
  std::vector<Part> parts_;
};

}  // namespace

Result<void> keep_times(Scenario& scenario, const std::vector<LaneSpec>& lanes) {
  const OtherSteps steps(scenario.lanes, lanes, scenario.events);
  for (BranchSpec& branch : scenario.branches) {
    std::vector<Event> record = events_before(scenario, branch.from_step);
    record.insert(record.end(), branch.events.begin(), branch.events.end());
    const OtherSteps own(scenario.lanes, lanes, record);
    if (auto done = own.move(branch.events); !done) return done;
    if (auto done = steps.move(branch.from_step, "(from_step)"); !done) return done;
    branch.steps = std::llround(own.at(branch.steps));
  }
  if (scenario.continuation)
    for (Pull& pull : scenario.continuation->pulls)
      if (auto done = steps.move(pull, 0); !done) return done;
  return steps.move(scenario.events);
}

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
  const auto continues = [&](std::int64_t end) {
    auto event = first_from(scenario.events, end);
    while (event != scenario.events.end() && event->step == end && !event->reverse) ++event;
    return event != scenario.events.end() && event->step == end;
  };
  for (const Event& event : scenario.events) {
    if (event.step > planned || (event.step == planned && !continues(planned))) break;
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

std::int64_t stride_after(std::int64_t stride, const std::vector<Event>& events,
                          std::int64_t last) {
  for (const Event& event : events)
    for (const auto& [path, value] : event.set)
      if (path == "every" && event.step <= last)
        stride = coarser_stride(stride, static_cast<std::int64_t>(value.number)).value_or(stride);
  return stride;
}

std::int64_t stride_through(const Scenario& scenario, std::int64_t last) {
  return stride_after(base_stride(scenario), scenario.events, last);
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

bool ends_by_reversal(const Scenario& record) {
  std::int64_t at = -1;  // step of the last event that sets the duration
  for (const Event& event : record.events)
    if (std::any_of(event.set.begin(), event.set.end(),
                    [](const Setting& setting) { return setting.path == "duration"; }))
      at = event.step;
  return std::any_of(record.events.begin(), record.events.end(),
                     [at](const Event& event) { return event.step == at && event.reverse; });
}

Scenario with_extent(Scenario scenario, Scenario begun, bool changed, const RunExtent& extent) {
  scenario.events = begun.events;
  if (scenario.continuation) scenario.continuation->pulls = begun.continuation->pulls;
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
