// SPDX-License-Identifier: GPL-3.0-or-later
// The energies that variational methods keep to a higher order than the energy itself.
#include "core/mechanics/modified_energy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/mechanics/diagnostics.h"
#include "core/studies/published.h"
#include "tests/pairs.h"
#include "tests/windy.h"

namespace twosphere::test::modified_energy_test {
namespace {

/// 0: there is none.
int order_of(const Pair& p) {
  const auto system = make_system(p.system);
  const IntegratorInfo& method = method_info(p.method.key);
  return ModifiedEnergy::missing(*system, method).empty() ? ModifiedEnergy::order(*system, method)
                                                          : 0;
}

/// The rows of the catalogue, and a chain with a constant force on its tip.
std::vector<Pair> all_pairs() {
  std::vector<SystemCase> systems = system_cases();
  SystemCase pushed = systems[1];
  pushed.name = "tip_force";
  pushed.values["tip_force"] = {0, 2, -1, 0.5};
  systems.push_back(pushed);
  return pairs_of(systems, [](const Pair& p) {
    return fits(method_info(p.method.key), p.system) && order_of(p) == 4;
  });
}

class Modified : public testing::TestWithParam<Pair> {};
INSTANTIATE_TEST_SUITE_P(Catalog, Modified, testing::ValuesIn(all_pairs()), pair_name<SystemCase>);

/// Half the range of E − W and of H̃ − W over a time, in steps of h.
std::pair<double, double> variation(const Pair& p, double h, double time) {
  auto [system, s] = started(p.system, 61);
  auto integrator = prepared(p.method.key, *system, s);
  ModifiedEnergy modified(*system, method_info(p.method.key));
  double work = 0;
  std::vector<double> energies, others;
  const auto steps = std::lround(time / h);
  for (long k = 0; k <= steps; ++k) {
    integrator->complete(*system, s);
    energies.push_back(total_energy(*system, s) - work);
    others.push_back(energies.back() + modified.correction(*system, s, h));
    s.t = static_cast<double>(k) * h;
    const StepReport report = integrator->advance(*system, h, s);
    EXPECT_TRUE(report.ok());
    work += report.work;
  }
  const auto range = [](const std::vector<double>& y) {
    const auto [low, high] = std::minmax_element(y.begin(), y.end());
    return (*high - *low) / 2;
  };
  return {range(energies), range(others)};
}

TEST_P(Modified, EnergyIsKeptToOrderFour) {
  const Pair& p = GetParam();
  const double time = 1.2 * p.system.time;
  std::vector<double> h, energies, others;
  for (const double steps : {210.0, 270.0, 330.0, 390.0}) {
    const auto [energy, other] = variation(p, time / steps, time);
    h.push_back(time / steps);
    energies.push_back(energy);
    others.push_back(other);
  }
  RecordProperty("energy", std::to_string(fitted_order(h, energies)));
  RecordProperty("modified", std::to_string(fitted_order(h, others)));
  EXPECT_NEAR(fitted_order(h, energies), 2, 0.05);
  EXPECT_NEAR(fitted_order(h, others), 4, 0.05);
  EXPECT_LT(others[0], energies[0] / 5);
}

/// Pairs whose modified energy comes from the discrete action, in regular motion.
std::vector<Pair> action_pairs() {
  std::vector<SystemCase> systems;
  for (const SystemCase& c : system_cases())
    for (const char* name : {"single_pendulum", "network", "dipoles", "variable_inertia"})
      if (c.name == name) systems.push_back(c);
  return pairs_of(systems, [](const Pair& p) {
    return fits(method_info(p.method.key), p.system) && order_of(p) == 8;
  });
}

class ByAction : public testing::TestWithParam<Pair> {};
INSTANTIATE_TEST_SUITE_P(Catalog, ByAction, testing::ValuesIn(action_pairs()),
                         pair_name<SystemCase>);

TEST_P(ByAction, EnergyIsKeptToOrderEight) {
  const Pair& p = GetParam();
  const double time = 1.2 * p.system.time;
  std::vector<double> h, others;
  // Shorter steps leave nothing but rounding.
  for (const double steps : {64.0, 72.0, 80.0, 96.0}) {
    h.push_back(time / steps);
    others.push_back(variation(p, time / steps, time).second);
  }
  RecordProperty("modified", std::to_string(fitted_order(h, others)));
  EXPECT_NEAR(fitted_order(h, others), 8, 0.2);
}

TEST(ModifiedEnergy, ByActionHasMethodsOfOrderFourAndVariableInertia) {
  EXPECT_GE(action_pairs().size(), 7U);
}

TEST(ModifiedEnergy, PairsAreThoseOfThePresentListsOrMore) { EXPECT_GE(all_pairs().size(), 66U); }

TEST(ModifiedEnergy, WhatAMethodLacksIsNamed) {
  const auto why = [](std::string_view system, std::string_view method) {
    const auto& c = *std::find_if(system_cases().begin(), system_cases().end(),
                                  [&](const SystemCase& row) { return row.name == system; });
    return ModifiedEnergy::missing(*make_system(c), method_info(method));
  };
  EXPECT_EQ(why("double_pendulum", "variational"), "");
  EXPECT_EQ(why("double_pendulum", "rattle"), "");
  EXPECT_EQ(why("network", "rotation"), "");
  EXPECT_EQ(why("double_pendulum", "rk4"), "it is not symplectic");
  EXPECT_EQ(why("double_pendulum", "gauss16"), "it is not symplectic");
  EXPECT_EQ(why("double_pendulum", "variational_adaptive"), "it adapts its steps");
  EXPECT_EQ(why("double_pendulum", "variational4"), "");
  EXPECT_EQ(why("network", "rotation4"), "");
  EXPECT_EQ(why("variable_inertia", "variational"), "");
  EXPECT_EQ(why("double_pendulum", "variational6"),
            "methods of order above 4 keep the energy itself as well");
  EXPECT_EQ(why("damped_network", "rotation"), "bodies are damped");
  EXPECT_EQ(why("sine_chain", "variational"), "a force depends on time");
  EXPECT_EQ(why("driven_chain", "variational"), "a force depends on the directions");
  EXPECT_EQ(ModifiedEnergy::missing(*make_system(first_order_cases().front()),
                                    method_info("spherical_midpoint")),
            "the system has no kinetic energy");
  const Windy windy(make_system(system_cases().front()), {.drag = 0.1});
  EXPECT_EQ(ModifiedEnergy::missing(windy, method_info("variational")),
            "a force depends on velocities");
}

}  // namespace
}  // namespace twosphere::test::modified_energy_test
