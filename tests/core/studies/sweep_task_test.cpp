// SPDX-License-Identifier: GPL-3.0-or-later
// Tasks of a sweep: what they measure, alone and in groups.
#include "core/studies/sweep_task.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>

#include "core/base/simd_level.h"
#include "core/mechanics/diagnostics.h"
#include "core/output/csv.h"
#include "core/output/named_values.h"
#include "core/run/simulation.h"
#include "core/studies/measured_lane.h"
#include "core/studies/sweep_order.h"
#include "tests/core/studies/sweep_cases.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::test::sweep_test {
namespace {

/// The bits of numbers, of which some may not be finite.
std::vector<std::uint64_t> bits(const std::vector<double>& values) {
  std::vector<std::uint64_t> out;
  for (const double value : values) out.push_back(std::bit_cast<std::uint64_t>(value));
  return out;
}

TEST(SweepTask, MeasuresWhatTheRowsOfTheRunShow) {
  const Sweep sweep = small();
  const SweepRow row = result(sweep, 7);
  EXPECT_EQ(row.status, TaskStatus::done);
  // The same run by itself.
  Simulation run = start(*sweep_scenario(sweep, 7));
  ASSERT_TRUE(run.follow_exponents(8));
  double worst = 0, least = run.sample(0)[Quantity::potential_energy];
  CompensatedSum mean;
  for (int k = 0;; ++k) {
    const Sample& s = run.sample(0);
    worst = std::max(worst, std::abs(s[Quantity::energy_error]));
    mean.add(s[Quantity::kinetic_energy]);
    least = std::min(least, s[Quantity::potential_energy]);
    if (k == 100) break;
    march(run, 1);
  }
  const Exponents& e = *run.lane(0).exponents;
  const std::vector<double> expected{worst,
                                     run.sample(0)[Quantity::total_energy],
                                     mean.value() / 101,
                                     least,
                                     1,
                                     e.spectrum(*run.system(), run.state(0))[0].value,
                                     e.spectrum(*run.system(), run.state(0))[7].value,
                                     e.megno(),
                                     e.fli(),
                                     100};
  EXPECT_EQ(row.values, expected);
}

TEST(SweepTask, FailingTasksAreData) {
  Scenario scenario = lasting(1);
  const Sweep sweep =
      sweep_of(scenario, {"system.masses[0]=1,-1", "integrator.step=0.01,0.5"}, {"t_stop"});
  EXPECT_EQ(result(sweep, 0).status, TaskStatus::done);
  std::string why;
  EXPECT_EQ(result(sweep, 2, &why).status, TaskStatus::refused);
  EXPECT_TRUE(says(why, "system.masses"));
  // A step that is too large.
  scenario.omega.col(1) = Vec3(0, 9, 0);
  const Sweep fast = sweep_of(scenario, {"integrator.step=0.5,0.01"}, {"t_stop", "megno"});
  const SweepRow refused = result(fast, 0, &why);
  EXPECT_EQ(refused.status, TaskStatus::refused);
  EXPECT_EQ(refused.values[0], 0);
  EXPECT_TRUE(says(why, "failed"));
  // A method without a tangent map.
  const Sweep rk4 = sweep_of(preset(), {"integrator.type=rk4,variational"}, {"megno"});
  EXPECT_EQ(result(rk4, 0, &why).status, TaskStatus::refused);
  EXPECT_TRUE(says(why, "no tangent map"));
  // A stop condition.
  scenario = preset();
  scenario.stop.push_back({Quantity::potential_energy, true, -150});
  const SweepRow stopped = result(sweep_of(scenario, {"duration=100"}, {"t_stop"}), 0);
  EXPECT_EQ(stopped.status, TaskStatus::stopped);
  EXPECT_LT(stopped.values[0], 100);
}

TEST(SweepTask, PlotsAreMeasuredWithTheParametersOfTheTask) {
  Scenario scenario = with_plots();
  scenario.duration = 2;
  scenario.every = 25;
  scenario.events.push_back({.step = 110, .set = {{"system.gravity", 5.0}}});
  std::vector<std::string> measures;
  for (const char* name : {"depth, of both", "energy.max"})
    for (const char* over : {"last", "max", "mean", "min"})
      measures.push_back(std::string("plots.") + name + '.' + over);
  const Sweep sweep =
      sweep_of(scenario, {"system.gravity=2,9.81", "system.masses[1]=1,3"}, measures);
  for (std::size_t task = 0; task < sweep.tasks(); ++task) {
    SCOPED_TRACE(task);
    // The columns of a run by itself.
    Simulation alone = start(*sweep_scenario(sweep, task));
    NamedValues named(alone.record().plots);
    std::array<std::vector<double>, 2> columns, steps;
    for (bool ends = false; !ends;) {
      const std::vector<double> now = named.at(alone.present(), alone.system(), &alone.state(0));
      for (std::size_t k = 0; k < 2; ++k) {
        const double value = now[now.size() - 2 + k];
        steps[k].push_back(value);
        if (alone.at_sample()) columns[k].push_back(value);
      }
      ends = alone.finished();
      if (!ends) march(alone, 1);
    }
    std::vector<double> expected;
    for (std::size_t k = 0; k < 2; ++k) {
      CompensatedSum sum;
      for (const double value : columns[k]) sum.add(value);
      expected.insert(expected.end(), {columns[k].back(), *std::ranges::max_element(steps[k]),
                                       sum.value() / static_cast<double>(columns[k].size()),
                                       *std::ranges::min_element(steps[k])});
    }
    EXPECT_EQ(columns[0].size(), 9U);
    const SweepRow row = result(sweep, task);
    EXPECT_EQ(row.status, TaskStatus::done);
    EXPECT_EQ(row.values, expected);
  }
  // As it is read from its file.
  const auto read = value_of(read_sweep(write_sweep(sweep), "sweep.json"));
  EXPECT_EQ(read.measures, sweep.measures);
  EXPECT_EQ(result(read, 3).values, result(sweep, 3).values);
}

TEST(SweepTask, ExtremesAreThoseOfEveryStepForAnyStride) {
  Scenario scenario = with_plots();
  scenario.duration = 4;
  scenario.omega.col(1) = tangent(scenario.q.col(1), Vec3(1, 5, 2));  // a fast motion
  const std::vector<std::string> measures{"energy_error.max",        "kinetic_energy.max",
                                          "kinetic_energy.min",      "angular_momentum_z.min",
                                          "plots.energy.max.max",    "plots.energy.max.min",
                                          "plots.depth, of both.max"};
  std::vector<std::uint64_t> first;
  for (const std::int64_t every : {1, 7, 400}) {
    scenario.every = every;
    const Sweep sweep = sweep_of(scenario, {"system.gravity=9.81,5"}, measures);
    const SweepRow row = result(sweep, 0);
    EXPECT_EQ(row.status, TaskStatus::done);
    if (first.empty()) first = bits(row.values);
    EXPECT_EQ(bits(row.values), first) << every;
    // The run by itself has them, at their times.
    Simulation run = start(*sweep_scenario(sweep, 0));
    auto measured = value_of(MeasuredLane::create(sweep.measures, run.record()));
    run.observe([&](Simulation& at) { return measured.see(at); });
    while (!run.finished()) ASSERT_FALSE(run.advance_to(run.planned_steps()));
    const auto values = measured.values(run);
    ASSERT_EQ(values.size(), measures.size());
    Simulation walked = start(*sweep_scenario(sweep, 0));
    for (std::size_t k = 0; k < values.size(); ++k)
      EXPECT_EQ(std::bit_cast<std::uint64_t>(values[k].value), first[k]) << measures[k];
    double largest = walked.sample(0)[Quantity::kinetic_energy], t = 0;
    while (!walked.finished()) {
      march(walked, 1);
      if (const double now = walked.sample(0)[Quantity::kinetic_energy]; now > largest)
        largest = now, t = walked.time();
    }
    EXPECT_EQ(values[1].value, largest);
    EXPECT_EQ(values[1].time, t);
    EXPECT_GT(t, 0);
  }
}

TEST(SweepTask, TheClosestApproachIsFoundBetweenRows) {
  Scenario scenario = lasting(2, preset("three_body"));
  std::vector<double> found;
  for (const std::int64_t every : {1, 100}) {
    scenario.every = every;
    found.push_back(
        result(sweep_of(scenario, {"system.gamma=1,0.5"}, {"closest_angle.min"}), 0).values[0]);
  }
  EXPECT_EQ(found[0], found[1]);
  Simulation run = start(scenario);
  double least = run.system()->closest_encounter(run.state(0).q)->angle;
  while (!run.finished()) {
    march(run, 1);
    least = std::min(least, run.system()->closest_encounter(run.state(0).q)->angle);
  }
  EXPECT_EQ(found[0], least);
  EXPECT_FALSE(parse_measure("closest_angle.min", preset()));
}

TEST(SweepTask, ExtremesGoOnWithASavedState) {
  Scenario scenario = lasting(4);
  scenario.every = 50;
  Simulation whole = start(scenario), before = start(scenario);
  std::vector<SweepMeasure> measures;
  for (const char* text : {"kinetic_energy.max", "kinetic_energy.min", "kinetic_energy.mean"})
    measures.push_back(*parse_measure(text, scenario));
  const auto go = [](Simulation& run, MeasuredLane& lane, std::int64_t to) {
    run.observe([&](Simulation& at) { return lane.see(at); });
    while (run.steps() < to) {
      ASSERT_FALSE(run.advance_to(to));
      if (run.at_sample()) lane.add_row(run);
    }
  };
  MeasuredLane all = value_of(MeasuredLane::create(measures, scenario)),
               part = value_of(MeasuredLane::create(measures, scenario));
  all.add_row(whole);
  go(whole, all, 400);
  part.add_row(before);
  go(before, part, 150);
  Simulation after = loaded(before);
  const json::Node saved = part.saved(before.steps());
  const document::Origin source{"state"};
  MeasuredLane rest = value_of(MeasuredLane::create(measures, scenario));
  ASSERT_TRUE(rest.restore(document::Value(source, saved, "")));
  go(after, rest, 250);
  const auto expected = all.values(whole), values = rest.values(after);
  for (std::size_t k = 0; k < measures.size(); ++k) {
    EXPECT_EQ(values[k].value, expected[k].value) << k;
    EXPECT_EQ(values[k].time, expected[k].time) << k;
  }
}

/// How many of its tasks go together.
std::size_t width_of(const Sweep& sweep) {
  Simulation run = start(*sweep_scenario(sweep, 0));
  const int vectors = sweep.vectors();
  EXPECT_TRUE(vectors == 0 || run.follow_exponents(vectors));
  return run.width();
}

/// On every instruction set level of this processor.
struct Groups : testing::TestWithParam<std::string_view> {
  void SetUp() override { ASSERT_TRUE(force_isa_level(GetParam())); }
  void TearDown() override { ASSERT_TRUE(force_isa_level("")); }
};
INSTANTIATE_TEST_SUITE_P(Levels, Groups, testing::ValuesIn(isa_levels()),
                         [](const auto& p) { return std::string(p.param); });

TEST_P(Groups, GiveWhatEachTaskGivesAlone) {
  std::set<TaskStatus> seen;
  for (const Sweep& sweep : families()) {
    SCOPED_TRACE(sweep.scenario.system + ' ' + sweep.scenario.lanes[0].type + ' ' +
                 std::to_string(sweep.vectors()));
    const auto groups = groups_of_tasks(sweep, all_tasks(sweep), 1);
    EXPECT_EQ(groups.size() < sweep.tasks(), width_of(sweep) > 1);
    std::map<std::size_t, SweepRow> rows;
    for (const std::vector<std::size_t>& group : groups) {
      const TaskCalls calls{[](std::size_t) { return TaskStates{}; },
                            [&](EndedTask ended) {
                              ASSERT_TRUE(ended.row);
                              EXPECT_TRUE(rows.emplace(ended.index, *ended.row).second);
                            }};
      ASSERT_TRUE(run_sweep_tasks(sweep, "", group, calls, never));
    }
    ASSERT_EQ(rows.size(), sweep.tasks());
    for (const auto& [task, row] : rows) {
      const SweepRow alone = result(sweep, task);
      EXPECT_EQ(row.task, task);
      EXPECT_EQ(row.status, alone.status) << task;
      EXPECT_EQ(bits(row.values), bits(alone.values)) << task;
      seen.insert(row.status);
    }
  }
  EXPECT_EQ(seen, (std::set{TaskStatus::done, TaskStatus::stopped, TaskStatus::refused}));
}

TEST(SweepTask, GroupsAreOfTasksThatDifferInTheirStarts) {
  for (const Sweep& sweep : families()) {
    const std::vector<std::size_t> tasks = coarse_to_fine(sweep.shape());
    const std::size_t width = width_of(sweep);
    for (const int threads : {1, 2, 1000}) {
      std::vector<std::size_t> found;
      std::size_t largest = 0;
      for (const std::vector<std::size_t>& group : groups_of_tasks(sweep, tasks, threads)) {
        const Scenario first = *sweep_scenario(sweep, group[0]);
        for (const std::size_t task : group)
          EXPECT_EQ(sweep_scenario(sweep, task)->parameters, first.parameters);
        found.insert(found.end(), group.begin(), group.end());
        largest = std::max(largest, group.size());
      }
      std::sort(found.begin(), found.end());
      EXPECT_EQ(found, all_tasks(sweep));
      // Some vectors of tasks, of which a processor with short ones takes more at a time.
      if (threads == 1000)
        EXPECT_EQ(largest, 1);
      else
        EXPECT_TRUE(largest >= width && largest % width == 0) << largest << " by " << threads;
    }
  }
  // Several tangent vectors, or the starts are the same.
  for (const Sweep& sweep : {small(), sweep_of(preset(), {"system.gravity=1:9:99"}, {"t_stop"})})
    EXPECT_EQ(groups_of_tasks(sweep, all_tasks(sweep), 1).size(), sweep.tasks());
  // Many, so that a task that has ended makes room for another.
  for (const char* measure : {"t_stop", "megno"}) {
    const Sweep many = sweep_of(preset(), {"initial.omega[1][1]=-4:4:2000"}, {measure});
    const std::size_t width = width_of(many);
    EXPECT_EQ(groups_of_tasks(many, all_tasks(many), 1)[0].size(), width > 1 ? 8 * width : 1);
  }
}

/// As many runs of starts of the preset as go together.
std::vector<Simulation> runs_of_starts(const std::vector<Setting>& settings) {
  Scenario scenario = with(preset(), settings);
  scenario.every = 25;
  std::vector<Simulation> runs;
  do {
    scenario.omega(1, 1) += 0.1;
    runs.push_back(start(scenario));
  } while (runs.size() < runs[0].width());
  return runs;
}
std::vector<Simulation*> all_of(std::vector<Simulation>& runs) {
  std::vector<Simulation*> out;
  for (Simulation& run : runs) out.push_back(&run);
  return out;
}

TEST(SweepTask, RunsGoTogetherWhateverStepsTheyAreAt) {
  std::vector<Simulation> runs = runs_of_starts({});
  if (runs.size() == 1) GTEST_SKIP();
  // The first is a row ahead, as are those of a group when another one has ended.
  while (runs[0].steps() < 25) ASSERT_FALSE(runs[0].advance_to(25));
  Simulation::advance_together(all_of(runs));
  for (std::size_t k = 0; k < runs.size(); ++k) EXPECT_EQ(runs[k].steps(), k == 0 ? 49 : 24) << k;
  // One that has other settings by now.
  ASSERT_TRUE(runs[1].set({{"system.gravity", 5.0}}));
  for (Simulation& run : runs) march(run, 1);
  Simulation::advance_together(all_of(runs));
  for (std::size_t k = 0; k < runs.size(); ++k) EXPECT_EQ(runs[k].steps(), k == 0 ? 50 : 25) << k;
}

}  // namespace
}  // namespace twosphere::test::sweep_test
