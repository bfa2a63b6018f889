// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/integrators/explicit_runge_kutta.h"

namespace twosphere {

const IntegratorInfo& heun() {
  static const IntegratorInfo info{
      .key = "heun",
      .title = "Heun",
      .description = "The explicit trapezoidal rule, without projection.",
      .formula = "y ← y + h/2 (k₁ + k₂), k₂ = F(t + h, y + h k₁)",
      .reference = "Heun 1900; equations of motion Lee, Leok, McClamroch 2009, (2.10)-(2.11)",
      .order = 2,
      .explicit_method = true,
      .takes = takes_everything,
      .parameters = {formulation_parameter()},
      .look = {{0xe3b1cf}, {0x8c3468}, {0xb9cfff}, {0x14378f}, Dash::dash_dot, Marker::cross},
      .create = [](const Values& values) -> std::unique_ptr<Integrator> {
        return std::make_unique<ExplicitRungeKutta>(trapezoid(), values);
      }};
  return info;
}

}  // namespace twosphere
