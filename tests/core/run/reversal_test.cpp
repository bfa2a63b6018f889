// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that go backwards in time.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/catalog.h"
#include "core/run/simulation.h"
#include "core/scenario/reader.h"
#include "core/scenario/schedule.h"
#include "core/scenario/writer.h"
#include "tests/outcome.h"
#include "tests/runs.h"
#include "tests/taken.h"

namespace twosphere::test::reversal_test {
namespace {

Scenario with_method(std::string_view key, std::string_view method) {
  return with(preset(key), {{"integrator.type", method}});
}

/// There and back; the distances of the lanes from the start.
std::vector<StartDistance> there_and_back(Scenario scenario, std::int64_t steps) {
  scenario.events = {{.step = steps, .reverse = true}};
  Simulation run = start(scenario, 2 * steps);
  EXPECT_EQ(run.time(), start(scenario).time()) << "the same times, to the last digit";
  return run.start_distances();
}

/// The Cayley form solves all bodies together: not of many.
bool quick(const IntegratorInfo& method, const Scenario& scenario) {
  return takes(method, scenario) && (method.key != "variational_cayley" || scenario.size() <= 20);
}

TEST(Reversal, MethodsRetraceTheirSteps) {
  Taken taken;
  for (const Preset& p : presets())
    for (const IntegratorInfo& method : integrators()) {
      if (!quick(method, preset(p.key))) continue;
      const Scenario scenario = with_method(p.key, method.key);
      const auto off = there_and_back(scenario, scenario.size() > 100 ? 3 : 100);
      ASSERT_EQ(off.size(), 1u);
      const double scale = std::max(1.0, scenario.omega.colwise().norm().maxCoeff());
      const double most = method.reversible ? 1e-10 : method.adaptive ? 0.3 : 1e-2;
      EXPECT_LT(off[0].q, most) << p.key << " " << method.key;
      EXPECT_LT(off[0].omega, most * 100 * scale) << p.key << " " << method.key;
      taken.add(p, method);
    }
  taken.expect_all(109);
}

TEST(Reversal, TheWholeOfAPresetThereAndBack) {
  const auto distance = [](std::string_view method) {
    const Scenario scenario = with_method("chain_pendulum", method);
    return there_and_back(with(scenario, {{"duration", 5.0}}), 1000)[0].q;
  };
  EXPECT_LT(distance("variational"), 1e-8);
  EXPECT_GT(distance("rk4"), 10 * distance("variational"));
}

TEST(Reversal, AWayBackContinuesBitForBitFromItsStateFile) {
  Taken taken;
  for (const Preset& p : presets())
    for (const IntegratorInfo& method : integrators()) {
      if (!quick(method, preset(p.key))) continue;
      Scenario scenario = with_method(p.key, method.key);
      const int steps = scenario.size() > 100 ? 2 : 30;
      scenario.events = {{.step = 2 * steps, .reverse = true}};
      Simulation whole = start(scenario, 5 * steps), half = start(scenario);  // past the start
      march(half, 3 * steps);
      Simulation rest = loaded(half);
      EXPECT_TRUE(rest.reversed());
      EXPECT_EQ(rest.time(), half.time());
      march(rest, 2 * steps);
      EXPECT_LT(rest.time(), 0);
      EXPECT_EQ(bytes(rest), bytes(whole)) << p.key << " " << method.key;
      Simulation beyond = loaded(rest);
      EXPECT_EQ(bytes(beyond), bytes(whole)) << "also with a negative index";
      taken.add(p, method);
    }
  taken.expect_all(109);
}

TEST(Reversal, ALiveReversalIsAnEventThatRepeatsTheRun) {
  Simulation live = start(with(preset(), {{"duration", 2.0}}), 50);
  live.reverse();
  EXPECT_TRUE(live.reversed());
  march(live, 20);
  ASSERT_TRUE(live.set({{"system.gravity", 5.0}, {"integrator.step", 0.02}}));
  EXPECT_TRUE(live.reversed()) << "a step has no sign";
  const double before = live.time();
  march(live, 10);
  EXPECT_EQ(live.time(), before - 10 * 0.02);
  live.reverse();
  march(live, 30);
  EXPECT_GT(live.time(), before);
  const std::string record = write_scenario(live.record());
  EXPECT_TRUE(says(record, "\"reverse\": true"));
  const auto read = value_of(read_scenario(record, "record"));
  EXPECT_EQ(write_scenario(read), record);
  Simulation repeated = start(read, live.steps());
  EXPECT_EQ(bytes(repeated), bytes(live));
  EXPECT_EQ(planned_steps(live.record()), live.planned_steps());
  EXPECT_EQ(repeated.planned_steps(), live.planned_steps());
}

TEST(Reversal, ToTheStartEndsThere) {
  for (const std::int64_t at : {1200, 670, 2000}) {  // at 0.6 T, 6.7 s and T
    SCOPED_TRACE(at);
    Simulation run = start(with(preset(), {{"duration", 20.0}}), at);
    run.reverse(true);
    EXPECT_EQ(run.planned_steps(), 2 * at);
    EXPECT_NEAR(run.present().duration, 0.02 * static_cast<double>(at), 1e-12) << "saved";
    // Again, at once: as if never.
    const std::string record = write_scenario(run.record());
    run.reverse(true);
    EXPECT_FALSE(run.reversed());
    EXPECT_EQ(run.planned_steps(), 2000);
    EXPECT_TRUE(run.record().events.empty());
    EXPECT_TRUE(run.markers().empty());
    EXPECT_EQ(run.present().duration, 20);
    run.reverse(true);
    EXPECT_EQ(write_scenario(run.record()), record);
    march(run, at);
    EXPECT_TRUE(run.finished());
    EXPECT_EQ(run.time(), 0);
    EXPECT_EQ(run.start_distances().size(), 1u);
    // The record takes the same steps headless.
    EXPECT_EQ(planned_steps(run.record()), 2 * at);
    Simulation repeated = start(run.record(), 2 * at);
    EXPECT_TRUE(repeated.finished());
    EXPECT_EQ(bytes(repeated), bytes(run));
    // Rewind plans what was planned first.
    EXPECT_EQ(run.rewound().duration, 20);
    // Past the start it comes back to it.
    march(run, 100);
    run.reverse(true);
    EXPECT_EQ(run.planned_steps(), 2 * at + 200);
  }
}

TEST(Reversal, TwiceGoesOnToWhereTheRunWasToEnd) {
  for (const std::int64_t at : {1200, 670, 2000}) {
    Simulation run = start(with(preset(), {{"duration", 20.0}}), at);
    run.reverse(true);
    march(run, 300);
    run.reverse(true);
    EXPECT_EQ(run.planned_steps(), at + 300 + (2000 - (at - 300))) << at;
    march(run, run.planned_steps() - run.steps());
    EXPECT_NEAR(run.time(), 20, 1e-12) << at;
    EXPECT_TRUE(run.finished());
    EXPECT_EQ(planned_steps(run.record()), run.planned_steps());
  }
}

TEST(Reversal, OfAFileKeepsItsPlan) {
  Scenario scenario = with(preset(), {{"duration", 20.0}});
  scenario.events = {{.step = 670, .reverse = true}};
  EXPECT_EQ(planned_steps(scenario), 2000);
  EXPECT_EQ(start(scenario).planned_steps(), 2000);
}

TEST(Reversal, ManyStepsInOneCallAreThoseOfManyCalls) {
  Scenario scenario = with(preset(), {{"duration", 1.0}, {"every", 7.0}});
  scenario.events = {{.step = 40, .reverse = true}, {.step = 55, .reverse = true}};
  Simulation one = start(scenario, 100), many = start(scenario);
  while (many.steps() < 100) ASSERT_FALSE(many.advance_to(100));
  EXPECT_EQ(bytes(one), bytes(many));
  EXPECT_EQ(one.elapsed(), 1.0);
  EXPECT_NEAR(one.time(), 0.7, 1e-12);
}

TEST(Reversal, TwiceAtAStepIsAsIfNever) {
  for (const int at : {0, 10, 200}) {  // at the start, on the way, at the end
    Simulation run = start(with(preset(), {{"duration", 2.0}})),
               plain = run.record().events.empty() ? start(run.record()) : start(preset());
    march(run, at);
    march(plain, at);
    run.reverse();
    run.reverse();
    EXPECT_FALSE(run.reversed());
    EXPECT_TRUE(run.record().events.empty());
    EXPECT_TRUE(run.markers().empty());
    EXPECT_EQ(run.planned_steps(), 200);
    run.reverse();
    EXPECT_EQ(run.record().events.size(), 1u);
    run.reverse();
    march(run, 5);
    march(plain, 5);
    EXPECT_EQ(bytes(run), bytes(plain)) << at;
  }
}

TEST(Reversal, TwiceAtAStepKeepsWhatWasMeasuredThere) {
  Simulation run = start(with(preset(), {{"duration", 1.0}}), 100);
  run.reverse();
  march(run, 100);
  ASSERT_EQ(run.start_distances().size(), 1u);
  run.reverse();
  EXPECT_TRUE(run.start_distances().empty());
  run.reverse();
  EXPECT_EQ(run.start_distances().size(), 1u);
}

TEST(Reversal, ThePlanStaysUnlessTheRunIsAtItsEnd) {
  Simulation early = start(with(preset(), {{"duration", 1.0}}), 30);
  early.reverse();
  EXPECT_EQ(early.planned_steps(), 100);
  Simulation run = start(with(preset(), {{"duration", 1.0}}), 100);
  EXPECT_TRUE(run.finished());
  run.reverse();
  EXPECT_FALSE(run.finished());
  EXPECT_EQ(run.planned_steps(), 200) << "back to the start";
  march(run, 100);
  EXPECT_TRUE(run.finished());
  EXPECT_EQ(run.time(), 0);
  EXPECT_EQ(run.start_distances().size(), 1u);
  EXPECT_EQ(run.start_distances()[0].step, 200);
  // Past the start it is still known.
  Simulation past = start(run.record());
  while (past.steps() < 230) ASSERT_FALSE(past.advance_to(230));
  ASSERT_EQ(past.start_distances().size(), 1u);
  EXPECT_EQ(past.start_distances()[0].step, 200);
  EXPECT_EQ(past.start_distances()[0].q, run.start_distances()[0].q);
  // A repetition knows that it continues.
  Simulation repeated = start(run.record());
  EXPECT_EQ(planned_steps(run.record()), 200);
  while (!repeated.finished()) ASSERT_FALSE(repeated.step());
  EXPECT_EQ(bytes(repeated), bytes(run));
  run.reverse();
  EXPECT_EQ(run.planned_steps(), 300) << "the way there again";
  march(run, 100);
  EXPECT_TRUE(run.start_distances().empty());
  // From the start backwards, and back to it.
  Scenario backwards = with(preset(), {{"duration", 1.0}});
  backwards.events = {{.step = 0, .reverse = true}, {.step = 100, .reverse = true}};
  Simulation before = start(backwards);
  while (!before.finished()) ASSERT_FALSE(before.step());
  EXPECT_EQ(before.steps(), 200);
  ASSERT_EQ(before.start_distances().size(), 1u);
  EXPECT_LT(before.start_distances()[0].q, 1e-12);
}

TEST(Reversal, LanesOfDifferentStepsGoBackTogether) {
  auto lanes = value_of(json::parse_value(R"([{"type": "variational", "step": 0.01},
      {"type": "variational4", "step": 0.005}, {"type": "rk45", "step": 0.01},
      {"type": "rk4", "step": 0.0025}])"));
  const auto off = there_and_back(with(preset(), {{"lanes", lanes}}), 300);
  ASSERT_EQ(off.size(), 4u);
  EXPECT_LT(off[0].q, 1e-11);
  EXPECT_LT(off[1].q, 1e-11);
  EXPECT_GT(off[2].q, 1e-8);
  EXPECT_LT(off[3].q, 1e-6);
}

TEST(Reversal, WorkIsTakenBack) {
  auto torque =
      value_of(json::parse_value(R"({"type": "sine", "amplitude": [3, 0, 1], "frequency": 0.7})"));
  for (const char* method : {"variational", "rk4", "rk45"}) {
    Scenario scenario = with(preset("chain_pendulum"), {{"integrator.type", method},
                                                        {"integrator.step", 1e-3},
                                                        {"system.control_torque", torque}});
    scenario.events = {{.step = 500, .reverse = true}};
    Simulation run = start(scenario, 500);
    const double there = run.lane(0).work.value();
    EXPECT_GT(std::abs(there), 0.1);
    const double error = std::abs(run.sample(0)[Quantity::energy_error]);
    march(run, 500);
    EXPECT_LT(std::abs(run.lane(0).work.value()), 1e-2 * std::abs(there)) << method;
    EXPECT_LT(std::abs(run.sample(0)[Quantity::energy_error]), 10 * error + 1e-9) << method;
  }
}

TEST(Reversal, DampingGrowsBackwardsOrIsRefused) {
  const auto scenario = [](double damping, const char* method) {
    return with(preset("chain_pendulum"),
                {{"system.damping", damping}, {"integrator.type", method}});
  };
  for (const char* method : {"variational", "rk4"}) {
    Scenario weak = scenario(0.1, method);
    const auto off = there_and_back(weak, 100);
    EXPECT_LT(off[0].q, 1e-5) << method;
  }
  Scenario strong = scenario(1e4, "variational");
  strong.events = {{.step = 3, .reverse = true}};
  Simulation run = start(strong, 3);
  const auto failure = value_of(run.step());
  EXPECT_EQ(failure.report.status, StepStatus::damping_too_strong);
  EXPECT_TRUE(says(failure.message, "backwards in time"));
  run.reverse();
  march(run, 2);
}

TEST(Reversal, StopsAtATimeInTheDirectionOfTheRun) {
  auto stop = value_of(json::parse_value(R"([{"time": 0.3}, {"time": 0.7}])"));
  Simulation run = start(with(preset(), {{"stop", stop}}));
  const auto until_stopped = [&] {
    for (int k = 0; k < 100; ++k) {
      const auto failure = run.step();
      ASSERT_FALSE(failure);
      if (run.stopped()) return;
    }
  };
  until_stopped();
  EXPECT_NEAR(run.time(), 0.3, 1e-12);
  march(run, 20);
  run.reverse();
  EXPECT_FALSE(run.stopped());
  until_stopped();
  EXPECT_NEAR(run.time(), 0.3, 1e-12) << "0.7 s is behind";
}

TEST(Reversal, EventsAreRead) {
  const auto refused = [](const char* events) {
    std::string text = write_scenario(preset());
    text.insert(text.rfind('}'), fmt::format(", \"events\": {}", events));
    const auto read = read_scenario(text, "x");
    return read ? "read" : read.error().text();
  };
  EXPECT_EQ(refused(R"([{"step": 5, "reverse": true}, {"step": 5, "reverse": true}])"), "read");
  EXPECT_TRUE(
      says(refused(R"([{"step": 5, "reverse": false}])"), "must be true or omitted, not false"));
  EXPECT_TRUE(says(refused(R"([{"step": 5, "reverse": true, "set": {"duration": 3}}])"),
                   "cannot be combined with reverse"));
  EXPECT_TRUE(says(refused(R"([{"step": 5, "reverse": true, "resume": true}])"),
                   "cannot be combined with resume"));
  std::string text = write_scenario(preset());
  text.insert(text.rfind('}'), ", \"reversed\": true");
  EXPECT_TRUE(says(error_of(read_scenario(text, "x")).text(), "belongs to a saved state"));
}

}  // namespace
}  // namespace twosphere::test::reversal_test
