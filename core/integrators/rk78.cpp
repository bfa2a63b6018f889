// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/integrators/embedded_runge_kutta.h"

namespace twosphere {

/// Orders 8 and 7 (Fehlberg), for comparisons at high accuracy with a method that knows nothing of
/// the sphere. The solution is that of order 8; a sample is a step of the missing length.
const IntegratorInfo& rk78() {
  // Fehlberg 1968, NASA TR R-287, Table X.
  static const EmbeddedPair pair{
      .tableau = {.c = {0, 2.0 / 27, 1.0 / 9, 1.0 / 6, 5.0 / 12, 1.0 / 2, 5.0 / 6, 1.0 / 6, 2.0 / 3,
                        1.0 / 3, 1, 0, 1},
                  .a = {{},
                        {2.0 / 27},
                        {1.0 / 36, 1.0 / 12},
                        {1.0 / 24, 0, 1.0 / 8},
                        {5.0 / 12, 0, -25.0 / 16, 25.0 / 16},
                        {1.0 / 20, 0, 0, 1.0 / 4, 1.0 / 5},
                        {-25.0 / 108, 0, 0, 125.0 / 108, -65.0 / 27, 125.0 / 54},
                        {31.0 / 300, 0, 0, 0, 61.0 / 225, -2.0 / 9, 13.0 / 900},
                        {2, 0, 0, -53.0 / 6, 704.0 / 45, -107.0 / 9, 67.0 / 90, 3},
                        {-91.0 / 108, 0, 0, 23.0 / 108, -976.0 / 135, 311.0 / 54, -19.0 / 60,
                         17.0 / 6, -1.0 / 12},
                        {2383.0 / 4100, 0, 0, -341.0 / 164, 4496.0 / 1025, -301.0 / 82,
                         2133.0 / 4100, 45.0 / 82, 45.0 / 164, 18.0 / 41},
                        {3.0 / 205, 0, 0, 0, 0, -6.0 / 41, -3.0 / 205, -3.0 / 41, 3.0 / 41,
                         6.0 / 41, 0},
                        {-1777.0 / 4100, 0, 0, -341.0 / 164, 4496.0 / 1025, -289.0 / 82,
                         2193.0 / 4100, 51.0 / 82, 33.0 / 164, 12.0 / 41, 0, 1}},
                  .b = {0, 0, 0, 0, 0, 34.0 / 105, 9.0 / 35, 9.0 / 35, 9.0 / 280, 9.0 / 280, 0,
                        41.0 / 840, 41.0 / 840}},
      .error = {-41.0 / 840, 0, 0, 0, 0, 0, 0, 0, 0, 0, -41.0 / 840, 41.0 / 840, 41.0 / 840},
      .order = 8};
  static const IntegratorInfo info{
      .key = "rk78",
      .title = "Runge-Kutta 7(8)",
      .description =
          "Fehlberg's adaptive method of high order, without projection: accurate for short times, "
          "but energy and unit length drift.",
      .formula = "y ← y + η Σ bᵢ kᵢ, η chosen so that the error stays below the tolerances",
      .reference = "Fehlberg 1968; Shampine, Reichelt 1997",
      .order = 8,
      .explicit_method = true,
      .adaptive = true,
      .takes = takes_everything,
      .parameters = embedded_parameters(1e-10, 1e-12),
      .look = {{0xf08a3c}, {0x9c4500}, {0x94b5ff}, {0x173fa0}, Dash::dashed, Marker::square},
      .create = [](const Values& values) -> std::unique_ptr<Integrator> {
        return std::make_unique<EmbeddedRungeKutta>(pair, values);
      }};
  return info;
}

}  // namespace twosphere
