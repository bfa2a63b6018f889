// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/systems/waypoint_path.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "core/run/simulation.h"
#include "core/scenario/initial_conditions.h"
#include "core/scenario/reader.h"
#include "core/scenario/writer.h"
#include "tests/runs.h"

namespace twosphere::test::waypoint_path_test {
namespace {

const std::vector<double> places{1, 0, 0, 0, 2, 1, 0, -1, 4, 1, 2, 0, 4.5, 0, 2, 0};

TEST(WaypointPath, PassesItsPlacesAndRestsAtItsEnds) {
  const WaypointPath path(places);
  for (std::size_t i = 0; i < places.size(); i += 4)
    EXPECT_LT((path.at(places[i]) - Vec3(places[i + 1], places[i + 2], places[i + 3])).norm(),
              1e-15);
  EXPECT_EQ(path.at(-3), Vec3(0, 0, 0));
  EXPECT_EQ(path.at(9), Vec3(0, 2, 0));
  const WaypointPath one(std::vector<double>{2, 1, 2, 3});
  for (const double t : {0.0, 2.0, 5.0}) EXPECT_EQ(one.at(t), Vec3(1, 2, 3));
}

// One-sided differences of the second order at the places, where pieces meet.
TEST(WaypointPath, HasAContinuousVelocityAndAcceleration) {
  const WaypointPath path(places);
  const double h = 1e-4;
  for (std::size_t i = 0; i < places.size(); i += 4) {
    const double t = places[i];
    const Vec3 here = path.at(t);
    const auto velocity = [&](double d) {
      return Vec3((4 * path.at(t + d) - path.at(t + 2 * d) - 3 * here) / (2 * d));
    };
    const auto acceleration = [&](double d) {
      return Vec3((2 * here - 5 * path.at(t + d) + 4 * path.at(t + 2 * d) - path.at(t + 3 * d)) /
                  (d * d));
    };
    EXPECT_LT((velocity(h) - velocity(-h)).norm(), 1e-5) << t;
    EXPECT_LT((acceleration(h) - acceleration(-h)).norm(), 1e-3) << t;
    EXPECT_LT(acceleration(h).norm(), 1e-3) << t;
  }
  // It does not stop on its way.
  EXPECT_GT((path.at(2 + h) - path.at(2 - h)).norm() / (2 * h), 0.5);
}

Scenario led(std::string_view targets) {
  return with(preset("drone_with_load"), "system.thrust",
              value_of(json::parse(R"({"type": "path", "kp": 40, "kd": 20, "targets": )" +
                                       std::string(targets) + "}",
                                   "text")));
}

TEST(WaypointPath, LeadsABase) {
  const Scenario scenario = led("[[0, 0, 0, 0], [4, 1, 0, -0.5], [8, 0, 1, 0]]");
  // The file has it as it was given.
  const std::string file = write_scenario(scenario);
  EXPECT_NE(file.find("\"path\""), file.npos);
  EXPECT_EQ(write_scenario(value_of(read_scenario(file, "file"))), file);
  Simulation run = start(scenario);
  EXPECT_TRUE(run.system()->time_dependent());
  march(run, 1000);
  const auto there = [&] { return base_of(run.state(0), *run.system())->position; };
  EXPECT_LT((there() - Vec3(1, 0, -0.5)).norm(), 0.4) << "it lags behind";
  march(run, 3000);
  EXPECT_LT((there() - Vec3(0, 1, 0)).norm(), 0.2);
  // Edits of one place, and of their number.
  const Scenario moved = with(scenario, "system.thrust.targets[1][3]", json::Node(-2.0));
  EXPECT_EQ(moved.parameters.at("thrust").at(3 + 7), -2);
  ASSERT_TRUE(
      run.set({{"system.thrust.targets", value_of(json::parse("[[0, 1, 1, 1]]", "text"))}}));
  march(run, 100);
  Simulation again = repeated(run, run.steps());
  EXPECT_EQ(again.state(0).x, run.state(0).x);
  EXPECT_EQ(bytes(again), bytes(run));
}

TEST(WaypointPath, IsContinuedBitForBit) {
  const Scenario scenario = led("[[0, 0, 0, 0], [0.3, 1, 0, -0.5]]");
  for (const char* method : {"variational", "variational4", "rk4", "gauss16"}) {
    const Scenario by = with(scenario, {{"integrator.type", method}});
    Simulation whole = start(by, 60), half = start(by, 30);
    Simulation rest = loaded(half);
    march(rest, 30);
    EXPECT_EQ(bytes(rest), bytes(whole)) << method;
  }
}

TEST(WaypointPath, SaysWhatIsWrongWithIt) {
  const auto refusal = [](std::string_view thrust) {
    const auto made = with_setting(preset("drone_with_load"), "system.thrust",
                                   value_of(json::parse(thrust, "text")));
    EXPECT_FALSE(made) << thrust;
    return made ? Error{} : made.error();
  };
  using Refusal = std::pair<std::string, std::string>;  // a thrust, part of the location
  for (const auto& [text, place] :
       {Refusal(R"({"type": "path", "kp": 6, "kd": 6})", "thrust"),
        Refusal(R"({"type": "path", "kp": 6, "kd": 6, "targets": []})", "targets"),
        Refusal(R"({"type": "path", "kp": 6, "kd": 6, "targets": 3})", "targets"),
        Refusal(R"({"type": "path", "kp": 6, "kd": 6, "targets": [[0, 1, 2]]})", "targets[0]"),
        Refusal(R"({"type": "path", "kp": 6, "kd": 6, "targets": [[0, 1, 2, "x"]]})",
                "targets[0][3]"),
        Refusal(R"({"type": "path", "kp": 6, "kd": 6, "targets": [[1, 0, 0, 0], [1, 1, 0, 0]]})",
                "targets[1][0]"),
        Refusal(R"({"type": "path", "kp": -1, "kd": 6, "targets": [[0, 1, 2, 3]]})", "kp"),
        Refusal(R"({"type": "road", "kp": 6})", "type")})
    EXPECT_NE(refusal(text).location.find(place), std::string::npos)
        << text << refusal(text).location;
  const Error order =
      refusal(R"({"type": "path", "kp": 6, "kd": 6, "targets": [[1, 0, 0, 0], [0.5, 1, 0, 0]]})");
  EXPECT_EQ(order.message, "must be greater than 1, the time before, not 0.5");
}

}  // namespace
}  // namespace twosphere::test::waypoint_path_test
