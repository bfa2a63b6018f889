// SPDX-License-Identifier: GPL-3.0-or-later
// The centre of mass of a base that flies, in runs, files and tables.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/output/csv.h"
#include "core/record/history.h"
#include "core/record/signal.h"
#include "core/run/simulation.h"
#include "core/scenario/as_text.h"
#include "core/scenario/initial_conditions.h"
#include "core/scenario/reader.h"
#include "core/scenario/writer.h"
#include "tests/runs.h"
#include "tests/sample_row.h"

namespace twosphere::test::free_base_run_test {
namespace {

Scenario drone() { return pulled_drone(); }
json::Node node(std::string_view text) { return value_of(json::parse(text, "text")); }
/// Ten links that hang straight.
json::Node straight() {
  json::Node q = json::Node::array();
  for (int i = 0; i < 10; ++i) q.items.push_back(node("[0, 0, 1]"));
  return q;
}

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

// The target is at the origin, and is moved at 10 s.
TEST(FreeBase, OfThePresetFollowsItsTarget) {
  for (const double step : {0.004, 0.002}) {
    Simulation run = start(with(preset("drone_with_load"), "integrator.step", step));
    const auto until = [&](double t) { march(run, std::llround(t / step) - run.steps()); };
    until(10);
    EXPECT_LT(base_now(run).position.norm(), 0.03) << step;
    until(13);
    EXPECT_LT((base_now(run).position - Vec3(1, 0.5, -0.5)).norm(), 0.04) << step;
    until(20);
    EXPECT_LT((base_now(run).position - Vec3(1, 0.5, -0.5)).cwiseAbs().maxCoeff(), 2e-3) << step;
    const Vec3 rope = 0.15 * run.state(0).q.rowwise().sum();
    EXPECT_LT(rope.head<2>().norm(), 0.04) << "the load is below it";
    EXPECT_NEAR(rope.z(), 1.5, 0.004);
  }
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
                                               "masses": 0.02, "lengths": 0.15,
                                               "gravity": null})"))
                   .base);
  // Nor if the same edit moves a body.
  EXPECT_FALSE(with(thrown, {{"system", node(R"({"type": "free_chain", "base_mass": 1.5,
                                                 "masses": 0.02, "lengths": 0.15,
                                                 "gravity": null})")},
                             {"initial.q[9]", node("[0, 0, 1]")}})
                   .base);
  EXPECT_FALSE(with_setting(drone(), "initial.base", node("{\"place\": [1, 2, 3]}")));
  EXPECT_FALSE(with_setting(drone(), "initial.base.position", node("[1, 2]")));
  EXPECT_FALSE(as_text(drone()));
}

TEST(FreeBase, FliesWithGravityUnlessItIsInOrbit) {
  const auto chain = [](std::string_view more) {
    return value_of(read_scenario(
        R"({"twosphere": 1, "system": {"type": "free_chain", "base_mass": 1, "masses": 1,
            "lengths": 1)" +
            std::string(more) + R"(}, "initial": {"q": [[0, 0, 1]], "omega": [[0, 0, 0]]},
            "integrator": {"type": "variational", "step": 0.01}, "duration": 1})",
        "file"));
  };
  using Numbers = std::vector<double>;
  for (const auto& [more, gravity] : {std::pair{"", Numbers{9.81}},
                                      {R"(, "orbital_rate": 0.1)", {}},
                                      {R"(, "gravity": null)", {}}}) {
    const Scenario read = chain(more);
    EXPECT_EQ(read.parameters.at("gravity"), gravity) << more;
    EXPECT_EQ(value_of(read_scenario(write_scenario(read), "again")).parameters, read.parameters)
        << more;
  }
  Simulation run = start(chain(""));
  march(run, 100);
  EXPECT_NEAR(base_now(run).position.z(), 9.81 / 2, 1e-12);
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

TEST(FreeBase, IsPartOfTheDistanceFromTheStart) {
  const Scenario scenario = with(drone(), {{"integrator.type", "rk2"}});
  Simulation run = start(scenario, 100);
  run.reverse();
  march(run, 100);
  ASSERT_EQ(run.start_distances().size(), 1u);
  const StartDistance& off = run.start_distances()[0];
  const BaseStart base = base_now(run);
  EXPECT_NEAR(off.place, base.position.norm(), 1e-14);
  EXPECT_NEAR(off.velocity, base.velocity.norm(), 1e-14);
  EXPECT_GT(off.place, 1e-9) << "rk2 does not come back";
  // Of a saved state the start is its own.
  Simulation half = start(scenario, 10);
  Simulation rest = loaded(half);
  const BaseStart begun = base_now(rest);
  march(rest, 10);
  rest.reverse();
  march(rest, 10);
  ASSERT_EQ(rest.start_distances().size(), 1u);
  EXPECT_NEAR(rest.start_distances()[0].place, (base_now(rest).position - begun.position).norm(),
              1e-14);
}

TEST(FreeBase, IsPartOfTheDistanceOfLanes) {
  const auto system = start(drone()).system();
  State a = start(drone()).state(0), b = a;
  b.x.col(0) += Vec3(0, 0.3, 0);
  EXPECT_NEAR(distance(*system, a, b), 0.2, 1e-15) << "L = 1.5 m";
  b.q.col(3) = Vec3::UnitZ();
  EXPECT_EQ(distance(*system, a, b), twosphere::distance(a.q, b.q));
  const Scenario scenario = with(drone(), "lanes", node(R"([{"type": "variational", "step": 0.004},
                                          {"type": "rk2", "step": 0.004}])"));
  Simulation run = start(with(scenario, "initial.q", straight()));
  ASSERT_TRUE(run.set({{"system.thrust.target", node("[0, 0, -1]")}}));
  std::vector<History> lanes(2);
  std::vector<double> expected;
  for (int row = 0; row < 5; ++row) {
    for (int lane = 0; lane < 2; ++lane)
      lanes[static_cast<std::size_t>(lane)].append(
          row_of(run.steps(), run.sample(lane), run.state(lane), run.system(), StepCost{},
                 std::make_shared<const Scenario>(run.present())),
          0);
    expected.push_back((run.state(1).x - run.state(0).x).norm() / 1.5);
    march(run, 10);
  }
  lanes[1].compare_with(lanes.data());
  const SignalView found = lanes[1].view(Signal::distance());
  ASSERT_EQ(found.values->size(), 5u);
  EXPECT_GT(expected.back(), 1e-9) << "links that hang straight stay so";
  for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR((*found.values)[k], expected[k], 1e-12) << k;
}

TEST(FreeBase, IsSetDuringARun) {
  Simulation run = start(drone(), 50);
  const State before = run.state(0);
  const BaseStart base = base_now(run);
  ASSERT_TRUE(run.set({{"state.base.velocity", node("[0, 1, 0.5]")}}));
  EXPECT_EQ(run.state(0).x, before.x);
  EXPECT_LT((base_now(run).velocity - Vec3(0, 1, 0.5)).norm(), 1e-14);
  march(run, 10);
  const State then = run.state(0);
  const double error = run.sample(0)[Quantity::energy_error];
  ASSERT_TRUE(run.set({{"state.base.position", node("[3, 2, 1]")}}));
  EXPECT_EQ(run.state(0).v, then.v);
  EXPECT_EQ(run.state(0).q, then.q);
  EXPECT_LT((base_now(run).position - Vec3(3, 2, 1)).norm(), 1e-14);
  EXPECT_GT((base.position - Vec3(3, 2, 1)).norm(), 1);
  // The jump of the energy is work.
  EXPECT_NEAR(run.sample(0)[Quantity::energy_error], error, 1e-10);
  march(run, 10);
  Simulation again = repeated(run, 70);
  EXPECT_EQ(bytes(again), bytes(run));
  EXPECT_EQ(again.state(0).x, run.state(0).x);
  // Refused where nothing flies, and where it is no place.
  Simulation hangs = start(preset("tether_satellite"), 1);
  const auto refused = hangs.set({{"state.base.position", node("[1, 2, 3]")}});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("flies"), std::string::npos);
  EXPECT_FALSE(run.set({{"state.base.position", node("[1, 2]")}}));
  EXPECT_FALSE(run.set({{"state.base.place", node("[1, 2, 3]")}}));
  EXPECT_FALSE(run.set({{"state.base.velocity", node("[1e200, 0, 0]")}})) << "energy";
  Simulation at_start = start(drone());
  EXPECT_FALSE(at_start.set({{"state.base.position", node("[1, 2, 3]")}}));
}

TEST(FreeBase, HasNoStartOfTwoPositionsWhereItIsHeld) {
  const json::Node two = json::Node::object({{"q", straight()}, {"q_next", straight()}});
  const auto refused = with_setting(drone(), "initial", two);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().location, "initial.q_next");
  const Scenario thrown = with(drone(), "system.thrust", node("[0, 0, -20]"));
  EXPECT_TRUE(with_setting(thrown, "initial", two));
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
  const std::string header = trajectory_header(other.system_info(), *other.system());
  EXPECT_NE(header.find("base_x [m]"), header.npos);
  EXPECT_NE(header.find("base_vz [m/s]"), header.npos);
  const std::string row = trajectory_row(*other.system(), then);
  EXPECT_EQ(std::count(row.begin(), row.end(), ','), std::count(header.begin(), header.end(), ','));
  EXPECT_NEAR(other.system()->own_quantity("base_x", then), base_now(other).position.x(), 1e-14);
}

}  // namespace
}  // namespace twosphere::test::free_base_run_test
