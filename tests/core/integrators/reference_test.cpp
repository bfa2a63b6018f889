// SPDX-License-Identifier: GPL-3.0-or-later
// Reference solutions (golden/*.json, high-order Runge-Kutta in 80-bit arithmetic) and the papers'
// printed numbers.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <numbers>

#include "core/base/file.h"
#include "core/catalog.h"
#include "core/run/simulation.h"

namespace twosphere::test {
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
  long steps;  ///< of the coarsest run of the VI
};
void PrintTo(const Golden& g, std::ostream* out) { *out << g.name; }

class Reference : public testing::TestWithParam<Golden> {};
INSTANTIATE_TEST_SUITE_P(
    Golden, Reference,
    testing::Values(Golden{"double_spherical_pendulum", 1000}, Golden{"chain_pendulum_5", 1000},
                    Golden{"chain_pendulum_3_forced", 1000}, Golden{"three_body", 200},
                    Golden{"pendulum_network_4", 200}, Golden{"elastic_rod_4_published", 1600},
                    Golden{"elastic_rod_4_consistent", 3200}, Golden{"dipole_array_16", 200},
                    Golden{"lennard_jones_12", 200}),
    [](const auto& p) { return p.param.name; });

TEST_P(Reference, EveryMethodConvergesWithItsOrder) {
  std::vector<std::string> warnings;
  auto scenario = load_scenario(golden + GetParam().name + ".json", &warnings);
  ASSERT_TRUE(scenario) << scenario.error().text();
  EXPECT_TRUE(warnings.empty());
  const auto text = read_file(golden + GetParam().name + ".expected.json", 1 << 20);
  ASSERT_TRUE(text);
  const auto expected = json::parse(*text, "expected");
  ASSERT_TRUE(expected);
  const Columns q = columns(*expected->find("q")), w = columns(*expected->find("omega"));

  struct Method {
    const char *key, *formulation;
    double order, finer;  ///< than the VI's coarsest step
  };
  for (const auto& [key, formulation, order, finer] :
       {Method{"variational", "", 2, 1}, Method{"variational4", "", 4, 0.5},
        Method{"variational6", "", 6, 0.25}, Method{"variational8", "", 8, 0.25},
        Method{"rotation", "", 2, 1}, Method{"rotation4", "", 4, 0.25},
        Method{"rk4", "omega", 4, 1}, Method{"rk4", "velocity", 4, 1},
        Method{"rk4", "momentum", 4, 1}, Method{"rk4", "angular_momentum", 4, 1}}) {
    auto with_method = with_setting(*scenario, "integrator.type", json::Node(std::string(key)));
    if (!with_method && scenario->system != "n_body" && std::string(key).starts_with("rotation"))
      continue;
    ASSERT_TRUE(with_method) << with_method.error().text();
    if (*formulation)
      with_method = with_setting(*with_method, "integrator.formulation",
                                 json::Node(std::string(formulation)));
    ASSERT_TRUE(with_method) << with_method.error().text();
    // Pairs of runs until one is accurate, as long as rounding is far.
    std::vector<double> errors;
    double slope = 0;
    long steps = std::lround(static_cast<double>(GetParam().steps) * finer);
    for (int k = 0; k < 8; ++k, steps *= 2) {
      const double h = scenario->duration / static_cast<double>(steps);
      auto with_step = with_setting(*with_method, "integrator.step", json::Node(h));
      ASSERT_TRUE(with_step) << with_step.error().text();
      auto run = Simulation::create(*with_step);
      ASSERT_TRUE(run);
      if (k == 0) {
        EXPECT_NEAR(run->sample(0)[Quantity::total_energy], expected->find("energy_start")->number,
                    1e-12 * std::abs(expected->find("energy_start")->number));
      }
      bool refused = false;
      while (!refused && !run->finished()) refused = run->step().has_value();
      if (refused) continue;
      EXPECT_NEAR(run->time(), expected->find("time")->number, 1e-12);
      const State& s = run->state(0);
      const double error =
          std::max((s.q - q).cwiseAbs().maxCoeff(), (s.w - w).cwiseAbs().maxCoeff());
      if (error < 1e-11) break;
      errors.push_back(error);
      if (errors.size() < 2) continue;
      slope = std::log2(errors[errors.size() - 2] / error);
      if (error < (order == 2 ? 3e-3 : 1e-6) && std::abs(slope - order) < 0.25) break;
    }
    if (errors.size() < 2 && order > 4) continue;  // at rounding with the coarsest step
    EXPECT_NEAR(slope, order, 0.25) << key << " " << formulation << ", error " << errors.back();
  }
}

TEST(Published, Example1VariationalEnergyAndUnitLength) {
  // Printed: mean energy variation 2.1641e-5 (of m g l = 96.2361 J), unit length 8.8893e-15.
  auto scenario = read_scenario(find_preset("double_spherical_pendulum")->text, "preset");
  ASSERT_TRUE(scenario);
  auto run = Simulation::create(*scenario);
  ASSERT_TRUE(run);
  double sum = 0, worst = 0, mean = 0;
  int rows = 1;
  for (; !run->finished(); ++rows) {
    ASSERT_FALSE(run->step());
    const Sample s = run->sample(0);
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
  auto scenario = read_scenario(find_preset("double_spherical_pendulum")->text, "preset");
  ASSERT_TRUE(scenario);
  EXPECT_EQ(scenario->q(0, 0), std::sqrt(3.0) / 2);
  EXPECT_EQ(scenario->omega(0, 0), -std::sqrt(3.0) / 4);
  EXPECT_EQ(Vec3(scenario->q.col(1)), Vec3::UnitZ());
}

}  // namespace
}  // namespace twosphere::test
