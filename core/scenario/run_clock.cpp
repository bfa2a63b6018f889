// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/run_clock.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/json.h"
#include "core/scenario/document.h"

namespace twosphere {

double grid_step(const std::vector<LaneSpec>& lanes) {
  double step = 0;
  for (const LaneSpec& lane : lanes) step = std::max(step, lane.step);
  return step;
}

std::optional<std::int64_t> substeps(double grid, double step) {
  // A lane takes k steps of its own in one of the run, k a whole number but for rounding.
  const double ratio = grid / step, whole = std::round(ratio);
  if (!(whole < static_cast<double>(document::max_steps)) ||
      !(std::abs(ratio - whole) <= 1e-9 * whole))
    return {};
  return std::llround(ratio);
}

std::int64_t steps_for(double steps) {
  constexpr double most = 9e18;
  return std::llround(std::clamp(steps, -most, most));
}

StepCount count_steps(double duration, double step) {
  const double ratio = duration / step;
  // A duration that is a whole number of steps but for rounding ends at that step; any other at the
  // next one.
  const double nearest_whole = std::round(ratio);
  if (nearest_whole >= 1 && std::abs(ratio - nearest_whole) <= 1e-9 * nearest_whole)
    return {std::llround(ratio), false};
  return {std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(ratio))), true};
}

namespace {

StepClock start_clock(const Scenario& scenario) {
  const auto& from = scenario.continuation;
  return {from ? from->time_origin : 0, grid_step(scenario.lanes), from ? from->step_index : 0,
          from && from->reversed};
}

}  // namespace

double start_time(const Scenario& scenario) { return start_clock(scenario).time(); }

std::string unresolved_times(double step, double last) {
  // The spacing of doubles at the last time of the run.
  const double apart = last - std::nextafter(last, 0.0);
  if (step >= apart) return {};
  return fmt::format(
      "must be at least {} s, the distance of neighbouring numbers at t = {} s, which the run "
      "reaches; with {} s rows would have equal times",
      json::shortest(apart), json::shortest(last), json::shortest(step));
}

bool StepClock::is_sound() const {
  constexpr std::int64_t limit = 2 * document::max_steps;
  return std::isfinite(origin) && std::isfinite(step) && step > 0 && index >= -limit &&
         index <= limit;
}

RunClock::RunClock(const Scenario& scenario)
    : clock_(start_clock(scenario)),
      elapsed_(clock_),
      start_time_(time()),
      duration_(scenario.duration),
      end_time_(time() + duration_),
      planned_steps_(count_steps(duration_, clock_.step).steps) {
  elapsed_.reversed = false;
}

void RunClock::change(double grid_step, double longer) {
  const bool other_step = grid_step != clock_.step;
  if (!other_step && longer == 0) return;
  // Both clocks continue from the present time with the new step.
  if (other_step) {
    clock_.change_step(grid_step);
    elapsed_.change_step(grid_step);
    find_return();
  }
  duration_ += longer;
  end_time_ += longer;
  // The steps that are left follow from the time that is left.
  const double left = end_time_ - elapsed();
  planned_steps_ = steps_ + (left > 0 ? count_steps(left, clock_.step).steps : 0);
}

void RunClock::reverse() {
  clock_.reversed = !clock_.reversed;
  turned_ = true;
  find_return();
  if (!finished()) return;
  // A finished run continues to its start, or past it for as long as it lasted.
  const double way = way_to_start(), left = way > clock_.step / 2 ? way : way + duration_;
  if (!(left > 0)) return;
  end_time_ = elapsed() + left;
  planned_steps_ = steps_ + count_steps(left, clock_.step).steps;
}

double RunClock::way_to_start() const {
  return reversed() ? time() - start_time_ : start_time_ - time();
}

void RunClock::find_return() {
  return_step_.reset();
  const double way = way_to_start();
  // Only a run that was reversed comes back, and only if a step ends at its start.
  if (!turned_ || !(way > clock_.step / 2)) return;
  if (const StepCount count = count_steps(way, clock_.step); !count.rounded_up)
    return_step_ = steps_ + count.steps;
}

bool RunClock::is_sound() const {
  constexpr std::int64_t limit = 2 * document::max_steps;
  return clock_.is_sound() && elapsed_.is_sound() && std::isfinite(start_time_) &&
         std::isfinite(duration_) && std::isfinite(end_time_) && steps_ >= 0 && steps_ <= limit &&
         planned_steps_ >= 0 && planned_steps_ <= limit &&
         (!return_step_ || (*return_step_ >= 0 && *return_step_ <= limit));
}

}  // namespace twosphere
