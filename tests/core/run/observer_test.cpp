// SPDX-License-Identifier: GPL-3.0-or-later
// Observers of a run. This one is all that a new one needs: a class, and a call of observe().
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>

#include "tests/runs.h"

namespace twosphere::test::observer_test {
namespace {

/// The mean of a quantity over every so many steps.
class RunningMean {
 public:
  RunningMean(Quantity quantity, std::int64_t every) : quantity_(quantity), every_(every) {}
  std::int64_t operator()(Simulation& run) {
    mean_ += (run.sample(0)[quantity_] - mean_) / static_cast<double>(++count_);
    return run.steps() + every_;
  }
  double mean() const { return mean_; }
  std::int64_t count() const { return count_; }

 private:
  Quantity quantity_;
  std::int64_t every_, count_ = 0;
  double mean_ = 0;
};

Scenario sparse() {
  Scenario scenario = preset();
  scenario.every = 1000;
  return scenario;
}

TEST(Observer, SeesTheStepsThatItAsksForAndChangesNothing) {
  Simulation run = start(sparse()), plain = start(sparse());
  RunningMean often(Quantity::kinetic_energy, 1), seldom(Quantity::kinetic_energy, 7);
  run.observe(std::ref(often));
  const auto number = run.observe(std::ref(seldom));
  double sum = plain.sample(0)[Quantity::kinetic_energy];
  while (plain.steps() < 700) {
    march(plain, 1);
    sum += plain.sample(0)[Quantity::kinetic_energy];
  }
  while (run.steps() < 700) ASSERT_FALSE(run.advance_to(700));
  EXPECT_EQ(often.count(), 701);
  EXPECT_NEAR(often.mean(), sum / 701, 1e-12 * std::abs(sum));
  EXPECT_EQ(seldom.count(), 101);
  run.unobserve(number);
  march(run, 70);
  march(plain, 70);
  EXPECT_EQ(often.count(), 771);
  EXPECT_EQ(seldom.count(), 101);
  EXPECT_EQ(run.state(0).q, plain.state(0).q) << "it changes nothing";
  EXPECT_EQ(run.state(0).w, plain.state(0).w);
}

}  // namespace
}  // namespace twosphere::test::observer_test
