// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/mechanics/diagnostics.h"

namespace twosphere {

/// Where a run is to stop: at a time, or where a sampled quantity is beyond a bound. Errors are
/// compared by their magnitude.
struct StopCondition {
  std::optional<Quantity> quantity;  ///< none: the time
  bool above = true;                 ///< otherwise below
  double value = 0;                  ///< the bound, or the time [s]

  bool operator==(const StopCondition&) const = default;
};

/// "time 50 s", "energy error above 0.001 J".
std::string describe(const StopCondition& condition);

/// Watches the stop conditions of a run. Each is armed, in each lane, until it is met; it is armed
/// again once its value has been back within the bound.
class StopConditions {
 public:
  /// A condition that has just been met.
  struct Met {
    StopCondition condition;
    int lane = 0;
    double value = 0;  ///< of its quantity; the time
  };

  /// Watches these from now on. Those that were watched before keep whether they are armed, new
  /// ones are.
  void watch(const std::vector<StopCondition>& conditions, int lanes);
  /// Watches one lane more from now on; what is beyond a bound in its first sample is not met.
  void add_lane(const Sample& first);
  /// What is met at time t, within rounding of steps of length h, and in these samples, one per
  /// lane; without samples only times are looked at. Where time is `reversed`, a time is met once
  /// it is not above it. In order of conditions, then lanes.
  std::vector<Met> look(double t, double h, bool reversed, std::span<const Sample> samples);
  bool empty() const { return watched_.empty(); }
  /// Whether a time is among them, which may be met at any step.
  bool watch_time() const;

 private:
  struct Watched {
    StopCondition condition;
    std::vector<bool> armed;  // one per lane
  };
  std::vector<Watched> watched_;
};

}  // namespace twosphere
