// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/integrators/explicit_runge_kutta.h"

namespace twosphere {

const IntegratorInfo& rk2_projected() {
  static const IntegratorInfo info{
      .key = "rk2_projected",
      .title = "Runge-Kutta 2, projected",
      .description =
          "The explicit midpoint rule with q ← q/|q| after each step: it preserves the unit "
          "length, but the energy still drifts.",
      .formula = "y ← y + h F(t + h/2, y + h/2 F(t, y)), then q ← q/|q|",
      .reference = "Lee, Leok, McClamroch 2009, Example 3",
      .order = 2,
      .explicit_method = true,
      .keeps_sphere = true,
      .projects = true,
      .takes = takes_everything,
      .parameters = {formulation_parameter()},
      .look = {{0xe69f00}, {0xa66f00}, {0xffffff}, {0x000000}, Dash::dotted, Marker::triangle},
      .create = [](const Values& values) -> std::unique_ptr<Integrator> {
        return std::make_unique<ExplicitRungeKutta>(midpoint(), values, true);
      }};
  return info;
}

}  // namespace twosphere
