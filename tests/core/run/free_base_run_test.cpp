// SPDX-License-Identifier: GPL-3.0-or-later
// The centre of mass of a base that flies, in runs, files and tables.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "core/output/csv.h"
#include "core/record/history.h"
#include "core/run/simulation.h"
#include "core/scenario/as_text.h"
#include "core/scenario/initial_conditions.h"
#include "core/scenario/reader.h"
#include "core/scenario/writer.h"
#include "tests/runs.h"
#include "tests/sample_row.h"

namespace twosphere::test::free_base_run_test {
namespace {

Scenario drone() { return preset("drone_with_load"); }
json::Node node(std::string_view text) { return value_of(json::parse(text, "text")); }

BaseStart base_now(Simulation& run, int lane = 0) {
  return *base_of(run.state(lane), *run.system());
}

TEST(FreeBase, StartsWhereTheScenarioSays) {
  Simulation at_rest = start(drone());
  EXPECT_LT(base_now(at_rest).position.norm(), 1e-15);
  EXPECT_LT(base_now(at_rest).velocity.norm(), 1e-15);
  EXPECT_FALSE(drone().base);
  const Scenario thrown =
      with(drone(), "initial.base", node(R"({"position": [1, 2, 3], "velocity": [0.5, 0, -1]})"));
  Simulation run = start(thrown);
  EXPECT_LT((base_now(run).position - Vec3(1, 2, 3)).norm(), 1e-15);
  EXPECT_LT((base_now(run).velocity - Vec3(0.5, 0, -1)).norm(), 1e-15);
  // The file has it as it was given.
  const std::string file = write_scenario(thrown);
  EXPECT_NE(file.find("\"base\""), file.npos);
  EXPECT_EQ(write_scenario(value_of(read_scenario(file, "file"))), file);
  EXPECT_EQ(value_of(read_scenario(file, "file")).base, thrown.base);
  // A part of it can be set, and what is left out is 0.
  const Scenario moved = with(thrown, "initial.base.position", node("[0, 0, 7]"));
  EXPECT_EQ(moved.base->position, Vec3(0, 0, 7));
  EXPECT_EQ(moved.base->velocity, Vec3(0.5, 0, -1));
}

TEST(FreeBase, IsRefusedWhereNothingFlies) {
  for (const char* key : {"chain_pendulum", "tether_satellite"}) {
    const auto refused =
        with_setting(preset(key), "initial.base", node("{\"position\": [1, 2, 3]}"));
    ASSERT_FALSE(refused) << key;
    EXPECT_EQ(refused.error().location, "initial.base");
  }
  // It is not left where a system flies no longer.
  const Scenario thrown = with(drone(), "initial.base", node("{\"velocity\": [1, 0, 0]}"));
  EXPECT_TRUE(thrown.base);
  EXPECT_FALSE(with(thrown, "system", node(R"({"type": "free_chain", "base_mass": 1.5,
                                               "masses": 0.02, "lengths": 0.15})"))
                   .base);
  // Nor if the same edit moves a body.
  EXPECT_FALSE(with(thrown, {{"system", node(R"({"type": "free_chain", "base_mass": 1.5,
                                                 "masses": 0.02, "lengths": 0.15})")},
                             {"initial.q[9]", node("[0, 0, 1]")}})
                   .base);
  EXPECT_FALSE(with_setting(drone(), "initial.base", node("{\"place\": [1, 2, 3]}")));
  EXPECT_FALSE(with_setting(drone(), "initial.base.position", node("[1, 2]")));
  EXPECT_FALSE(as_text(drone()));
}

TEST(FreeBase, IsContinuedBitForBit) {
  for (const char* method : {"variational", "variational4", "rk4", "rk45", "gauss16"}) {
    const Scenario scenario = with(drone(), {{"integrator.type", method}});
    Simulation whole = start(scenario, 60), half = start(scenario, 30);
    Simulation rest = loaded(half);
    march(rest, 30);
    EXPECT_EQ(bytes(rest), bytes(whole)) << method;
    const State &a = whole.state(0), &b = rest.state(0);
    EXPECT_EQ(a.x, b.x) << method;
    EXPECT_EQ(a.v, b.v) << method;
    EXPECT_EQ(a.q, b.q) << method;
    EXPECT_GT(a.v.norm(), 0.1) << "it moves";
  }
}

// Of each lane, which has gone its own way.
TEST(FreeBase, OfSeveralLanesIsContinuedBitForBit) {
  const Scenario scenario = with(drone(), "lanes", node(R"([{"type": "variational", "step": 0.004},
                                          {"type": "rk45", "step": 0.004}])"));
  Simulation whole = start(scenario, 60), half = start(scenario, 30);
  Simulation rest = loaded(half);
  march(rest, 30);
  EXPECT_EQ(bytes(rest), bytes(whole));
  for (int lane = 0; lane < 2; ++lane) {
    EXPECT_EQ(rest.state(lane).x, whole.state(lane).x) << lane;
    EXPECT_EQ(rest.state(lane).v, whole.state(lane).v) << lane;
  }
  EXPECT_NE(whole.state(0).x, whole.state(1).x);
}

TEST(FreeBase, HasAFiniteEnergy) {
  const auto refused = with_setting(drone(), "initial.base", node("{\"velocity\": [1e160, 0, 0]}"));
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("energy"), std::string::npos) << refused.error().message;
}

TEST(FreeBase, ComesBackWhenTimeIsReversed) {
  Simulation run = start(drone(), 200);
  const Vec3 there = base_now(run).position;
  run.reverse();
  march(run, 200);
  EXPECT_LT(base_now(run).position.norm(), 1e-9);
  EXPECT_GT(there.norm(), 0.1);
}

TEST(FreeBase, IsKeptByEditsAndLanes) {
  Simulation run = start(drone(), 50);
  const State before = run.state(0);
  ASSERT_TRUE(run.set({{"system.thrust.target", node("[0, 0, 0]")}}));
  EXPECT_EQ(run.state(0).x, before.x);
  EXPECT_EQ(run.state(0).v, before.v);
  ASSERT_TRUE(run.set({{"integrator.type", "rk4"}}));
  EXPECT_EQ(run.state(0).x, before.x);
  march(run, 50);
  Simulation again = repeated(run, 100);
  EXPECT_EQ(again.state(0).x, run.state(0).x);
  EXPECT_EQ(bytes(again), bytes(run));
}

TEST(FreeBase, IsInHistoriesAndTables) {
  Simulation run = start(drone());
  History history;
  for (int k = 0; k < 5; ++k) {
    history.append(row_of(run.steps(), run.sample(0), run.state(0), run.system(), StepCost{},
                          std::make_shared<const Scenario>(run.present())),
                   0);
    march(run, 10);
  }
  Simulation other = start(drone(), 20);
  const State kept = history.state_at(2), &then = other.state(0);
  EXPECT_EQ(kept.x, then.x);
  EXPECT_EQ(kept.v, then.v);
  EXPECT_EQ(kept.w, then.w);
  const std::string header = trajectory_header(other.system_info(), 10, false, true);
  EXPECT_NE(header.find("base_x [m]"), header.npos);
  EXPECT_NE(header.find("base_vz [m/s]"), header.npos);
  const std::string row = trajectory_row(*other.system(), then);
  EXPECT_EQ(std::count(row.begin(), row.end(), ','), std::count(header.begin(), header.end(), ','));
  EXPECT_NEAR(other.system()->own_quantity("base_x", then), base_now(other).position.x(), 1e-14);
}

}  // namespace
}  // namespace twosphere::test::free_base_run_test
