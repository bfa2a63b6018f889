// SPDX-License-Identifier: GPL-3.0-or-later
// Adaptive methods through the close encounters of Example 2.
#include "tests/encounters.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <string>
#include <vector>

#include "core/base/interrupt.h"
#include "core/run/simulation.h"
#include "core/studies/published.h"
#include "tests/runs.h"

namespace twosphere::test::encounters_test {
namespace {

Values first_step(double eta) { return {{"first_step", {eta}}}; }

TEST(Encounters, HaveTheOrderOfTheInnerMethodInTheFirstStep) {
  // To 10 s, before the bodies meet.
  struct Method {
    const char* key;
    int order;
    double largest;  // first inner step [s]
  };
  for (const auto& [key, order, largest] :
       {Method{"rotation6_adaptive", 6, 0.06}, Method{"rotation8_adaptive", 8, 0.05}}) {
    std::vector<double> eta, errors;
    for (int k = 0; k < 4; ++k) {
      eta.push_back(largest * std::exp2(-0.25 * k));
      const Followed run = follow(key, 0.5, 10, first_step(eta.back()));
      ASSERT_TRUE(run.whole) << key;
      errors.push_back(distance_from_golden(run));
    }
    const double slope = fitted_order(eta, errors);
    RecordProperty(key, std::to_string(slope));
    EXPECT_NEAR(slope, order, 0.4) << key << ", errors " << errors[0] << " to " << errors[3];
  }
}

TEST(Encounters, TheInnerStepsDoNotDependOnTheSamplingGrid) {
  for (const char* key : {"rotation6_adaptive", "rotation8_adaptive"}) {
    const Followed coarse = follow(key, 2.5, 12.5, first_step(0.05)),
                   fine = follow(key, 0.01, 12.5, first_step(0.05));
    ASSERT_TRUE(coarse.whole && fine.whole);
    EXPECT_EQ(coarse.inner_steps, fine.inner_steps) << key;
    EXPECT_LT(distance(coarse.end, fine.end), 1e-12) << key;
  }
}

TEST(Encounters, TakeBackAHundredInnerSteps) {
  for (const char* key : {"rotation6_adaptive", "rotation8_adaptive"}) {
    const ThreeBodies bodies = three_bodies();
    const auto method = make_integrator(key, first_step(0.05));
    State s = bodies.start;
    method->prepare(*bodies.system, s);
    const auto go = [&](double h, int steps) {
      long inner = 0;
      for (int k = 0; k < steps; ++k) {
        const StepReport report = method->advance(*bodies.system, h, s);
        EXPECT_TRUE(report.ok());
        s.t += h;
        inner += report.inner_steps;
      }
      return inner;
    };
    const long there = go(0.25, 20);
    EXPECT_GE(there, 100);
    EXPECT_NEAR(static_cast<double>(go(-0.25, 20)), static_cast<double>(there), 1)
        << "rounding decides on which side of the start the last one ends";
    EXPECT_LT(distance(s, bodies.start), 1e-12) << key;
    // And on the other side of the start.
    EXPECT_GT(go(-0.25, 4), 0);
    EXPECT_GT(go(0.25, 4), 0);
    EXPECT_LT(distance(s, bodies.start), 1e-12) << key;
  }
}

TEST(Encounters, TooLongAFirstStepIsRefused) {
  for (const char* key : {"rotation6_adaptive", "rotation8_adaptive"}) {
    const ThreeBodies bodies = three_bodies();
    const auto method = make_integrator(key, first_step(0.3));
    State s = bodies.start;
    method->prepare(*bodies.system, s);
    StepReport report;
    while (s.t < 13) {
      const State before = s;
      const IntegratorState memory = method->saved_state();
      report = method->advance(*bodies.system, 0.25, s);
      if (!report.ok()) {
        EXPECT_EQ(s.q, before.q);
        EXPECT_EQ(s.w, before.w);
        EXPECT_EQ(method->saved_state(), memory);
        break;
      }
      s.t += 0.25;
    }
    EXPECT_EQ(report.status, StepStatus::motion_not_resolved) << key;
    EXPECT_LT(s.t, 12.75);
  }
}

TEST(Encounters, AnInterruptedStepChangesNothing) {
  const ThreeBodies bodies = three_bodies();
  const auto method = make_integrator("rotation8_adaptive", first_step(0.05));
  State s = bodies.start;
  method->prepare(*bodies.system, s);
  ASSERT_TRUE(method->advance(*bodies.system, 1, s).ok());
  s.t = 1;
  const State before = s;
  const IntegratorState memory = method->saved_state();
  const std::atomic<bool> stop = true;
  {
    const Interruptible interruptible(stop);
    EXPECT_EQ(method->advance(*bodies.system, 1, s).status, StepStatus::interrupted);
  }
  EXPECT_EQ(s.q, before.q);
  EXPECT_EQ(method->saved_state(), memory);
  EXPECT_TRUE(method->advance(*bodies.system, 1, s).ok());
}

/// Inner steps of the run after changes at 11.5 s.
double inner_steps_after(const std::vector<Setting>& changes, int steps = 100) {
  Simulation run = start(with(preset("three_body"), {{"integrator.type", "rotation8_adaptive"},
                                                     {"integrator.step", 0.01},
                                                     {"integrator.first_step", 0.05},
                                                     {"duration", 20.0}}));
  march(run, 1150);
  const std::int64_t before = run.lane(0).inner_steps;
  EXPECT_TRUE(changes.empty() || run.set(changes));
  march(run, steps);
  return static_cast<double>(run.lane(0).inner_steps - before);
}

TEST(Encounters, AChangedFirstStepMeansTheSameOnTheWay) {
  // At 11.5 s the bodies are faster than at the start: half the first step is half of any.
  const double kept = inner_steps_after({});
  EXPECT_GT(kept, 20);
  EXPECT_NEAR(inner_steps_after({{"integrator.first_step", 0.025}}), 2 * kept, 2);
  EXPECT_NEAR(inner_steps_after({{"integrator.step", 0.005}}, 200), kept, 1);
  EXPECT_NEAR(inner_steps_after({{"system.gamma", 1.001}}), kept, 2) << "ε is kept";
}

TEST(Encounters, OfBodiesThatRepelOneAnotherAreNearAntipodes) {
  const auto system = system_of("n_body", 2, {{"masses", {1, 2}}, {"gamma", {-1}}});
  State s{0, Columns(3, 2), Columns(3, 2)};
  s.q << 1, -0.6, 0, 0.8, 0, 0;
  s.w << 0, 0, 0.02, 0, 0, 0;
  const State start = s;
  ASSERT_TRUE(system->closest_encounter(s.q));
  EXPECT_NEAR(system->closest_encounter(s.q)->angle, std::asin(0.8), 1e-15);
  EXPECT_EQ(system->closest_encounter(s.q)->strength, 1.5);
  const double energy = total_energy(*system, s);
  const auto method = prepared("rotation8_adaptive", *system, s, first_step(0.02));
  double least = 1;
  for (const double h : {0.001, -0.001})
    for (int k = 0; k < 1000; ++k) {
      ASSERT_TRUE(method->advance(*system, h, s).ok());
      s.t += h;
      const double sine = min_sine(s.q);
      least = std::min(least, sine);
      if (sine > 0.1) {
        EXPECT_NEAR(total_energy(*system, s), energy, 1e-8);
      }
    }
  EXPECT_LT(least, 0.01);
  EXPECT_LT(distance(s, start), 1e-7);
}

TEST(Encounters, AreFollowedToTheGoldenSolutions) {
  const Followed thirteen = follow("rotation8_adaptive", 13, 13, first_step(0.03)),
                 twenty = follow("rotation8_adaptive", 20, 20, first_step(0.03));
  ASSERT_TRUE(thirteen.whole && twenty.whole);
  EXPECT_LT(distance_from_golden(thirteen), 2e-9);
  EXPECT_LE(thirteen.forces, 20'000);
  EXPECT_LT(distance_from_golden(twenty), 1e-5);
}

TEST(Encounters, TheAdaptiveVariationalIntegratorIsFarNearer) {
  const Followed fixed = follow("variational", 0.005, 10),
                 adaptive = follow("variational_adaptive", 10, 10, first_step(0.009));
  ASSERT_TRUE(fixed.whole && adaptive.whole);
  EXPECT_LE(adaptive.forces, fixed.forces);
  EXPECT_GT(distance_from_golden(fixed), 50 * distance_from_golden(adaptive));
}

// How close the closest encounter is, and with it the error, is a matter of chance: with first
// steps from 0.028 to 0.034 s, 1e-8 to 2e-6 J were measured, with 0.026 s 0.014 J. The median of
// three.
TEST(Encounters, AThousandSecondsKeepTheEnergy) {
  const auto begun = std::chrono::steady_clock::now();
  std::vector<double> errors;
  for (const double first : {0.03, 0.031, 0.033}) {
    const Followed run = follow("rotation8_adaptive", 0.5, 1000, first_step(first));
    ASSERT_TRUE(run.whole) << "refused after " << run.end.t << " s";
    EXPECT_LT(run.forces, 10'000'000);
    errors.push_back(run.energy_error);
  }
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begun;
  RecordProperty("seconds", std::to_string(taken.count()));
  std::sort(errors.begin(), errors.end());
  EXPECT_LE(errors[1], 1e-7);  // measured: 1.7e-8
}

}  // namespace
}  // namespace twosphere::test::encounters_test
