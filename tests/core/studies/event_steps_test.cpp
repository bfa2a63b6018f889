// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/event_steps.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/json.h"
#include "tests/replaced.h"
#include "tests/runs.h"

namespace twosphere::test::event_steps_test {
namespace {

Event setting(std::int64_t step, const char* path, double value) {
  Event event;
  event.step = step;
  event.set = {{path, value}};
  return event;
}

EventSteps after(const std::vector<Event>& events, const char* key = "custom/pendulum") {
  Scenario record = preset(key);
  record.events = events;
  Simulation run = start(record);
  return coarse_after_events(run.record(), run.state(0), {});
}

TEST(EventSteps, AreCoarseWithTheSettingsThatAnEventLeaves) {
  EXPECT_TRUE(after({}).coarse.empty());
  EXPECT_TRUE(after({setting(100, "system.g", 20)}).coarse.empty());
  const auto found = after({setting(500, "system.g", 3000), setting(600, "system.g", 9.81)}).coarse;
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].lane, "variational");
  EXPECT_DOUBLE_EQ(found[0].t, 5);
  ASSERT_EQ(found[0].coarse.size(), 1U);
  EXPECT_EQ(describe(found[0].coarse[0]),
            "the step, 0.01 s, is 4.9 times the largest that resolves the fastest rate, 0.002 s");
}

TEST(EventSteps, AreThoseOfTheEventWhereTheyAreCoarsest) {
  const auto found = after({setting(100, "system.g", 3000), setting(200, "system.g", 98100),
                            setting(300, "system.g", 4905)})
                         .coarse;
  ASSERT_EQ(found.size(), 1U);
  EXPECT_DOUBLE_EQ(found[0].t, 2);
}

TEST(EventSteps, AreJudgedAfterTheStepIsSet) {
  const auto found =
      after({setting(100, "integrator.step", 0.16), setting(200, "duration", 50)}).coarse;
  ASSERT_EQ(found.size(), 1U);
  EXPECT_DOUBLE_EQ(found[0].t, 1);
  EXPECT_EQ(found[0].coarse[0].step, 0.16);
}

TEST(EventSteps, OfSettingsThatFollowOneAnother) {
  // Each of them alone leaves steps that resolve.
  EXPECT_TRUE(after({setting(100, "system.g", 100)}).coarse.empty());
  EXPECT_TRUE(after({setting(100, "system.l", 0.1)}).coarse.empty());
  const auto found = after({setting(100, "system.g", 100), setting(200, "system.l", 0.1)}).coarse;
  ASSERT_EQ(found.size(), 1U);
  EXPECT_DOUBLE_EQ(found[0].t, 2);
}

TEST(EventSteps, OfSettingsThatNoStepHasAreNotJudged) {
  EXPECT_TRUE(after({setting(100, "system.g", 3000), setting(100, "integrator.step", 5e-4)})
                  .coarse.empty());
}

TEST(EventSteps, OfLanesThatAreAddedAreJudgedAlone) {
  const auto found = [](const char* method) {
    const std::string events =
        replaced(R"([{"step": 50, "add_lane": {"type": "METHOD", "step": 0.16, "name": "added"}}])",
                 "METHOD", method);
    Simulation run = start(
        with(preset("custom/pendulum"),
             {{"integrator.step", 0.16}, {"events", value_of(json::parse(events, "events"))}}));
    return coarse_after_events(run.record(), run.state(0), {}).coarse;
  };
  EXPECT_TRUE(found("gauss16").empty());
  const auto of_heun = found("heun");
  ASSERT_EQ(of_heun.size(), 1U);
  EXPECT_EQ(of_heun[0].lane, "added");
  EXPECT_DOUBLE_EQ(of_heun[0].t, 8);
}

TEST(EventSteps, AreNotThoseThatAreAsCoarseFromTheStartOn) {
  Scenario record = preset("custom/pendulum");
  record.lanes[0].step = 0.16;
  record.events = {setting(10, "system.g", 9.8)};
  Simulation run = start(record);
  const auto report = system_report(*run.system(), run.state(0), run.present().lanes);
  EXPECT_TRUE(coarse_after_events(run.record(), run.state(0), *report).coarse.empty());
  EXPECT_EQ(coarse_after_events(run.record(), run.state(0), {}).coarse.size(), 1U);
}

TEST(EventSteps, AreJudgedUpToALimitThatIsSaid) {
  const auto until = [](Scenario record, const char* path, int more) {
    const double each = min_operations_judged + start(record).system()->operations();
    const int most = static_cast<int>(max_operations_judged / each) + 1;
    for (int k = 1; k <= most + more; ++k)
      record.events.push_back(setting(k, path, 1 + 1e-3 * (k % 2)));
    Simulation run = start(record);
    return coarse_after_events(run.record(), run.state(0), {}).judged_until;
  };
  const Scenario pairs = value_of(read_scenario(
      R"x({"twosphere": 1, "system": {"type": "custom", "bodies": 642, "parameters": {"k": 1},
          "inertia": "diag(1)", "potential": "k*sum(i < j: 1/(2 + q[i].q[j]))"},
        "initial": {"generator": {"type": "icosphere", "subdivisions": 3}},
        "integrator": {"type": "rotation", "step": 0.001}, "duration": 1})x",
      "pairs.json"));
  // Of 4096 bodies, of two, and of 205 761 pairs.
  for (const auto& [record, path] :
       {std::pair(preset("skyrmion"), "system.exchange"),
        std::pair(preset("custom/pendulum"), "system.g"), std::pair(pairs, "system.k")}) {
    EXPECT_TRUE(std::isinf(until(record, path, 0))) << path;
    EXPECT_TRUE(std::isfinite(until(record, path, 1))) << path;
  }
}

}  // namespace
}  // namespace twosphere::test::event_steps_test
