// SPDX-License-Identifier: GPL-3.0-or-later
// A run whose rows are taken together is that of its single steps: the same samples, states,
// events, stops, warnings and failures, at the same steps.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/interrupt.h"
#include "core/catalog.h"
#include "core/run/row_block.h"
#include "core/run/simulation.h"
#include "tests/outcome.h"
#include "tests/runs.h"
#include "tests/taken.h"

namespace twosphere::test::rows_together_test {
namespace {

/// What a caller sees of a run.
struct Seen {
  std::vector<Sample> rows;
  std::vector<State> states;
  std::int64_t together = 0;  // rows that came with others
  std::optional<StepFailure> failure;
};

/// By advance_rows() as far as `steps`, the next stop or a failure. Every step has a row.
Seen rows_of(Simulation& run, std::int64_t steps) {
  Seen seen;
  State state;
  for (bool first = true; run.steps() < steps && (first || !run.stopped()) && !seen.failure;
       first = false) {
    const std::int64_t before = run.steps();
    seen.failure = run.advance_rows(steps);
    const RowBlock& block = run.rows();
    EXPECT_LE(run.steps(), steps);
    if (block.empty()) {
      EXPECT_LE(run.steps(), before + 1);
      if (run.steps() == before) continue;
      seen.rows.push_back(run.sample(0));
      seen.states.push_back(run.state(0));
      continue;
    }
    EXPECT_FALSE(seen.failure);
    EXPECT_EQ(run.steps(), before + static_cast<std::int64_t>(block.size()));
    EXPECT_EQ(block.samples().back().values, run.sample(0).values);
    seen.together += static_cast<std::int64_t>(block.size());
    for (std::size_t k = 0; k < block.size(); ++k) {
      seen.rows.push_back(block.samples()[k]);
      block.state(k, state);
      seen.states.push_back(state);
    }
  }
  return seen;
}

/// By step().
Seen steps_of(Simulation& run, std::int64_t steps) {
  Seen seen;
  for (bool first = true; run.steps() < steps && (first || !run.stopped()); first = false) {
    seen.failure = run.step();
    if (seen.failure) break;
    EXPECT_TRUE(run.rows().empty());
    seen.rows.push_back(run.sample(0));
    seen.states.push_back(run.state(0));
  }
  return seen;
}

void expect_same_runs(Simulation& together, Simulation& alone) {
  EXPECT_EQ(together.steps(), alone.steps());
  EXPECT_EQ(together.sample(0).values, alone.sample(0).values);
  EXPECT_EQ(bytes(together), bytes(alone));
  EXPECT_EQ(write_scenario(together.record()), write_scenario(alone.record()));
  EXPECT_EQ(together.stopped(), alone.stopped());
  EXPECT_EQ(together.stop_time(), alone.stop_time());
  ASSERT_EQ(together.warnings().size(), alone.warnings().size());
  for (std::size_t k = 0; k < alone.warnings().size(); ++k) {
    const Warning &a = together.warnings()[k], &b = alone.warnings()[k];
    EXPECT_EQ(describe(a), describe(b));
    EXPECT_EQ(a.step, b.step);
    EXPECT_EQ(a.last_good_step, b.last_good_step);
    EXPECT_EQ(a.value, b.value);
    EXPECT_EQ(a.scale, b.scale);
  }
  ASSERT_EQ(together.markers().size(), alone.markers().size());
  for (std::size_t k = 0; k < alone.markers().size(); ++k) {
    EXPECT_EQ(together.markers()[k].step, alone.markers()[k].step);
    EXPECT_EQ(together.markers()[k].text, alone.markers()[k].text);
  }
  ASSERT_EQ(together.start_distances().size(), alone.start_distances().size());
  for (std::size_t k = 0; k < alone.start_distances().size(); ++k)
    EXPECT_EQ(together.start_distances()[k].q, alone.start_distances()[k].q);
}

/// Both ways from here; returns how many rows came together.
std::int64_t compare(Simulation& together, Simulation& alone, std::int64_t steps) {
  const Seen a = rows_of(together, steps), b = steps_of(alone, steps);
  EXPECT_EQ(a.rows.size(), b.rows.size());
  for (std::size_t k = 0; k < std::min(a.rows.size(), b.rows.size()); ++k) {
    if (a.rows[k].values == b.rows[k].values && a.states[k].t == b.states[k].t &&
        a.states[k].q == b.states[k].q && a.states[k].w == b.states[k].w)
      continue;
    ADD_FAILURE() << "row " << k;
    break;
  }
  EXPECT_EQ(a.failure.has_value(), b.failure.has_value());
  if (a.failure && b.failure) {
    EXPECT_EQ(a.failure->message, b.failure->message);
    EXPECT_EQ(a.failure->step, b.failure->step);
  }
  expect_same_runs(together, alone);
  return a.together;
}
std::int64_t compare(const Scenario& scenario, std::int64_t steps) {
  Simulation together = start(scenario), alone = start(scenario);
  return compare(together, alone, steps);
}

/// A row at every step.
Scenario every_step(Scenario scenario) {
  scenario.every = 1;
  return scenario;
}

TEST(RowsTogether, AreThoseOfTheStepsOfEveryPresetAndMethod) {
  Taken taken;
  int with_blocks = 0;
  for (const Preset& p : presets())
    for (const IntegratorInfo& method : integrators()) {
      if (!takes(method, preset(p.key))) continue;
      const Scenario scenario =
          value_of(with_setting(every_step(preset(p.key)), "integrator.type", method.key));
      if (method.key == "variational_cayley" && scenario.size() > 20) continue;
      SCOPED_TRACE(fmt::format("{} {}", p.key, method.key));
      const std::int64_t steps = scenario.size() > 100 ? 2 : 150;
      const std::int64_t together = compare(scenario, steps);
      const bool suits = RowBlock::suits(*start(scenario).system()) && !method.adaptive;
      if (!suits) {
        EXPECT_EQ(together, 0);
      }
      with_blocks += together > 100 ? 1 : 0;
      taken.add(p, method);
    }
  taken.expect_all(109);
  EXPECT_GE(with_blocks, 20);
}

TEST(RowsTogether, OfADoublePendulumAreNearlyAll) {
  Simulation together = start(every_step(preset())), alone = start(every_step(preset()));
  EXPECT_EQ(compare(together, alone, 5000), 5000);
  // A copy at a checkpoint has none, and continues alike.
  Simulation from = Simulation::at(together.record(), together.checkpoint());
  EXPECT_TRUE(from.rows().empty());
  EXPECT_EQ(compare(from, alone, 5100), 100);
}

TEST(RowsTogether, BeginAndEndAtEvents) {
  Scenario scenario = every_step(preset());
  for (const std::int64_t step : {1, 21, 22, 70, 200})
    scenario.events.push_back(
        {.step = step, .set = {{"system.gravity", 9.0 + 0.01 * double(step)}}});
  scenario.events.push_back({.step = 230, .pull = Pull{1, Vec3(3, -2, 1), 13}});
  scenario.events.push_back({.step = 300, .set = {{"integrator.step", 0.003}}});
  scenario.events.push_back({.step = 320, .set = {{"integrator.type", "rk4"}}});
  scenario.events.push_back({.step = 333, .reverse = true});
  scenario.events.push_back({.step = 400, .set = {{"integrator.type", "variational"}}});
  EXPECT_GE(compare(scenario, 500), 400);
}

/// Whether no rows of a run come together.
bool come_alone(Simulation run) {
  while (run.steps() < 100) {
    EXPECT_FALSE(run.advance_rows(100));
    if (!run.rows().empty()) return false;
  }
  Simulation other = start(run.record(), 100);
  EXPECT_EQ(run.sample(0).values, other.sample(0).values);
  return true;
}

TEST(RowsTogether, LiveChangesComeBetweenThem) {
  Simulation together = start(every_step(preset("pendulum_network"))),
             alone = start(every_step(preset("pendulum_network")));
  std::int64_t steps = 0, rows = 0;
  for (const double gravity : {5.0, 9.0, 3.0}) {
    rows += compare(together, alone, steps += 37);
    for (Simulation* run : {&together, &alone}) {
      ASSERT_TRUE(run->set({{"system.gravity", gravity}}));
      EXPECT_TRUE(run->rows().empty());
    }
  }
  EXPECT_EQ(rows, 3 * 37);
  // Back to the start, where its distance is measured.
  for (Simulation* run : {&together, &alone}) run->reverse(true);
  rows = compare(together, alone, 2 * steps);
  EXPECT_EQ(together.start_distances().size(), 1U);
  EXPECT_GE(rows, steps - 16);
}

TEST(RowsTogether, EndAtThePlannedEnd) {
  Simulation run = start(every_step(lasting(0.5)));  // 50 steps
  while (!run.finished()) ASSERT_FALSE(run.advance_rows(1000));
  EXPECT_EQ(run.steps(), 50);
}

TEST(RowsTogether, StopsAreMetInTheMiddle) {
  for (const char* condition :
       {R"([{"quantity": "kinetic_energy", "below": 100}])",
        R"([{"quantity": "kinetic_energy", "below": 100, "at": "crossing"}])",
        R"([{"quantity": "energy_error", "above": 0.01}])", R"([{"time": 0.475}])",
        R"([{"quantity": "kinetic_energy", "above": 500}, {"time": 2.345}])",
        R"json([{"expression": "abs(q[0].e1)", "below": 0.01}])json"}) {
    SCOPED_TRACE(condition);
    Simulation together = start(every_step(stopping(condition))),
               alone = start(every_step(stopping(condition)));
    // On past the first stops.
    std::int64_t rows = 0, stops = 0;
    for (; stops < 4 && together.steps() < 900; ++stops) rows += compare(together, alone, 900);
    const bool expression = std::string(condition).find("expression") != std::string::npos;
    if (expression) {
      EXPECT_EQ(rows, 0) << "its value is that of a state";
    } else {
      EXPECT_GT(rows, 16);
    }
    EXPECT_GT(together.record().events.size(), 0U) << "it has stopped, and continued";
  }
}

TEST(RowsTogether, AStepThatIsRefusedIsRefusedInTheMiddle) {
  std::set<std::int64_t> places;
  const auto refuse = [&](const char* key, const char* method, double h) {
    SCOPED_TRACE(fmt::format("{} {} {}", key, method, h));
    const Scenario scenario =
        every_step(with(preset(key), {{"integrator.type", method}, {"integrator.step", h}}));
    Simulation together = start(scenario), alone = start(scenario);
    compare(together, alone, 1000);
    EXPECT_LT(alone.steps(), 1000) << "it fails";
    places.insert(alone.steps() % static_cast<std::int64_t>(RowBlock::capacity));
    // The same step again, as it is refused.
    EXPECT_TRUE(together.advance_rows(2000));
    expect_same_runs(together, alone);
  };
  refuse("chain_pendulum", "variational", 0.1);
  refuse("chain_pendulum", "variational", 0.3);
  refuse("double_spherical_pendulum", "rk2", 0.1);
  refuse("double_spherical_pendulum", "rk2", 0.2);
  refuse("double_spherical_pendulum", "heun", 0.2);
  refuse("three_body", "rk2", 0.05);  // whose potential energy is not finite
  refuse("three_body", "rk4", 0.05);
  refuse("three_body", "heun", 0.05);
  EXPECT_GE(places.size(), 4U);
}

TEST(RowsTogether, WarningsAreThoseOfTheRow) {
  int warned = 0;
  const auto warn = [&](const Scenario& scenario, std::int64_t steps) {
    Simulation together = start(every_step(scenario)), alone = start(every_step(scenario));
    for (Simulation* run : {&together, &alone}) run->save_last_good();
    compare(together, alone, steps);
    if (alone.warnings().empty()) return;
    ++warned;
    const auto back = together.go_back(), other = alone.go_back();
    EXPECT_EQ(back, other);
    expect_same_runs(together, alone);
    // And on from there.
    compare(together, alone, together.steps() + 20);
  };
  warn(with(preset("three_body"), "duration", 12.0), 2400);
  for (const char* method : {"rk2", "rk4", "heun"})
    for (const double h : {0.05, 0.08, 0.1, 0.15, 0.2}) {
      SCOPED_TRACE(fmt::format("{} {}", method, h));
      warn(with(with(preset(), "integrator.step", h), "integrator.type", method), 1000);
      warn(with(with(preset("three_body"), "integrator.step", h / 5), "integrator.type", method),
           1000);
    }
  EXPECT_GE(warned, 8);
}

// The row before the warning is found by repeating steps, and those after it are taken again.
TEST(RowsTogether, WarningsOfAnInterruptedRunAreThoseOfTheRow) {
  int in_the_middle = 0;
  for (const char* method : {"rk2", "rk4", "heun"})
    for (const double h : {0.05, 0.08, 0.1, 0.15, 0.2}) {
      SCOPED_TRACE(fmt::format("{} {}", method, h));
      const Scenario scenario =
          every_step(with(with(preset(), "integrator.step", h), "integrator.type", method));
      Simulation together = start(scenario), alone = start(scenario);
      for (Simulation* run : {&together, &alone}) run->save_last_good();
      std::atomic<bool> stop = false;
      bool failed = false;
      while (together.warnings().empty() && together.steps() < 1000 && !failed) {
        stop = false;
        const Interruptible interruptible(stop);
        // When all lanes have taken their steps.
        const auto turn = [&stop](int lane) { stop = lane > 0; };
        failed = together.advance_rows(1000, turn).has_value();
      }
      if (failed || together.warnings().empty()) continue;
      if (together.warnings()[0].step + 1 < together.steps()) ++in_the_middle;
      while (alone.steps() < together.steps()) ASSERT_FALSE(alone.step());
      expect_same_runs(together, alone);
      EXPECT_EQ(together.go_back(), alone.go_back());
      expect_same_runs(together, alone);
    }
  EXPECT_GE(in_the_middle, 1);
}

TEST(RowsTogether, ObserversSeeTheStepsThatTheyAskFor) {
  const auto observe = [](Simulation& run, std::vector<std::int64_t>& seen) {
    run.observe([&seen](Simulation& at) {
      seen.push_back(at.steps());
      EXPECT_EQ(at.sample(0)[Quantity::time], at.time());
      return at.steps() + 1 + at.steps() % 23;
    });
  };
  Simulation together = start(every_step(preset())), alone = start(every_step(preset()));
  std::vector<std::int64_t> by_rows, by_steps;
  observe(together, by_rows);
  observe(alone, by_steps);
  EXPECT_GT(compare(together, alone, 1000), 500);
  EXPECT_EQ(by_rows, by_steps);
  // Whether steps are coarse is watched alike.
  for (Simulation* run : {&together, &alone}) (void)run->coarse_steps(0);
  EXPECT_GT(compare(together, alone, 20'000), 15'000);
}

TEST(RowsTogether, AnInterruptionLeavesWhatWasTaken) {
  Simulation run = start(every_step(preset()), 40), other = start(every_step(preset()), 40);
  const std::string before = bytes(run);
  std::atomic<bool> stop = false;
  {
    const Interruptible interruptible(stop);
    const auto failure = run.advance_rows(1000, [&stop](int) { stop = true; });
    ASSERT_TRUE(failure);
    EXPECT_TRUE(failure->interrupted());
    EXPECT_EQ(run.steps(), 40);
    EXPECT_TRUE(run.rows().empty());
  }
  EXPECT_EQ(bytes(run), before);
  compare(run, other, 200);
}

TEST(RowsTogether, AreMeasuredAsLongAsTheyTook) {
  Simulation run = start(every_step(preset()));
  std::vector<int> turns;
  ASSERT_FALSE(run.advance_rows(1000, [&turns](int lane) { turns.push_back(lane); }));
  EXPECT_EQ(run.rows().size(), RowBlock::capacity);
  EXPECT_EQ(turns, (std::vector{0, 1}));
}

TEST(RowsTogether, OthersComeOneByOne) {
  const Scenario pendulum = every_step(preset());
  EXPECT_FALSE(come_alone(start(pendulum)));
  EXPECT_TRUE(come_alone(start(with(pendulum, "every", 2.0))));
  EXPECT_TRUE(come_alone(start(with(pendulum, "integrator.type", "rk45"))));
  // A stride that grows is that of the rows from the start.
  Scenario sparser = pendulum;
  sparser.events = {{.step = 40, .set = {{"every", 5.0}}}};
  EXPECT_TRUE(come_alone(start(sparser)));
  // Two lanes, and vectors that follow.
  Scenario two = pendulum;
  two.lanes.push_back(two.lanes[0]);
  two.lanes[1].name = "other";
  EXPECT_TRUE(come_alone(start(two)));
  Simulation followed = start(pendulum);
  ASSERT_TRUE(followed.follow_exponents(1));
  EXPECT_TRUE(come_alone(std::move(followed)));
}

}  // namespace
}  // namespace twosphere::test::rows_together_test
