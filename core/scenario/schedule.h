// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/scenario/scenario.h"

/// What a scenario plans: how many steps, how long they take and at which of them samples are due,
/// with all that its events change.
namespace twosphere {

/// Steps of the whole run N, with the changes of step and duration that its events bring.
std::int64_t planned_steps(const Scenario& scenario);
/// Adds the lane that an event adds, and makes the steps of the lanes what it sets.
void follow_lanes(const Event& event, std::vector<LaneSpec>& lanes);
/// How long the first `steps` steps take [s]: with these lanes, and with what the events make of
/// their steps.
double duration_of(std::int64_t steps, std::vector<LaneSpec> lanes,
                   const std::vector<Event>& events);

/// Sampling stride K of a run without the events that set it: `every`, else ceil(N/10 000).
std::int64_t base_stride(const Scenario& scenario);
/// Sampling stride of all rows of a run that goes as far as `last` steps: events up to there that
/// set `every` widen it from the start on.
std::int64_t stride_through(const Scenario& scenario, std::int64_t last);
/// Stride of a run of N steps.
std::int64_t sampling_stride(const Scenario& scenario);
/// Whether an event sets `every`.
bool stride_changes(const std::vector<Event>& events);
/// The stride after one is set where another was: `given` if it is a whole multiple, `present` if
/// that is one, as rows that were left out do not come back; else nothing.
std::optional<std::int64_t> coarser_stride(std::int64_t present, std::int64_t given);

/// The stride of the samples of a run in progress.
struct SampleStride {
  std::int64_t first = 1;  ///< before events set it
  std::int64_t rows = 1;   ///< of all rows; events up to the planned end have widened it already
  /// Where thresholds are looked at: the stride of the events so far. It divides `rows`.
  std::int64_t checks = 1;

  SampleStride() = default;
  explicit SampleStride(const Scenario& scenario);
  /// An event sets it now. False if that is neither a multiple nor a divisor.
  bool set(std::int64_t given);
};

}  // namespace twosphere
