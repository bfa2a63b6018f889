// SPDX-License-Identifier: GPL-3.0-or-later
// Where Newton's iteration for the multipliers of a chain begins.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "core/catalog.h"
#include "core/kernels/chain_ensemble.h"
#include "core/mechanics/integrator.h"
#include "tests/cases.h"

namespace twosphere::test::first_guess_test {
namespace {

using chain_kernel::FirstGuess;

// Where λ/h² is linear in time the guess is the solution, whatever the steps.
TEST(FirstGuess, FollowsTheLineThroughTheMiddlesOfTheLastTwoSteps) {
  const auto tension = [](double t) { return 3 - 0.7 * t; };
  for (const auto& [before, last, h] : {std::array{0.1, 0.1, 0.1},
                                        {0.1, 0.2, 0.05},
                                        {0.3, 0.3, -0.5},
                                        {-0.1, -0.1, -0.1},
                                        {0.3, -0.5, 0.3}}) {
    const double lambda_before = before * before * tension(before / 2),
                 lambda = last * last * tension(before + last / 2),
                 expected = h * h * tension(before + last + h / 2);
    const FirstGuess guess(h, last, before);
    EXPECT_NEAR(guess.last * lambda - guess.before * lambda_before, expected,
                1e-14 * std::abs(expected))
        << before << " " << last << " " << h;
  }
}

TEST(FirstGuess, OfEqualStepsIsTwiceTheLastLessTheOneBefore) {
  for (const double h : {0.1, -0.003, 1e-9}) {
    const FirstGuess equal(h, h, h), nearly(h, h, std::nextafter(h, 1.0));
    EXPECT_EQ(equal.last, 2);
    EXPECT_EQ(equal.before, 1);
    EXPECT_NEAR(nearly.last, 2, 1e-15);
    EXPECT_NEAR(nearly.before, 1, 1e-15);
  }
}

TEST(FirstGuess, ScalesTheLastMultipliersWhereThereIsNoLine) {
  // One step, a way back, two middles at one place or nearly, the same and no way to go.
  for (const auto& [before, last, h] : {std::array{0.0, 0.1, 0.2},
                                        {0.1, 0.1, -0.1},
                                        {0.1, -0.1, 0.1},
                                        {0.1, -0.1, 0.2},
                                        {0.1, -0.11, 0.2}}) {
    const FirstGuess guess(h, last, before);
    EXPECT_DOUBLE_EQ(guess.last, h / last * (h / last)) << before << " " << last << " " << h;
    EXPECT_EQ(guess.before, 0) << before << " " << last << " " << h;
  }
}

/// A double pendulum with its integrator after 20 steps of 1 ms.
struct Pendulum {
  Pendulum() {
    method->prepare(*system, state);
    march(20);
  }
  /// The number of iterations. `former`: before each step the method forgets all but the last.
  int march(int steps, bool former = false) {
    int iterations = 0;
    for (int k = 0; k < steps; ++k) {
      if (former) {
        EXPECT_TRUE(method->load_state(former_state()));
      }
      const StepReport report = method->advance(*system, 1e-3, state);
      EXPECT_TRUE(report.ok());
      iterations += report.iterations;
    }
    return iterations;
  }
  /// The saved state as former versions wrote it.
  IntegratorState former_state() const {
    IntegratorState memory = method->saved_state();
    EXPECT_EQ(memory.size(), 5U);
    memory.resize(3);
    return memory;
  }

  std::unique_ptr<const System> system =
      system_of("chain_pendulum", 2, values_from("masses 1 2; lengths 1 0.5; gravity 9.81"));
  State state = generic_start(2, everywhere, 1.5, 5);
  std::unique_ptr<Integrator> method = find_integrator("variational")->create({});
};

TEST(FirstGuess, SparesIterations) {
  Pendulum pendulum, former;
  EXPECT_LT(pendulum.march(1000), 0.8 * former.march(1000, true));
}

TEST(FirstGuess, AStateOfAFormerVersionGoesOnWithTheLastStepAlone) {
  Pendulum whole, former;
  ASSERT_TRUE(former.method->load_state(former.former_state()));
  const IntegratorState memory = former.method->saved_state();
  EXPECT_EQ(memory[3].first, "multipliers_before");
  EXPECT_EQ(memory[3].second, (std::vector<double>{0, 0}));
  EXPECT_EQ(memory[4].second, std::vector<double>{0});
  whole.march(100);
  former.march(100);
  EXPECT_LT((whole.state.q - former.state.q).cwiseAbs().maxCoeff(), 1e-13);
  // A state that lacks one of the two alone is refused.
  IntegratorState wrong = whole.method->saved_state();
  wrong.pop_back();
  EXPECT_FALSE(whole.method->load_state(wrong));
}

}  // namespace
}  // namespace twosphere::test::first_guess_test
