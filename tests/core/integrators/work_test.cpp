// SPDX-License-Identifier: GPL-3.0-or-later
// Work of external forces and of damping: E − E₀ − W is what is left of the energy, over the whole
// catalogue.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "core/mechanics/diagnostics.h"
#include "core/studies/published.h"
#include "tests/outcome.h"
#include "tests/pairs.h"
#include "tests/runs.h"

namespace twosphere::test::work_test {
namespace {

bool works(const System& system) { return system.has_external_force() || damped(system); }

/// Every system that work is done on, with every method of order 2 to 4.
std::vector<Pair> with_work() {
  return pairs([](const Pair& p) {
    return (p.method.order >= 2 && p.method.order <= 4) && works(*make_system(p.system));
  });
}

/// Of a run: the largest |E − E₀ − W| up to each tenth of it, and W.
struct Balance {
  std::vector<double> worst;
  double work = 0, max_gained = 0;
};
Balance balance(const System& system, std::string_view method, State s, double h, int steps) {
  auto integrator = prepared(method, system, s);
  const double reference = total_energy(system, s);
  CompensatedSum work;
  Balance result;
  double worst = 0;
  for (int k = 0; k < steps; ++k) {
    s.t = k * h;
    const StepReport report = integrator->advance(system, h, s);
    if (!report.ok()) return {};
    work.add(report.work);
    result.max_gained = std::max(result.max_gained, report.work);
    integrator->complete(system, s);
    worst = std::max(worst, std::abs(total_energy(system, s) - reference - work.value()));
    if ((k + 1) % (steps / 10) == 0) result.worst.push_back(worst);
  }
  result.work = work.value();
  return result;
}

class WorkOfEveryPair : public testing::TestWithParam<Pair> {};
INSTANTIATE_TEST_SUITE_P(Catalog, WorkOfEveryPair, testing::ValuesIn(with_work()),
                         pair_name<SystemCase>);

TEST_P(WorkOfEveryPair, ExplainsTheChangeOfEnergyToTheOrderOfTheMethod) {
  const auto& [c, method] = GetParam();
  const auto [system, start] = started(c, 61);
  // What is left of the energy: of leading order and above rounding the finest three.
  constexpr std::size_t finest = 3;
  const double rounding =
      1e-12 * (kinetic_energy(*system, start) + std::abs(system->potential(start.q)));
  std::vector<double> h, left;
  Balance fine;
  for (int steps = 30; steps <= 4000; steps *= 2) {
    Balance next = balance(*system, method.key, start, c.time / steps, steps);
    // Long first steps may not follow the motion.
    if (next.worst.empty() && h.empty() && method_info(method.key).adaptive) continue;
    ASSERT_FALSE(next.worst.empty()) << steps;
    if (next.worst.back() < rounding) break;
    h.push_back(c.time / steps);
    left.push_back(next.worst.back());
    fine = std::move(next);
  }
  ASSERT_GE(h.size(), finest);
  EXPECT_GT(std::abs(fine.work), 100 * left.back()) << "the forces must have done something";
  const double slope = fitted_order(std::span(h).last(finest), std::span(left).last(finest));
  RecordProperty("order", std::to_string(slope));
  // Measured: 0.11, but 0.30 for rkmk4 in damped_network, where rounding comes before the leading
  // order.
  const double within = method.key == "rkmk4" ? 0.35 : 0.25;
  EXPECT_NEAR(slope, method.order, within) << "to " << left.back();
  if (system->has_external_force()) return;
  EXPECT_LT(fine.work, 0) << "damping takes energy";
  if (method.order == 2 && method_info(method.key).symplectic) {
    EXPECT_LE(fine.max_gained, 0) << "in every step";
  }
}

TEST(Work, OfAForceOnUncoupledBodiesIsAsExactAsTheirMotion) {
  const auto scenario = preset("custom/shaken_pivot");
  const auto system = value_of(create_system(scenario));
  ASSERT_TRUE(system->has_external_force() && system->time_dependent());
  const State start{0, scenario.q, scenario.omega};
  for (const auto& [key, order] :
       {std::pair("rotation", 2), {"rotation4", 4}, {"rotation6", 4}, {"variational4", 4}}) {
    std::vector<double> h, left;
    for (int steps = 60; steps <= 240; steps *= 2) {
      h.push_back(0.4 / steps);
      const Balance found = balance(*system, key, start, h.back(), steps);
      ASSERT_EQ(found.worst.size(), 10U) << key;
      left.push_back(found.worst.back());
    }
    const double slope = fitted_order(std::span(h), std::span(left));
    EXPECT_GT(slope, order - 0.3) << key << " to " << left.back();
  }
}

TEST(Work, OfATipForceLeavesNoDrift) {
  const SystemCase c{"",
                     "chain_pendulum",
                     3,
                     values_from("masses 1 2 0.5; lengths 1 0.5 0.75; gravity 9.81; damping 0; "
                                 "control_torque 0 0 0 0; tip_force 0 2 -1 0.5"),
                     0.8,
                     1,
                     1};
  const auto [system, start] = started(c, 62);
  const Balance ours = balance(*system, "variational", start, 0.005, 10'000);
  ASSERT_EQ(ours.worst.size(), 10u);
  // What it was in the first 10 s is hardly exceeded in 50 s; 1.4 times was measured.
  EXPECT_LT(ours.worst.back(), 2 * ours.worst[1]);
  const Balance theirs = balance(*system, "heun", start, 0.005, 10'000);
  ASSERT_TRUE(theirs.worst.empty() || theirs.worst.back() > 5 * theirs.worst[1])
      << "a method that drifts must fail this test";
}

TEST(Work, OfATorqueBoundsTheErrorByTheEnergyItBrings) {
  const SystemCase c{"",
                     "chain_pendulum",
                     3,
                     values_from("masses 1 2 0.5; lengths 1 0.5 0.75; gravity 9.81; damping 0; "
                                 "control_torque 0 0.05 0.025 -0.1; tip_force 0 2 -1 0.5"),
                     0.8,
                     1,
                     1};
  const auto [system, start] = started(c, 63);
  const Balance ours = balance(*system, "variational", start, 0.005, 10'000);
  ASSERT_EQ(ours.worst.size(), 10u);
  RecordProperty("worst_after_5_s", std::to_string(ours.worst.front()));
  RecordProperty("worst_after_50_s", std::to_string(ours.worst.back()));
  EXPECT_LT(ours.worst.back(), 3 * ours.worst.front());
}

}  // namespace
}  // namespace twosphere::test::work_test
