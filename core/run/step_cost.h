// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>

#include "core/mechanics/diagnostics.h"
#include "core/mechanics/integrator.h"

namespace twosphere {

/// Numbers that a lane reports at a sample beside the quantities of its state, for plots: the cost
/// of the step that led to it, whose times come from the wall clock and differ from run to run,
/// what tangent vectors that follow the lane have measured so far (Exponents), and the distances of
/// a cloud around it (Cloud::Distances).
enum class StepQuantity {
  newton_iterations,
  newton_residual,
  inner_steps,
  rejected_steps,
  inner_step,
  time,
  lyapunov_1,
  lyapunov_2,
  lyapunov_3,
  lyapunov_4,
  megno,
  fli,
  cloud_distance,
  cloud_low,
  cloud_high,
  cloud_members
};
inline constexpr std::size_t step_quantity_count =
    static_cast<std::size_t>(StepQuantity::cloud_members) + 1;
/// How many exponents are recorded, from lyapunov_1 on.
inline constexpr std::size_t recorded_exponents = 4;
constexpr StepQuantity lyapunov(std::size_t k) {
  return static_cast<StepQuantity>(static_cast<std::size_t>(StepQuantity::lyapunov_1) + k);
}
/// Of lyapunov(k) that k; none of the others.
constexpr std::optional<std::size_t> exponent_index(StepQuantity q) {
  if (q < StepQuantity::lyapunov_1 || q >= lyapunov(recorded_exponents)) return {};
  return static_cast<std::size_t>(q) - static_cast<std::size_t>(StepQuantity::lyapunov_1);
}
/// Whether tangent vectors have to follow a lane for it.
constexpr bool needs_tangent_vectors(StepQuantity q) {
  return q >= StepQuantity::lyapunov_1 && q <= StepQuantity::fli;
}

/// Keys and labels: "newton_iterations", "Newton iterations", ….
std::span<const QuantityInfo, step_quantity_count> step_quantities();
inline const QuantityInfo& info(StepQuantity q) {
  return step_quantities()[static_cast<std::size_t>(q)];
}

/// NaN if the lane does not report the quantity, and at the start unless a cloud begins there.
struct StepCost {
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();

  StepCost() { values.fill(none); }
  std::array<double, step_quantity_count> values;

  double& operator[](StepQuantity q) { return values[static_cast<std::size_t>(q)]; }
  double operator[](StepQuantity q) const { return values[static_cast<std::size_t>(q)]; }
};
/// The cost that a method reports for a step; the time is not filled in.
StepCost step_cost(const IntegratorInfo& method, const StepReport& report);

}  // namespace twosphere
