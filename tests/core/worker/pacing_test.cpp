// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/worker/pacing.h"

#include <gtest/gtest.h>

#include <chrono>

namespace twosphere::test::pacing_test {
namespace {

using namespace std::chrono_literals;

TEST(Pacer, SaysWhenATimeIsDue) {
  const Clock::time_point start{};
  Pacer pacer;
  pacer.anchor(start + 10s, 3, 2);
  EXPECT_EQ(pacer.due(3), start + 10s);
  EXPECT_EQ(pacer.due(5), start + 11s);
  EXPECT_EQ(pacer.reached(start + 10s), 3);
  EXPECT_EQ(pacer.reached(start + 11s), 5);
  pacer.anchor(start, 0, 0.01);
  EXPECT_EQ(pacer.due(0.5), start + 50s);
  pacer.anchor(start, 0, 1e-300);
  EXPECT_GT(pacer.due(1), start + 24h * 365);
}

TEST(Pacer, MakesUpForALittleAndForgivesTheRest) {
  const Clock::time_point start{};
  Pacer pacer;
  pacer.anchor(start, 0, 1);
  pacer.forgive(start + 1200ms, 1);
  EXPECT_EQ(pacer.due(2), start + 2s);
  pacer.forgive(start + 1300ms, 1);
  EXPECT_EQ(pacer.due(1), start + 1300ms);
  EXPECT_EQ(pacer.due(2), start + 2300ms);
}

TEST(RateMeter, LooksBackHalfASecond) {
  const Clock::time_point start{};
  RateMeter rates;
  EXPECT_EQ(rates.factor(), 0);
  rates.mark(start, 0, 0, 0ms);
  EXPECT_EQ(rates.factor(), 0);
  // Two simulated seconds per second, then, from 10 s on, three.
  for (int k = 1; k <= 10'000; ++k) rates.mark(start + k * 1ms, 0.002 * k, 5 * k, k * 200us);
  EXPECT_NEAR(rates.factor(), 2, 1e-9);
  EXPECT_NEAR(rates.steps_per_second(), 5000, 1e-6);
  EXPECT_NEAR(rates.step_seconds(), 40e-6, 1e-12);
  for (int k = 1; k <= 600; ++k)
    rates.mark(start + 10s + k * 1ms, 20 + 0.003 * k, 50'000 + 9 * k, 2s + k * 900us);
  EXPECT_NEAR(rates.factor(), 3, 1e-9);
  EXPECT_NEAR(rates.steps_per_second(), 9000, 1e-6);
  rates.clear();
  EXPECT_EQ(rates.steps_per_second(), 0);
}

TEST(RateMeter, KnowsAStepThatComesRarely) {
  const Clock::time_point start{};
  RateMeter rates;
  for (int k = 0; k < 4; ++k) rates.mark(start + k * 2s, 0.01 * k, k, k * 1s);
  EXPECT_NEAR(rates.factor(), 0.005, 1e-12);
  EXPECT_NEAR(rates.steps_per_second(), 0.5, 1e-12);
  EXPECT_NEAR(rates.step_seconds(), 1, 1e-12);
}

}  // namespace
}  // namespace twosphere::test::pacing_test
