// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/mechanics/chaos_indicator.h"
#include "core/mechanics/diagnostics.h"

namespace twosphere {

/// A condition that stops a run: a time is reached, or a sampled quantity, an indicator of chaos or
/// an expression of the state is beyond a bound after a step. Errors are compared by their
/// magnitude.
struct StopCondition {
  std::optional<Quantity> quantity;
  bool above = true;         ///< stop above the bound; else below
  double value = 0;          ///< the bound, or the time [s]
  std::string expression{};  ///< of StateExpression, if not empty
  std::optional<ChaosIndicator> indicator{};
  /// Whether the time at which the bound is crossed within the step is given, else that of the
  /// step.
  bool at_crossing = false;

  bool is_time() const { return !quantity && expression.empty() && !indicator; }
  bool operator==(const StopCondition&) const = default;
};

/// Tangent vectors that must follow a run for these conditions.
int vectors_needed(const std::vector<StopCondition>& conditions);

/// "time 50 s", "energy error above 0.001 J".
std::string describe(const StopCondition& condition);

}  // namespace twosphere
