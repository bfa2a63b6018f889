// SPDX-License-Identifier: GPL-3.0-or-later
// Reference solutions (golden/*.json, made by tests/golden/reference.cpp in 34 digits) and the
// papers' printed numbers.
#include <gtest/gtest.h>

#include <cmath>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "core/base/file.h"
#include "core/run/simulation.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/reader.h"
#include "core/studies/published.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::test::reference_test {
namespace {

const std::string golden = std::string(TWOSPHERE_SOURCE_DIR) + "/tests/golden/";

Columns columns(const json::Node& list) {
  Columns c(3, static_cast<Eigen::Index>(list.items.size()));
  for (std::size_t i = 0; i < list.items.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k)
      c(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(i)) = list.items[i].items[k].number;
  return c;
}

struct Golden {
  std::string name;
  bool uncoupled;  ///< a diagonal inertia, so that the rotation methods apply
  /// The error that the finest run of a method of order 2, and of a higher one, falls below: small
  /// enough for the leading term to stand alone, ten times or more above rounding (measured: 1e-9
  /// on the rods, 1e-10 on the chains, 1e-12 elsewhere, for the steps that it takes).
  double second, higher;
  double eighth;    ///< likewise of order 8, which is seen only just above rounding
  double rounding;  ///< bound on the error of gauss16 with 256 steps, about five times the measured
                    ///< one
};
void PrintTo(const Golden& g, std::ostream* out) { *out << g.name; }

class Reference : public testing::TestWithParam<Golden> {};
INSTANTIATE_TEST_SUITE_P(
    Golden, Reference,
    testing::Values(Golden{"double_spherical_pendulum", false, 1e-5, 5e-12, 5e-12, 5e-14},
                    Golden{"chain_pendulum_5", false, 1e-5, 1e-9, 1e-11, 1e-12},
                    Golden{"chain_pendulum_3_forced", false, 1e-5, 1e-9, 2e-11, 1e-12},
                    Golden{"three_body", true, 1e-5, 1e-11, 1e-11, 1e-13},
                    Golden{"pendulum_network_4", true, 1e-5, 1e-10, 1e-10, 2e-13},
                    Golden{"elastic_rod_4_published", false, 1e-4, 5e-9, 5e-9, 5e-12},
                    Golden{"elastic_rod_4_consistent", false, 1e-4, 5e-9, 5e-9, 5e-12},
                    Golden{"dipole_array_16", true, 1e-5, 1e-11, 1e-11, 3e-13},
                    Golden{"lennard_jones_12", true, 1e-5, 1e-11, 1e-11, 3e-13},
                    Golden{"custom_kepler", true, 1e-5, 1e-11, 1e-11, 1e-13},
                    Golden{"custom_charges_5", true, 1e-5, 1e-11, 1e-11, 1e-13},
                    Golden{"custom_bending_chain_4", false, 1e-5, 1e-9, 1e-10, 1e-12}),
    [](const auto& p) { return p.param.name; });

/// The scenario of a reference solution, and the solution.
struct Solution {
  Scenario scenario;
  json::Node expected;

  double distance(const State& state) const {
    const Columns q = columns(*expected.find("q")), w = columns(*expected.find("omega"));
    // The norm of all components: a single one may pass through zero.
    return std::sqrt((state.q - q).squaredNorm() + (state.w - w).squaredNorm());
  }
  double number(const char* key) const { return expected.find(key)->number; }
};

Result<Solution> solution(const std::string& name) {
  std::vector<std::string> warnings;
  auto scenario = load_scenario(golden + name + ".json", &warnings);
  if (!scenario) return scenario.error();
  EXPECT_TRUE(warnings.empty());
  const auto text = read_file(golden + name + ".expected.json", 1 << 20);
  if (!text) return text.error();
  auto expected = json::parse(*text, "expected");
  if (!expected) return expected.error();
  return Solution{std::move(*scenario), std::move(*expected)};
}

TEST_P(Reference, GaussCollocationIsExactToRounding) {
  const Golden& g = GetParam();
  const auto known = value_of(solution(g.name));
  const auto method = value_of(with_setting(known.scenario, "integrator.type", "gauss16"));
  const double step = known.scenario.duration / 256;
  auto with_step = value_of(with_setting(method, "integrator.step", step));
  auto run = value_of(Simulation::create(with_step));
  while (!run.finished()) {
    const auto failure = run.step();
    ASSERT_FALSE(failure) << failure->message;
  }
  EXPECT_LT(known.distance(run.state(0)), g.rounding);
}

TEST_P(Reference, EveryMethodConvergesWithItsOrder) {
  const Golden& g = GetParam();
  const auto known = value_of(solution(g.name));

  struct Method {
    std::string key, formulation;
    int order;
  };
  int measured = 0;
  for (const auto& [key, formulation, order] :
       {Method{"variational", "", 2}, Method{"variational4", "", 4}, Method{"variational6", "", 6},
        Method{"variational8", "", 8}, Method{"rotation", "", 2}, Method{"rotation4", "", 4},
        Method{"rotation6", "", 6}, Method{"rk2", "omega", 2}, Method{"heun", "omega", 2},
        Method{"rk2_projected", "omega", 2}, Method{"rk4", "omega", 4},
        Method{"rk4", "velocity", 4}, Method{"rk4", "momentum", 4},
        Method{"rk4", "angular_momentum", 4}}) {
    SCOPED_TRACE(key + " " + formulation);
    auto with_method = with_setting(known.scenario, "integrator.type", key);
    const bool applies = g.uncoupled || !key.starts_with("rotation");
    ASSERT_EQ(with_method.has_value(), applies);
    if (!applies) continue;
    if (!formulation.empty())
      with_method = with_setting(*with_method, "integrator.formulation", formulation);
    ASSERT_TRUE(with_method) << with_method.error().text();
    std::vector<double> h, errors;
    const double enough = order == 2 ? g.second : order == 8 ? g.eighth : g.higher;
    for (double n = 16; errors.empty() || errors.back() >= enough; n *= std::sqrt(2)) {
      ASSERT_LT(n, 1e6) << "error " << (errors.empty() ? 1 : errors.back());
      const double step = known.scenario.duration / std::round(n);
      auto with_step = value_of(with_setting(*with_method, "integrator.step", step));
      auto run = value_of(Simulation::create(with_step));
      EXPECT_NEAR(run.sample(0)[Quantity::total_energy], known.number("energy_start"),
                  4e-15 * std::abs(known.number("energy_start")));  // measured: 2e-16
      bool refused = false;
      while (!refused && !run.finished()) refused = run.step().has_value();
      if (refused) {
        ASSERT_TRUE(errors.empty()) << "step " << step << " is refused, not a larger one";
        continue;
      }
      EXPECT_NEAR(run.time(), known.number("time"), 1e-14);  // measured: 4e-16
      h.push_back(step);
      errors.push_back(known.distance(run.state(0)));
    }
    const std::size_t finest = order == 8 ? 3 : 4;
    ASSERT_GE(errors.size(), finest);
    ASSERT_LT(errors[errors.size() - finest], 1e-3) << "the coarsest of those that are fitted";
    const double slope = fitted_order(std::span(h).last(finest), std::span(errors).last(finest));
    RecordProperty(key + formulation, std::to_string(slope));
    // Measured: within 0.10.
    EXPECT_NEAR(slope, order, order == 8 ? 0.4 : 0.15) << "error " << errors.back();
    ++measured;
  }
  EXPECT_EQ(measured, g.uncoupled ? 14 : 11);
}

/// Systems of first order, terms linear in velocities, chains and rings that nothing holds: how
/// close methods come to the solution with steps of 1/n s.
struct FarFromPapers {
  std::string name;
  struct Method {
    std::string key;
    int steps;
    double allowed;
  };
  std::vector<Method> methods;
};
void PrintTo(const FarFromPapers& f, std::ostream* out) { *out << f.name; }

const std::vector<FarFromPapers::Method> of_first_order{{"spherical_midpoint", 1024, 4e-5},
                                                        {"spherical_midpoint4", 256, 4e-9},
                                                        {"spherical_midpoint6", 128, 2e-11},
                                                        {"gauss16", 32, 1e-12}},
    with_inertia{{"variational", 1024, 4e-5}, {"gauss16", 128, 1e-12}},
    of_uncoupled_bodies{
        {"rotation", 1024, 4e-5}, {"rotation4", 256, 4e-9}, {"gauss16", 128, 1e-12}};

class FurtherReference : public testing::TestWithParam<FarFromPapers> {};
INSTANTIATE_TEST_SUITE_P(Golden, FurtherReference,
                         testing::Values(FarFromPapers{"spins_8", of_first_order},
                                         FarFromPapers{"vortices_5", of_first_order},
                                         FarFromPapers{"rigid_body_3", of_first_order},
                                         FarFromPapers{"pendulum_network_3_turning",
                                                       of_uncoupled_bodies},
                                         FarFromPapers{"free_chain_4_in_orbit", with_inertia},
                                         FarFromPapers{"elastic_rod_5_closed", with_inertia}),
                         [](const auto& p) { return p.param.name; });

TEST_P(FurtherReference, MethodsComeAsCloseAsTheirOrdersSay) {
  const auto known = value_of(solution(GetParam().name));
  for (const auto& [key, steps, allowed] : GetParam().methods) {
    SCOPED_TRACE(key);
    const auto method = value_of(with_setting(known.scenario, "integrator.type", key));
    Simulation run = start(value_of(with_setting(method, "integrator.step", 1.0 / steps)));
    const double energy = known.number("energy_start");
    EXPECT_NEAR(run.sample(0)[Quantity::total_energy], energy, 4e-15 * (1 + std::abs(energy)));
    while (!run.finished()) ASSERT_FALSE(run.step());
    EXPECT_LT(known.distance(run.state(0)), allowed);
  }
}

TEST(Published, Example1VariationalEnergyAndUnitLength) {
  // Printed: mean energy variation 2.1641e-5 (of m g l = 96.2361 J), unit length 8.8893e-15.
  Simulation run = start(preset());
  double sum = 0, worst = 0, mean = 0;
  int rows = 1;
  for (; !run.finished(); ++rows) {
    ASSERT_FALSE(run.step());
    const Sample s = run.sample(0);
    sum += std::abs(s[Quantity::energy_error]);
    worst = std::max(worst, s[Quantity::unit_length_error]);
    mean += s[Quantity::unit_length_error_mean];
  }
  EXPECT_EQ(rows, 10'001);
  EXPECT_NEAR(sum / rows, 2.0832e-3, 0.5e-7) << "to the five digits that are known";
  EXPECT_NEAR(sum / rows / 96.2361, 2.1641e-5, 0.001 * 2.1641e-5);
  EXPECT_LE(worst, 4e-16);
  EXPECT_LT(mean / rows, 8.8893e-15 / 10);
}

TEST(Published, Example1StartIsExact) {
  auto scenario = preset();
  EXPECT_EQ(scenario.q(0, 0), std::sqrt(3.0) / 2);
  EXPECT_EQ(scenario.omega(0, 0), -std::sqrt(3.0) / 4);
  EXPECT_EQ(Vec3(scenario.q.col(1)), Vec3::UnitZ());
}

}  // namespace
}  // namespace twosphere::test::reference_test
