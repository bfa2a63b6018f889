// SPDX-License-Identifier: GPL-3.0-or-later
// Damping and driving: energy falls, the work accounts for it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/mechanics/diagnostics.h"
#include "core/studies/published.h"
#include "tests/cases.h"

namespace twosphere::test::forces_test {
namespace {

/// Systems with damping, none of them driven.
struct Damped {
  const char* name;
  const char* system;
  int n;
  Values values;
  double spread, speed, time, damping;
};
void PrintTo(const Damped& d, std::ostream* out) { *out << d.name; }

const std::vector<Damped>& damped_systems() {
  static const std::vector<Damped> list{
      Damped{"chain", "chain_pendulum", 3, values_from("masses 1 2 0.5; lengths 1 0.5 0.75"), 0.8,
             1, 1, 0.5},
      Damped{"network", "pendulum_network", 2,
             values_from("masses 0.1 0.2; lengths 0.1 0.1; pivots 0 0 0 0.1 0 0; springs 0 1 10"),
             0.8, 3, 0.3, 2e-3},
      Damped{"rod", "elastic_rod", 3,
             values_from("elements 3; mass 0.25; length 0.625; stiffness 15 20 12; "
                         "clamp_direction 0 0 1"),
             0.4, 1, 0.1, 0.01},
      Damped{"particles", "conformal_particles", 2, values_from("masses 1 2; coupling 0.5"), 1, 1,
             1, 0.5}};
  return list;
}

struct Damping : testing::TestWithParam<Damped> {
  /// With another damping, if one is given.
  static std::unique_ptr<const System> system(double damping = GetParam().damping) {
    Values values = GetParam().values;
    values["damping"] = {damping};
    return system_of(GetParam().system, GetParam().n, values);
  }
  static State start() {
    return generic_start(GetParam().n, GetParam().spread, GetParam().speed, 53);
  }
};
INSTANTIATE_TEST_SUITE_P(Systems, Damping, testing::ValuesIn(damped_systems()),
                         [](const auto& p) { return p.param.name; });

TEST(Forces, EverySystemThatCanBeDampedHasADampedCase) {
  const std::vector<SystemCase> rows = all_system_cases();
  int damped = 0;
  for (const SystemInfo& s : systems()) {
    if (std::none_of(s.parameters.begin(), s.parameters.end(),
                     [](const ParameterInfo& p) { return p.key == "damping"; }))
      continue;
    ++damped;
    EXPECT_TRUE(std::any_of(rows.begin(), rows.end(),
                            [&](const SystemCase& c) {
                              return c.system == s.key && c.values.at("damping").front() > 0;
                            }))
        << s.key << " needs a row in cases.h with damping";
  }
  EXPECT_GE(damped, 4);
}

TEST_P(Damping, TakesEnergyAwayAllTheTimeUntilNothingMoves) {
  const auto damped = system();
  State s = start();
  auto integrator = prepared("variational", *damped, s);
  const double h = 2e-4 * GetParam().time, begun = total_energy(*damped, s);
  double before = begun;
  for (int k = 0; k < 100; ++k) {
    // The VI's energy ripples by h², so it is compared over 100 steps; what the damping takes is
    // never negative.
    for (int j = 0; j < 100; ++j) {
      const StepReport report = integrator->advance(*damped, h, s);
      ASSERT_TRUE(report.ok());
      ASSERT_LE(report.work, 0);
    }
    integrator->complete(*damped, s);
    const double energy = total_energy(*damped, s);
    EXPECT_LT(energy, before) << "at " << 100 * (k + 1) * h << " s";
    before = energy;
  }
  // Long after, at large steps: all hang down.
  ASSERT_TRUE(march(*damped, *integrator, 0.02 * GetParam().time, 20'000, s));
  const double rest = damped->potential(Vec3::UnitZ().replicate(1, GetParam().n));
  EXPECT_NEAR(total_energy(*damped, s), rest, 1e-13 * (begun - rest));  // measured: 2e-15
  EXPECT_LT(s.w.cwiseAbs().maxCoeff(), 1e-12);                          // measured: 7e-14
}

TEST_P(Damping, NeverAddsEnergyHoweverStrong) {
  // h c far above M.
  const auto damped = system(1e4 * GetParam().damping);
  State s = start();
  auto integrator = prepared("variational", *damped, s);
  const double begun = total_energy(*damped, s);
  for (int k = 0; k < 1000; ++k) {
    const StepReport report = integrator->advance(*damped, 2e-3 * GetParam().time, s);
    ASSERT_TRUE(report.ok());
    ASSERT_LE(report.work, 0);
    integrator->complete(*damped, s);
    ASSERT_LT(total_energy(*damped, s), begun + 1e-12 * std::abs(begun));
  }
}

TEST_P(Damping, WorkIsWhatTheEnergyLosesToTheOrderOfTheMethod) {
  const auto damped = system();
  const auto unexplained = [&](const char* key, int steps) {
    State s = start();
    auto integrator = prepared(key, *damped, s);
    const double h = GetParam().time / steps, begun = total_energy(*damped, s);
    CompensatedSum work;
    double worst = 0;
    for (int k = 0; k < steps; ++k) {
      const StepReport report = integrator->advance(*damped, h, s);
      EXPECT_TRUE(report.ok());
      work.add(report.work);
      integrator->complete(*damped, s);
      worst = std::max(worst, std::abs(total_energy(*damped, s) - begun - work.value()));
    }
    EXPECT_LT(work.value(), -0.01 * std::abs(begun));
    return worst;
  };
  for (const auto& [key, order, steps] :
       {std::tuple{"variational", 2.0, 400}, {"variational4", 4.0, 100}, {"rk4", 4.0, 100}}) {
    std::vector<double> h, left;
    for (const int part : {1, 2, 4}) {
      h.push_back(GetParam().time / (part * steps));
      left.push_back(unexplained(key, part * steps));
    }
    EXPECT_NEAR(fitted_order(h, left), order, 0.3)
        << key << ", to " << left.back();  // measured: 0.18
  }
}

}  // namespace
}  // namespace twosphere::test::forces_test
