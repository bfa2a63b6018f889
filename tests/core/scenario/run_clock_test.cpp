// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/run_clock.h"

#include <gtest/gtest.h>

#include "core/catalog.h"
#include "core/run/simulation.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/reader.h"
#include "core/scenario/schedule.h"
#include "tests/outcome.h"

namespace twosphere::run_clock_test {
namespace {

using test::error_of, test::says, test::value_of;

Scenario pendulum(double step, double duration) {
  const Preset& preset = *find_preset("double_spherical_pendulum");
  Scenario scenario = *read_scenario(preset.text, preset.key);
  scenario.lanes[0].step = step;
  scenario.duration = duration;
  return scenario;
}

TEST(ClockOfARun, CountsTheStepsToATimeInItsDirection) {
  RunClock clock(pendulum(0.1, 2));
  clock.advance(10);
  EXPECT_EQ(clock.steps_to(1.26), 3);
  EXPECT_EQ(clock.steps_to(1.04), 0);
  EXPECT_EQ(clock.steps_to(0.5), -5);
  clock.reverse();
  EXPECT_EQ(clock.steps_to(0.5), 5);
  EXPECT_GT(clock.steps_to(-1e300), 1'000'000'000'000'000'000);
  EXPECT_LT(clock.steps_to(1e300), -1'000'000'000'000'000'000);
}

TEST(ClockOfARun, StartsAnewWhereTheStepChanges) {
  RunClock clock(pendulum(0.1, 2));
  EXPECT_EQ(clock.planned_steps(), 20);
  clock.advance(3);
  const double now = clock.time();
  EXPECT_EQ(now, 3 * 0.1);
  clock.change(0.25, 0);
  EXPECT_EQ(clock.time(), now);
  EXPECT_EQ(clock.clock().index, 0);
  EXPECT_EQ(clock.steps(), 3);
  EXPECT_EQ(clock.planned_steps(), 3 + 7) << "1.7 s take 6.8 steps";
  clock.advance(2);
  EXPECT_EQ(clock.time(), now + 2 * 0.25);
}

TEST(ClockOfARun, MovesItsEndWithTheDuration) {
  RunClock clock(pendulum(0.1, 2));
  clock.advance(5);
  clock.change(0.1, 0);
  EXPECT_EQ(clock.clock().index, 5) << "nothing has changed";
  clock.change(0.1, -1);
  EXPECT_EQ(clock.planned_steps(), 10);
  clock.change(0.1, -0.9);
  EXPECT_TRUE(clock.finished()) << "its end has passed";
  EXPECT_EQ(clock.planned_steps(), 5);
}

TEST(ClockOfARun, CountsDownWhenReversed) {
  RunClock clock(pendulum(0.1, 2));
  clock.advance(3);
  const double there = clock.time();
  clock.advance(4);
  clock.reverse();
  EXPECT_FALSE(clock.finished());
  EXPECT_EQ(clock.planned_steps(), 20) << "the plan stays";
  EXPECT_EQ(clock.return_step(), 14);
  clock.advance(4);
  EXPECT_EQ(clock.time(), there) << "to the last digit";
  EXPECT_EQ(clock.steps(), 11);
  EXPECT_EQ(clock.elapsed(), 11 * 0.1);
  clock.change(0.05, 0);
  EXPECT_EQ(clock.return_step(), 11 + 6);
  EXPECT_EQ(clock.planned_steps(), 11 + 18);
  clock.change(0.07, 0);
  EXPECT_FALSE(clock.return_step()) << "no step is at the start";
  clock.advance(5);
  EXPECT_EQ(clock.time(), there - 5 * 0.07);
  EXPECT_LT(clock.time(), 0);
  clock.reverse();
  EXPECT_FALSE(clock.return_step());
  clock.change(0.05, 0);
  EXPECT_EQ(clock.return_step(), clock.steps() + 1);
}

TEST(ClockOfARun, AReversalAtTheEndExtendsThePlan) {
  RunClock clock(pendulum(0.1, 2));
  EXPECT_FALSE(clock.return_step());
  clock.advance(20);
  clock.reverse();
  EXPECT_EQ(clock.planned_steps(), 40) << "to the start";
  EXPECT_DOUBLE_EQ(clock.end_time(), 4) << "of the time elapsed";
  clock.advance(20);
  EXPECT_EQ(clock.time(), 0);
  clock.advance(5);
  clock.reverse();
  EXPECT_EQ(clock.planned_steps(), 45 + 5) << "to the start again";
  clock.advance(5);
  clock.reverse();
  EXPECT_EQ(clock.planned_steps(), 50 + 20) << "the duration beyond it";
}

TEST(ClockOfARun, HasDifferentTimesAtAllSteps) {
  EXPECT_EQ(unresolved_times(0.125, 1e15), "");
  EXPECT_EQ(unresolved_times(0.01, 1e15),
            "must be at least 0.125 s, the distance of neighbouring numbers at t = 1e+15 s, which "
            "the run reaches; with 0.01 s rows would have equal times");
  EXPECT_EQ(unresolved_times(1e-300, 0), "");
  // Also where the step changes during the run, and where only the last times are too large.
  Scenario late = pendulum(0.01, 1);
  late.continuation.emplace();
  late.continuation->time_origin = 1e12;
  late.continuation->lanes = {{.time_origin = 1e12}};
  auto run = value_of(Simulation::create(late));
  ASSERT_FALSE(run.step());
  const Error done = error_of(run.set({{"integrator.step", 1e-5}}));
  EXPECT_EQ(done.location, "integrator.step");
  EXPECT_TRUE(says(done.message, "equal times"));
  EXPECT_EQ(run.grid_step(), 0.01);
  EXPECT_TRUE(run.set({{"integrator.step", 1e-3}}));
  EXPECT_TRUE(with_setting(late, "integrator.step", 1e-3));
  EXPECT_FALSE(with_setting(late, "integrator.step", 1e-5));
  EXPECT_TRUE(with_setting(late, "duration", 1e13));
  EXPECT_FALSE(with_setting(late, "duration", 1e15));
}

TEST(ClockOfARun, APlanIsWhatTheRunComesTo) {
  Scenario scenario = pendulum(0.01, 1);
  scenario.events = {{10, {{"integrator.step", 0.003}}},
                     {40, {{"system.gravity", 3.0}, {"lanes[0].step", 0.02}}},
                     {45, {{"duration", 0.7}}},
                     {.step = 50, .reverse = true},
                     {52, {{"integrator.step", 0.01}}}};
  const std::int64_t planned = planned_steps(scenario);
  auto run = Simulation::create(scenario);
  while (!run->finished()) ASSERT_FALSE(run->step());
  EXPECT_EQ(run->steps(), planned);
  EXPECT_EQ(run->planned_steps(), planned);
  EXPECT_NEAR(duration_of(planned, scenario.lanes, scenario.events), run->elapsed(), 1e-12);
  EXPECT_LT(run->time(), run->elapsed());
}

}  // namespace
}  // namespace twosphere::run_clock_test
