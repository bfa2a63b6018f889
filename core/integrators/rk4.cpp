// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/integrators/explicit_runge_kutta.h"

namespace twosphere {

const IntegratorInfo& rk4() {
  static const Tableau tableau{
      {0, 0.5, 0.5, 1}, {{}, {0.5}, {0, 0.5}, {0, 0, 1}}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}};
  static const IntegratorInfo info{
      .key = "rk4",
      .title = "Runge-Kutta 4",
      .description =
          "The classical fourth-order method, without projection: energy and unit length drift.",
      .formula = "y ← y + h/6 (k₁ + 2k₂ + 2k₃ + k₄)",
      .reference = "Kutta 1901; equations of motion Lee, Leok, McClamroch 2009, (2.10)-(2.11)",
      .order = 4,
      .explicit_method = true,
      .takes = takes_everything,
      .parameters = {formulation_parameter()},
      .look = {{0x009e73}, {0x009e73}, {0x9dbcff}, {0x2a4fb0}, Dash::long_dash, Marker::square},
      .create = [](const Values& values) -> std::unique_ptr<Integrator> {
        return std::make_unique<ExplicitRungeKutta>(tableau, values);
      }};
  return info;
}

}  // namespace twosphere
