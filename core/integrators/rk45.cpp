// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/integrators/embedded_runge_kutta.h"

namespace twosphere {

/// Orders 5 and 4 (Dormand and Prince) with the step control of MATLAB's ode45: the method that the
/// papers compare with. Its samples are interpolated to order 4.
const IntegratorInfo& rk45() {
  // Dormand and Prince 1980, RK5(4)7M. The last row of a is the solution of order 5.
  static const EmbeddedPair pair{
      .tableau = {.c = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1},
                  .a = {{},
                        {1.0 / 5},
                        {3.0 / 40, 9.0 / 40},
                        {44.0 / 45, -56.0 / 15, 32.0 / 9},
                        {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                        {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
                        {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}},
                  .b = {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84, 0}},
      .error = {71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525,
                -1.0 / 40},
      .order = 5,
      .interpolant = {{1, -183.0 / 64, 37.0 / 12, -145.0 / 128},
                      {},
                      {0, 1500.0 / 371, -1000.0 / 159, 1000.0 / 371},
                      {0, -125.0 / 32, 125.0 / 12, -375.0 / 64},
                      {0, 9477.0 / 3392, -729.0 / 106, 25515.0 / 6784},
                      {0, -11.0 / 7, 11.0 / 3, -55.0 / 28},
                      {0, 3.0 / 2, -4, 5.0 / 2}}};
  static const IntegratorInfo info{
      .key = "rk45",
      .title = "Runge-Kutta 4(5)",
      .description =
          "Dormand and Prince's adaptive method with the step control of MATLAB's ode45, without "
          "projection: the method that the papers compare with.",
      .formula = "y ← y + η Σ bᵢ kᵢ, η chosen so that the error stays below the tolerances",
      .reference =
          "Dormand, Prince 1980; Shampine, Reichelt 1997; Lee, Leok, McClamroch 2009, "
          "(2.10)-(2.11)",
      .order = 5,
      .explicit_method = true,
      .adaptive = true,
      .takes = takes_everything,
      .parameters = embedded_parameters(1e-3, 1e-6),
      .look = {{0xd55e00}, {0xd55e00}, {0x6f9dff}, {0x1f5fe0}, Dash::dashed, Marker::triangle},
      .create = [](const Values& values) -> std::unique_ptr<Integrator> {
        return std::make_unique<EmbeddedRungeKutta>(pair, values);
      }};
  return info;
}

}  // namespace twosphere
