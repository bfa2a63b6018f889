// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>

#include "core/integrators/explicit_runge_kutta.h"
#include "core/integrators/first_order_composition.h"

namespace twosphere {

const IntegratorInfo& heun_projected() {
  static const IntegratorInfo record{
      .key = "heun_projected",
      .title = "Heun, projected",
      .description =
          "The explicit trapezoidal rule with q ← q/|q| after each step, as programs for spins "
          "have it: keeps |q|, but neither the symplectic form nor Σ κ q nor the energy. For "
          "systems of first order.",
      .formula = "q ← q + h/2 (k₁ + k₂), k₂ = F(t + h, q + h k₁), then q ← q/|q|",
      .reference = "Heun 1900; García-Palacios, Lázaro, Phys. Rev. B 58 (1998) 14937",
      .order = 2,
      .explicit_method = true,
      .keeps_sphere = true,
      .projects = true,
      .applies = without_inertia,
      .needs = needs_first_order,
      .takes = {.first_order = true},
      .create = [](const Values&) -> std::unique_ptr<Integrator> {
        return std::make_unique<ExplicitRungeKutta>(
            trapezoid(), default_values({formulation_parameter()}), true);
      }};
  return record;
}

}  // namespace twosphere
