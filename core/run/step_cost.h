// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <span>

#include "core/mechanics/diagnostics.h"
#include "core/mechanics/integrator.h"

namespace twosphere {

/// What the step that led to a sample took, beside its result: for plots, never for files. The time
/// comes from the machine's clock and is another in every run.
enum class StepQuantity { newton_iterations, newton_residual, inner_steps, rejected_steps, time };
inline constexpr std::size_t step_quantity_count = 5;

/// "newton_iterations", "Newton iterations", ….
std::span<const QuantityInfo, step_quantity_count> step_quantities();
inline const QuantityInfo& info(StepQuantity q) {
  return step_quantities()[static_cast<std::size_t>(q)];
}

/// NaN where the method has no such thing, and at the start, which no step led to.
struct StepCost {
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();
  std::array<double, step_quantity_count> values{none, none, none, none, none};

  double& operator[](StepQuantity q) { return values[static_cast<std::size_t>(q)]; }
  double operator[](StepQuantity q) const { return values[static_cast<std::size_t>(q)]; }
};
/// What a method reports of a step it has taken; the time is left open.
StepCost step_cost(const IntegratorInfo& method, const StepReport& report);

}  // namespace twosphere
