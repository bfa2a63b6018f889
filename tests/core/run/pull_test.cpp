// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies that are pulled in the middle of a run.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>

#include "core/base/interrupt.h"
#include "core/base/json.h"
#include "core/catalog.h"
#include "core/mechanics/pulled_system.h"
#include "core/run/simulation.h"
#include "core/scenario/file_limits.h"
#include "core/scenario/reader.h"
#include "core/scenario/writer.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::test::pull_test {
namespace {

TEST(Pull, ActsOnThePointThatIsDrawn) {
  for (const Preset& p : presets()) {
    const Scenario scenario = preset(p.key);
    const int n = std::min(scenario.size(), 12);
    const Simulation run = start(scenario);
    const System& system = *run.system();
    Geometry before, after;
    system.geometry(scenario.q, before);
    for (int j = 0; j < n; ++j) {
      Columns q = scenario.q;
      const Vec3 moved = 1e-3 * Vec3(q.col(j)).unitOrthogonal();
      q.col(j) += moved;
      system.geometry(q, after);
      for (int i = 0; i < n; ++i) {
        const Vec3 step = after.bodies[static_cast<std::size_t>(i)].position -
                          before.bodies[static_cast<std::size_t>(i)].position;
        EXPECT_LT((step - system.lever(i, j) * moved).norm(), 1e-12) << p.key << " " << i << j;
      }
    }
  }
}

// What is recorded can be read again.
TEST(Pull, IsRefusedWhereTheRecordIsFull) {
  Scenario full = preset("double_spherical_pendulum");
  full.events.assign(max_events - 1000, Event{.step = 1'000'000'000, .pull = Pull{}});
  Simulation run = start(std::move(full));
  const auto refused = run.pull({.body = 0, .force = Vec3(0, 0, 1), .steps = 1});
  EXPECT_EQ(error_of(refused).text(),
            "events: the run has 499000 events, and no more can be recorded; save its state, and "
            "continue that");
  EXPECT_TRUE(run.pulls().empty());
  run.reverse();
  EXPECT_EQ(run.record().events.size(), max_events - 999);
}

TEST(Pull, OfTheTipIsTheTipForce) {
  const Vec3 force(0.3, -0.2, 0.1);
  Scenario pulled = preset("chain_pendulum"), constant = preset("chain_pendulum");
  const int n = pulled.size();
  pulled.events = {{.step = 0, .pull = Pull{n - 1, force, 1000}}};
  constant = with(constant, {{"system.tip_force", json::Node::numbers({force.data(), 3})}});
  for (const char* method : {"variational", "rk4", "rk45"}) {
    const Setting of_method{"integrator.type", method};
    Simulation a = start(with(pulled, {of_method}), 200), b = start(with(constant, {of_method}));
    march(b, 200);
    EXPECT_LT((a.state(0).q - b.state(0).q).norm(), 1e-9) << method;
    EXPECT_NEAR(a.lane(0).work.value(), b.lane(0).work.value(), 1e-9) << method;
    EXPECT_NE(a.lane(0).work.value(), 0);
  }
}

TEST(Pull, ItsWorkIsCounted) {
  int taken = 0;
  for (const Preset& p : presets()) {
    Scenario scenario = preset(p.key);
    if (scenario.size() > 100) continue;
    // A force that is felt within some steps.
    const double energy = [&] {
      Simulation run = start(scenario);
      const Sample& s = run.sample(0);
      return s[Quantity::kinetic_energy] + std::abs(s[Quantity::potential_energy]) + 1e-9;
    }();
    Simulation free = start(scenario);
    scenario.events = {{.step = 5, .pull = Pull{0, Vec3(0.02, 0.03, 0.01) * energy, 20}},
                       {.step = 15, .pull = Pull{0, Vec3(0, -0.02, 0.01) * energy, 20}}};
    Simulation run = start(scenario);
    double worst = 0, worst_free = 0;
    for (int k = 0; k < 50; ++k) {
      march(run, 1);
      march(free, 1);
      worst = std::max(worst, std::abs(run.sample(0)[Quantity::energy_error]));
      worst_free = std::max(worst_free, std::abs(free.sample(0)[Quantity::energy_error]));
      EXPECT_EQ(run.pulls().size(), k < 5 ? 0u : k < 15 ? 1u : k < 25 ? 2u : k < 35 ? 1u : 0u) << k;
    }
    const double work = run.lane(0).work.value();
    EXPECT_NE(work, 0) << p.key;
    EXPECT_LT(worst, 5 * worst_free + 0.02 * std::abs(work)) << p.key;
    ++taken;
  }
  EXPECT_GE(taken, 11);
}

TEST(Pull, ContinuesBitForBitFromAStateFileInItsMiddle) {
  int pairs = 0;
  for (const Preset& p : presets())
    for (const IntegratorInfo& method : integrators()) {
      Scenario scenario = preset(p.key);
      if (scenario.size() > 100) continue;
      if (!method.supports(*start(scenario).system())) continue;
      ++pairs;
      scenario = with(scenario, {{"integrator.type", method.key}});
      scenario.events = {{.step = 10, .pull = Pull{0, Vec3(0.02, 0.03, 0.01), 20}},
                         {.step = 18, .pull = Pull{scenario.size() - 1, Vec3(0, 0, 0.01), 12}},
                         {.step = 40, .pull = Pull{0, Vec3(0.01, 0, 0), 10}}};
      Simulation whole = start(scenario, 60);
      for (const int at : {5, 10, 15, 18, 20, 30, 35, 50}) {
        Simulation half = start(scenario, at);
        Simulation rest = loaded(half);
        march(rest, 60 - at);
        ASSERT_EQ(bytes(rest), bytes(whole)) << p.key << " " << method.key << " at " << at;
      }
    }
  EXPECT_GE(pairs, 165);
}

TEST(Pull, ALivePullIsAnEventThatRepeatsTheRun) {
  auto lanes = json::parse_value(
      R"([{"type": "variational", "step": 0.005}, {"type": "rk45", "step": 0.005}])");
  Simulation live = start(with(preset("chain_pendulum"), {{"lanes", *lanes}}), 10);
  for (int k = 0; k < 5; ++k) {  // of one gesture while paused the last counts
    ASSERT_TRUE(live.pull({3, Vec3(k, 0, 1), 7}));
  }
  EXPECT_EQ(live.record().events.size(), 1u);
  for (int k = 0; k < 5; ++k) {
    march(live, 1);
    ASSERT_TRUE(live.pull({3, Vec3(0, 0.1 * k, 1), 1}));
  }
  EXPECT_EQ(live.markers().size(), 1u) << "one gesture";
  march(live, 3);
  ASSERT_TRUE(live.set({{"system.gravity", 5.0}}));
  live.reverse();
  march(live, 20);
  ASSERT_EQ(live.record().events.size(), 8u);
  const std::string record = write_scenario(live.record());
  const auto read = value_of(read_scenario(record, "record"));
  EXPECT_EQ(write_scenario(read), record);
  Simulation repeated = start(read, static_cast<int>(live.steps())), many = start(read);
  EXPECT_EQ(bytes(repeated), bytes(live));
  while (many.steps() < live.steps()) ASSERT_FALSE(many.advance_to(live.steps()));
  EXPECT_EQ(bytes(many), bytes(live));
  // Any step of it again.
  const RunCheckpoint middle = [&] {
    Simulation some = start(read, 13);
    return some.checkpoint();
  }();
  Simulation from = Simulation::at(read, middle);
  march(from, static_cast<int>(live.steps() - from.steps()));
  EXPECT_EQ(bytes(from), bytes(live));
}

// An edit of the start begins the run anew, with what was done at its first step.
TEST(Pull, AnEditOfTheStartKeepsAPullThere) {
  Simulation live = start(preset("chain_pendulum"));
  ASSERT_TRUE(live.pull({3, Vec3(1, 0, 1), 7}));
  ASSERT_TRUE(live.set({{"system.gravity", 5.0}}));
  EXPECT_EQ(live.pulls().size(), 1u);
  EXPECT_EQ(live.markers().size(), 1u);
  ASSERT_TRUE(live.pull({3, Vec3(0, 2, 1), 9}));
  EXPECT_EQ(live.record().events.size(), 1u) << "one gesture";
  EXPECT_EQ(live.pulls().size(), 1u);
  live.reverse();
  ASSERT_TRUE(live.set({{"system.gravity", 6.0}}));
  EXPECT_TRUE(live.reversed());
  live.reverse();
  EXPECT_EQ(live.record().events.size(), 1u);
  march(live, 20);
  Simulation repeated = start(live.record(), 20);
  EXPECT_EQ(bytes(repeated), bytes(live));
}

TEST(Pull, WhatCannotBeIsRefused) {
  Simulation run = start(preset("chain_pendulum"));
  const auto refused = [&](const Pull& pull) {
    const auto done = run.pull(pull);
    return done ? "" : done.error().text();
  };
  EXPECT_TRUE(says(refused({-1, Vec3::Ones(), 1}), "pull.body"));
  EXPECT_TRUE(says(refused({run.system()->size(), Vec3::Ones(), 1}), "pull.body"));
  EXPECT_TRUE(says(refused({0, Vec3(std::nan(""), 0, 0), 1}), "pull.force"));
  EXPECT_TRUE(says(refused({0, Vec3::Ones(), 0}), "pull.steps"));
  EXPECT_TRUE(run.record().events.empty());
  const auto read = [](const char* event) {
    std::string text = write_scenario(preset("chain_pendulum"));
    text.insert(text.rfind('}'), fmt::format(R"(, "events": [{}])", event));
    const auto made = read_scenario(text, "x");
    return made ? "read" : made.error().text();
  };
  EXPECT_EQ(read(R"({"step": 1, "pull": {"body": 0, "force": [1, 0, 0], "steps": 3}})"), "read");
  EXPECT_TRUE(says(read(R"({"step": 1, "pull": {"body": 99, "force": [1, 0, 0], "steps": 3}})"),
                   "events[0].pull.body"));
  EXPECT_TRUE(
      says(read(R"({"step": 1, "pull": {"body": 0, "force": [1, 0], "steps": 3}})"), "3 numbers"));
  EXPECT_TRUE(says(read(R"({"step": 1, "pull": {"body": 0, "force": [1, 0, 0], "steps": 0}})"),
                   "pull.steps"));
  EXPECT_TRUE(says(read(R"({"step": 1, "reverse": true,
                     "pull": {"body": 0, "force": [1, 0, 0], "steps": 1}})"),
                   "cannot be combined with reverse"));
}

TEST(Pull, HasOneMarkThoughAStepWasGivenUpBetweenTwo) {
  Scenario scenario = preset();
  scenario =
      with(scenario,
           {{"lanes",
             *json::parse_value(
                 R"([{"type": "variational", "step": 0.01}, {"type": "rk4", "step": 0.01}])")}});
  Simulation run = start(scenario, 5);
  const Pull pull{1, Vec3(1, 0, 0), 3};
  ASSERT_TRUE(run.pull(pull));
  march(run, 3);
  {
    const std::atomic<bool> flag{true};
    const Interruptible interruptible(flag);
    const auto refused = run.step();
    ASSERT_TRUE(refused && refused->interrupted());
  }
  ASSERT_TRUE(run.pull(pull));
  march(run, 5);
  EXPECT_EQ(run.markers().size(), 1u);
  Simulation again = start(run.record(), run.steps());
  EXPECT_EQ(again.markers().size(), run.markers().size());
}

// A minute of pulling at 60 Hz.
TEST(Pull, ThoseThatFollowOneAnotherAreFewLinesAndTheSameRun) {
  Scenario scenario = preset();
  std::int64_t step = 5;
  for (int k = 0; k < 3600; ++k) {
    const double phase = 0.01 * k;
    Pull pull{k < 3000 ? 1 : 0, Vec3(std::cos(phase), std::sin(phase), 0.1), 1 + k / 1000};
    scenario.events.push_back({.step = step, .pull = pull});
    step += pull.steps;
    if (k == 2000) step += 7;  // let go, and taken again
    if (k == 1000) scenario.events.push_back({.step = step, .set = {{"system.gravity", 3.0}}});
  }
  const std::string text = write_scenario(scenario);
  EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 300);
  const auto read = value_of(read_scenario(text, "pulls"));
  ASSERT_EQ(read.events.size(), scenario.events.size());
  for (std::size_t k = 0; k < scenario.events.size(); ++k)
    ASSERT_TRUE(same(read.events[k], scenario.events[k])) << k;
  EXPECT_EQ(write_scenario(read), text);
  Simulation before = start(scenario, 500), after = start(read);
  march(after, 500);
  EXPECT_EQ(bytes(before), bytes(after));

  // One by one, as older versions wrote them, they are read, too.
  json::Node one_by_one = *json::parse(text, "");
  json::Node list = json::Node::array();
  for (const Event& event : scenario.events) {
    Scenario single = scenario;
    single.events = {event};
    list.items.push_back(json::parse(write_scenario(single), "")->find("events")->items[0]);
  }
  one_by_one.set("events", std::move(list));
  EXPECT_EQ(write_scenario(value_of(read_scenario(json::write(one_by_one), "old"))), text);
}

TEST(Pull, ThoseThatFollowOneAnotherAreCheckedOneByOne) {
  const auto error = [](const std::string& pull) {
    std::string text = write_scenario(preset());
    text.insert(text.rfind('}'), ", \"events\": [{\"step\": 3, \"pull\": " + pull + "}]");
    const auto read = read_scenario(text, "s");
    return read ? "" : read.error().text();
  };
  EXPECT_EQ(error(R"({"body": 1, "force": [[1, 0, 0], [0, "2 N", 0]], "steps": 4})"), "");
  EXPECT_EQ(error(R"({"body": 1, "force": [[1, 0, 0], [0, 2, 0]], "steps": [4, 5]})"), "");
  EXPECT_TRUE(says(error(R"({"body": 1, "force": [[1, 0, 0], [0, 2, 0]], "steps": [4]})"),
                   "events[0].pull.steps: must be one number or have 2, one per force, not 1"));
  EXPECT_TRUE(says(error(R"({"body": 1, "force": [[1, 0, 0], [0, 2]], "steps": 4})"),
                   "events[0].pull.force[1]"));
  EXPECT_TRUE(
      says(error(R"({"body": 2, "force": [[1, 0, 0]], "steps": 4})"), "events[0].pull.body"));
  EXPECT_TRUE(
      says(error(R"({"body": 1, "force": [[1, 0, 0]], "steps": 0})"), "events[0].pull.steps"));
  EXPECT_TRUE(says(error(R"({"body": 1, "force": [], "steps": 1})"), "events[0].pull.force"));
}

}  // namespace
}  // namespace twosphere::test::pull_test
