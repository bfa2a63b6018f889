// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/catalog.h"
#include "core/scenario/reader.h"
#include "core/studies/order_plan.h"

/// Order studies in which the reversible methods of orders 2 to 8 are in their asymptotic range:
/// errors are far below 1 and far above rounding at every step.
namespace twosphere::test {

struct OrderExample {
  std::string_view preset;
  double duration, reference_step;  // [s]
  std::vector<double> steps;        // [s]
};
/// Coupled bodies, and uncoupled ones that all methods support.
inline const std::array<OrderExample, 2> order_examples{
    {{"double_spherical_pendulum", 1.6, 0.01, {0.1, 0.08, 0.064, 0.05, 0.04}},
     {"pendulum_network", 0.8, 0.005, {0.02, 0.016, 0.0125, 0.01}}}};

/// Whether a method for these is a composition of steps of order 2, or such a step, with fixed or
/// reversible adaptive steps.
inline bool is_composition(const IntegratorInfo& info) {
  return info.reversible && info.order <= 8 && !info.takes.first_order;
}

/// twosphere study order --preset … --duration … --steps … --reference gauss16@…
inline Result<OrderStudy> study_of(const OrderExample& example) {
  auto scenario = read_scenario(find_preset(example.preset)->text, "preset");
  if (!scenario) return scenario.error();
  scenario->duration = example.duration;
  return plan_order_study(
      std::move(*scenario),
      {.steps = example.steps, .reference = "gauss16", .reference_step = example.reference_step});
}

}  // namespace twosphere::test
