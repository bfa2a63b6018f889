// SPDX-License-Identifier: GPL-3.0-or-later
// The times of steps and the steps at times are those of the run.
#include "core/scenario/timetable.h"

#include <gtest/gtest.h>

#include <vector>

#include "core/run/simulation.h"
#include "tests/runs.h"

namespace twosphere::timetable_test {
namespace {

using namespace test;

/// Takes so many steps, and adds the time of each.
void add_times(Simulation& run, int steps, std::vector<double>& times) {
  for (int k = 0; k < steps; ++k) {
    march(run, 1);
    times.push_back(run.time());
  }
}

TEST(Timetable, HasTheTimesOfTheRunToTheLastBit) {
  Simulation run = start(preset());
  std::vector<double> times{run.time()};
  add_times(run, 17, times);
  ASSERT_TRUE(run.set({{"integrator.step", 0.003}}));
  add_times(run, 5, times);
  ASSERT_TRUE(run.set({{"system.gravity", 3.0}}));
  add_times(run, 5, times);
  ASSERT_TRUE(run.set({{"integrator.step", 0.1}}));
  ASSERT_TRUE(run.set({{"integrator.step", 0.02}}));
  add_times(run, 9, times);
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
  Simulation run = start(preset(), 40);
  Simulation again = std::move(*Simulation::create(run.continuation()));
  const Timetable table(again.record());
  EXPECT_EQ(table.time(0), run.time());
  EXPECT_EQ(table.elapsed(0), 0);
  march(again, 3);
  EXPECT_EQ(table.time(3), again.time());
  EXPECT_EQ(table.step_at(again.time(), 1000), 3);
}

TEST(Timetable, GoesBackWithTheRun) {
  Simulation run = start(preset());
  std::vector<double> times{run.time()};
  add_times(run, 20, times);
  run.reverse();
  add_times(run, 5, times);
  ASSERT_TRUE(run.set({{"integrator.step", 0.02}}));
  add_times(run, 10, times);
  run.reverse();
  add_times(run, 3, times);
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
  const Simulation run = start(preset("three_body"));
  const Timetable table(run.record());
  EXPECT_EQ(table.step_at(-5, 1000), 0);
  EXPECT_EQ(table.step_after(-5), 0);
  EXPECT_EQ(Timetable().step_at(5, 1000), 0);
  EXPECT_EQ(Timetable().elapsed(0), 0);
}

}  // namespace
}  // namespace twosphere::timetable_test
