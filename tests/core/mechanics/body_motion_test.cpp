// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/body_motion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace twosphere::body_motion_test {
namespace {

using std::numbers::pi;

TEST(BodyMotion, AnglesAndBack) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  const auto vector = [&] { return Vec3(normal(random), normal(random), normal(random)); };
  for (int i = 0; i < 1000; ++i) {
    const Vec3 q = vector().normalized();
    const BodyMotion motion{q, tangent(q, vector())};
    const SphericalMotion angles = spherical(motion);
    const BodyMotion back = cartesian(angles);
    EXPECT_LT((back.q - q).norm(), 1e-15);
    EXPECT_LT((back.w - motion.w).norm(), 1e-14 * motion.w.norm());
    EXPECT_LT(std::abs(back.q.norm() - 1), 4e-16);
    EXPECT_LT(std::abs(back.q.dot(back.w)), 1e-15 * motion.w.norm());
  }
}

TEST(BodyMotion, RatesAreThoseOfTheAngles) {
  // θ and φ a moment later, from dq/dt = ω × q.
  const BodyMotion motion = cartesian({1.1, -2.3, 0.7, -0.4});
  const double dt = 1e-6;
  const SphericalMotion now = spherical(motion);
  const SphericalMotion later =
      spherical({(motion.q + dt * motion.w.cross(motion.q)).normalized(), motion.w});
  EXPECT_NEAR((later.polar - now.polar) / dt, now.polar_rate, 1e-5);
  EXPECT_NEAR((later.azimuth - now.azimuth) / dt, now.azimuth_rate, 1e-5);
  EXPECT_NEAR(now.polar_rate, 0.7, 1e-14);
  EXPECT_NEAR(now.azimuth_rate, -0.4, 1e-14);
}

TEST(BodyMotion, AtAPoleTheAzimuthIsThatOfTheVelocity) {
  for (const double side : {1.0, -1.0}) {
    const Vec3 q(0, 0, side);
    const SphericalMotion rest = spherical({q, Vec3::Zero()});
    EXPECT_EQ(rest.polar, side > 0 ? 0 : pi);
    EXPECT_EQ(rest.azimuth, 0);
    const BodyMotion motion{q, Vec3(0.3, -2, 0)};
    const SphericalMotion angles = spherical(motion);
    EXPECT_EQ(angles.azimuth_rate, 0);
    EXPECT_NEAR(std::abs(angles.polar_rate), motion.w.norm(), 1e-15);
    EXPECT_LT((cartesian(angles).w - motion.w).norm(), 1e-15);
    EXPECT_LT((cartesian(angles).q - q).norm(), 2e-16);
  }
}

}  // namespace
}  // namespace twosphere::body_motion_test
