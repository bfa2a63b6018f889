// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/scenario/run_clock.h"

namespace twosphere {

/// When each step of a run is taken, with all that its events make of the step H and of the
/// direction of time. Elapsed time is
/// that since the start: it grows with every step. A lookup costs O(log events).
class Timetable {
 public:
  Timetable() : parts_(1) {}
  /// Of a scenario with its events, as of Simulation::record().
  explicit Timetable(const Scenario& record);

  /// The run's clock after so many steps, to the last bit [s].
  double time(std::int64_t step) const;
  /// The time since the start after so many steps [s].
  double elapsed(std::int64_t step) const;
  /// The number of steps, at least 0, after which the elapsed time is nearest to this.
  std::int64_t step_after(double elapsed) const;
  /// The number of steps, from 0 to `last`, after which the run's clock is nearest to this; the
  /// last of several.
  std::int64_t step_at(double time, std::int64_t last) const;

 private:
  /// Steps of one length in one direction.
  struct Part {
    std::int64_t first = 0;  ///< steps taken before
    double elapsed = 0;      ///< after these [s]
    StepClock clock;         ///< likewise
  };
  const Part& part_of(std::int64_t step) const;
  /// The step of a part that is nearest to a time after its beginning [s].
  std::int64_t nearest(std::size_t part, double after) const;

  std::vector<Part> parts_;
};

}  // namespace twosphere
