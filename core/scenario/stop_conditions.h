// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/mechanics/diagnostics.h"

namespace twosphere {

/// A condition that stops a run: a time is reached, or a sampled quantity exceeds a bound. Errors
/// are compared by their magnitude.
struct StopCondition {
  std::optional<Quantity> quantity;  ///< none: the time
  bool above = true;                 ///< stop above the bound; else below
  double value = 0;                  ///< the bound, or the time [s]

  bool operator==(const StopCondition&) const = default;
};

/// "time 50 s", "energy error above 0.001 J".
std::string describe(const StopCondition& condition);

/// Monitors the stop conditions of a run. In each lane a condition is armed until it is met; it is
/// armed again once its value has been back within the bound.
class StopConditions {
 public:
  /// A condition that has just been met.
  struct Met {
    StopCondition condition;
    int lane = 0;
    double value = 0;  ///< value of the quantity, or the time
  };

  /// Sets the conditions to monitor. Conditions that were monitored before stay armed or not; new
  /// ones are armed.
  void watch(const std::vector<StopCondition>& conditions, int lanes);
  /// Monitors one more lane. Conditions beyond their bound in its first sample do not count as met.
  void add_lane(const Sample& first);
  /// The conditions met at time t, to within rounding for steps of length h, and in these samples,
  /// one per lane; without samples only times are checked. If time is `reversed`, a time is met
  /// when t is not above it. Ordered by condition, then lane.
  std::vector<Met> look(double t, double h, bool reversed, std::span<const Sample> samples);
  bool empty() const { return watched_.empty(); }
  /// Whether a condition is a time, which may be met at any step.
  bool watch_time() const;

 private:
  struct Watched {
    StopCondition condition;
    std::vector<bool> armed;  // one per lane
  };
  std::vector<Watched> watched_;
};

}  // namespace twosphere
