// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/stop_condition.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/excerpt.h"
#include "core/base/json.h"

namespace twosphere {

int vectors_needed(const std::vector<StopCondition>& conditions) {
  int max_vectors = 0;
  for (const StopCondition& condition : conditions)
    if (condition.indicator) max_vectors = std::max(max_vectors, condition.indicator->vectors());
  return max_vectors;
}

std::string describe(const StopCondition& condition) {
  const std::string value = json::shortest(condition.value);
  if (condition.is_time()) return fmt::format("time {} s", value);
  if (const auto& indicator = condition.indicator)
    return fmt::format("{} {} {}{}", indicator->name(), condition.above ? "above" : "below", value,
                       indicator->unit() == "1" ? "" : fmt::format(" {}", indicator->unit()));
  if (!condition.quantity)
    return fmt::format("{} {} {}", printable(condition.expression),
                       condition.above ? "above" : "below", value);
  const QuantityInfo& quantity = info(*condition.quantity);
  return fmt::format("{} {} {}{}", quantity.label, condition.above ? "above" : "below", value,
                     quantity.unit == "1" ? "" : fmt::format(" {}", quantity.unit));
}

}  // namespace twosphere
