// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/run_clock.h"

#include <algorithm>
#include <cmath>

#include "core/base/document.h"

namespace twosphere {

double grid_step(const std::vector<LaneSpec>& lanes) {
  double step = 0;
  for (const LaneSpec& lane : lanes) step = std::max(step, lane.step);
  return step;
}

std::optional<std::int64_t> substeps(double grid, double step) {
  const double ratio = grid / step, whole = std::round(ratio);
  if (!(whole < static_cast<double>(document::most_steps)) ||
      !(std::abs(ratio - whole) <= 1e-9 * whole))
    return {};
  return std::llround(ratio);
}

StepCount count_steps(double duration, double step) {
  const double ratio = duration / step;
  const double nearest_whole = std::round(ratio);
  if (nearest_whole >= 1 && std::abs(ratio - nearest_whole) <= 1e-9 * nearest_whole)
    return {std::llround(ratio), false};
  return {std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(ratio))), true};
}

RunClock::RunClock(const Scenario& scenario) {
  clock_.step = twosphere::grid_step(scenario.lanes);
  if (const auto& from = scenario.continuation) {
    clock_.origin = from->time_origin;
    clock_.index = from->step_index;
  }
  end_time_ = time() + scenario.duration;
  planned_steps_ = count_steps(scenario.duration, clock_.step).steps;
}

void RunClock::change(double grid_step, double longer) {
  const bool other_step = grid_step != clock_.step;
  if (!other_step && longer == 0) return;
  if (other_step) clock_.change_step(grid_step);
  end_time_ += longer;
  const double left = end_time_ - time();
  planned_steps_ = steps_ + (left > 0 ? count_steps(left, clock_.step).steps : 0);
}

}  // namespace twosphere
