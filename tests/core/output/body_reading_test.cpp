// SPDX-License-Identifier: GPL-3.0-or-later
// What is read of a body adds up to what the diagnostics say of all.
#include "core/output/body_reading.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "core/catalog.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/linear_terms.h"
#include "core/run/simulation.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::body_reading_test {
namespace {

TEST(BodyReading, AddsUpToTheWhole) {
  int summed = 0;
  for (const Preset& entry : presets()) {
    Simulation simulation = test::start(test::preset(entry.key));
    for (int k = 0; k < 5; ++k) ASSERT_FALSE(simulation.step().has_value()) << entry.key;
    const State& state = simulation.state(0);
    const System& system = *simulation.system();
    const double total = kinetic_energy(system, state);
    const double potential = simulation.sample(0)[Quantity::potential_energy];
    const int n = system.size(), stride = std::max(1, n / 20);
    // Of a base that flies, the centre of mass has its own.
    double sum = system.free_base() ? system.free_base()->kinetic_energy(state.v) : 0;
    Vec3 momentum = Vec3::Zero();
    for (int i = 0; i < n; ++i) {
      if (n > 40 && i % stride != 0) continue;
      const BodyReading r = read_body(system, state, potential, i);
      EXPECT_EQ(r.q, state.q.col(i)) << entry.key;
      EXPECT_EQ(r.omega, state.w.col(i)) << entry.key;
      EXPECT_NEAR(r.total, total, 1e-12 * total) << entry.key;
      if (!system.free_base()) {
        EXPECT_EQ(potential, effective_potential(system, state.q)) << entry.key;
      }
      EXPECT_EQ(r.energy(), r.total + potential) << entry.key;
      sum += r.kinetic;
      momentum += r.q.cross(r.momentum);
      // The angular momentum of a body has κ q, too, without kinetic energy that alone.
      if (system.strength().size() > 0) momentum += system.strength()[i] * r.q;
    }
    if (n > 40) continue;
    ++summed;
    EXPECT_NEAR(sum, total, 1e-12 * total) << entry.key;
    const Vec3 map = momentum_map(system, state);
    EXPECT_LT((momentum - map).norm(), 1e-12 * (1 + map.norm())) << entry.key;
  }
  EXPECT_GE(summed, 9);
}

// Against differences of the place along the motion.
TEST(BodyReading, VelocityIsTheRateOfThePlace) {
  for (const Preset& entry : presets()) {
    Simulation simulation = test::start(test::preset(entry.key));
    const State& state = simulation.state(0);
    const System& system = *simulation.system();
    const double h = 1e-6;
    State before = state, after = state;
    before.x -= h * state.v;
    after.x += h * state.v;
    for (int i = 0; i < state.size(); ++i) {
      const Vec3 rate = state.w.col(i).cross(state.q.col(i));
      before.q.col(i) -= h * rate;
      after.q.col(i) += h * rate;
    }
    const int body = system.size() - 1;
    const Vec3 moved =
        read_body(system, after, 0, body).position - read_body(system, before, 0, body).position;
    const BodyReading now = read_body(system, state, 0, body);
    EXPECT_LT((moved / (2 * h) - now.velocity).norm(), 1e-6 * (1 + now.speed())) << entry.key;
  }
}

TEST(BodyReading, IsCopiedWithEveryDigit) {
  Simulation simulation = test::start(test::preset());
  for (int k = 0; k < 3; ++k) ASSERT_FALSE(simulation.step().has_value());
  const State& state = simulation.state(0);
  const BodyReading r = read_body(*simulation.system(), state, -3.25, 1);
  std::istringstream table(to_table(r, 1, state.t));
  std::vector<double> numbers;
  for (std::string line, field; std::getline(table, line);) {
    std::istringstream fields(line);
    for (int k = 0; std::getline(fields, field, '\t'); ++k)
      if (k >= 2) numbers.push_back(std::strtod(field.c_str(), nullptr));
  }
  std::vector<double> expected{2, state.t};
  const auto add = [&](auto... more) { (expected.push_back(more), ...); };
  for (const Vec3& vector : {r.q, r.omega, r.momentum}) add(vector[0], vector[1], vector[2]);
  add(r.kinetic, r.total, -3.25, r.total - 3.25);
  for (const Vec3& vector : {r.position, r.velocity}) add(vector[0], vector[1], vector[2]);
  EXPECT_EQ(numbers, expected);
}

}  // namespace
}  // namespace twosphere::body_reading_test
