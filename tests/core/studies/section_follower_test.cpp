// SPDX-License-Identifier: GPL-3.0-or-later
// Points of a run that is repeated beside it: those of the run itself, bit for bit, through edits
// and ways back.
#include "core/studies/section_follower.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

#include "core/scenario/poincare_section.h"
#include "core/scenario/section_surface.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::test::section_follower_test {
namespace {

using Progress = std::shared_ptr<const SectionFollower::Progress>;

/// Waits for progress.
struct Watch {
  SectionFollower follower;

  template <class Condition>
  Progress wait(int number, const Condition& enough) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    for (;;) {
      Progress now = follower.progress(number);
      if (now && enough(*now)) return now;
      if (std::chrono::steady_clock::now() > end) {
        ADD_FAILURE() << "no such progress";
        return now;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  Progress at(int number, std::int64_t steps) {
    return wait(number, [&](const auto& now) { return now.steps == steps; });
  }
};

std::shared_ptr<const Scenario> record(Scenario scenario) {
  if (!scenario.section) scenario.section = default_section(scenario);
  return std::make_shared<const Scenario>(std::move(scenario));
}

Scenario two_lanes() {
  return with(preset(), {{"lanes", *json::parse_value(R"([{"type": "variational", "step": 0.01},
                                                          {"type": "rk4", "step": 0.005}])")}});
}

Event setting(std::int64_t step, const char* path, double value) {
  return {.step = step, .set = {{path, json::Node(value)}}};
}

/// Those of the run itself.
void expect_points(const Progress& progress, const Scenario& scenario, std::int64_t steps) {
  ASSERT_TRUE(progress);
  Simulation run = start(scenario);
  ASSERT_TRUE(run.follow_section(*scenario.section));
  march(run, steps);
  ASSERT_EQ(progress->lanes.size(), static_cast<std::size_t>(run.lane_count()));
  std::vector<double> values;
  for (int i = 0; i < run.lane_count(); ++i) {
    const auto expected = run.take_section_points(i);
    const SectionPoints& points = progress->lanes[static_cast<std::size_t>(i)];
    ASSERT_EQ(points.size(), expected.size()) << i;
    EXPECT_GT(points.size(), 3U);
    for (std::size_t k = 0; k < points.size(); ++k) {
      run.lane(i).crossings->surface()->coordinates(expected[k].state, values);
      EXPECT_EQ(points.t(k), expected[k].state.t);
      EXPECT_EQ(points.step(k), expected[k].step);
      EXPECT_EQ(points.number(k), expected[k].number);
      EXPECT_EQ(points.direction(k), expected[k].direction);
      for (std::size_t c = 0; c < values.size(); ++c) EXPECT_EQ(points.values(k)[c], values[c]);
    }
  }
}

TEST(SectionFollower, HasThePointsOfEveryLaneOfTheRun) {
  Watch watch;
  const auto run = record(two_lanes());
  for (const std::int64_t steps : {1, 3000, 8000}) watch.follower.follow(0, {run, steps});
  expect_points(watch.at(0, 8000), *run, 8000);
}

TEST(SectionFollower, AGrowingRecordGoesOnAndAnEditIsMarked) {
  Watch watch;
  Scenario scenario = *record(two_lanes());
  watch.follower.follow(0, {record(scenario), 4000});
  const Progress before = watch.at(0, 4000);
  scenario.events.push_back(setting(4000, "system.gravity", 5));
  scenario.events.push_back(setting(4000, "duration", 200));
  watch.follower.follow(0, {record(scenario), 9000});
  const Progress after = watch.at(0, 9000);
  expect_points(after, scenario, 9000);
  ASSERT_EQ(after->before_change.size(), 2U);
  for (std::size_t lane = 0; lane < 2; ++lane) {
    EXPECT_EQ(after->before_change[lane], before->lanes[lane].size());
    EXPECT_EQ(after->lanes[lane].version(), before->lanes[lane].version()) << "nothing was cut";
  }
}

TEST(SectionFollower, GoesBackToWhereAnotherBranchBegan) {
  Watch watch;
  Scenario scenario = *record(two_lanes());
  scenario.events.push_back(setting(3000, "system.gravity", 5));
  scenario.events.push_back(setting(6000, "system.gravity", 12));
  watch.follower.follow(0, {record(scenario), 9000});
  const Progress first = watch.at(0, 9000);
  expect_points(first, scenario, 9000);

  Scenario branch = scenario;
  branch.events[1] = setting(4500, "system.gravity", 2);
  watch.follower.follow(0, {record(branch), 7000});
  const Progress second = watch.at(0, 7000);
  expect_points(second, branch, 7000);
  // The points of the first are still those it had.
  expect_points(first, scenario, 9000);
  // And back, to fewer steps of it.
  watch.follower.follow(0, {record(scenario), 2500});
  const Progress third = watch.at(0, 2500);
  expect_points(third, scenario, 2500);
  EXPECT_EQ(third->before_change[0], 0U) << "the change is ahead again";
}

TEST(SectionFollower, AnotherStartOrSectionBeginsAnew) {
  Watch watch;
  Scenario scenario = *record(two_lanes());
  watch.follower.follow(0, {record(scenario), 5000});
  watch.at(0, 5000);
  scenario.omega *= 0.5;
  watch.follower.follow(0, {record(scenario), 5001});
  expect_points(watch.at(0, 5001), scenario, 5001);
  scenario.section->direction = PoincareSection::Direction::both;
  watch.follower.follow(0, {record(scenario), 5002});
  expect_points(watch.at(0, 5002), scenario, 5002);
}

TEST(SectionFollower, FollowsSeveralRunsAndEndsAtANumberOfPoints) {
  Watch watch;
  Scenario other = preset();
  other.omega *= 0.8;
  watch.follower.follow(0, {record(preset()), 4000});
  watch.follower.follow(1, {.record = record(other), .points = 20});
  const Progress some = watch.wait(1, [](const auto& now) { return now.ended; });
  EXPECT_GE(some->lanes[0].size(), 20U);
  EXPECT_TRUE(some->problem.empty());
  expect_points(watch.at(0, 4000), *record(preset()), 4000);
  // More of them.
  watch.follower.follow(1, {.record = record(other), .points = 200});
  const Progress more =
      watch.wait(1, [](const auto& now) { return now.ended && now.lanes[0].size() >= 200; });
  expect_points(more, *record(other), more->steps);
  watch.follower.forget(1);
  EXPECT_FALSE(watch.follower.progress(1));
}

TEST(SectionFollower, SaysWhyARunEnds) {
  Watch watch;
  Scenario wrong = *record(preset());
  wrong.section->expression = "q[7].e1";
  watch.follower.follow(0, {record(wrong), 100});
  const Progress refused = watch.wait(0, [](const auto& now) { return now.ended; });
  EXPECT_TRUE(says(refused->problem, "q[7]"));
  // And continues with a right one.
  watch.follower.follow(0, {record(preset()), 3000});
  expect_points(watch.at(0, 3000), *record(preset()), 3000);
}

TEST(SectionFollower, ALongStepEndsWithIt) {
  const auto run = record(preset("lennard_jones"));
  const auto begun = std::chrono::steady_clock::now();
  {
    Watch watch;
    watch.follower.follow(0, {run, 1'000'000});
    watch.wait(0, [](const auto&) { return true; });
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(20));
}

TEST(UsualSection, IsCrossedByEveryPresetThatMoves) {
  int crossed = 0;
  for (const Preset& preset : presets()) {
    const auto scenario = value_of(read_scenario(preset.text, preset.key));
    const PoincareSection section = default_section(scenario);
    const auto surface = SectionSurface::create(section, scenario);
    ASSERT_TRUE(surface) << preset.key << ": " << surface.error().text();
    EXPECT_GE(section.coordinates.size(), 2U) << preset.key;
    if (scenario.size() > 50) continue;
    Simulation run = start(scenario);
    ASSERT_TRUE(run.follow_section(section));
    for (int k = 0; k < 20'000 && !run.finished(); ++k)
      if (run.step()) break;
    const State& end = run.state(0);
    if (end.q == scenario.q) continue;  // at rest
    EXPECT_FALSE(run.take_section_points(0).empty()) << preset.key << ' ' << section.expression;
    ++crossed;
  }
  EXPECT_GE(crossed, 11);
}

}  // namespace
}  // namespace twosphere::test::section_follower_test
