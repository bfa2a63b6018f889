// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/stop_conditions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/json.h"

namespace twosphere {

namespace {

/// Whether a sample exceeds the bound of a condition.
bool is_beyond(const StopCondition& condition, const Sample& sample) {
  const double value = sample[*condition.quantity];
  const double size = info(*condition.quantity).error ? std::abs(value) : value;
  return condition.above ? size > condition.value : size < condition.value;
}

}  // namespace

std::string describe(const StopCondition& condition) {
  const std::string value = json::shortest(condition.value);
  if (!condition.quantity) return fmt::format("time {} s", value);
  const QuantityInfo& quantity = info(*condition.quantity);
  return fmt::format("{} {} {}{}", quantity.label, condition.above ? "above" : "below", value,
                     quantity.unit == "1" ? "" : fmt::format(" {}", quantity.unit));
}

void StopConditions::watch(const std::vector<StopCondition>& conditions, int lanes) {
  std::vector<Watched> former = std::exchange(watched_, {});
  for (const StopCondition& condition : conditions) {
    const auto same = std::find_if(former.begin(), former.end(),
                                   [&](const Watched& w) { return w.condition == condition; });
    if (same == former.end())
      watched_.push_back({condition, std::vector<bool>(static_cast<std::size_t>(lanes), true)});
    else
      watched_.push_back(*same);
  }
}

void StopConditions::add_lane(const Sample& first) {
  for (auto& [condition, armed] : watched_)
    armed.push_back(!condition.quantity || !is_beyond(condition, first));
}

bool StopConditions::watch_time() const {
  return std::any_of(watched_.begin(), watched_.end(),
                     [](const Watched& watched) { return !watched.condition.quantity; });
}

std::vector<StopConditions::Met> StopConditions::look(double t, double h, bool reversed,
                                                      std::span<const Sample> samples) {
  std::vector<Met> met;
  const auto judge = [&met](Watched& watched, std::size_t lane, double value, bool beyond) {
    if (beyond && watched.armed[lane])
      met.push_back({watched.condition, static_cast<int>(lane), value});
    watched.armed[lane] = !beyond;
  };
  for (Watched& watched : watched_) {
    const auto& quantity = watched.condition.quantity;
    if (!quantity) {
      const double bound = watched.condition.value;
      // Because of rounding, k h may be slightly less than the exact time.
      const double slack = std::min(1e-9 * std::abs(bound), h / 2);
      judge(watched, 0, t, reversed ? t <= bound + slack : t >= bound - slack);
      continue;
    }
    for (std::size_t lane = 0; lane < samples.size(); ++lane)
      judge(watched, lane, samples[lane][*quantity], is_beyond(watched.condition, samples[lane]));
  }
  return met;
}

}  // namespace twosphere
