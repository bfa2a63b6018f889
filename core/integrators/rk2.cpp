// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/integrators/explicit_runge_kutta.h"

namespace twosphere {

const IntegratorInfo& rk2() {
  static const IntegratorInfo info{
      .key = "rk2",
      .title = "Runge-Kutta 2 (midpoint)",
      .description =
          "The explicit midpoint rule, without projection: the simplest method for comparison.",
      .formula = "y ← y + h F(t + h/2, y + h/2 F(t, y))",
      .reference = "Runge 1895; equations of motion Lee, Leok, McClamroch 2009, (2.10)-(2.11)",
      .order = 2,
      .explicit_method = true,
      .takes = takes_everything,
      .parameters = {formulation_parameter()},
      .look = {{0xcc79a7}, {0xb8578f}, {0x84abff}, {0x4a74d8}, Dash::dash_dot, Marker::diamond},
      .create = [](const Values& values) -> std::unique_ptr<Integrator> {
        return std::make_unique<ExplicitRungeKutta>(midpoint(), values);
      }};
  return info;
}

}  // namespace twosphere
