// SPDX-License-Identifier: GPL-3.0-or-later
// The samples of a recorded run whose frequencies are measured.
#include "core/record/signal_rows.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "core/record/signal_samples.h"
#include "core/worker/row_writer.h"
#include "tests/runs.h"

namespace twosphere::test::signal_rows_test {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

/// A run with its histories, as in the window.
class Recorded {
 public:
  explicit Recorded(const Scenario& scenario, std::int64_t max_samples = 1'000'000,
                    std::size_t state_budget = StateStride::budget)
      : run(start(scenario)), writer_(max_samples, state_budget) {
    histories.assign(scenario.lanes.size(),
                     History(StateStride(scenario.size(), run.lane_count(), state_budget)));
    writer_.begin(run, 1);
    every_ = run.stride();
    write();
  }
  void go(std::int64_t steps) {
    for (std::int64_t k = 0; k < steps; ++k) {
      march(run, 1);
      write();
    }
  }
  SignalRows rows(const Signal& signal, double low = -inf, double high = inf,
                  std::size_t lane = 0) {
    return signal_rows(histories[lane], static_cast<int>(lane), run.record(), signal, low, high);
  }

  Simulation run;
  std::vector<History> histories;

 private:
  void write() {
    writer_.record(run, {});
    writer_.publish(run);
    std::vector<SampleRows> all;
    writer_.release(writer_.drain(all));
    for (const SampleRows& some : all) {
      follow(some.every);
      for (std::size_t lane = 0; lane < histories.size(); ++lane)
        histories[lane].append(some, lane);
    }
    follow(run.stride());
  }
  void follow(std::int64_t every) {
    if (every > every_)
      for (History& history : histories) history.thin(static_cast<std::size_t>(every / every_));
    every_ = every;
  }

  RowWriter writer_;
  std::int64_t every_ = 1;
};

Scenario scenario_of(std::int64_t every = 1) {
  Scenario s = preset();
  s.every = every;
  s.duration = 100;
  return s;
}

const Signal turning(Signal::Kind::direction, 1, 0);
constexpr int window = 2;

/// Those of a run by itself, at its rows.
SignalRows sampled(Simulation run, const Signal& signal, std::int64_t steps) {
  SignalRows rows;
  rows.interval = static_cast<double>(run.stride()) * run.grid_step();
  for (;; march(run, 1)) {
    if (run.at_sample()) rows.samples.emplace_back(signal.value(*run.system(), run.state(0)), 0);
    if (run.steps() == steps) return rows;
  }
}

void expect_same(const SignalRows& rows, const SignalRows& expected) {
  ASSERT_EQ(rows.samples.size(), expected.samples.size());
  for (std::size_t k = 0; k < rows.samples.size(); ++k)
    ASSERT_EQ(rows.samples[k], expected.samples[k]) << k;
  EXPECT_EQ(rows.interval, expected.interval);
}

TEST(SignalRows, AreThoseOfTheCommandLine) {
  for (const std::int64_t every : {1, 3}) {
    const Scenario scenario = scenario_of(every);
    Recorded record(scenario);
    record.go(3000);
    const SignalRows rows = record.rows(turning);
    expect_same(rows, sampled(start(scenario), turning, 3000));
    EXPECT_EQ(rows.from, 0);
    EXPECT_EQ(rows.to, record.run.time());
    EXPECT_FALSE(rows.after_change || rows.shortened);
    // A part of them.
    const SignalRows part = record.rows(turning, 10, 20);
    EXPECT_GE(part.from, 10);
    EXPECT_LE(part.to, 20);
    EXPECT_EQ(part.interval, rows.interval);
  }
}

TEST(SignalRows, OfEveryStepGiveTheNumbersOfTheCommandLine) {
  Recorded record(scenario_of());
  record.go(2000);
  Simulation run = start(scenario_of());
  SignalSamples samples = *SignalSamples::create(turning, window, run.present());
  run.observe([&](Simulation& at) { return samples.see(at, 0); });
  march(run, 2000);
  const SignalRows rows = record.rows(turning);
  EXPECT_EQ(rows.interval, samples.interval());
  EXPECT_EQ(rows.nyquist(), samples.spacing().nyquist());
  EXPECT_EQ(rows.turn, samples.spacing().turn);
  const auto found = signal_lines(rows, false, 4, window);
  const auto lines = samples.lines(4);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->lines.size(), lines.size());
  for (std::size_t k = 0; k < lines.size(); ++k) {
    EXPECT_EQ(found->lines[k].frequency, lines[k].frequency);
    EXPECT_EQ(found->lines[k].amplitude, lines[k].amplitude);
  }
  EXPECT_EQ(found->diffusion, samples.diffusion());
}

TEST(SignalRows, SayWhereTheyAreTooFarApart) {
  for (const std::int64_t every : {1, 500}) {
    Scenario scenario = scenario_of(every);
    scenario.omega.col(1) = tangent(scenario.q.col(1), Vec3(0, 2, 0));
    Recorded record(scenario);
    record.go(5000);
    EXPECT_EQ(record.rows(turning).may_be_aliased(), every == 500);
    const SignalRows of_quantity = record.rows(Signal(Quantity::kinetic_energy));
    EXPECT_EQ(of_quantity.may_be_aliased(), every == 500);
    EXPECT_EQ(of_quantity.nyquist(), every == 500 ? 0.1 : 50);
  }
}

TEST(SignalRows, AreThoseOfTheLargerStrideOnceItHasDoubled) {
  Recorded record(scenario_of(), 1000);
  record.go(3000);
  ASSERT_EQ(record.run.stride(), 4);
  expect_same(record.rows(turning), sampled(start(scenario_of(4)), turning, 3000));
}

TEST(SignalRows, AreFewerWhereMemoryAllowsFewerStates) {
  Recorded record(scenario_of(), 1'000'000, 500 * StateStride::bytes_per_sample(2, 1));
  record.go(1500);
  ASSERT_EQ(record.histories[0].state_stride().stride(), 4u);
  expect_same(record.rows(turning), sampled(start(scenario_of(4)), turning, 1500));
  EXPECT_EQ(record.rows(Signal(Quantity::kinetic_energy)).samples.size(), 1501u)
      << "a quantity has every sample";
}

TEST(SignalRows, BeginAfterTheLastChange) {
  Recorded record(scenario_of());
  record.go(500);
  // What does not change the motion is no change.
  ASSERT_TRUE(record.run.set({{"duration", 90.0}}));
  record.go(10);
  EXPECT_FALSE(record.rows(turning).after_change);
  ASSERT_TRUE(record.run.set({{"system.gravity", 5.0}}));
  EXPECT_EQ(record.rows(turning).samples.size(), 511u) << "there is no row since then";
  record.go(300);
  SignalRows rows = record.rows(turning);
  EXPECT_TRUE(rows.after_change);
  EXPECT_EQ(rows.samples.size(), 300u);
  EXPECT_EQ(rows.from, record.histories[0].column(Quantity::time)[511]);
  EXPECT_EQ(rows.samples[0].real(), record.histories[0].state_at(511).q(0, 1));

  ASSERT_TRUE(record.run.set({{"integrator.step", 0.005}}));
  record.go(200);
  rows = record.rows(turning);
  EXPECT_EQ(rows.samples.size(), 200u);
  EXPECT_EQ(rows.interval, 0.005);
  ASSERT_TRUE(record.run.pull({.body = 0, .force = Vec3(1, 0, 0), .steps = 50}));
  record.go(150);
  EXPECT_EQ(record.rows(turning).samples.size(), 100u) << "after the pull";
  record.run.reverse();
  record.go(80);
  rows = record.rows(turning);
  EXPECT_EQ(rows.samples.size(), 80u);
  EXPECT_EQ(rows.interval, -0.005);
  EXPECT_GT(rows.from, rows.to);
}

TEST(SignalRows, OfALaneKnowNothingOfAnotherLane) {
  Scenario scenario = scenario_of();
  scenario = with(scenario, {{"lanes", *json::parse_value(R"([
      {"type": "variational", "step": 0.01}, {"type": "rk4", "step": 0.01}])")}});
  Recorded record(scenario);
  record.go(300);
  ASSERT_TRUE(record.run.set({{"lanes[1].type", "heun"}}));
  record.go(100);
  EXPECT_EQ(record.rows(turning, -inf, inf, 0).samples.size(), 401u);
  EXPECT_EQ(record.rows(turning, -inf, inf, 1).samples.size(), 100u);
}

TEST(SignalRows, AreNoneWhereThereAreNone) {
  Recorded record(scenario_of());
  EXPECT_EQ(record.rows(turning).samples.size(), 1u);
  EXPECT_TRUE(record.rows(turning, 50, 60).samples.empty());
  EXPECT_FALSE(signal_lines(record.rows(turning), false, 1, 1));
}

}  // namespace
}  // namespace twosphere::test::signal_rows_test
