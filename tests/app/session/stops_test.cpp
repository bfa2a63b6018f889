// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/stops.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "tests/runs.h"

namespace twosphere::stops_test {
namespace {

TEST(Stops, AreTheStartTheChangesTheMarkersAndTheHead) {
  Simulation run = test::start(test::preset(), 30);
  ASSERT_TRUE(run.set({{"system.gravity", json::Node(1.62)}}));
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

TEST(Stops, DoNotGoBeyondTheHead) {
  Scenario scenario = test::preset();
  scenario.events.push_back({.step = 40, .set = {{"system.gravity", json::Node(1.62)}}});
  EXPECT_EQ(stops_of(scenario, 20, {}), (std::vector<std::int64_t>{0, 20}));
  EXPECT_EQ(stops_of(scenario, 0, {}), (std::vector<std::int64_t>{0}));
}

}  // namespace
}  // namespace twosphere::stops_test
