// SPDX-License-Identifier: GPL-3.0-or-later
// Frequencies of runs: samples along a run, and measures of sweeps.
#include "core/record/signal_samples.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <string>
#include <vector>

#include "core/scenario/state_expression.h"
#include "core/studies/sweep_task.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::test::signal_samples_test {
namespace {

/// A pendulum of 1 m that begins at this polar angle with this rate about the vertical.
Scenario pendulum(double angle, double rate) {
  const std::string text = R"({"twosphere": 1,
    "system": {"type": "chain_pendulum", "masses": [1], "lengths": [1]},
    "initial": {"q": [[0, 0, 1]], "omega": [[0, 0, 0]]},
    "integrator": {"type": "gauss16", "step": 0.05}, "duration": 200, "every": 1})";
  Scenario s = *read_scenario(text, "pendulum");
  s.q.col(0) = Vec3(std::sin(angle), 0, std::cos(angle));
  s.omega.col(0) = tangent(s.q.col(0), Vec3(0, 0, rate));
  return s;
}

SignalSamples sampled(Simulation& run, const ComplexSignal& signal, std::int64_t steps) {
  auto made = value_of(SignalSamples::create(signal, run.present()));
  const auto number = run.observe([&](Simulation& at) { return made.see(at, 0); });
  march(run, steps);
  run.unobserve(number);
  return made;
}

TEST(SignalSamples, ThePlanarPendulumHasItsPeriod) {
  const double angle = 1;
  // ν = √(g/l)/(4 K(sin θ/2))
  const double exact = std::sqrt(9.81) / (4 * std::comp_ellint_1(std::sin(angle / 2)));
  Simulation run = start(pendulum(angle, 0));
  const auto lines = sampled(run, {.real = "q[0].e1", .imaginary = "", .window = 2}, 4000).lines(2);
  ASSERT_EQ(lines.size(), 2u);
  // Of a real signal the line has its mirror.
  EXPECT_NEAR(std::abs(lines[0].frequency), exact, 1e-11);
  EXPECT_NEAR(lines[1].frequency, -lines[0].frequency, 1e-11);
  EXPECT_NEAR(std::abs(lines[0].amplitude), std::abs(lines[1].amplitude), 1e-9);
}

TEST(SignalSamples, TheConicalPendulumTurnsAtOneFrequencyInBothDirectionsOfTime) {
  const double angle = 0.7, rate = std::sqrt(9.81 / std::cos(angle));
  for (const double side : {1.0, -1.0}) {
    Simulation run = start(pendulum(angle, side * rate));
    for (int pass = 0; pass < 2; ++pass) {
      const SignalSamples samples = sampled(run, {}, 2000);
      const auto lines = samples.lines(3);
      ASSERT_EQ(lines.size(), 1u);
      EXPECT_NEAR(lines[0].frequency, side * rate / (2 * std::numbers::pi), 1e-11);
      EXPECT_NEAR(std::abs(lines[0].amplitude), std::sin(angle), 1e-11);
      EXPECT_LT(samples.diffusion(), -9);
      EXPECT_EQ(samples.interval(), pass == 0 ? 0.05 : -0.05);
      run.reverse();
    }
  }
}

TEST(SignalSamples, BeginAgainWhereTheSpacingChanges) {
  Simulation run = start(pendulum(0.5, 1));
  SignalSamples samples = *SignalSamples::create({}, run.present());
  for (int k = 0; k < 50; ++k) {
    EXPECT_EQ(samples.see(run, 0), run.steps() + 1);
    march(run, 1);
  }
  EXPECT_EQ(samples.samples().size(), 50u);
  ASSERT_TRUE(run.set({{"integrator.step", 0.02}}));
  (void)samples.see(run, 0);
  EXPECT_EQ(samples.samples().size(), 1u);
  EXPECT_EQ(samples.interval(), 0.02);
  EXPECT_TRUE(samples.lines(3).empty()) << "too few samples";
}

TEST(SignalSamples, AreTheSameForAnyPlanAndAnyRows) {
  std::vector<std::complex<double>> first;
  for (const auto& [every, duration] : {std::pair(1, 100.0), {50, 100.0}, {0, 2e6}}) {
    Scenario scenario = preset("custom/pendulum");
    scenario.every = every;
    scenario.duration = duration;
    Simulation run = start(scenario);
    SignalSamples samples = *SignalSamples::create({}, run.present());
    run.observe([&](Simulation& at) { return samples.see(at, 0); });
    while (run.steps() < 10'000) ASSERT_FALSE(run.advance_to(10'000));
    if (first.empty()) first.assign(samples.samples().begin(), samples.samples().end());
    EXPECT_EQ(first.size(), 10'001u);
    EXPECT_TRUE(std::ranges::equal(samples.samples(), first)) << every << ", " << duration;
    ASSERT_EQ(samples.lines(1).size(), 1u);
    EXPECT_NEAR(samples.lines(1)[0].frequency, 0.57445808, 1e-7);
  }
}

TEST(SignalSamples, MayBeOfAQuantity) {
  Scenario scenario = preset();
  scenario.plots = {{"height", "-lengths[1]*e3.q[1]", "cm"}};
  const PlottedExpression& height = scenario.plots[0];
  std::vector<Signal> all{Signal(Quantity::kinetic_energy), Signal(Signal::Kind::polar, 1),
                          Signal(height)};
  Simulation run = start(scenario);
  std::vector<SignalSamples> samples;
  for (const Signal& signal : all) {
    ASSERT_TRUE(SignalSamples::takes(signal));
    samples.push_back(*SignalSamples::create(signal, 1, scenario));
  }
  run.observe([&](Simulation& at) {
    for (SignalSamples& some : samples) (void)some.see(at, 0);
    return at.steps() + 1;
  });
  for (std::size_t k = 0; k < 40; march(run, 1), ++k) {
    EXPECT_EQ(samples[0].samples()[k], run.sample(0)[Quantity::kinetic_energy]);
    EXPECT_EQ(samples[1].samples()[k], all[1].value(*run.system(), run.state(0)));
    EXPECT_EQ(samples[2].samples()[k],
              StateExpression::create(height.expression, scenario, "cm")->value(run.state(0)));
  }
  // What is not of one state has none.
  for (const Signal& signal : {Signal(StepQuantity::newton_iterations), Signal::distance(),
                               Signal::momentum_error(2), Signal::modified_energy_error()})
    EXPECT_FALSE(SignalSamples::takes(signal)) << signal.key();
  EXPECT_FALSE(
      SignalSamples::create(Signal(PlottedExpression{"none", "q[7].e1", "1"}), 1, scenario));
}

/// A conical pendulum with a method and a step.
Scenario conical(const char* method, double step) {
  return with(pendulum(0.7, std::sqrt(9.81 / std::cos(0.7))),
              {{"integrator.type", method}, {"integrator.step", step}});
}

TEST(SignalSamples, AreThinnedAsLongAsTheRestResolvesTheMotion) {
  Simulation run = start(conical("variational", 0.005));
  const SignalSamples thinned = sampled(run, {}, 40'000);
  EXPECT_EQ(thinned.samples().size(), 20'001u);
  EXPECT_EQ(thinned.interval(), 0.01);
  EXPECT_EQ(thinned.spacing().nyquist(), 50);
  EXPECT_FALSE(thinned.cut() || thinned.spacing().may_be_aliased());
  EXPECT_NEAR(thinned.spacing().turn, std::sqrt(9.81 / std::cos(0.7)) * std::sin(0.7), 0.01);
  EXPECT_NEAR(thinned.lines(1)[0].frequency,
              std::sqrt(9.81 / std::cos(0.7)) / (2 * std::numbers::pi), 1e-4);
  // Where it would not, they end.
  Simulation coarse = start(conical("variational", 0.33));
  const SignalSamples cut = sampled(coarse, {}, 140'000);
  EXPECT_EQ(cut.samples().size(), std::size_t{1} << 17);
  EXPECT_EQ(cut.interval(), 0.33);
  EXPECT_TRUE(cut.cut());
}

TEST(SignalSamples, SayWhereABodyTurnsMoreThanHalfBetweenThem) {
  for (const double step : {0.5, 1.5}) {
    Simulation run = start(conical("rk45", step));
    const SignalSamples samples = sampled(run, {}, 64);
    EXPECT_EQ(samples.spacing().nyquist(), 1 / (2 * step));
    EXPECT_EQ(samples.spacing().may_be_aliased(), step > 1);
    EXPECT_EQ(samples.spacing().warning().empty(), step < 1);
  }
}

TEST(SignalSamples, GoOnWithASavedState) {
  const Scenario scenario = conical("variational", 0.005);
  Simulation whole = start(scenario), before = start(scenario);
  const SignalSamples all = sampled(whole, {}, 33'001), part = sampled(before, {}, 32'999);
  ASSERT_EQ(part.interval(), 0.01);
  SignalSamples rest = *SignalSamples::create({}, scenario);
  ASSERT_TRUE(rest.restore(part.saved(before.steps())));
  Simulation after = loaded(before);
  after.observe([&](Simulation& at) { return rest.see(at, 0); });
  march(after, 2);
  EXPECT_TRUE(std::ranges::equal(rest.samples(), all.samples()));
  EXPECT_EQ(rest.spacing().turn, all.spacing().turn);
  EXPECT_FALSE(rest.restore(std::vector<double>{1, 2}));
}

TEST(SignalSamples, FrequenciesAreMeasuresOfSweeps) {
  // A frequency map: regular orbits of the spherical pendulum over its first polar angle.
  Scenario scenario = pendulum(0.5, 0);
  scenario.duration = 100;
  scenario.signal = {.real = "q[0].e1", .imaginary = "q[0].e2", .window = 2};
  scenario.every = 40;  // rows that do not resolve the motion
  Sweep sweep{.scenario = scenario, .axes = {*parse_axis("system.gravity=4,9.81")}};
  for (const char* text : {"frequency", "frequency[1]", "diffusion"})
    sweep.measures.push_back(*parse_measure(text, scenario));
  const std::atomic<bool> stop{false};
  for (const std::size_t task : {0, 1}) {
    const auto row = run_sweep_task(sweep, "name", task, {}, stop);
    ASSERT_TRUE(row && *row);
    EXPECT_EQ((*row)->status, TaskStatus::done);
    const std::vector<double>& values = (*row)->values;
    const double exact = std::sqrt(task == 0 ? 4 : 9.81) / (4 * std::comp_ellint_1(std::sin(0.25)));
    EXPECT_NEAR(std::abs(values[0]), exact, 1e-9);
    EXPECT_NEAR(values[1], -values[0], 1e-9);
    EXPECT_LT(values[2], -7);
    // The same as of a run by itself.
    Simulation run = start(*sweep_scenario(sweep, task));
    EXPECT_EQ(sampled(run, *scenario.signal, 2000).lines(2)[0].frequency, values[0]);
  }
  sweep.scenario.signal->real = "q[3].e1";
  std::string why;
  const auto row = run_sweep_task(sweep, "name", 0, {}, stop, &why);
  ASSERT_TRUE(row && *row);
  EXPECT_EQ((*row)->status, TaskStatus::refused);
  EXPECT_TRUE(says(why, "signal.real"));
}

TEST(SignalSamples, SignalsAreReadAndWritten) {
  const std::string begin = R"({"twosphere": 1,
    "system": {"type": "chain_pendulum", "masses": [1], "lengths": [1]},
    "initial": {"q": [[0.8, 0, 0.6]], "omega": [[0, 1, 0]]},
    "integrator": {"type": "variational", "step": 0.01}, "duration": 10, "signal": )";
  for (const char* signal : {R"({"real": "q[0].e1"})",
                             R"({"real": "q[0].e1", "imaginary": "w[0].e2*1 s", "window": 3})"}) {
    const auto read = value_of(read_scenario(begin + signal + '}', "s"));
    const auto again = value_of(read_scenario(write_scenario(read), "again"));
    EXPECT_TRUE(read.signal && read.signal == again.signal) << signal;
    Scenario without = read;
    without.signal.reset();
    EXPECT_FALSE(same(read, without));
  }
  const std::vector<std::pair<const char*, const char*>> wrong{
      {R"({})", "missing key \"real\""},
      {R"({"real": "q[0]"})", "signal.real:1"},
      {R"({"real": "t", "imaginary": "q[0].e4"})", "signal.imaginary:6"},
      {R"({"real": "t", "window": 6})", "signal.window: must be"},
      {R"({"real": "t", "windows": 1})", "unknown key"}};
  for (const auto& [signal, message] : wrong) {
    const auto read = read_scenario(begin + signal + '}', "s");
    ASSERT_FALSE(read) << signal;
    EXPECT_TRUE(says(read.error().text(), message));
  }
}

}  // namespace
}  // namespace twosphere::test::signal_samples_test
