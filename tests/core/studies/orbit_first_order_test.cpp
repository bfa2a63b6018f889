// SPDX-License-Identifier: GPL-3.0-or-later
// Periodic orbits of systems of first order: tops, spins, vortices.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numbers>
#include <string>
#include <utility>

#include "core/base/decompositions.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/first_order.h"
#include "core/studies/orbit_family.h"
#include "core/studies/orbit_search.h"
#include "core/studies/relative_equilibria.h"
#include "tests/cases.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::test::orbit_first_order_test {
namespace {

constexpr double pi = std::numbers::pi;

State at(const System& system, const Columns& q) {
  State state{0, q, {}};
  first_order_velocity(system, 0, state.q, state.w);
  return state;
}

/// A system with what a search needs.
struct Searched {
  Searched(std::shared_ptr<const System> of, const Columns& q)
      : system(std::move(of)), rest(value_of(system_at_rest(system, 0, q))) {
    request.start = at(*system, q);
    request.threads = 2;
  }

  Result<std::optional<FoundOrbit>> search(const IntegratorInfo& method) const {
    return search_orbit(*system, *rest, method, request, [] { return true; });
  }
  FoundOrbit found() const { return *value_of(search(orbit_method(*system))); }

  std::shared_ptr<const System> system, rest;
  OrbitRequest request;
};

std::shared_ptr<const System> top() {
  return system_of("rigid_body", 1, {{"moments", {1, 2, 3}}, {"angular_momentum", {1.5}}});
}
/// 4K(k)/λ of a top with L² > 2H I₂.
double top_period(double energy) {
  const double square = 1.5 * 1.5, lambda2 = (square - 2 * energy) / 6,
               k2 = (2 * energy * 3 - square) / (square - 2 * energy);
  return 4 * std::comp_ellint_1(std::sqrt(k2)) / std::sqrt(lambda2);
}

TEST(FirstOrderOrbits, OfATopHaveItsPeriods) {
  for (const auto& [q, published] :
       {std::pair{Vec3(0.2, 0.3, 1), 13.560738509777}, {Vec3(1, 0.3, 0.2), 7.695226007187}}) {
    Searched s(top(), q.normalized());
    s.request.period = 1.05 * published;
    const FoundOrbit found = s.found();
    EXPECT_EQ(found.method->key, "spherical_midpoint8");
    EXPECT_NEAR(found.period(), published, 1e-10);
    EXPECT_TRUE(found.multipliers().pairs.empty());  // one freedom, whose energy is held
    EXPECT_EQ(found.orbit.kind(), "linearly stable");
    // Also as the return of a run.
    s.request.period.reset();
    s.request.from = OrbitRequest::From::returned;
    s.request.duration = 1.5 * published;
    EXPECT_NEAR(s.found().period(), published, 1e-10);
  }
}

// About the axis of the largest moment, where its energy is least.
TEST(FirstOrderOrbits, BeginInModes) {
  Searched s(top(), Vec3(0.1, 0.1, 1).normalized());
  s.request.from = OrbitRequest::From::mode;
  const FoundOrbit small = s.found();
  EXPECT_NEAR(small.period(), top_period(small.orbit.energy), 1e-10);
  EXPECT_NEAR(small.period(), 2 * pi * 3 / 1.5, 1e-2);  // (I₃ − I₁)(I₃ − I₂) = I₁I₂
  s.request.energy = 0.05;
  s.request.above_rest = true;
  const FoundOrbit found = s.found();
  EXPECT_NEAR(found.orbit.energy, *found.rest_energy + 0.05, 1e-12);
  EXPECT_NEAR(found.period(), top_period(found.orbit.energy), 1e-9);
  const State& state = found.orbit.point().state;
  EXPECT_LT((at(*s.system, state.q).w - state.w).norm(), 1e-14);
}

std::shared_ptr<const System> one_spin(Values values) {
  values["lattice"] = {0, 1, 1, 1, 1, 0};
  return system_of("spins", 1, std::move(values));
}

// A step h of the midpoint turns a spin at α from the field by φ with, as |q + Q|/2 is not 1,
// tan ½φ (1 − sin²α sin²½φ)^½ = hB/2κ.
TEST(FirstOrderOrbits, OfASpinPrecessAsTheStepsDo) {
  const Vec3 field(0.3, 0.4, 1.2);
  const double kappa = 0.7, across = 1 - std::pow(field.x() / field.norm(), 2);
  Searched s(one_spin({{"strength", {kappa}}, {"field", {0, field.x(), field.y(), field.z()}}}),
             Vec3::UnitX());
  s.request.period = 2 * pi * kappa / field.norm();
  s.request.steps = 24;
  const auto period = [&](int steps) {
    const double half = pi / steps;
    return steps * 2 * kappa / field.norm() * std::tan(half) *
           std::sqrt(1 - across * std::pow(std::sin(half), 2));
  };
  const FoundOrbit found = *value_of(s.search(method_info("spherical_midpoint")));
  EXPECT_NEAR(found.period(), period(24), 1e-12);
  EXPECT_NEAR(found.orbit.period_change, period(24) - period(48), 1e-12);
}

// A square of vortices oscillates between two rhombi, with √(4(3cos²θ − 1))/(4π sin²θ).
TEST(FirstOrderOrbits, OfVorticesCloseAfterARotation) {
  const double polar = 0.6, c2 = std::pow(std::cos(polar), 2), s2 = 1 - c2;
  Columns q(3, 4);
  for (int i = 0; i < 4; ++i) {
    // Opposite ones nearer to the pole, the others farther from it: J stays along e3.
    const double angle = i * pi / 2, away = polar + (i % 2 == 0 ? 0.01 : -0.01);
    q.col(i) << std::sin(away) * std::cos(angle), std::sin(away) * std::sin(angle), std::cos(away);
  }
  Searched s(system_of("vortices", 4, {{"circulations", {1, 1, 1, 1}}}), q);
  s.request.closure.axis = Vec3::UnitZ();
  s.request.period = 2 * pi * 4 * pi * s2 / std::sqrt(4 * (3 * c2 - 1));
  const FoundOrbit found = s.found();
  EXPECT_NEAR(found.period(), *s.request.period, 1e-2 * *s.request.period);
  EXPECT_LT(found.orbit.momentum.cross(Vec3::UnitZ()).norm(), 1e-10);
  EXPECT_NEAR(found.rotation(), found.period() * 3 * std::cos(polar) / (4 * pi * s2) - 2 * pi,
              1e-1);
  EXPECT_LT(found.multipliers().pairing, 1e-8);
  EXPECT_EQ(found.orbit.multipliers.pairs.size(), 1U);
}

// The square itself turns, and its small motions have families of their own.
TEST(FirstOrderOrbits, BeginInModesOfAPolygonThatTurns) {
  const double polar = 0.6, c2 = std::pow(std::cos(polar), 2), s2 = 1 - c2;
  Columns q(3, 4);
  for (int i = 0; i < 4; ++i)
    q.col(i) << std::sin(polar) * std::cos(i * pi / 2), std::sin(polar) * std::sin(i * pi / 2),
        std::cos(polar);
  Searched s(system_of("vortices", 4, {{"circulations", {1, 1, 1, 1}}}), q);
  const double rate = 3 * std::cos(polar) / (4 * pi * s2),
               rhombus = std::sqrt(4 * (3 * c2 - 1)) / (4 * pi * s2);
  const Modes modes = value_of(relative_modes({s.system, s.rest, 2}, q, rate));
  const auto mode = std::find_if(modes.list.begin(), modes.list.end(), [&](const Mode& one) {
    return std::abs(2 * pi * one.frequency - rhombus) < 1e-9;
  });
  ASSERT_NE(mode, modes.list.end());
  s.request.from = OrbitRequest::From::mode;
  s.request.mode = static_cast<std::size_t>(mode - modes.list.begin());
  s.request.closure.axis = Vec3::UnitZ();
  const FoundOrbit found = s.found();
  EXPECT_NEAR(found.period(), 2 * pi / rhombus, 1e-2 * found.period());
  EXPECT_NEAR(found.rotation(), rate * found.period(), 1e-1);
  const State square{0, q, Columns::Zero(3, 4)};
  EXPECT_NEAR(*found.momentum, momentum_map(*s.rest, square).z(), 1e-10);
}

// In the plane two pairs leapfrog stably where the ratio of their widths, when one passes through
// the other, is above 0.382 (Acheson 2000).
TEST(FirstOrderOrbits, OfLeapfroggingVorticesAreStableWhereTheyAreInThePlane) {
  for (const double ratio : {0.5, 0.42, 0.34, 0.3}) {
    const double wide = 0.05;
    Columns q(3, 4);
    for (int i = 0; i < 4; ++i) {
      const double latitude = (i % 2 == 0 ? 1 : -1) * (i < 2 ? wide : ratio * wide);
      q.col(i) << std::cos(latitude), 0, std::sin(latitude);
    }
    Searched s(system_of("vortices", 4, {{"circulations", {1, -1, 1, -1}}}), q);
    s.request.from = OrbitRequest::From::returned;
    s.request.duration = 0.06;
    s.request.closure = {Vec3::UnitZ(), {2, 3, 0, 1}};
    const FoundOrbit found = s.found();
    ASSERT_EQ(found.orbit.multipliers.pairs.size(), 1U);
    EXPECT_EQ(found.orbit.kind(), ratio > 0.382 ? "linearly stable" : "unstable") << ratio;
    EXPECT_GT(std::abs(found.rotation()), 1e-2);
  }
}

TEST(FirstOrderOrbits, CoordinatesHaveTheirFormAndFlow) {
  Columns q(3, 3);
  q << Vec3(1, 0.2, 0.1).normalized(), Vec3(0, 1, 0.4).normalized(),
      Vec3(-0.3, 0.1, 1).normalized();
  const auto system = system_of("vortices", 3, {{"circulations", {1, -0.7, 2}}});
  const State state = at(*system, q);
  const PhaseCoordinates coordinates(*system, state);
  ASSERT_EQ(coordinates.size(), 6);
  const Eigen::MatrixXd form = coordinates.form(*system);
  // dE and dJ by differences.
  const Eigen::VectorXd energy = form.transpose() * coordinates.flow(*system),
                        momentum = form.transpose() * coordinates.rotation(Vec3::UnitY());
  for (Eigen::Index k = 0; k < 6; ++k) {
    const double s = 1e-5;
    const Eigen::VectorXd x = s * Eigen::VectorXd::Unit(6, k);
    const State up = coordinates.moved(x), down = coordinates.moved(-x);
    EXPECT_NEAR((system->potential(up.q) - system->potential(down.q)) / (2 * s), energy[k],
                1e-8 * energy.norm());
    EXPECT_NEAR((momentum_map(*system, up).y() - momentum_map(*system, down).y()) / (2 * s),
                momentum[k], 1e-8 * momentum.norm());
    EXPECT_LT((at(*system, up.q).w - up.w).norm(), 1e-14);
  }
}

TEST(FirstOrderOrbits, AreRefusedWithTheReason) {
  const auto expect = [](const Searched& s, const std::string& words) {
    const auto result = s.search(orbit_method(*s.system));
    ASSERT_FALSE(result);
    EXPECT_NE(result.error().text().find(words), std::string::npos) << result.error().text();
  };
  const Columns one = Vec3(1, 2, 2) / 3;
  Searched damped(one_spin({{"field", {0, 1, 2, 3}}, {"damping", {0.1}}}), one);
  damped.request.period = 1;
  expect(damped, "damping");
  Searched turning(one_spin({{"field", {0, 0, 0, 1}}}), one);
  turning.request.period = 2 * pi;
  expect(turning, "relative equilibrium");
  Columns two(3, 2);
  two << Vec3::UnitX(), Vec3::UnitY();
  Searched unequal(system_of("vortices", 2, {{"circulations", {1, 2}}}), two);
  unequal.request.period = 1;
  unequal.request.closure.places = {1, 0};
  expect(unequal, "not equal");
  const auto rotated = ReturnMap::missing(*turning.rest, method_info("pair_rotation"));
  EXPECT_NE(rotated, "");
}

}  // namespace
}  // namespace twosphere::test::orbit_first_order_test
