// SPDX-License-Identifier: GPL-3.0-or-later
// Directions and angular velocities that are set in the middle of a run.
#include "core/scenario/state_edit.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/catalog.h"
#include "core/run/simulation.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/reader.h"
#include "core/scenario/writer.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::test::state_edit_test {
namespace {

json::Node vector(const Vec3& v) { return json::Node::numbers({v.data(), 3}); }

/// q turned by this angle about some axis.
Vec3 turned(const Vec3& q, double angle) {
  return std::cos(angle) * q + std::sin(angle) * q.unitOrthogonal();
}

TEST(StateEdit, IsAnEventThatRepeatsTheRun) {
  int taken = 0;
  for (const Preset& p : presets())
    for (std::string method : {"variational", "rk4", "rk45"}) {
      Scenario scenario = preset(p.key);
      if (scenario.size() > 100) continue;
      if (!find_integrator(method)->supports(*start(scenario).system()))
        method = scenario.lanes[0].type;
      // Of first order ω follows from q, and the second edit, too, is of q.
      const bool moves_alone = info_of(scenario).first_order;
      // A turn that is slow for the steps of the preset, those of a tether of a second, too.
      const Vec3 turn = std::min(1.0, 0.01 / scenario.lanes[0].step) * Vec3(0.1, 0.2, 0.3);
      scenario = with(scenario, {{"integrator.type", method}});
      ++taken;
      Simulation live = start(scenario, 20);
      const double error = live.sample(0)[Quantity::energy_error];
      const Vec3 q = turned(live.state(0).q.col(0).normalized(), 1e-3);
      ASSERT_TRUE(live.set({{"state.q[0]", vector(q)}})) << p.key;
      EXPECT_LT((live.state(0).q.col(0) - q).norm(), 1e-15);
      EXPECT_LT(std::abs(live.state(0).q.col(0).squaredNorm() - 1), 1e-15);
      const double scale = std::abs(live.sample(0)[Quantity::total_energy]) + 1;
      EXPECT_NEAR(live.sample(0)[Quantity::energy_error], error, 1e-13 * scale) << p.key;
      march(live, 10);
      if (moves_alone) {
        EXPECT_FALSE(live.set({{"state.omega[0]", vector({0.1, 0.2, 0.3})}}));
        const Vec3 there = turned(live.state(0).q.col(0).normalized(), 1e-3);
        ASSERT_TRUE(live.set({{"state.q[0]", vector(there)}}));
      } else {
        ASSERT_TRUE(live.set({{"state.omega[0]", vector(turn)}}));
      }
      const double rounding = moves_alone ? 1e-14 * (1 + live.state(0).w.col(0).norm()) : 1e-15;
      EXPECT_LT(live.state(0).w.col(0).dot(live.state(0).q.col(0)), rounding);
      march(live, 10);
      ASSERT_EQ(live.record().events.size(), 2u);
      const std::string record = write_scenario(live.record());
      const auto read = value_of(read_scenario(record, "record"));
      EXPECT_EQ(write_scenario(read), record);
      Simulation repeated = start(read, 40), half = start(read);
      EXPECT_EQ(bytes(repeated), bytes(live)) << p.key << " " << method;
      // A state before the second event has it to come.
      march(half, 25);
      Simulation rest = start(value_of(read_scenario(bytes(half), "state")), 15);
      EXPECT_EQ(bytes(rest), bytes(live)) << p.key << " " << method;
    }
  EXPECT_GE(taken, 3 * 11);
}

TEST(StateEdit, ADirectionAloneCarriesItsAngularVelocity) {
  const auto system = start(preset()).system();  // nothing flies
  State state{0, Columns(3, 1), Columns(3, 1)};
  state.q.col(0) = Vec3(0.6, 0, 0.8);
  state.w.col(0) = Vec3(0.8, 0.5, -0.6);
  for (const Vec3& q : {Vec3(0, 1, 0), Vec3(0.6, 0, 0.8), Vec3(-0.6, 0, -0.8),
                        Vec3(-0.6, 1e-9, -0.8).normalized()}) {
    const State now = edited(state, {.bodies = {{0, {.q = q, .omega = {}}}}}, *system);
    EXPECT_EQ(Vec3(now.q.col(0)), q);
    EXPECT_NEAR(now.w.col(0).norm(), state.w.col(0).norm(), 1e-12);
    EXPECT_NEAR(now.w.col(0).dot(q), 0, 1e-15);
    // The velocity, too: the rotation takes q × ω to q × ω.
    const Vec3 axis = Vec3(state.q.col(0)).cross(q);
    EXPECT_NEAR(axis.dot(now.w.col(0)), axis.dot(state.w.col(0)), 1e-8) << "along the axis";
  }
  const State given =
      edited(state, {.bodies = {{0, {.q = Vec3(0, 1, 0), .omega = Vec3(1, 7, 2)}}}}, *system);
  EXPECT_EQ(Vec3(given.w.col(0)), Vec3(1, 0, 2)) << "the part across q";
}

TEST(StateEdit, AllLanesGetIt) {
  auto lanes = json::parse_value(
      R"([{"type": "variational", "step": 0.01}, {"type": "rk4", "step": 0.005}])");
  Simulation run = start(with(preset(), {{"lanes", *lanes}}), 50);
  const Vec3 q = turned(run.state(0).q.col(1), 0.3);
  ASSERT_TRUE(run.set({{"state.q[1]", vector(q)}, {"system.gravity", 5.0}}));
  EXPECT_EQ(run.record().events.size(), 1u);
  for (int i = 0; i < 2; ++i) {
    EXPECT_LT((run.state(i).q.col(1) - q).norm(), 1e-15);
    EXPECT_NE(run.lane(i).work.value(), 0);
  }
}

TEST(StateEdit, AGestureAtAStepIsOneEvent) {
  Simulation run = start(preset(), 50), plain = start(preset());
  march(plain, 50);
  const State before = run.state(0);
  ASSERT_TRUE(run.set({{"system.gravity", 5.0}}));
  for (int k = 1; k <= 10; ++k)
    ASSERT_TRUE(run.set({{"state.q[1]", vector(turned(before.q.col(1), 0.1 * k))}}));
  ASSERT_TRUE(run.set({{"system.gravity", 4.0}}));
  ASSERT_EQ(run.record().events.size(), 1u);
  EXPECT_EQ(run.record().events[0].set.size(), 2u);
  EXPECT_EQ(run.markers().size(), 1u);
  ASSERT_TRUE(
      plain.set({{"system.gravity", 4.0}, {"state.q[1]", vector(turned(before.q.col(1), 1))}}));
  EXPECT_EQ(bytes(run), bytes(plain)) << "as if the last had been the only one";
}

TEST(StateEdit, WhatCannotBeIsRefusedAndChangesNothing) {
  Simulation run = start(preset("three_body"));
  const auto refused = [&](const std::vector<Setting>& settings) {
    const std::string before = bytes(run), record = write_scenario(run.record());
    const auto done = run.set(settings);
    EXPECT_FALSE(done);
    EXPECT_EQ(bytes(run), before);
    EXPECT_EQ(write_scenario(run.record()), record);
    return done ? "" : done.error().text();
  };
  EXPECT_TRUE(says(refused({{"state.q[1]", vector({1, 0, 0})}}), "initial.q"));
  march(run, 10);
  const Vec3 other = run.state(0).q.col(0);
  EXPECT_EQ(refused({{"state.q[1]", vector(other)}}).substr(0, 10), "state.q[1]");
  ASSERT_TRUE(run.set({{"state.q[2]", vector(turned(run.state(0).q.col(2), 0.01))}}));
  EXPECT_EQ(refused({{"state.q[2]", vector(other)}}).substr(0, 8), "state.q[")
      << "also where it was set before";
  EXPECT_TRUE(says(refused({{"state.q[3]", vector({1, 0, 0})}}), "there are 3 bodies"));
  EXPECT_TRUE(says(refused({{"state.q[0]", vector({1, 0.5, 0})}}), "allowed up to"));
  EXPECT_TRUE(says(refused({{"state.q[0]", 1.0}}), "a list of 3 numbers"));
  EXPECT_TRUE(says(refused({{"state.p[0]", vector({1, 0, 0})}}), "state.omega[i]"));
  EXPECT_TRUE(says(refused({{"state.omega[0]", vector({1e200, 0, 0})}}), "finite"));
  march(run, 10);
}

TEST(StateEdit, EventsAreChecked) {
  const auto read = [](const char* set) {
    std::string text = write_scenario(preset());
    text.insert(text.rfind('}'), fmt::format(R"(, "events": [{{"step": 5, "set": {}}}])", set));
    std::vector<std::string> warnings;
    const auto made = read_scenario(text, "x", &warnings);
    return made ? fmt::format("{} warnings", warnings.size()) : made.error().text();
  };
  EXPECT_EQ(read(R"({"state.q[1]": [0, 1, 0], "system.gravity": 3, "state.omega[1]": [1, 0, 0]})"),
            "0 warnings");
  EXPECT_EQ(read(R"({"state.q[1]": [0, 1.0001, 0]})"), "1 warnings");
  EXPECT_TRUE(says(read(R"({"state.q[1]": [0, 1.1, 0]})"), "events[0].set.state.q[1]"));
  EXPECT_TRUE(says(read(R"({"state.q[2]": [0, 1, 0]})"), "there are 2 bodies"));
  EXPECT_TRUE(says(read(R"({"state.q": [0, 1, 0]})"), "state.q[i]"));
}

TEST(StateEdit, AnEventSetsNoVelocityWhereItFollowsFromQ) {
  std::string text = write_scenario(preset("spin_waves"));
  text.insert(text.rfind('}'),
              R"(, "events": [{"step": 5, "set": {"state.omega[0]": [0, 0, 1]}}])");
  const Error refused = error_of(read_scenario(text, "x"));
  EXPECT_TRUE(says(refused.location, "events[0].set.state.omega[0]"));
  EXPECT_TRUE(says(refused.message, "follows from q"));
}

}  // namespace
}  // namespace twosphere::test::state_edit_test
