// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <span>

#include "core/mechanics/diagnostics.h"
#include "core/mechanics/integrator.h"

namespace twosphere {

/// The cost of the step that led to a sample: for plots, never for files. The times come from the
/// wall clock and differ from run to run.
enum class StepQuantity {
  newton_iterations,
  newton_residual,
  inner_steps,
  rejected_steps,
  inner_step,
  time
};
inline constexpr std::size_t step_quantity_count = 6;

/// Keys and labels: "newton_iterations", "Newton iterations", ….
std::span<const QuantityInfo, step_quantity_count> step_quantities();
inline const QuantityInfo& info(StepQuantity q) {
  return step_quantities()[static_cast<std::size_t>(q)];
}

/// NaN if the method does not report the quantity, and at the start.
struct StepCost {
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();
  std::array<double, step_quantity_count> values{none, none, none, none, none, none};

  double& operator[](StepQuantity q) { return values[static_cast<std::size_t>(q)]; }
  double operator[](StepQuantity q) const { return values[static_cast<std::size_t>(q)]; }
};
/// The cost that a method reports for a step; the time is not filled in.
StepCost step_cost(const IntegratorInfo& method, const StepReport& report);

}  // namespace twosphere
