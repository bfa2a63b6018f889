// SPDX-License-Identifier: GPL-3.0-or-later
// Reference solutions (golden/*.json, high-order Runge-Kutta in 80-bit arithmetic) and the papers'
// printed numbers.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <numbers>

#include "core/catalog.h"
#include "core/csv.h"
#include "core/simulation.h"

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
  double coarsest[2];  ///< largest step of the VI and of rk4
};
void PrintTo(const Golden& g, std::ostream* out) { *out << g.name; }

class Reference : public testing::TestWithParam<Golden> {};
INSTANTIATE_TEST_SUITE_P(Golden, Reference,
                         testing::Values(Golden{"double_spherical_pendulum", {0.01, 0.1}},
                                         Golden{"chain_pendulum_5", {0.0005, 0.0025}},
                                         Golden{"chain_pendulum_3_forced", {0.0005, 0.00125}}),
                         [](const auto& p) { return p.param.name; });

TEST_P(Reference, BothIntegratorsConvergeWithTheirOrder) {
  std::vector<std::string> warnings;
  auto scenario = load_scenario(golden + GetParam().name + ".json", &warnings);
  ASSERT_TRUE(scenario) << scenario.error().text();
  EXPECT_TRUE(warnings.empty());
  const auto text = read_file(golden + GetParam().name + ".expected.json", 1 << 20);
  ASSERT_TRUE(text);
  const auto expected = json::parse(*text, "expected");
  ASSERT_TRUE(expected);
  const Columns q = columns(*expected->find("q")), w = columns(*expected->find("omega"));

  int method = 0;
  for (const auto& [key, order] : {std::pair{"variational", 2.0}, {"rk4", 4.0}}) {
    std::vector<double> errors;
    double h = GetParam().coarsest[method++];
    for (int k = 0; k < 5; ++k, h /= 2) {
      auto with_method = with_setting(*scenario, "integrator.type", json::Node(std::string(key)));
      ASSERT_TRUE(with_method) << with_method.error().text();
      auto with_step = with_setting(*with_method, "integrator.step", json::Node(h));
      ASSERT_TRUE(with_step) << with_step.error().text();
      auto run = Simulation::create(*with_step);
      ASSERT_TRUE(run);
      if (k == 0) {
        EXPECT_NEAR(run->sample(0)[Quantity::total_energy], expected->find("energy_start")->number,
                    1e-12 * std::abs(expected->find("energy_start")->number));
      }
      while (!run->finished()) ASSERT_FALSE(run->step());
      EXPECT_NEAR(run->time(), expected->find("time")->number, 1e-12);
      const State& s = run->state(0);
      errors.push_back(std::max((s.q - q).cwiseAbs().maxCoeff(), (s.w - w).cwiseAbs().maxCoeff()));
    }
    EXPECT_LT(errors.front(), 3e-3) << key;
    EXPECT_GT(errors.back(), 1e-11) << key << ": too close to rounding for a slope";
    EXPECT_NEAR(std::log2(errors[1] / errors[4]) / 3, order, 0.2) << key;
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
  EXPECT_NEAR(sum / rows, 2.0832e-3, 0.01 * 2.0832e-3);
  EXPECT_NEAR(sum / rows / 96.2361, 2.1641e-5, 0.01 * 2.1641e-5);
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
