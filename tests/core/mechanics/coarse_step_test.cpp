// SPDX-License-Identifier: GPL-3.0-or-later
// Steps that are too coarse for the motion: one verdict for `check`, `run` and the window.
#include "core/mechanics/coarse_step.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include "core/mechanics/parameter.h"
#include "core/mechanics/time_scales.h"
#include "core/run/simulation.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::test::coarse_step_test {
namespace {

using Cause = CoarseStep::Cause;

const IntegratorInfo& method(std::string_view key) { return *find_integrator(key); }

TEST(CoarseStep, ResolvedTurnsAreThoseOfKnownPhaseErrors) {
  EXPECT_NEAR(resolved_turn(method("variational")), 0.1, 1e-5);
  EXPECT_NEAR(resolved_turn(method("rotation")), 0.1, 1e-3);
  // Phase errors φ²/6 and φ⁴/120 per radian, beside φ²/24.
  for (const char* key : {"rk2", "heun", "rk2_projected"})
    EXPECT_NEAR(resolved_turn(method(key)), 0.05, 0.002) << key;
  EXPECT_NEAR(resolved_turn(method("rk4")), std::pow(120.0 / 600, 0.25) / 2, 0.02);
  // By the eigenvalues 1 + iφ − φ²/2 − iφ³/6 + φ⁴/24.
  EXPECT_NEAR(resolved_turn(method("rk4")), 0.3507, 1e-3);
  EXPECT_NEAR(resolved_turn(method("variational4")), 0.6027, 1e-3);
  EXPECT_EQ(resolved_turn(method("gauss16")), 1);
  // A precession of 2 atan(φ/2) in place of φ.
  EXPECT_NEAR(resolved_turn(method("spherical_midpoint")), std::sqrt(12.0 / 600) / 2, 1e-3);
  for (const IntegratorInfo& info : integrators()) {
    if (info.adaptive) continue;
    EXPECT_GE(resolved_turn(info), 0.049) << info.key;
    EXPECT_LE(resolved_turn(info), 1) << info.key;
    // Of order 3, φ³/24 of the amplitude per radian alone leave 0.17.
    EXPECT_TRUE(info.order <= 2 || resolved_turn(info) > (info.order == 3 ? 0.15 : 0.2))
        << info.key;
  }
}

TEST(CoarseStep, SmallOscillationsTurnAsTheMethodHasThem) {
  for (const double h : {0.01, 0.3, 1.5}) {
    for (const char* key : {"variational", "rotation"})
      EXPECT_NEAR(oscillation_turn(method(key), h), 2 * std::asin(h / 2), 5e-9 * h) << key << h;
    EXPECT_NEAR(oscillation_turn(method("gauss16"), h), h, 5e-9 * h) << h;
  }
  // 1 + iφ − φ²/2 − iφ³/6 + φ⁴/24.
  EXPECT_NEAR(oscillation_turn(method("rk4"), 0.3), std::atan2(0.3 - 0.0045, 1 - 0.045 + 3.375e-4),
              1e-9);
  EXPECT_TRUE(std::isnan(oscillation_turn(method("variational"), 2.5)));
}

/// Pendula of the frequencies 1 and 20 rad/s, side by side, which swing from these angles.
Simulation pendula(double slow, double fast) {
  const auto scenario = value_of(
      read_scenario(fmt::format(R"json({{"twosphere": 1,
    "system": {{"type": "custom", "inertia": "diag(1)",
               "potential": "-e3.q[0] - 400*e3.q[1]"}},
    "initial": {{"q": [[{}, 0, {}], [{}, 0, {}]], "omega": [[0, 0, 0], [0, 0, 0]]}},
    "integrator": {{"type": "variational", "step": 0.001}}, "duration": 1}})json",
                                std::sin(slow), std::cos(slow), std::sin(fast), std::cos(fast)),
                    "test"));
  return start(scenario);
}

std::vector<CoarseStep> coarse(std::string_view key, double h, Simulation& run) {
  const State& state = run.state(0);
  const IntegratorInfo& info = method(key);
  return coarse_steps(info, default_values(info.parameters), h, *run.system(), state,
                      time_scales(*run.system(), state));
}

TEST(CoarseStep, IsOneOfTwiceTheLargestThatResolvesHarmonicMotion) {
  Simulation run = pendula(0, 0.1);
  const TimeScales scales = time_scales(*run.system(), run.state(0));
  // That of the curvature of V at the angle of 0.1.
  const double less = std::sqrt(std::cos(0.1));
  EXPECT_NEAR(scales.fastest(), 20 * less, 1e-4);
  EXPECT_NEAR(resolving_step(method("variational"), scales), 0.005 / less, 1e-6);
  for (const IntegratorInfo& info : integrators()) {
    if (info.adaptive || info.order > 4 || !info.supports(*run.system())) continue;
    const double resolving = resolving_step(info, scales);
    EXPECT_TRUE(coarse(info.key, 1.85 * resolving, run).empty()) << info.key;
    EXPECT_EQ(coarse(info.key, 2.2 * resolving, run).size(), 1U) << info.key;
  }
  const auto found = coarse("variational", 0.012, run);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].cause, Cause::rate);
  EXPECT_NEAR(found[0].ratio(), 2.4 * less, 1e-3);
  EXPECT_EQ(describe(found[0]),
            "the step, 0.012 s, is 2.4 times the largest that resolves the fastest rate, 0.005 s");
  EXPECT_TRUE(coarse("rk78", 0.012, run).empty()) << "it takes inner steps";
  EXPECT_TRUE(coarse("gauss16", 0.012, run).empty());
  EXPECT_EQ(coarse("gauss16", 0.15, run).size(), 1U) << "by the rate alone";
  const auto with = [&run](double h, const TimeScales& rates) {
    const IntegratorInfo& info = method("variational");
    return coarse_steps(info, default_values(info.parameters), h, *run.system(), run.state(0),
                        rates);
  };
  EXPECT_TRUE(with(1e9, {}).empty()) << "nothing moves";
  EXPECT_TRUE(with(1, {.turn = std::numeric_limits<double>::infinity()}).empty());
}

// A rate counts as much as the motion has of it.
TEST(CoarseStep, OfAFastRateThatIsHardlyExcitedIsNone) {
  constexpr double h = 0.02;  // four times what resolves the fast pendulum
  Simulation excited = pendula(0.5, 0.3), hardly = pendula(0.5, 1e-3), at_rest = pendula(0.5, 0);
  EXPECT_EQ(coarse("variational", h, excited).size(), 1U);
  EXPECT_TRUE(coarse("variational", h, hardly).empty());
  EXPECT_TRUE(coarse("variational", h, at_rest).empty());
  EXPECT_EQ(coarse("variational", 0.11, at_rest).size(), 1U) << "no step of it is stable";
  Simulation still = pendula(0, 0);
  EXPECT_TRUE(coarse("variational", h, still).empty()) << "rounding is no motion";
}

// What the difference of two runs is, relative to the motion, up to a factor.
TEST(StepErrors, AreThoseOfTheRun) {
  for (const char* key : {"variational", "rk2", "rk4", "variational4"}) {
    Simulation run = pendula(0.2, 0.1);
    const IntegratorInfo& info = method(key);
    const double h = 1.5 * resolved_turn(info) / 20;
    constexpr int parts = 40;
    State state = run.state(0), fine = state;
    const IntegratorInfo& gauss = method("gauss16");
    const auto rough = info.create(default_values(info.parameters)),
               exact = gauss.create(default_values(gauss.parameters));
    rough->prepare(*run.system(), state);
    exact->prepare(*run.system(), fine);
    StepErrors errors(info, state.q);
    const Columns first = state.q;
    double off = 0, motion = 0;
    const int steps = static_cast<int>(StepErrors::horizon / (20 * h));
    for (int k = 0; k < steps; ++k) {
      ASSERT_TRUE(rough->advance(*run.system(), h, state).ok());
      for (int i = 0; i < parts; ++i)
        ASSERT_TRUE(exact->advance(*run.system(), h / parts, fine).ok());
      errors.add(state.q);
      off = std::max(off, (state.q - fine.q).colwise().norm().maxCoeff());
      motion = std::max(motion, (fine.q - first).colwise().norm().maxCoeff());
    }
    EXPECT_GT(off / motion, errors.share(steps)) << key;
    EXPECT_LT(off / motion, 4 * errors.share(steps)) << key;
  }
}

// Where c h ≫ M.
TEST(CoarseStep, DampingIsSaidApart) {
  const TimeScales scales{.turn = 0.01, .damping = 20};
  Simulation run = pendula(0, 0);
  const auto with = [&](double h) {
    return coarse_steps(method("variational"), {}, h, *run.system(), run.state(0), scales);
  };
  EXPECT_TRUE(with(0.09).empty());
  const auto found = with(0.2);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].cause, Cause::damping);
  EXPECT_EQ(describe(found[0]),
            "the step, 0.2 s, is 4 times M/c = 0.05 s: slow motion has order 1, and where a spin "
            "stops is not resolved");
}

TEST(TimeScales, DampingIsThatOfTheInertia) {
  const auto scenario = value_of(read_scenario(R"({"twosphere": 1,
    "system": {"type": "chain_pendulum", "masses": [2], "lengths": [0.5], "damping": 10},
    "initial": {"q": [[0.6, 0, 0.8]], "omega": [[0, 0, 0]]},
    "integrator": {"type": "variational", "step": 0.2}, "duration": 1})",
                                               "test"));
  Simulation run = start(scenario);
  EXPECT_NEAR(time_scales(*run.system(), run.state(0)).damping, 20, 1e-9);
  ASSERT_FALSE(run.coarse_steps(0).empty());
  EXPECT_EQ(run.coarse_steps(0).back().cause, Cause::damping);
}

TEST(TimeScales, ContainTheRateOfForcesThatDependOnTime) {
  const auto forcing = [](const char* force) {
    const auto scenario = value_of(read_scenario(fmt::format(R"json({{"twosphere": 1,
      "system": {{"type": "custom", "inertia": "diag(2)", "potential": "-e3.q[0]",
                  "force": "f[0] = {}"}},
      "initial": {{"q": [[0.6, 0, 0.8]], "omega": [[0, 0, 0]]}},
      "integrator": {{"type": "variational", "step": 0.01}}, "duration": 1}})json",
                                                             force),
                                                 "test"));
    const Simulation run = start(scenario);
    return time_scales(*run.system(), {0, scenario.q, scenario.omega}).forcing;
  };
  EXPECT_NEAR(forcing("100*sin(30*t)*e3"), 30, 5);
  EXPECT_GT(forcing("100*cos(3*t)*e1"), 1.5);
  EXPECT_LT(forcing("100*cos(3*t)*e1"), 6);
  EXPECT_EQ(forcing("1e-4*sin(30*t)*e3"), 0) << "too weak to move anything";
  EXPECT_EQ(forcing("100*e1"), 0);
  EXPECT_EQ(forcing("0*t*e1"), 0);
}

// N = −36/ln hρ sweeps: as many per time are needed on both sides of hρ = 1/e.
TEST(CoarseStep, OfManySweepsNamesTheStepOfTheFewestPerTime) {
  EXPECT_FALSE(coarse_by_sweeps(0.5, many_sweeps));
  const auto found = coarse_by_sweeps(0.7, 54);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->cause, Cause::sweeps);
  const double rho = std::exp(-36.0 / 54) / 0.7, h = found->resolving;
  EXPECT_NEAR(h * rho, std::exp(-1), 1e-12);
  const auto per_time = [&](double step) { return -36 / std::log(step * rho) / step; };
  EXPECT_LT(per_time(h), std::min(per_time(0.95 * h), per_time(1.05 * h)));
  EXPECT_EQ(describe(*found),
            "the step, 0.7 s, takes 54 sweeps, more than 40: steps above 0.5 s save no time");
  EXPECT_FALSE(has_coarse_rate({*found}));
}

TEST(CoarseStep, OfARunFollowsItsSettings) {
  Simulation run = start(with(preset("custom/pendulum"), {{"integrator.step", 0.16}}));
  ASSERT_EQ(run.coarse_steps(0).size(), 1U);
  EXPECT_NEAR(run.coarse_steps(0)[0].ratio(), 4.5, 0.1);
  ASSERT_TRUE(run.set({{"integrator.step", 0.035}}));
  EXPECT_TRUE(run.coarse_steps(0).empty());
  march(run, 10);
  // A change of the rates.
  ASSERT_TRUE(run.set({{"system.g", 30.0}}));
  ASSERT_EQ(run.coarse_steps(0).size(), 1U);
  EXPECT_EQ(run.coarse_steps(0)[0].step, 0.035);
  // Of each lane, that of its own method and step.
  Simulation lanes =
      start(with(preset("custom/pendulum"),
                 {{"lanes", json::parse_value(R"([{"type": "variational", "step": 0.16},
          {"type": "gauss16", "step": 0.16}, {"type": "rk45", "step": 0.16}])")
                                .value()}}));
  EXPECT_EQ(lanes.coarse_steps(0).size(), 1U);
  EXPECT_TRUE(lanes.coarse_steps(1).empty());
  EXPECT_TRUE(lanes.coarse_steps(2).empty());
}

TEST(CoarseStep, NoPresetHasOne) {
  for (const auto& list : {presets(), custom_presets()})
    for (const Preset& p : list) {
      Simulation run = start(preset(p.key));
      for (const CoarseStep& coarse : run.coarse_steps(0))
        ADD_FAILURE() << p.key << ": " << describe(coarse);
    }
}

}  // namespace
}  // namespace twosphere::test::coarse_step_test
