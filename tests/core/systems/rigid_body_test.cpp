// SPDX-License-Identifier: GPL-3.0-or-later
// Free tops and gyrostats: the direction of time, periods, symmetries.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "core/mechanics/first_order.h"
#include "tests/cases.h"

namespace twosphere::test::rigid_body_test {
namespace {

std::unique_ptr<const System> tops(const std::vector<double>& moments,
                                   const std::vector<double>& momenta,
                                   const std::vector<double>& rotor = {0, 0, 0}) {
  return system_of("rigid_body", static_cast<int>(momenta.size()),
                   {{"moments", moments}, {"angular_momentum", momenta}, {"rotor", rotor}});
}

/// q̇ of one body.
Vec3 velocity(const System& system, const Columns& q) {
  Columns w(3, 1);
  first_order_velocity(system, 0, q, w);
  return Vec3(w.col(0)).cross(q.col(0));
}

// Π̇ = Π × ω_b; with κ = +L time would run backwards.
TEST(RigidBody, MovesByEulersEquations) {
  const Vec3 moments(1, 2, 3), rotor(0.3, -0.4, 0.5);
  const double size = 1.5;
  const auto system = tops({1, 2, 3}, {size}, {0.3, -0.4, 0.5});
  const Columns q = Vec3(0.6, -0.2, 0.9).normalized();
  const Vec3 momentum = size * q, rate = (momentum - rotor).cwiseQuotient(moments);
  EXPECT_LT((size * velocity(*system, q) - momentum.cross(rate)).norm(), 1e-15);
  for (int k = 0; k < 3; ++k)
    EXPECT_DOUBLE_EQ(system->own_quantity("omega_b" + std::to_string(k + 1), 0, q, q), rate[k]);
  EXPECT_DOUBLE_EQ(system->potential(q), 0.5 * (momentum - rotor).dot(rate));
  EXPECT_DOUBLE_EQ(system->strength()[0], -size);
}

/// 4K(k)/λ of a free top, I₁ < I₂ < I₃.
double period(std::array<double, 3> moments, double momentum, double energy) {
  const double square = momentum * momentum;
  if (square < 2 * energy * moments[1]) std::swap(moments[0], moments[2]);
  const auto [a, b, c] = moments;
  const double lambda2 = (c - b) * (square - 2 * energy * a) / (a * b * c),
               k2 = (b - a) * (2 * energy * c - square) / ((c - b) * (square - 2 * energy * a));
  return 4 * std::comp_ellint_1(std::sqrt(k2)) / std::sqrt(lambda2);
}

TEST(RigidBody, ATopReturnsAfterItsPeriod) {
  const auto system = tops({1, 2, 3}, {1.5});
  for (const auto& [q, published] :
       {std::pair{Vec3(0.2, 0.3, 1), 13.560738509777}, {Vec3(1, 0.3, 0.2), 7.695226007187}}) {
    State state{0, q.normalized(), Columns::Zero(3, 1)};
    const Columns start = state.q;
    const double time = period({1, 2, 3}, 1.5, system->potential(start));
    EXPECT_NEAR(time, published, 1e-11);
    constexpr int steps = 1000;
    const auto method = prepared("spherical_midpoint8", *system, state);
    ASSERT_TRUE(march(*system, *method, time / steps, steps, state));
    EXPECT_LT((state.q - start).norm(), 1e-11);
  }
}

// H is homogeneous and quadratic: the midpoint keeps it.
TEST(RigidBody, TheMidpointKeepsTheEnergyOfATop) {
  const auto system = tops({1, 2, 3, 1, 2, 3}, {1.5, 0.7}, {0, 0, 0, 0, 0, 0});
  State state{0, Columns(3, 2), Columns::Zero(3, 2)};
  state.q << Vec3(0.02, 1, 0.03).normalized(), Vec3(1, -1, 0.5).normalized();
  const double energy = system->potential(state.q);
  const auto method = prepared("spherical_midpoint", *system, state);
  ASSERT_TRUE(march(*system, *method, 0.02, 5000, state));
  EXPECT_NEAR(system->potential(state.q), energy, 1e-13);
}

TEST(RigidBody, MomentsAreOfEachBodyAndTheBodiesDoNotMeet) {
  const auto both = tops({1, 2, 3, 4, 3, 5}, {1.5, 0.7}, {0, 0, 0, 0.1, 0, 0});
  const auto first = tops({1, 2, 3}, {1.5}), second = tops({4, 3, 5}, {0.7}, {0.1, 0, 0});
  Columns q(3, 2), g(3, 2), one(3, 1);
  q << Vec3(0.2, 0.3, 1).normalized(), Vec3(1, -1, 0.5).normalized();
  both->gradient(q, g);
  first->gradient(q.col(0), one);
  EXPECT_EQ(g.col(0), one.col(0));
  second->gradient(q.col(1), one);
  EXPECT_EQ(g.col(1), one.col(0));
  EXPECT_DOUBLE_EQ(both->potential(q), first->potential(q.col(0)) + second->potential(q.col(1)));
}

TEST(RigidBody, TheMomentumAlongAnAxisOfSymmetryIsConserved) {
  using Axes = std::array<bool, 3>;
  EXPECT_EQ(tops({1, 2, 3}, {1})->conserved_momentum(), (Axes{false, false, false}));
  EXPECT_EQ(tops({2, 2, 3}, {1})->conserved_momentum(), (Axes{false, false, true}));
  EXPECT_EQ(tops({3, 2, 3}, {1})->conserved_momentum(), (Axes{false, true, false}));
  EXPECT_EQ(tops({2, 2, 2}, {1})->conserved_momentum(), (Axes{true, true, true}));
  EXPECT_EQ(tops({2, 2, 2}, {1}, {0, 0, 1})->conserved_momentum(), (Axes{false, false, true}));
  EXPECT_EQ(tops({2, 2, 3}, {1}, {1, 0, 0})->conserved_momentum(), (Axes{false, false, false}));
}

TEST(RigidBody, LinesOnTheSphereHaveEqualEnergyAlongThem) {
  const auto system = tops({1, 2, 3}, {1.5}, {0.2, 0.1, 0.4});
  Geometry geometry;
  system->geometry(Vec3::UnitX(), geometry);
  ASSERT_TRUE(geometry.curves);
  ASSERT_GE(geometry.curves->size(), 12U);
  for (const std::vector<Vec3>& curve : *geometry.curves)
    for (std::size_t i = 0; i < curve.size(); ++i) {
      EXPECT_NEAR(curve[i].norm(), 1, 1e-14);
      EXPECT_NEAR(system->potential(curve[i]), system->potential(curve[0]), 1e-10);
      if (i > 0) {
        EXPECT_LT((curve[i] - curve[i - 1]).norm(), 0.1) << "without corners to be seen";
      }
    }
  // None of bodies with energies of their own, and of a ball, whose energy is the same everywhere.
  tops({1, 2, 3, 2, 2, 3}, {1.5, 1.5}, {0, 0, 0, 0, 0, 0})->geometry(Columns::Ones(3, 2), geometry);
  EXPECT_TRUE(geometry.curves->empty());
  tops({2, 2, 2}, {1})->geometry(Vec3::UnitX(), geometry);
  EXPECT_TRUE(geometry.curves->empty());
}

TEST(RigidBody, TheEllipsoidHasTheProportionsOfInertia) {
  Geometry geometry;
  const Vec3 moments(1, 2, 3);
  tops({1, 2, 3}, {1.5, 2}, {0, 0, 0, 0, 0, 0})->geometry(Columns::Ones(3, 2), geometry);
  ASSERT_GT(geometry.ellipsoid.x(), 0);
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(moments[k] * geometry.ellipsoid[k] * geometry.ellipsoid[k],
                geometry.ellipsoid[0] * geometry.ellipsoid[0], 1e-15);
  EXPECT_LT(geometry.ellipsoid.maxCoeff(), 1) << "within the sphere of momenta";
  tops({1, 2, 3, 2, 2, 3}, {1, 1}, {0, 0, 0, 0, 0, 0})->geometry(Columns::Ones(3, 2), geometry);
  EXPECT_TRUE(geometry.ellipsoid.isZero(0)) << "the bodies have different ones";
}

}  // namespace
}  // namespace twosphere::test::rigid_body_test
