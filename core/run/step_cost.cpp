// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/step_cost.h"

namespace twosphere {

std::span<const QuantityInfo, step_quantity_count> step_quantities() {
  static constexpr std::array<QuantityInfo, step_quantity_count> list{{
      {"newton_iterations", "Newton iterations", "iterations", "1",
       "Iterations that the last step took to solve its equations; of a composition, of all its "
       "stages.",
       false},
      {"newton_residual", "Newton residual", "residual", "1",
       "Largest ½ | |q|² − 1 | that Newton's iteration ended with; of m_ij(q) and the Cayley form, "
       "the largest change it would make next.",
       true},
      {"inner_steps", "inner steps", "inner steps", "1",
       "Steps that an adaptive method took inside the last step.", false},
      {"rejected_steps", "rejected steps", "rejected", "1",
       "Steps that an adaptive method tried in vain inside the last step.", false},
      {"step_time", "time per step", "step time", "µs",
       "Time that the machine needed for the last step of this lane.", false},
  }};
  return list;
}

StepCost step_cost(const IntegratorInfo& method, const StepReport& report) {
  StepCost cost;
  // An implicit method that has nothing to solve here, as for uncoupled bodies, is explicit.
  if (!method.explicit_method && (report.iterations > 0 || report.residual > 0)) {
    cost[StepQuantity::newton_iterations] = report.iterations;
    cost[StepQuantity::newton_residual] = report.residual;
  }
  if (method.adaptive) {
    cost[StepQuantity::inner_steps] = report.inner_steps;
    cost[StepQuantity::rejected_steps] = report.rejected;
  }
  return cost;
}

}  // namespace twosphere
