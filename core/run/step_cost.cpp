// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/step_cost.h"

namespace twosphere {

std::span<const QuantityInfo, step_quantity_count> step_quantities() {
  static constexpr std::array<QuantityInfo, step_quantity_count> list{{
      {"newton_iterations", "Newton iterations", "iterations", "1",
       "Newton iterations of the last step; for a composition, the sum over all its stages.",
       false},
      {"newton_residual", "Newton residual", "residual", "1",
       "Largest ½ | |q|² − 1 | after Newton's iteration; for m_ij(q) and the Cayley form, the "
       "largest change in the next iteration.",
       true},
      {"inner_steps", "inner steps", "inner steps", "1",
       "Inner steps that an adaptive method took within the last step.", false},
      {"rejected_steps", "rejected steps", "rejected", "1",
       "Inner steps that an adaptive method rejected within the last step.", false},
      {"inner_step", "shortest inner step", "min η", "s",
       "The shortest inner step that an adaptive method took within the last step.", false},
      {"step_time", "time per step", "step time", "µs",
       "Computing time of the last step of this lane, or the mean of several taken together.",
       false},
      {"lyapunov_1", "Lyapunov exponent λ₁", "λ₁", "1/s",
       "Mean rate at which nearby orbits part, so far; tangent vectors follow the run for it.",
       false},
      {"lyapunov_2", "Lyapunov exponent λ₂", "λ₂", "1/s", "The second largest exponent, so far.",
       false},
      {"lyapunov_3", "Lyapunov exponent λ₃", "λ₃", "1/s", "The third largest exponent, so far.",
       false},
      {"lyapunov_4", "Lyapunov exponent λ₄", "λ₄", "1/s", "The fourth largest exponent, so far.",
       false},
      {"megno", "MEGNO", "MEGNO", "1",
       "Mean exponential growth factor of nearby orbits: tends to 2 for quasi-periodic motion, "
       "grows as λ₁T/2 for chaotic motion.",
       false},
      {"fli", "fast Lyapunov indicator", "FLI", "1",
       "Logarithm of the largest growth of a tangent vector so far: grows as ln T for regular "
       "motion, as λ₁T for chaotic motion.",
       false},
      {"cloud_distance", "distance of the cloud", "|δq|", "1",
       "Median of (Σ|qᵢ − qᵢ⁽ᵏ⁾|²)^½ over the members k of a cloud around the lane; the band "
       "reaches from 5 % to 95 % of them.",
       true},
      {"cloud_low", "distance of the cloud, 5 %", "|δq|₅", "1",
       "The distance that 5 % of the members of the cloud do not exceed.", true},
      {"cloud_high", "distance of the cloud, 95 %", "|δq|₉₅", "1",
       "The distance that 95 % of the members of the cloud do not exceed.", true},
      {"cloud_members", "members of the cloud", "members", "1",
       "Members of the cloud whose steps have not failed.", false},
  }};
  return list;
}

StepCost step_cost(const IntegratorInfo& method, const StepReport& report) {
  StepCost cost;
  // An implicit method is explicit where there is nothing to solve, as for uncoupled bodies.
  if (!method.explicit_method && (report.iterations > 0 || report.residual > 0)) {
    cost[StepQuantity::newton_iterations] = report.iterations;
    cost[StepQuantity::newton_residual] = report.residual;
  }
  // The inner steps of an adaptive method.
  if (method.adaptive) {
    cost[StepQuantity::inner_steps] = report.inner_steps;
    cost[StepQuantity::rejected_steps] = report.rejected;
    if (report.inner_steps > 0) cost[StepQuantity::inner_step] = report.shortest_step;
  }
  return cost;
}

}  // namespace twosphere
