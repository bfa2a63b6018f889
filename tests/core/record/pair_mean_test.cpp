// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/pair_mean.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/run/simulation.h"
#include "core/scenario/scenario.h"
#include "tests/outcome.h"
#include "tests/runs.h"
#include "tests/sample_row.h"

namespace twosphere::test::pair_mean_test {
namespace {

using std::chrono::hours;

constexpr int bins = 30;

/// A run whose states are stored, and their pairs counted one by one.
struct Recorded {
  explicit Recorded(const char* key)
      : simulation(value_of(Simulation::create(preset(key)))),
        expected(std::max(simulation.system()->size(), 2), bins) {
    view.lanes.resize(1);
    view.record = std::make_shared<const Scenario>(simulation.record());
    store();
  }
  void store() {
    const State& state = simulation.state(0);
    view.lanes[0].append(
        row_of(simulation.steps(), simulation.sample(0), state, simulation.system()), 0);
    if (state.q.cols() > 1) expected.add(state.q);
  }
  void go_on(int steps) {
    for (int k = 0; k < steps; ++k) {
      ASSERT_FALSE(simulation.step());
      store();
    }
  }

  Simulation simulation;
  RunView view;
  PairDistribution expected;
};

void expect_equal(const PairDistribution& found, const PairDistribution& wanted) {
  EXPECT_EQ(found.rows(), wanted.rows());
  ASSERT_EQ(found.bins(), wanted.bins());
  for (int bin = 0; bin < wanted.bins(); ++bin) EXPECT_EQ(found.pairs(bin), wanted.pairs(bin));
}

TEST(PairMean, CountsEveryStoredStateOnceHoweverOftenItIsAsked) {
  Recorded run("three_body");
  PairMean mean;
  EXPECT_TRUE(mean.proceed(run.view, bins, hours(1)));
  run.go_on(10);
  EXPECT_TRUE(mean.proceed(run.view, bins, hours(1)));
  EXPECT_TRUE(mean.proceed(run.view, bins, hours(1)));
  run.go_on(7);
  EXPECT_TRUE(mean.proceed(run.view, bins, hours(1)));
  ASSERT_EQ(mean.lanes().size(), 1U);
  expect_equal(mean.lanes()[0], run.expected);
}

TEST(PairMean, ContinuesWhereItsTimeWasUp) {
  Recorded run("three_body");
  run.go_on(20);
  PairMean mean;
  // Each call counts a state, however little time it has: 21 states, so 20 calls are cut short.
  for (int call = 0; call < 20; ++call) EXPECT_FALSE(mean.proceed(run.view, bins, hours(-1)));
  EXPECT_EQ(mean.lanes()[0].rows(), 20);
  EXPECT_TRUE(mean.proceed(run.view, bins, hours(-1)));
  expect_equal(mean.lanes()[0], run.expected);
}

TEST(PairMean, BeginsAnewForAnotherRunAndOtherBins) {
  Recorded run("three_body");
  run.go_on(10);
  PairMean mean;
  EXPECT_TRUE(mean.proceed(run.view, bins, hours(1)));
  EXPECT_TRUE(mean.proceed(run.view, bins / 2, hours(1)));
  EXPECT_EQ(mean.lanes()[0].bins(), bins / 2);
  EXPECT_EQ(mean.lanes()[0].rows(), run.expected.rows());
  // Of one that is as long but was somewhere else, and of one that is shorter.
  for (const auto& [key, steps] :
       {std::pair("close_encounters", 10), {"double_spherical_pendulum", 10}, {"three_body", 3}}) {
    Recorded other(key);
    other.go_on(steps);
    EXPECT_TRUE(mean.proceed(run.view, bins, hours(1)));
    expect_equal(mean.lanes()[0], run.expected);
    EXPECT_TRUE(mean.proceed(other.view, bins, hours(1)));
    expect_equal(mean.lanes()[0], other.expected);
  }
}

TEST(PairMean, BeginsAnewWhereOnlyAnotherLaneIsElsewhere) {
  Recorded run("three_body"), later("three_body");
  run.go_on(10);
  later.go_on(5);
  later.view.lanes[0].clear();
  later.expected = PairDistribution(3, bins);
  later.store();
  later.go_on(10);
  RunView both = run.view;
  both.lanes.push_back(run.view.lanes[0]);
  PairMean mean;
  EXPECT_TRUE(mean.proceed(both, bins, hours(1)));
  expect_equal(mean.lanes()[1], run.expected);
  both.lanes[1] = later.view.lanes[0];
  EXPECT_TRUE(mean.proceed(both, bins, hours(1)));
  expect_equal(mean.lanes()[0], run.expected);
  expect_equal(mean.lanes()[1], later.expected);
}

TEST(PairMean, CountsMissingStatesOnceTheyAreGiven) {
  Recorded run("three_body"), late("three_body");
  run.go_on(10);
  std::vector<std::int64_t> steps;
  std::vector<double> times;
  while (late.simulation.steps() < 6) {
    steps.push_back(late.simulation.steps());
    times.push_back(late.simulation.time());
    ASSERT_FALSE(late.simulation.step());
  }
  late.view.lanes[0] = History::missing(steps, times, late.simulation.system(), StateStride());
  late.store();
  late.go_on(4);
  PairMean mean;
  EXPECT_TRUE(mean.proceed(late.view, bins, hours(1)));
  EXPECT_EQ(mean.lanes()[0].rows(), 5);
  ASSERT_TRUE(late.view.lanes[0].give_beginning(run.view.lanes[0]));
  EXPECT_TRUE(mean.proceed(late.view, bins, hours(1)));
  expect_equal(mean.lanes()[0], run.expected);
}

TEST(PairMean, HasNoLanesOfOneBody) {
  Recorded run("conformal_particle");
  PairMean mean;
  EXPECT_TRUE(mean.proceed(run.view, bins, hours(1)));
  EXPECT_TRUE(mean.lanes().empty());
}

}  // namespace
}  // namespace twosphere::test::pair_mean_test
