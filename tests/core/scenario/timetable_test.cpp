// SPDX-License-Identifier: GPL-3.0-or-later
// The times of steps and the steps at times are those of the run.
#include "core/scenario/timetable.h"

#include <gtest/gtest.h>

#include "core/catalog.h"
#include "core/run/simulation.h"
#include "core/scenario/reader.h"

namespace twosphere {
namespace {

Simulation preset(std::string_view key) {
  return std::move(*Simulation::create(*read_scenario(find_preset(key)->text, key)));
}

void step(Simulation& run, int count) {
  for (int i = 0; i < count; ++i) ASSERT_FALSE(run.step().has_value());
}

TEST(Timetable, HasTheTimesOfTheRunToTheLastBit) {
  Simulation run = preset("double_spherical_pendulum");
  std::vector<double> times{run.time()};
  const auto go = [&](int count) {
    for (int i = 0; i < count; ++i) {
      step(run, 1);
      times.push_back(run.time());
    }
  };
  go(17);
  ASSERT_TRUE(run.set({{"integrator.step", json::Node(0.003)}}));
  go(5);
  ASSERT_TRUE(run.set({{"system.gravity", json::Node(3.0)}}));
  go(5);
  ASSERT_TRUE(run.set({{"integrator.step", json::Node(0.1)}}));
  ASSERT_TRUE(run.set({{"integrator.step", json::Node(0.02)}}));
  go(9);
  const Timetable table(run.record());
  for (std::size_t k = 0; k < times.size(); ++k) {
    const auto steps = static_cast<std::int64_t>(k);
    EXPECT_EQ(table.time(steps), times[k]) << k;
    EXPECT_NEAR(table.elapsed(steps), times[k] - times[0], 1e-12) << k;
    EXPECT_EQ(table.step_at(times[k], 1000), steps);
    EXPECT_EQ(table.step_after(table.elapsed(steps)), steps);
    // Between two steps it is the nearest.
    EXPECT_EQ(table.step_at(times[k] + 0.0012, 1000), steps);
    EXPECT_EQ(table.step_after(table.elapsed(steps) + 0.0012), steps);
  }
}

TEST(Timetable, BeginsWhereASavedStateDoes) {
  Simulation run = preset("double_spherical_pendulum");
  step(run, 40);
  Simulation again = std::move(*Simulation::create(run.continuation()));
  const Timetable table(again.record());
  EXPECT_EQ(table.time(0), run.time());
  EXPECT_EQ(table.elapsed(0), 0);
  step(again, 3);
  EXPECT_EQ(table.time(3), again.time());
  EXPECT_EQ(table.step_at(again.time(), 1000), 3);
}

TEST(Timetable, GoesBackWithTheRun) {
  Simulation run = preset("double_spherical_pendulum");
  std::vector<double> times{run.time()};
  const auto go = [&](int count) {
    for (int i = 0; i < count; ++i) {
      step(run, 1);
      times.push_back(run.time());
    }
  };
  go(20);
  run.reverse();
  go(5);
  ASSERT_TRUE(run.set({{"integrator.step", json::Node(0.02)}}));
  go(10);
  run.reverse();
  go(3);
  const Timetable table(run.record());
  for (std::size_t k = 0; k < times.size(); ++k) {
    const auto steps = static_cast<std::int64_t>(k);
    EXPECT_EQ(table.time(steps), times[k]) << k;
    EXPECT_EQ(table.step_after(table.elapsed(steps)), steps);
  }
  EXPECT_NEAR(table.elapsed(38), run.elapsed(), 1e-12);
  EXPECT_EQ(table.step_at(0.18, 21), 18) << "the way back has not come there";
  EXPECT_EQ(table.step_at(0.18, 38), 22) << "the last time";
}

TEST(Timetable, KnowsNoStepBeforeTheStart) {
  const Simulation run = preset("three_body");
  const Timetable table(run.record());
  EXPECT_EQ(table.step_at(-5, 1000), 0);
  EXPECT_EQ(table.step_after(-5), 0);
  EXPECT_EQ(Timetable().step_at(5, 1000), 0);
  EXPECT_EQ(Timetable().elapsed(0), 0);
}

}  // namespace
}  // namespace twosphere
