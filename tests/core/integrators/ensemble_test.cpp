// SPDX-License-Identifier: GPL-3.0-or-later
// Members of an ensemble that take their steps together do what each does alone, to the bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/catalog.h"
#include "core/kernels/chain_ensemble.h"
#include "core/mechanics/random_state.h"
#include "core/run/lane.h"
#include "tests/cases.h"
#include "tests/runs.h"

namespace twosphere::test {
namespace {

Scenario chain(int n, const std::string& method, double step) {
  Scenario scenario = preset();
  std::mt19937 random(static_cast<unsigned>(n));
  std::uniform_real_distribution<double> uniform(0.3, 2);
  scenario.q.resize(3, n);
  scenario.omega.resize(3, n);
  std::vector<double> masses, lengths;
  for (int i = 0; i < n; ++i) {
    masses.push_back(uniform(random));
    lengths.push_back(uniform(random));
  }
  scenario.parameters["masses"] = masses;
  scenario.parameters["lengths"] = lengths;
  scenario.parameters["tip_force"] = {0, 0, 0};
  scenario.events.clear();
  scenario.lanes = {scenario.lanes[0]};
  scenario.lanes[0].type = method;
  scenario.lanes[0].step = step;
  return scenario;
}

/// Lanes at random states, of which `fast` is the largest |ω| [rad/s].
std::vector<Lane> lanes_of(Scenario scenario, const System& system, std::size_t count,
                           double fast) {
  std::vector<Lane> lanes;
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  for (std::size_t m = 0; m < count; ++m) {
    for (Eigen::Index i = 0; i < scenario.q.cols(); ++i) {
      const auto vector = [&] { return Vec3(normal(random), normal(random), normal(random)); };
      scenario.q.col(i) = vector().normalized();
      scenario.omega.col(i) =
          fast / 3 * tangent(Vec3(scenario.q.col(i)), vector()).cwiseMin(3).cwiseMax(-3);
      scenario.omega.col(i) = tangent(scenario.q.col(i), scenario.omega.col(i));
    }
    auto lane = Lane::create(scenario, 0, system);
    EXPECT_TRUE(lane) << m;
    lanes.push_back(std::move(*lane));
  }
  return lanes;
}

void expect_same(const System& system, Lane& a, Lane& b) {
  a.finish_state(system);
  b.finish_state(system);
  EXPECT_EQ(a.state.q, b.state.q);
  EXPECT_EQ(a.state.w, b.state.w);
  EXPECT_EQ(a.state.t, b.state.t);
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.integrator->saved_state(), b.integrator->saved_state());
}

std::vector<Lane*> all_of(std::vector<Lane>& lanes) {
  std::vector<Lane*> out;
  for (Lane& lane : lanes) out.push_back(&lane);
  return out;
}

TEST(Ensemble, EachMemberDoesWhatItDoesAlone) {
  for (const int n : {1, 2, 3, 7, 16})
    for (const char* method : {"variational", "variational4", "variational6", "variational8"})
      for (const double h : {0.01, -0.002}) {
        SCOPED_TRACE(std::string(method) + " " + std::to_string(n) + " " + std::to_string(h));
        const Scenario scenario = chain(n, method, std::abs(h));
        const auto system = system_of(scenario.system, n, scenario.parameters);
        const std::size_t width = chain_kernel::width();
        std::vector<Lane> together = lanes_of(scenario, *system, width, 1.5);
        std::vector<Lane> alone = lanes_of(scenario, *system, width, 1.5);
        for (std::size_t m = 0; m < width; ++m) {
          together[m].clock.reversed = alone[m].clock.reversed = h < 0;
          // Some have taken steps before, and so have multipliers to begin with.
          const auto before = static_cast<std::int64_t>(m % 3);
          ASSERT_EQ(together[m].advance(*system, before), before);
          ASSERT_EQ(alone[m].advance(*system, before), before);
        }
        ASSERT_EQ(together[0].integrator->width(*system), width);
        constexpr std::int64_t steps = 50;
        ASSERT_EQ(Lane::advance_together(*system, steps, all_of(together)), steps);
        for (std::size_t m = 0; m < width; ++m) {
          ASSERT_EQ(alone[m].advance(*system, steps), steps);
          expect_same(*system, together[m], alone[m]);
          // They go on alone as before.
          ASSERT_EQ(together[m].advance(*system, 3), alone[m].advance(*system, 3));
          expect_same(*system, together[m], alone[m]);
        }
      }
}

// Motions so fast that Newton's iterations take their several ways, and steps fail.
TEST(Ensemble, StopsBeforeTheFirstStepThatFails) {
  int failures = 0, taken_before = 0;
  for (const char* method : {"variational", "variational4"})
    for (const double fast : {5.0, 20.0, 60.0}) {
      const Scenario scenario = chain(2, method, 0.02);
      const auto system = system_of(scenario.system, 2, scenario.parameters);
      const std::size_t width = chain_kernel::width();
      std::vector<Lane> together = lanes_of(scenario, *system, width, fast);
      std::vector<Lane> alone = lanes_of(scenario, *system, width, fast);
      const std::int64_t taken = Lane::advance_together(*system, 200, all_of(together));
      std::int64_t least = 200;
      for (Lane& lane : alone) least = std::min(least, lane.advance(*system, 200));
      EXPECT_EQ(taken, least) << method << " " << fast;
      failures += taken < 200;
      taken_before += taken > 0;
      std::vector<Lane> again = lanes_of(scenario, *system, width, fast);
      for (std::size_t m = 0; m < width; ++m) {
        ASSERT_EQ(again[m].advance(*system, taken), taken);
        expect_same(*system, together[m], again[m]);
      }
    }
  EXPECT_GT(failures, 1);
  EXPECT_GT(taken_before, 1);
}

TEST(Ensemble, OthersTakeTheirStepsAlone) {
  const auto width = [](const Scenario& scenario) {
    const auto system = system_of(scenario.system, scenario.size(), scenario.parameters);
    return Lane::create(scenario, 0, *system)->integrator->width(*system);
  };
  Scenario scenario = chain(2, "variational", 0.01);
  EXPECT_EQ(width(scenario), chain_kernel::width());
  EXPECT_EQ(width(with(preset(), {{"integrator.type", json::Node(std::string("rk4"))}})), 1U);
  scenario = chain(17, "variational", 0.01);
  EXPECT_EQ(width(scenario), 1U);
  scenario = chain(2, "variational", 0.01);
  scenario.parameters["tip_force"] = {1, 0, 0};
  EXPECT_EQ(width(scenario), 1U);
  scenario = chain(2, "variational", 0.01);
  scenario.parameters["damping"] = {0.1};
  EXPECT_EQ(width(scenario), 1U);
  EXPECT_EQ(width(preset("three_body")), 1U);
}

}  // namespace
}  // namespace twosphere::test
