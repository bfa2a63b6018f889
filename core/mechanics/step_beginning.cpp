// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/step_beginning.h"

#include <cmath>

namespace twosphere {

StepReport StepBeginning::take(const System& system, Integrator& method, double h, double theta,
                               double end, State& to) const {
  to = state;
  method.prepare(system, state);
  if (!method.load_state(memory)) return {.status = StepStatus::not_finite};
  const StepReport report = method.advance(system, theta * h, to);
  if (!report.ok()) return report;
  to.t = std::lerp(state.t, end, theta);
  method.complete(system, to);
  return report;
}

}  // namespace twosphere
