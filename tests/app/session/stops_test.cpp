// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/stops.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/json.h"
#include "core/mechanics/sphere.h"
#include "core/scenario/scenario.h"
#include "core/scenario/setting.h"
#include "tests/runs.h"

namespace twosphere::stops_test {
namespace {

TEST(Stops, AreTheStartTheChangesTheMarkersAndTheHead) {
  Simulation run = test::start(test::preset(), 30);
  ASSERT_TRUE(run.set({{"system.gravity", 1.62}}));
  test::march(run, 20);
  run.reverse();
  test::march(run, 10);
  const std::array markers{0.1, 0.3};  // the second is at the change
  const auto stops = stops_of(run.record(), run.steps(), markers);
  EXPECT_EQ(stops.front(), 0);
  EXPECT_EQ(stops.back(), 60);
  for (const std::int64_t step : {10, 30, 50})
    EXPECT_EQ(std::count(stops.begin(), stops.end(), step), 1) << step;
  EXPECT_EQ(next_stop(stops, 10), 30);
  EXPECT_EQ(next_stop(stops, 11), 30);
  EXPECT_EQ(next_stop(stops, 60), std::nullopt);
  EXPECT_EQ(previous_stop(stops, 30), 10);
  EXPECT_EQ(previous_stop(stops, 0), std::nullopt);
}

TEST(Stops, AreOneForAGestureAndForPullsThatFollowOneAnother) {
  Scenario scenario = test::preset();
  const auto gravity = [](double value) { return std::vector<Setting>{{"system.gravity", value}}; };
  const Pull pull{1, Vec3(1, 0, 0), 5};
  scenario.events = {{.step = 10, .set = gravity(1)},
                     {.step = 12, .set = gravity(2), .since = 10},
                     {.step = 14, .set = gravity(3), .since = 10},
                     {.step = 20, .set = gravity(4)},
                     {.step = 25, .set = {{"every", json::Node::whole(2)}}},
                     {.step = 30, .pull = pull},
                     {.step = 35, .pull = pull},
                     {.step = 50, .pull = pull}};
  EXPECT_EQ(changes_of(scenario), (std::vector<std::int64_t>{10, 20, 30, 50}));
  EXPECT_EQ(stops_of(scenario, 40, {}), (std::vector<std::int64_t>{0, 10, 20, 30, 40}));
}

TEST(Stops, DoNotGoBeyondTheHead) {
  Scenario scenario = test::preset();
  scenario.events.push_back({.step = 40, .set = {{"system.gravity", 1.62}}});
  EXPECT_EQ(stops_of(scenario, 20, {}), (std::vector<std::int64_t>{0, 20}));
  EXPECT_EQ(stops_of(scenario, 0, {}), (std::vector<std::int64_t>{0}));
}

}  // namespace
}  // namespace twosphere::stops_test
