// SPDX-License-Identifier: GPL-3.0-or-later
// What is measured of rows and steps that are taken together is what each gives by itself.
#include "core/studies/measured_lane.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/run/row_block.h"
#include "core/run/simulation.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::test::measured_lane_test {
namespace {

std::vector<SweepMeasure> measures(const Scenario& scenario) {
  std::vector<SweepMeasure> all;
  for (const char* text :
       {"kinetic_energy.mean", "energy_error.mean", "energy_error.last", "energy_error.max",
        "kinetic_energy.max", "angular_momentum_z.min", "unit_length_error.mean"})
    all.push_back(value_of(parse_measure(text, scenario)));
  return all;
}

void expect_same(const std::vector<MeasuredLane::Value>& values,
                 const std::vector<MeasuredLane::Value>& expected) {
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    EXPECT_EQ(values[k].value, expected[k].value) << k;
    EXPECT_EQ(values[k].time, expected[k].time) << k;
  }
}

// Means of rows and extremes of steps, both of blocks of rows.
TEST(MeasuredLane, RowsThatAreTakenTogetherAllCount) {
  Scenario scenario = lasting(2);
  scenario.every = 1;
  Simulation together = start(scenario), alone = start(scenario);
  const std::vector<SweepMeasure> wanted = measures(scenario);
  MeasuredLane all = value_of(MeasuredLane::create(wanted, scenario)),
               each = value_of(MeasuredLane::create(wanted, scenario));
  ASSERT_TRUE(all.takes_rows());
  together.observe([&all](Simulation& at) { return all.see(at); }, true);
  all.add_row(together);
  std::size_t most = 0;
  while (!together.finished()) {
    ASSERT_FALSE(together.advance_rows(together.planned_steps()));
    most = std::max(most, together.rows().size());
    all.add_row(together);
  }
  EXPECT_EQ(most, RowBlock::capacity);
  alone.observe([&each](Simulation& at) { return each.see(at); });
  each.add_row(alone);
  while (!alone.finished()) {
    march(alone, 1);
    each.add_row(alone);
  }
  expect_same(all.values(together), each.values(alone));
}

// Stop conditions measure steps that have no row: these are taken, too.
TEST(MeasuredLane, StepsThatStopConditionsMeasureAreTakenTogether) {
  Scenario scenario = stopping(R"([{"quantity": "kinetic_energy", "below": -1}])");
  scenario.duration = 2;
  scenario.every = 1000;
  std::vector<std::vector<MeasuredLane::Value>> found;
  for (const bool takes_rows : {true, false}) {
    Simulation run = start(scenario);
    std::vector<SweepMeasure> wanted = measures(scenario);
    std::erase_if(wanted, [](const SweepMeasure& m) { return !m.is_extreme(); });
    MeasuredLane measured = value_of(MeasuredLane::create(wanted, scenario));
    run.observe([&measured](Simulation& at) { return measured.see(at); }, takes_rows);
    ASSERT_FALSE(run.advance_to(run.planned_steps()));
    EXPECT_EQ(run.steps(), takes_rows ? static_cast<std::int64_t>(RowBlock::capacity) : 1);
    while (!run.finished()) ASSERT_FALSE(run.advance_to(run.planned_steps()));
    found.push_back(measured.values(run));
  }
  expect_same(found[0], found[1]);
}

// The extremes of steps between rows are measured together; those of rows one by one. An event
// changes the system in the middle of a block.
TEST(MeasuredLane, ExtremesOfStepsAreThoseOfRows) {
  Scenario scenario = lasting(3);
  scenario.events = {{.step = 37, .set = {{"system.gravity", 2}}},
                     {.step = 90, .set = {{"system.gravity", 15}}}};
  std::vector<std::vector<MeasuredLane::Value>> found;
  for (const std::int64_t every : {1, 1000}) {
    scenario.every = every;
    Simulation run = start(scenario);
    std::vector<SweepMeasure> wanted = measures(scenario);
    std::erase_if(wanted, [](const SweepMeasure& m) { return !m.is_extreme(); });
    MeasuredLane measured = value_of(MeasuredLane::create(wanted, scenario));
    run.observe([&measured](Simulation& at) { return measured.see(at); });
    while (!run.finished()) {
      ASSERT_FALSE(run.advance_to(run.planned_steps()));
      // Whatever has been seen so far is in the values.
      EXPECT_EQ(measured.values(run).size(), wanted.size());
    }
    found.push_back(measured.values(run));
  }
  expect_same(found[1], found[0]);
}

}  // namespace
}  // namespace twosphere::test::measured_lane_test
