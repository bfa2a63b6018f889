// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/stop_conditions.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/scenario/scenario.h"

namespace twosphere {

double StopConditions::Watched::value(const Observed& observed) const {
  if (expression) return expression->value(*observed.state);
  return condition.quantity ? observed.sample[*condition.quantity] : std::nan("");
}

bool StopConditions::Watched::is_beyond(double value) const {
  const bool error = condition.quantity && info(*condition.quantity).error;
  const double size = error ? std::abs(value) : value;
  return condition.above ? size > condition.value : size < condition.value;
}

void StopConditions::watch(const Scenario& scenario, int lanes) {
  std::vector<Watched> former = std::exchange(watched_, {});
  for (const StopCondition& condition : scenario.stop) {
    const auto same = std::find_if(former.begin(), former.end(),
                                   [&](const Watched& w) { return w.condition == condition; });
    Watched& watched = watched_.emplace_back(Watched{condition, {}});
    watched.armed = same == former.end() ? std::vector<bool>(static_cast<std::size_t>(lanes), true)
                                         : same->armed;
    if (condition.expression.empty()) continue;
    // Without one, where a system has yet to get what it names, the condition is not met.
    if (auto made = StateExpression::create(condition.expression, scenario))
      watched.expression = std::move(*made);
  }
}

void StopConditions::add_lane(const Observed& first) {
  for (Watched& watched : watched_)
    watched.armed.push_back(watched.condition.is_time() ||
                            !watched.is_beyond(watched.value(first)));
}

bool StopConditions::watch_time() const {
  return std::any_of(watched_.begin(), watched_.end(),
                     [](const Watched& watched) { return watched.condition.is_time(); });
}

bool StopConditions::fits(std::size_t lanes) const {
  return std::all_of(watched_.begin(), watched_.end(),
                     [lanes](const Watched& watched) { return watched.armed.size() == lanes; });
}

std::vector<StopConditions::Met> StopConditions::check(double t, double h, bool reversed,
                                                       std::span<const Observed> samples) {
  std::vector<Met> met;
  const auto judge = [&met](Watched& watched, std::size_t lane, double value, bool beyond) {
    if (beyond && watched.armed[lane])
      met.push_back({watched.condition, static_cast<int>(lane), value});
    watched.armed[lane] = !beyond;
  };
  for (Watched& watched : watched_) {
    if (watched.condition.is_time()) {
      const double bound = watched.condition.value;
      // Because of rounding, k h may be slightly less than the exact time.
      const double slack = std::min(1e-9 * std::abs(bound), h / 2);
      judge(watched, 0, t, reversed ? t <= bound + slack : t >= bound - slack);
      continue;
    }
    for (std::size_t lane = 0; lane < samples.size(); ++lane) {
      const double value = watched.value(samples[lane]);
      judge(watched, lane, value, watched.is_beyond(value));
    }
  }
  return met;
}

}  // namespace twosphere
