// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/scenario/state_expression.h"
#include "core/scenario/stop_condition.h"

namespace twosphere {

/// Monitors the stop conditions of a run. In each lane a condition is armed until it is met; it is
/// armed again once its value has been back within the bound.
class StopConditions {
 public:
  /// A condition that has just been met.
  struct Met {
    std::size_t index = 0;  ///< of the condition
    StopCondition condition;
    int lane = 0;
    double value = 0;  ///< value of the quantity, or the time
  };

  /// The state of a lane, its sample, which may be null unless a quantity is monitored, and the
  /// tangent vectors that follow it in a system, which are null if there are none.
  struct Observed {
    const State* state = nullptr;
    const Sample* sample = nullptr;
    const Exponents* exponents = nullptr;
    const System* system = nullptr;
  };

  /// Sets the conditions of a scenario to monitor, with its system. Conditions that were monitored
  /// before stay armed or not; new ones are armed.
  void watch(const Scenario& scenario, int lanes);
  /// Monitors one more lane. Conditions beyond their bound in its first sample do not count as met.
  void add_lane(const Observed& first);
  /// The conditions met at time t, to within rounding for steps of length h, and in these states,
  /// one per lane; without states only times are checked. If time is `reversed`, a time is met
  /// when t is not above it. Ordered by condition, then lane.
  std::vector<Met> check(double t, double h, bool reversed, std::span<const Observed> lanes);
  /// Whether check() would find a condition met, or one that was met to be armed again. Allocates
  /// nothing.
  bool is_due(double t, double h, bool reversed, std::span<const Observed> lanes) const;
  /// How far a state is beyond the bound of a condition on a quantity or an expression; negative
  /// within it.
  double beyond(std::size_t index, const Observed& lane) const;
  bool empty() const { return watched_.empty(); }
  /// Whether a condition is on a quantity, which needs samples.
  bool measures() const;
  /// Whether one is on an expression or an indicator of chaos, which need states.
  bool reads_states() const;
  /// Whether the time at which a condition is met is wanted to within a step.
  bool locates() const;
  /// Whether, after it has been read, each condition is armed or not for so many lanes.
  bool fits(std::size_t lanes) const;
  /// The armed ones among the conditions that are monitored, to be written or read
  /// (core/base/fields.h).
  template <class Fields>
  void transfer(Fields& fields) {
    for (WatchedCondition& watched : watched_) fields(watched.armed);
  }

 private:
  struct WatchedCondition {
    StopCondition condition;
    std::vector<bool> armed;  // one per lane
    std::optional<StateExpression> expression{};

    double value(const Observed& observed) const;
    double beyond(double value) const;
    bool is_reached(double t, double h, bool reversed) const;
  };
  std::vector<WatchedCondition> watched_;
};

}  // namespace twosphere
