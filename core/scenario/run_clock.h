// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/scenario/scenario.h"

namespace twosphere {

/// H, the step of a run: the largest step of its lanes. Each lane takes H/h steps of its own step h
/// per step of the run, so that all lanes have samples at the same times. N, `every` and the steps
/// of events count steps of the run.
double grid_step(const std::vector<LaneSpec>& lanes);
/// H/h, if it is a whole number to 1e-9 relative.
std::optional<std::int64_t> substeps(double grid, double step);

/// N = llround(T/H) if T/H is whole to 1e-9 N, else ceil(T/H); at least 1.
struct StepCount {
  std::int64_t steps;
  bool rounded_up;
};
StepCount count_steps(double duration, double step);

/// The whole number of steps nearest to this one, in the range of whole numbers.
std::int64_t steps_for(double steps);

/// The clock of a run or of a lane counts steps: t = origin + index·step. A reversed run counts
/// down, so that it comes back to the same times, to the last digit.
struct StepClock {
  double origin = 0;  ///< [s]
  double step = 0;    ///< [s] > 0
  std::int64_t index = 0;
  bool reversed = false;  ///< time decreases

  double time() const { return origin + static_cast<double>(index) * step; }
  /// h with the sign of the direction [s].
  double signed_step() const { return reversed ? -step : step; }
  /// Takes `steps` steps in the present direction, or takes them back if negative.
  void advance(std::int64_t steps) { index += reversed ? -steps : steps; }
  /// Restarts the clock at the present time with another step.
  void change_step(double next) { *this = {time(), next, 0, reversed}; }
  /// Whether it is one that a run can have.
  bool is_sound() const;
  /// All members, to be written or read (core/base/fields.h).
  template <class Fields>
  void transfer(Fields& fields) {
    fields(origin, step, index, reversed);
  }
};

/// The time at the start of a scenario [s]; a saved state continues from its own time.
double start_time(const Scenario& scenario);

/// The error of a step [s] if the times of a run that goes as far as |t| = `last` [s] would
/// not all differ, as doubles there are further apart; empty: nothing.
std::string unresolved_times(double step, double last);

/// The clock of a run with step H, the number of steps taken, and the planned end, which changes
/// with the step and the duration. A reversal does not change the plan, unless the run is at its
/// end: then the run is extended to the time of its start or, if that is behind, by its duration.
/// Both Simulation and the plan of a scenario step this clock, so that they agree.
class RunClock {
 public:
  RunClock() = default;
  /// At the start of the scenario, or at its saved state.
  explicit RunClock(const Scenario& scenario);

  std::int64_t steps() const { return steps_; }     ///< steps taken since the start
  double time() const { return clock_.time(); }     ///< [s]
  double grid_step() const { return clock_.step; }  ///< H [s]
  bool reversed() const { return clock_.reversed; }
  /// The start time plus the time that the run has advanced since, in either direction [s]. It
  /// never decreases, and equals time() until the run is reversed.
  double elapsed() const { return elapsed_.time(); }
  /// The planned end on the scale of elapsed(): start + duration [s].
  double end_time() const { return end_time_; }
  /// N: the steps from the start to end_time() with the present step.
  std::int64_t planned_steps() const { return planned_steps_; }
  bool finished() const { return steps_ >= planned_steps_; }
  /// The steps, in the present direction, to the one next to a time [s]; below 0 if it is behind.
  std::int64_t steps_to(double t) const { return steps_for((t - time()) / clock_.signed_step()); }
  const StepClock& clock() const { return clock_; }
  /// The step at which a reversed run is back at the time of its start, if there is one.
  std::optional<std::int64_t> return_step() const { return return_step_; }

  /// Takes `steps` steps, or takes them back if negative.
  void advance(std::int64_t steps) {
    steps_ += steps;
    clock_.advance(steps);
    elapsed_.advance(steps);
  }
  /// Reverses the direction of time.
  void reverse();
  /// Changes the step to H = `grid_step` and extends the run by `longer` [s].
  void change(double grid_step, double longer);
  /// Whether it is one that a run can have, after it has been read.
  bool is_sound() const;
  /// All members, to be written or read (core/base/fields.h).
  template <class Fields>
  void transfer(Fields& fields) {
    fields(clock_, elapsed_, start_time_, duration_, end_time_, steps_, planned_steps_, turned_,
           return_step_);
  }

 private:
  /// Time to the start in the present direction [s]; negative if it is behind.
  double way_to_start() const;
  void find_return();

  StepClock clock_, elapsed_;
  double start_time_ = 0, duration_ = 0, end_time_ = 0;
  std::int64_t steps_ = 0, planned_steps_ = 0;
  bool turned_ = false;  // reversed at least once
  std::optional<std::int64_t> return_step_;
};

}  // namespace twosphere
