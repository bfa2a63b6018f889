// SPDX-License-Identifier: GPL-3.0-or-later
// Gauss collocation against what it gives for a free body in closed form. Its order can only be
// seen there: elsewhere its errors fall from pre-asymptotic ones to rounding. reference_test.cpp
// compares it with reference solutions.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <span>
#include <vector>

#include "core/studies/published.h"
#include "tests/cases.h"

namespace twosphere::test::gauss16_test {
namespace {

/// The diagonal Padé approximant of exp(z) with numerator N of degree 8, N(z)/N(−z).
std::complex<double> pade(std::complex<double> z) {
  constexpr int s = 8;
  const auto numerator = [&](std::complex<double> at) {
    std::complex<double> sum = 0, power = 1;
    double factor = 1;  // (2s − k)! s!/((2s)! k! (s − k)!)
    for (int k = 0; k <= s; ++k) {
      sum += factor * power;
      power *= at;
      factor *= static_cast<double>(s - k) / ((2 * s - k) * (k + 1));
    }
    return sum;
  };
  return numerator(z) / numerator(-z);
}

/// The direction of a free body after one step in which it turns by `angle` [rad] about e3.
Vec3 turned(double angle) {
  const auto system =
      system_of("chain_pendulum", 1, {{"masses", {1}}, {"lengths", {1}}, {"gravity", {0}}});
  State s{0, Columns(3, 1), Columns(3, 1)};
  s.q.col(0) = Vec3::UnitX();
  s.w.col(0) = angle * Vec3::UnitZ();
  const auto method = prepared("gauss16", *system, s);
  const StepReport report = method->advance(*system, 1, s);
  EXPECT_TRUE(report.ok()) << angle << ": " << describe(report.status);
  EXPECT_LE((s.w.col(0) - angle * Vec3::UnitZ()).norm(), 1e-15 * angle);
  return s.q.col(0);
}

TEST(Gauss16, TurnsAFreeBodyByThePadeApproximant) {
  for (const double angle : {0.01, 0.5, 1.0, 2.0, 4.0, 6.0}) {
    const Vec3 q = turned(angle);
    const std::complex<double> exact = pade({0, angle});
    EXPECT_NEAR(std::abs(exact), 1, 1e-15);
    EXPECT_NEAR(q.x(), exact.real(), 4e-15 * (1 + angle)) << angle;
    EXPECT_NEAR(q.y(), exact.imag(), 4e-15 * (1 + angle)) << angle;
    EXPECT_EQ(q.z(), 0);
  }
}

TEST(Gauss16, HasOrder16) {
  // The angle lags by (8!)²/(16! 17!) θ^17 in one step, and a little less for large θ.
  std::vector<double> angles, errors;
  for (double angle = 2.5; angle < 3.7; angle *= std::exp2(0.125)) {
    const Vec3 q = turned(angle);
    angles.push_back(angle);
    errors.push_back(std::abs(std::remainder(std::atan2(q.y(), q.x()) - angle, 2 * M_PI)));
  }
  ASSERT_EQ(angles.size(), 5U);
  EXPECT_NEAR(fitted_order(std::span(angles), std::span(errors)), 17, 0.5);
  const double leading = 2.1845e-19;  // (8!)²/(16! 17!)
  EXPECT_NEAR(errors[0] / (leading * std::pow(2.5, 17)), 1, 0.15);
}

TEST(Gauss16, RefusesWhatItsIterationCannotSolve) {
  const auto system = system_of("chain_pendulum", 2,
                                {{"masses", {1, 1}}, {"lengths", {1, 1}}, {"gravity", {9.81}}});
  State s = generic_start(2, 0.5, 1, 3);
  const State before = s;
  const auto method = prepared("gauss16", *system, s);
  const StepReport report = method->advance(*system, 10, s);
  EXPECT_EQ(report.status, StepStatus::not_converged);
  EXPECT_TRUE(same_state(s, before));
}

}  // namespace
}  // namespace twosphere::test::gauss16_test
