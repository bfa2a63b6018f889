// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/scenario/scenario.h"

namespace twosphere {

/// H, the step of a run: the largest step of its lanes. Each lane takes H/h steps of its own h to
/// one of the run, so that all have their samples at the same times. Steps of the run are what N,
/// `every` and the events count.
double grid_step(const std::vector<LaneSpec>& lanes);
/// So many steps may a lane take to one of the run, which is taken as a whole.
inline constexpr std::int64_t most_substeps = 10'000'000;
/// H/h, if that is whole to 1e-9 of it.
std::optional<std::int64_t> substeps(double grid, double step);

/// N = llround(T/H) where T/H is whole to 1e-9 N, else ceil; at least 1.
struct StepCount {
  std::int64_t steps;
  bool rounded_up;
};
StepCount count_steps(double duration, double step);

/// The clock of a run or of one of its lanes is an integer: t = origin + index·step. A run that
/// goes backwards counts it down, so that it comes back to the same times, to the last digit.
struct StepClock {
  double origin = 0;  ///< [s]
  double step = 0;    ///< [s] > 0
  std::int64_t index = 0;
  bool reversed = false;  ///< time decreases

  double time() const { return origin + static_cast<double>(index) * step; }
  /// h with the sign of the direction [s].
  double signed_step() const { return reversed ? -step : step; }
  /// So many steps are taken in the present direction, or, where negative, taken back.
  void advance(std::int64_t steps) { index += reversed ? -steps : steps; }
  /// Starts anew from the present time, with another step.
  void change_step(double next) { *this = {time(), next, 0, reversed}; }
};

/// When a scenario begins [s]: a saved state goes on from its own time.
double start_time(const Scenario& scenario);

/// Where a run is, and how far it goes: its own clock with step H, the steps taken, and the planned
/// end, which moves where the step or the duration changes. A reversal leaves the plan alone,
/// unless the run is at its end: then it is extended to the start, or, where that is behind, by the
/// duration beyond it. The one rule for them: a simulation steps this clock, and a plan runs it
/// through the events.
class RunClock {
 public:
  RunClock() = default;
  /// At the scenario's start, or where its saved state is.
  explicit RunClock(const Scenario& scenario);

  std::int64_t steps() const { return steps_; }     ///< taken since the start
  double time() const { return clock_.time(); }     ///< [s]
  double grid_step() const { return clock_.step; }  ///< H [s]
  bool reversed() const { return clock_.reversed; }
  /// The time at the start and how long the run has been going since, in whichever direction [s]:
  /// time() until it is reversed. It never decreases.
  double elapsed() const { return elapsed_.time(); }
  /// The planned end in elapsed(): start + duration [s].
  double end_time() const { return end_time_; }
  /// N: steps from the start to end_time() with the present step.
  std::int64_t planned_steps() const { return planned_steps_; }
  bool finished() const { return steps_ >= planned_steps_; }
  const StepClock& clock() const { return clock_; }
  /// The step at which a run that was reversed is back at the time of its start, if it is one.
  std::optional<std::int64_t> return_step() const { return return_step_; }

  /// So many steps are taken, or, where negative, taken back.
  void advance(std::int64_t steps) {
    steps_ += steps;
    clock_.advance(steps);
    elapsed_.advance(steps);
  }
  /// From here on time goes the other way.
  void reverse();
  /// From here on steps are of another length H, and the run is `longer` by so much [s].
  void change(double grid_step, double longer);

 private:
  /// How far the start is ahead in the present direction [s]; negative where it is behind.
  double way_to_start() const;
  void find_return();

  StepClock clock_, elapsed_;
  double start_time_ = 0, duration_ = 0, end_time_ = 0;
  std::int64_t steps_ = 0, planned_steps_ = 0;
  bool turned_ = false;  // at least once
  std::optional<std::int64_t> return_step_;
};

}  // namespace twosphere
