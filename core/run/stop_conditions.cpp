// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/stop_conditions.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/scenario/scenario.h"

namespace twosphere {

double StopConditions::WatchedCondition::value(const Observed& observed) const {
  if (expression) return expression->value(*observed.state);
  if (condition.indicator && observed.exponents)
    return condition.indicator->value(*observed.exponents, *observed.system, *observed.state);
  return condition.quantity ? (*observed.sample)[*condition.quantity] : std::nan("");
}

double StopConditions::WatchedCondition::beyond(double value) const {
  // Errors are compared by their magnitude.
  const bool error = condition.quantity && info(*condition.quantity).error;
  const double size = error ? std::abs(value) : value;
  return condition.above ? size - condition.value : condition.value - size;
}

/// Whether the time of the condition is reached.
bool StopConditions::WatchedCondition::is_reached(double t, double h, bool reversed) const {
  const double bound = condition.value;
  // Because of rounding, k h may be slightly less than the exact time.
  const double slack = std::min(1e-9 * std::abs(bound), h / 2);
  return reversed ? t <= bound + slack : t >= bound - slack;
}

void StopConditions::watch(const Scenario& scenario, int lanes) {
  std::vector<WatchedCondition> former = std::exchange(watched_, {});
  for (const StopCondition& condition : scenario.stop) {
    // A condition that was there before and is met stays disarmed until it is not.
    const auto same = std::find_if(former.begin(), former.end(), [&](const WatchedCondition& w) {
      return w.condition == condition;
    });
    WatchedCondition& watched = watched_.emplace_back(WatchedCondition{condition, {}});
    watched.armed = same == former.end() ? std::vector<bool>(static_cast<std::size_t>(lanes), true)
                                         : same->armed;
    if (condition.expression.empty()) continue;
    // Without one, where a system has yet to get what it names, the condition is not met.
    if (auto made = StateExpression::create(condition.expression, scenario))
      watched.expression = std::move(*made);
  }
}

void StopConditions::add_lane(const Observed& first) {
  for (WatchedCondition& watched : watched_)
    watched.armed.push_back(watched.condition.is_time() ||
                            !(watched.beyond(watched.value(first)) > 0));
}

bool StopConditions::measures() const {
  return std::any_of(watched_.begin(), watched_.end(), [](const WatchedCondition& watched) {
    return watched.condition.quantity.has_value();
  });
}

bool StopConditions::reads_states() const {
  return std::any_of(watched_.begin(), watched_.end(), [](const WatchedCondition& watched) {
    return watched.expression || watched.condition.indicator;
  });
}

bool StopConditions::locates() const {
  return std::any_of(watched_.begin(), watched_.end(),
                     [](const WatchedCondition& watched) { return watched.condition.at_crossing; });
}

bool StopConditions::fits(std::size_t lanes) const {
  return std::all_of(watched_.begin(), watched_.end(), [lanes](const WatchedCondition& watched) {
    return watched.armed.size() == lanes;
  });
}

double StopConditions::beyond(std::size_t index, const Observed& lane) const {
  const WatchedCondition& watched = watched_[index];
  return watched.beyond(watched.value(lane));
}

bool StopConditions::is_due(double t, double h, bool reversed,
                            std::span<const Observed> lanes) const {
  return std::any_of(watched_.begin(), watched_.end(), [&](const WatchedCondition& watched) {
    if (watched.condition.is_time()) return watched.is_reached(t, h, reversed) == watched.armed[0];
    for (std::size_t lane = 0; lane < lanes.size(); ++lane)
      if ((watched.beyond(watched.value(lanes[lane])) > 0) == watched.armed[lane]) return true;
    return false;
  });
}

std::vector<StopConditions::Met> StopConditions::check(double t, double h, bool reversed,
                                                       std::span<const Observed> lanes) {
  std::vector<Met> met;
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    WatchedCondition& watched = watched_[i];
    // A condition is met once, and again when the value has been on the other side.
    const auto judge = [&](std::size_t lane, double value, bool beyond) {
      if (beyond && watched.armed[lane])
        met.push_back({i, watched.condition, static_cast<int>(lane), value});
      watched.armed[lane] = !beyond;
    };
    if (watched.condition.is_time()) {
      judge(0, t, watched.is_reached(t, h, reversed));
      continue;
    }
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      const double value = watched.value(lanes[lane]);
      judge(lane, value, watched.beyond(value) > 0);
    }
  }
  return met;
}

}  // namespace twosphere
