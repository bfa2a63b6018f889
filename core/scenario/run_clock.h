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

/// The clock of a run or of one of its lanes is an integer: t = origin + index·step.
struct StepClock {
  double origin = 0;  ///< [s]
  double step = 0;    ///< [s]
  std::int64_t index = 0;

  double time() const { return origin + static_cast<double>(index) * step; }
  /// Starts anew from the present time, with another step.
  void change_step(double next) { *this = {time(), next, 0}; }
};

/// Where a run is, and how far it goes: its own clock with step H, the steps taken, and the planned
/// end, which moves where the step or the duration changes. The one rule for them: a simulation
/// steps this clock, and a plan runs it through the events.
class RunClock {
 public:
  RunClock() = default;
  /// At the scenario's start, or where its saved state is.
  explicit RunClock(const Scenario& scenario);

  std::int64_t steps() const { return steps_; }     ///< taken since the start
  double time() const { return clock_.time(); }     ///< [s]
  double grid_step() const { return clock_.step; }  ///< H [s]
  double end_time() const { return end_time_; }     ///< start + duration [s]
  /// N: steps from the start to end_time() with the present step.
  std::int64_t planned_steps() const { return planned_steps_; }
  bool finished() const { return steps_ >= planned_steps_; }
  const StepClock& clock() const { return clock_; }

  /// So many steps are taken, or, where negative, taken back.
  void advance(std::int64_t steps) {
    steps_ += steps;
    clock_.index += steps;
  }
  /// From here on steps are of another length H, and the run is `longer` by so much [s].
  void change(double grid_step, double longer);

 private:
  StepClock clock_;
  double end_time_ = 0;
  std::int64_t steps_ = 0, planned_steps_ = 0;
};

}  // namespace twosphere
