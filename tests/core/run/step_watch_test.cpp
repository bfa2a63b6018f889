// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of a run that become too coarse because the motion becomes faster by itself.
#include "core/run/step_watch.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::test::step_watch_test {
namespace {

/// A body that turns faster and faster, at 1 rad/s + 0.04 rad/s² t.
Scenario spinning(int every, const char* lanes) {
  return value_of(read_scenario(fmt::format(R"json({{"twosphere": 1,
    "system": {{"type": "custom", "inertia": "diag(1)", "potential": "0",
               "force": "f[0] = 0.04*cross(e3, q[0])"}},
    "initial": {{"q": [[1, 0, 0]], "omega": [[0, 0, 1]]}},
    {}, "duration": 150, "every": {}}})json",
                                            lanes, every),
                                "test"));
}

constexpr const char* one_lane = R"("integrator": {"type": "variational", "step": 0.05})";

/// The step after which a lane is called coarse.
std::optional<std::int64_t> found(Simulation& run, int lane, std::int64_t stride) {
  while (!run.finished() && run.coarse_steps(lane).empty()) {
    const std::int64_t next = std::min(run.steps() + stride, run.planned_steps());
    while (run.steps() < next)
      if (run.advance_to(next)) return {};
  }
  if (run.coarse_steps(lane).empty()) return {};
  return run.steps();
}

TEST(StepWatch, SeesRatesThatGrowDuringARun) {
  Simulation run = start(spinning(1000, one_lane));
  const auto step = value_of(found(run, 0, 1));
  // At 0.1 rad in a step the turn is resolved, at 0.2 rad no longer; it is found before 0.25 rad.
  EXPECT_GT(run.state(0).w.norm() * 0.05, 0.1);
  EXPECT_LT(run.state(0).w.norm() * 0.05, 0.25);
  const CoarseStep& coarse = run.coarse_steps(0)[0];
  EXPECT_EQ(coarse.cause, CoarseStep::Cause::rate);
  EXPECT_NEAR(coarse.resolving, 0.1 / run.state(0).w.norm(), 1e-3);
  // Neither the rows nor the calls matter.
  for (const int every : {1, 7, 3000})
    for (const std::int64_t stride : {1, 10, 64}) {
      Simulation other = start(spinning(every, one_lane));
      EXPECT_EQ(value_of(found(other, 0, stride)), (step + stride - 1) / stride * stride) << every;
    }
}

TEST(StepWatch, LeavesTheRunAsItIs) {
  Simulation watched = start(spinning(100, one_lane)), alone = start(spinning(100, one_lane));
  EXPECT_TRUE(watched.coarse_steps(0).empty());
  while (watched.steps() < 2000) ASSERT_FALSE(watched.advance_to(2000));
  EXPECT_FALSE(watched.coarse_steps(0).empty());
  while (alone.steps() < 2000) ASSERT_FALSE(alone.advance_to(2000));
  EXPECT_EQ(bytes(watched), bytes(alone));
}

TEST(StepWatch, KnowsEachLane) {
  Simulation run = start(spinning(100, R"("lanes": [
    {"type": "variational", "step": 0.05}, {"type": "variational", "name": "fine", "step": 0.005},
    {"type": "rk4", "step": 0.05}, {"type": "rk2", "step": 0.05}, {"type": "rk78", "step": 0.05}])"));
  EXPECT_TRUE(found(run, 0, 1));
  EXPECT_TRUE(run.coarse_steps(1).empty());
  EXPECT_TRUE(run.coarse_steps(2).empty());
  EXPECT_TRUE(run.coarse_steps(4).empty());
  // Half the step resolves for rk2.
  EXPECT_FALSE(run.coarse_steps(3).empty());
}

// The pause after a motion that is judged and found resolved.
TEST(StepWatch, LooksAtAFewStepsFromTimeToTime) {
  const Columns q = Vec3(1, 0, 0);
  const IntegratorInfo& info = *find_integrator("variational");
  StepWatch watch(100, 0.01, 10);
  EXPECT_GT(watch.next(), std::int64_t{1} << 60) << "there is no lane";
  watch.add_lane(nullptr, 1, q);
  watch.add_lane(find_integrator("rk78"), 1, q);
  EXPECT_GT(watch.next(), std::int64_t{1} << 60) << "none is watched";
  watch.add_lane(&info, 1, q);
  EXPECT_EQ(watch.next(), 400);
  std::int64_t looks = 0;
  while (watch.next() < 100'000) {
    EXPECT_FALSE(watch.look(2, q));
    watch.continue_watch();
    ++looks;
  }
  EXPECT_LT(looks, 400);
}

}  // namespace
}  // namespace twosphere::test::step_watch_test
