// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/scenario/scenario.h"

/// The plan of a scenario, including all changes by its events: the number of steps, how long they
/// take, and at which of them samples are due.
namespace twosphere {

/// The number N of steps of the whole run, including changes of step and duration by events.
std::int64_t planned_steps(const Scenario& scenario);
/// Applies an event to the lanes: adds a lane and changes steps.
void follow_lanes(const Event& event, std::vector<LaneSpec>& lanes);
/// The duration [s] of the first `steps` steps with these lanes and the changes of their steps by
/// events.
double duration_of(std::int64_t steps, std::vector<LaneSpec> lanes,
                   const std::vector<Event>& events);

/// Moves the events, branches and active pulls of a scenario, which count steps of the run, to the
/// same times with other lanes at its start: step k becomes k H/H', except where events have set
/// the step. An error says which would not be a whole number, to 1e-9 relative; its location is
/// empty.
Result<void> keep_times(Scenario& scenario, const std::vector<LaneSpec>& lanes);

/// Sampling stride K of a run before events change it: `every`, else ceil(N/10 000).
std::int64_t base_stride(const Scenario& scenario);
/// A stride after the events up to step `last`, of which those that set `every` increase it.
std::int64_t stride_after(std::int64_t stride, const std::vector<Event>& events, std::int64_t last);
/// Sampling stride of all rows of a run of `last` steps. Events up to there that set `every`
/// increase it for the whole run.
std::int64_t stride_through(const Scenario& scenario, std::int64_t last);
/// Whether a reversal set the duration that holds at the end of the record: Simulation::reverse().
bool ends_by_reversal(const Scenario& record);
/// How far a run goes and how often it is sampled, where that is not what its scenario says.
struct RunExtent {
  std::optional<std::int64_t> steps{};
  std::optional<double> duration{};  ///< [s]; ignored if there are steps
  std::optional<std::int64_t> every{};
};
/// The scenario with another extent, whose values have been checked. `begun`: the scenario after
/// the changes before its first step, by which steps and the stride are counted, with its events
/// and pulls at the steps that then have their times; `changed`: whether there are any. The rows
/// are those of the whole run of the scenario, even if this one ends earlier.
Scenario with_extent(Scenario scenario, Scenario begun, bool changed, const RunExtent& extent);
/// Sampling stride of a run over its planned steps.
std::int64_t sampling_stride(const Scenario& scenario);
/// Whether an event sets `every`.
bool stride_changes(const std::vector<Event>& events);
/// The stride of all rows after it is changed from `present` to `given`: the larger one if it is a
/// multiple of the other, because rows that were omitted cannot be restored; else none.
std::optional<std::int64_t> coarser_stride(std::int64_t present, std::int64_t given);

/// The stride of the samples of a run in progress.
struct SampleStride {
  std::int64_t first = 1;  ///< before events change it
  /// Of all rows; already includes the changes by events up to the planned end.
  std::int64_t rows = 1;
  /// Stride at which thresholds are checked: that of the events so far. It divides `rows`.
  std::int64_t checks = 1;

  SampleStride() = default;
  explicit SampleStride(const Scenario& scenario);
  /// Changes the stride by an event. False if it is neither a multiple nor a divisor.
  bool set(std::int64_t given);
  /// All members, to be written or read (core/base/fields.h).
  template <class Fields>
  void transfer(Fields& fields) {
    fields(first, rows, checks);
  }
};

}  // namespace twosphere
