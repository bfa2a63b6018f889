// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/scenario/run_clock.h"

namespace twosphere {

/// The time of every step of a run, with all changes of the step H and of the direction of time by
/// its events. Elapsed time is measured from the start and grows with every step. A lookup costs
/// O(log events).
class Timetable {
 public:
  Timetable() : parts_(1) {}
  /// For a scenario with its events, such as Simulation::record().
  explicit Timetable(const Scenario& record);

  /// The run's clock after `steps` steps, bit for bit [s].
  double time(std::int64_t step) const;
  /// The elapsed time after `steps` steps [s].
  double elapsed(std::int64_t step) const;
  /// The step H of the run that follows, negative if time then decreases [s].
  double signed_step(std::int64_t step) const { return part_of(step).clock.signed_step(); }
  /// The first of the steps, up to this one, that have the same length and direction.
  std::int64_t first_alike(std::int64_t step) const { return part_of(step).first; }
  /// The number of steps, at least 0, whose elapsed time is nearest to the given one.
  std::int64_t step_after(double elapsed) const;
  /// The number of steps, from 0 to `last`, after which the run's clock is nearest to the given
  /// time; the largest of several.
  std::int64_t step_at(double time, std::int64_t last) const;

 private:
  /// A sequence of steps with the same length and direction.
  struct Part {
    std::int64_t first = 0;  ///< steps taken before it
    double elapsed = 0;      ///< elapsed time at its beginning [s]
    StepClock clock;         ///< clock at its beginning
  };
  const Part& part_of(std::int64_t step) const;
  /// The step of a part nearest to a time after its beginning [s].
  std::int64_t nearest(std::size_t part, double after) const;

  std::vector<Part> parts_;
};

}  // namespace twosphere
