// SPDX-License-Identifier: GPL-3.0-or-later
// Relative equilibria: those that are known in closed form or to many digits, their stability, and
// the curves through them.
#include "core/studies/relative_equilibria.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <memory>
#include <numbers>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/mechanics/diagnostics.h"
#include "core/mechanics/direction_text.h"
#include "core/mechanics/random_state.h"
#include "core/studies/equilibria_table.h"
#include "core/studies/orbit_starts.h"
#include "core/studies/turning_potential.h"
#include "tests/cases.h"
#include "tests/charged.h"
#include "tests/outcome.h"
#include "tests/runs.h"
#include "tests/spin_ring.h"

namespace twosphere::test::relative_equilibria_test {
namespace {

using Shared = std::shared_ptr<const System>;
using Held = TurningPotential::Held;

bool always(std::size_t /*done*/, std::size_t /*all*/) { return true; }

TurningSystem turning(const Shared& system, int axis = 2) {
  const Columns q = random_directions(system->size(), 1);
  return {system, value_of(system_at_rest(system, 0, q)), axis};
}

Shared double_pendulum() {
  return system_of("chain_pendulum", 2,
                   {{"masses", {1, 1}}, {"lengths", {9.81, 9.81}}, {"gravity", {9.81}}});
}

std::vector<RelativeEquilibrium> of_rate(const TurningSystem& of, double rate) {
  const Columns q = random_directions(of.system->size(), 3);
  const RelativeEquilibria found =
      value_of(relative_equilibria_of_rate(of, q, rate, {}, 2, always));
  std::vector<RelativeEquilibrium> list;
  for (const RelativeCurve& curve : found.curves) {
    EXPECT_EQ(curve.list.size(), 1U);
    list.push_back(curve.list.at(0));
  }
  return list;
}

/// The angles of two links in their common plane, that of the first one positive.
std::pair<double, double> angles(const Columns& q) {
  const Vec3 out = Vec3(q(0, 0), q(1, 0), 0).normalized();
  return {std::atan2(out.dot(q.col(0)), q(2, 0)), std::atan2(out.dot(q.col(1)), q(2, 1))};
}

/// The one with this angle of the first link.
const RelativeEquilibrium& with_angle(const std::vector<RelativeEquilibrium>& list, double angle) {
  const auto at = std::find_if(list.begin(), list.end(), [&](const RelativeEquilibrium& one) {
    return std::abs(angles(one.q).first - angle) < 1e-4;
  });
  if (at == list.end()) throw std::logic_error("there is none at " + std::to_string(angle));
  return *at;
}

double difference(const std::function<double(double)>& f, double h) {
  return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
}

TEST(TurningPotential, HasTheDerivativesOfItsValueWithEveryInertiaAndWithStrengths) {
  int taken = 0;
  for (const SystemCase& c : system_cases()) {
    if (c.n > 6) continue;
    auto [made, state] = started(c, 21);
    if (first_order(*made)) continue;
    const Shared plain = std::move(made);
    for (const Shared& system : {plain, Shared(std::make_shared<Charged>(plain, 0.7))})
      for (const auto& [held, value] :
           {std::pair(Held::rate, 1.3), std::pair(Held::momentum, 0.9)}) {
        SCOPED_TRACE(c.name);
        ++taken;
        const TurningPotential potential(system, 2, held, value);
        const Columns q = state.q, v = random_tangents(q, 4), w = random_tangents(q, 6);
        Columns g(3, c.n), image(3, c.n);
        potential.gradient(q, g);
        potential.hessian_times(q, v, image);
        const auto moved = [&](double t) { return Columns(q + t * v); };
        const double slope =
            difference([&](double t) { return potential.potential(moved(t)); }, 1e-4);
        EXPECT_NEAR(g.cwiseProduct(v).sum(), slope, 1e-6 * (1 + g.norm()));
        const double bend = difference(
            [&](double t) {
              Columns there(3, q.cols());
              potential.gradient(moved(t), there);
              return there.cwiseProduct(w).sum();
            },
            1e-4);
        EXPECT_NEAR(image.cwiseProduct(w).sum(), bend, 1e-6 * (1 + image.norm()));
      }
  }
  EXPECT_GE(taken, 40);
}

TEST(RelativeEquilibria, OfTheSphericalPendulum) {
  constexpr double length = 0.8, gravity = 9.81, theta = 50 * std::numbers::pi / 180;
  const TurningSystem pendulum = turning(system_of(
      "chain_pendulum", 1, {{"masses", {1.5}}, {"lengths", {length}}, {"gravity", {gravity}}}));
  const double rate = 4.36772977951656;
  const auto list = of_rate(pendulum, rate);
  ASSERT_EQ(list.size(), 1U) << "straight down nothing turns";
  const RelativeEquilibrium& one = list[0];
  EXPECT_NEAR(std::acos(one.q(2, 0)), theta, 1e-12);
  const double inertia = 1.5 * length * length * std::pow(std::sin(theta), 2);
  EXPECT_NEAR(one.inertia, inertia, 1e-12);
  EXPECT_NEAR(one.momentum, rate * inertia, 1e-12);
  EXPECT_NEAR(one.energy, 0.5 * rate * rate * inertia - 1.5 * gravity * length * std::cos(theta),
              1e-12);
  EXPECT_EQ(one.index, 0);
  EXPECT_EQ(one.stability, Stability::stable);
  ASSERT_EQ(one.eigenvalues.size(), 1U);
  EXPECT_NEAR(one.eigenvalues[0].imag(), 6.53633021031063, 1e-12);
  EXPECT_EQ(one.eigenvalues[0].real(), 0);
}

TEST(RelativeEquilibria, OfTheDoublePendulumThatTurnsSlowly) {
  const auto list = of_rate(turning(double_pendulum()), 1);
  const RelativeEquilibrium& one = with_angle(list, 0.872375567490190);
  EXPECT_NEAR(angles(one.q).first, 0.872375567490190, 1e-12);
  EXPECT_NEAR(angles(one.q).second, 1.01672845200411, 1e-12);
  EXPECT_NEAR(one.momentum, 307.840325803185, 1e-9);
  EXPECT_NEAR(one.energy, -20.4759033013357, 1e-10);
  EXPECT_EQ(one.index, 0);
  EXPECT_EQ(one.nullity, 0);
  EXPECT_EQ(one.stability, Stability::stable);
  const std::vector<double> rates{1.430438952834, 1.779262665619, 2.925884844102};
  ASSERT_EQ(one.eigenvalues.size(), rates.size());
  for (std::size_t k = 0; k < rates.size(); ++k) {
    EXPECT_NEAR(one.eigenvalues[k].imag(), rates[k], 1e-11) << k;
    EXPECT_EQ(one.eigenvalues[k].real(), 0) << k;
  }
}

TEST(RelativeEquilibria, OfTheDoublePendulumThatTurnsFast) {
  const auto list = of_rate(turning(double_pendulum()), 2);
  const RelativeEquilibrium& folded = with_angle(list, 0.42263);
  EXPECT_NEAR(angles(folded.q).second, -0.63783, 1e-5);
  EXPECT_EQ(folded.index, 2);
  EXPECT_EQ(folded.stability, Stability::linearly_stable);
  for (const auto& [first, second] : {std::pair(1.16104, -2.38936), std::pair(2.77419, -1.14529)}) {
    SCOPED_TRACE(first);
    const RelativeEquilibrium& one = with_angle(list, first);
    EXPECT_NEAR(angles(one.q).second, second, 1e-5);
    EXPECT_EQ(one.stability, Stability::unstable);
    // Of a quadruple the two with Im s > 0.
    const auto oblique = std::count_if(
        one.eigenvalues.begin(), one.eigenvalues.end(),
        [](const std::complex<double>& s) { return s.imag() > 1e-3 && std::abs(s.real()) > 1e-3; });
    EXPECT_EQ(oblique, 2);
    EXPECT_GT(one.growth(), 0);
  }
}

TEST(RelativeEquilibria, AreTheSameByTheirMomentum) {
  const TurningSystem pendulum = turning(double_pendulum());
  const RelativeEquilibria found = value_of(relative_equilibria_of_momenta(
      pendulum, random_directions(2, 3), {307.840325803185}, {}, 2, always));
  std::vector<RelativeEquilibrium> list;
  for (const RelativeCurve& curve : found.curves) list.push_back(curve.list.at(0));
  const RelativeEquilibrium& one = with_angle(list, 0.872375567490190);
  EXPECT_NEAR(one.rate, 1, 1e-12);
  EXPECT_NEAR(one.energy, -20.4759033013357, 1e-9);
}

TEST(RelativeEquilibria, AMotionThatBeginsInOneTurnsAsAWhole) {
  const Shared variable =
      system_of("conformal_particles", 2,
                {{"masses", {1, 2}}, {"slope", {1}}, {"coupling", {0.5}}, {"gravity", {2}}});
  for (const Shared& system : {double_pendulum(), variable}) {
    const TurningSystem of = turning(system);
    int stable = 0;
    for (const RelativeEquilibrium& one : of_rate(of, 1.7)) {
      if (one.growth() > 0) continue;
      ++stable;
      State state = start_turning(one);
      EXPECT_NEAR(momentum_map(*system, state)[of.axis], one.momentum,
                  1e-12 * std::abs(one.momentum));
      EXPECT_NEAR(total_energy(*system, state), one.energy, 1e-11 * (1 + std::abs(one.energy)));
      const auto method = prepared("gauss16", *system, state);
      ASSERT_TRUE(march(*system, *method, 0.02, 200, state));
      const Columns turned =
          Eigen::AngleAxisd(one.rate * state.t, Vec3::UnitZ()).toRotationMatrix() * one.q;
      EXPECT_LE((state.q - turned).norm(), 1e-9);
    }
    EXPECT_GT(stable, 0);
  }
}

TEST(RelativeEquilibria, TheEnergyAlongACurveHasTheSlopeOfTheRate) {
  const TurningSystem pendulum = turning(double_pendulum());
  std::vector<double> momenta;
  for (int k = 0; k <= 40; ++k) momenta.push_back(100 + 5 * k);
  const RelativeEquilibria found = value_of(relative_equilibria_of_momenta(
      pendulum, random_directions(2, 3), momenta, {.tries = 60}, 2, always));
  int compared = 0;
  for (const RelativeCurve& curve : found.curves) {
    if (!curve.turns.empty()) continue;
    for (std::size_t k = 2; k + 2 < curve.list.size(); ++k) {
      const auto energy = [&](std::size_t at) { return curve.list[at].energy; };
      // dE/dμ = Ω, by five points.
      const double slope =
          (8 * (energy(k + 1) - energy(k - 1)) - (energy(k + 2) - energy(k - 2))) / 60;
      const double step = curve.list[k + 1].momentum - curve.list[k].momentum;
      EXPECT_NEAR(std::abs(step), 5, 1e-9);
      EXPECT_NEAR(slope * 5 / step, curve.list[k].rate, 1e-4 * std::abs(curve.list[k].rate));
      ++compared;
    }
  }
  EXPECT_GE(compared, 30);
}

TEST(RelativeEquilibria, ACurveIsFollowedThroughWhereItsMomentumTurns) {
  constexpr double lower = 0.3, length = 2;
  const TurningSystem pendulum = turning(system_of(
      "chain_pendulum", 2, {{"masses", {1, lower}}, {"lengths", {1, length}}, {"gravity", {1}}}));
  const RelativeEquilibria found = value_of(relative_equilibria_of_momenta(
      pendulum, random_directions(2, 3), {1.5, 1.7, 1.9, 2.1, 2.3, 2.5}, {.tries = 60}, 2, always));
  const auto turns = std::find_if(found.curves.begin(), found.curves.end(),
                                  [](const RelativeCurve& curve) { return !curve.turns.empty(); });
  ASSERT_NE(turns, found.curves.end());
  ASSERT_EQ(turns->turns.size(), 1U);
  const std::vector<RelativeEquilibrium>& list = turns->list;
  // 2.5, 2.3, 2.1, the turn, and the same momenta back on the other branch.
  ASSERT_EQ(list.size(), 7U);
  ASSERT_EQ(turns->turns[0], 3U);
  for (const std::size_t k : {0U, 1U, 2U}) {
    EXPECT_NEAR(list[k].momentum, 2.5 - 0.2 * static_cast<double>(k), 1e-12);
    EXPECT_NEAR(list[k].momentum, list[6 - k].momentum, 1e-12);
    EXPECT_NE(list[k].index, list[6 - k].index);
  }
  const RelativeEquilibrium& turn = list[3];
  EXPECT_NEAR(turn.momentum, 1.9227724190278, 1e-10);
  EXPECT_EQ(turn.nullity, 1);
  EXPECT_EQ(turn.stability, Stability::degenerate);
  // (m₁ + m₂) g tan θ₁ = Ω² [(m₁ + m₂) l₁ sin θ₁ + m₂ l₂ sin θ₂], g tan θ₂ = Ω² [l₁ sin θ₁ + …]
  const auto [first, second] = angles(turn.q);
  const double square = turn.rate * turn.rate;
  EXPECT_NEAR((1 + lower) * std::tan(first),
              square * ((1 + lower) * std::sin(first) + lower * length * std::sin(second)), 1e-11);
  EXPECT_NEAR(std::tan(second), square * (std::sin(first) + length * std::sin(second)), 1e-11);
}

TEST(RelativeEquilibria, OfAPolygonOfVorticesAreStableUpToSix) {
  // Dritschel and Polvani: n = 7 grows with the rate of the help page; 5 at this height is stable.
  for (const int n : {5, 7}) {
    SCOPED_TRACE(n);
    const double z = std::cos(0.6), r = std::sin(0.6), unit = 4 * std::numbers::pi * r * r;
    Columns q(3, n);
    for (int i = 0; i < n; ++i) {
      const double azimuth = 2 * std::numbers::pi * i / n;
      q.col(i) = Vec3(r * std::cos(azimuth), r * std::sin(azimuth), z);
    }
    const std::vector<double> ones(static_cast<std::size_t>(n), 1);
    const TurningSystem vortices = turning(system_of("vortices", n, {{"circulations", ones}}));
    const double rate = (n - 1) * z / unit;
    const RelativeEquilibrium one = value_of(relative_equilibrium_at(vortices, q, rate));
    EXPECT_NEAR(one.momentum, n * z, 1e-12);
    EXPECT_EQ(one.inertia, 0);
    double square = 0;
    for (int m = 1; m < n; ++m) {
      const double of = m * (n - m);
      square = std::max(square, of * (of - (n - 1) * (1 + z * z)) / (unit * unit));
    }
    EXPECT_NEAR(one.growth(), std::sqrt(square), 1e-10);
    EXPECT_EQ(one.stability, n == 5 ? Stability::stable : Stability::unstable);
    EXPECT_EQ(one.eigenvalues.size(), static_cast<std::size_t>(n - 1));
  }
}

// Balls with a rotor turn at the rate r/I wherever they are: eigenvalues that are rounding decide
// nothing.
TEST(RelativeEquilibria, OfBallsWithARotorAreDegenerate) {
  const TurningSystem balls = turning(system_of("rigid_body", 2,
                                                {{"moments", {2, 2, 2, 2, 2, 2}},
                                                 {"angular_momentum", {1, 1}},
                                                 {"rotor", {0, 0, 0.3, 0, 0, 0.3}}}));
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const RelativeEquilibrium one =
        value_of(relative_equilibrium_at(balls, random_directions(2, seed), 0.15));
    EXPECT_EQ(one.index, 0) << seed;
    EXPECT_EQ(one.nullity, 2) << seed;
    EXPECT_EQ(one.stability, Stability::degenerate) << seed;
  }
  EXPECT_EQ(of_rate(balls, 0.15).size(), 1U) << "they are no isolated ones";
}

TEST(RelativeEquilibria, WhatTurnsInAStrengthIsFoundByItsRateAndItsMomentum) {
  // m l² Ω² cos θ = m g l + κ Ω, as the force of a monopole is κ q × q̇.
  const Shared plain =
      system_of("chain_pendulum", 1, {{"masses", {2}}, {"lengths", {0.5}}, {"gravity", {9}}});
  const TurningSystem charged = turning(std::make_shared<Charged>(plain, 0.4));
  const double rate = 6;
  const auto list = of_rate(charged, rate);
  ASSERT_EQ(list.size(), 1U);
  EXPECT_NEAR(list[0].q(2, 0), (2 * 9 * 0.5 + 0.4 * rate) / (2 * 0.25 * rate * rate), 1e-12);
  EXPECT_NEAR(list[0].momentum, rate * list[0].inertia + 0.4 * list[0].q(2, 0), 1e-12);
  // Its small motion is that of the amended potential of the angle,
  // −m g l cos θ + (μ − κ cos θ)²/(2 m l² sin² θ).
  const double inertia = 2 * 0.25, mu = list[0].momentum, theta = std::acos(list[0].q(2, 0));
  const auto slope = [&](double by) {
    const double angle = theta + by, sine = std::sin(angle), cosine = std::cos(angle);
    const double left = mu - 0.4 * cosine;
    return 2 * 9 * 0.5 * sine + left * 0.4 / (inertia * sine) -
           left * left * cosine / (inertia * std::pow(sine, 3));
  };
  EXPECT_NEAR(slope(0), 0, 1e-11);
  EXPECT_EQ(list[0].stability, Stability::stable);
  ASSERT_EQ(list[0].eigenvalues.size(), 1U);
  EXPECT_NEAR(list[0].eigenvalues[0].imag(), std::sqrt(difference(slope, 1e-3) / inertia), 1e-8);
  EXPECT_EQ(list[0].eigenvalues[0].real(), 0);
  const RelativeEquilibria by_momentum = value_of(relative_equilibria_of_momenta(
      charged, random_directions(1, 2), {list[0].momentum}, {}, 1, always));
  ASSERT_FALSE(by_momentum.curves.empty());
  EXPECT_TRUE(std::any_of(
      by_momentum.curves.begin(), by_momentum.curves.end(),
      [&](const RelativeCurve& curve) { return std::abs(curve.list[0].rate - rate) < 1e-10; }));
}

// Of a system that all rotations leave unchanged they turn about J, which may have any direction.
TEST(RelativeEquilibria, AboutJAreThoseOfAnotherAxisTurned) {
  const TurningSystem bodies =
      turning(system_of("n_body", 3, {{"masses", {1, 1, 1}}, {"gamma", {1}}}));
  const auto flat = of_rate(bodies, 2);
  const Mat3 tilt = Eigen::AngleAxisd(0.8, Vec3(1, 2, 0).normalized()).toRotationMatrix();
  State begun = start_turning(flat[0]);
  begun.q = tilt * begun.q;
  begun.w = tilt * begun.w;
  const TurningAxis about = value_of(read_turning_axis("J", *bodies.rest, begun));
  const Vec3 axis = tilt * Vec3::UnitZ();
  EXPECT_LT((about.direction() - axis).norm(), 1e-12);
  const Columns q = about.to * begun.q;
  EquilibriumSearch search;
  search.tries = 40;
  RelativeEquilibria found = value_of(relative_equilibria_of_rate(bodies, q, 2, search, 2, always));
  about.turn_back(found);
  ASSERT_FALSE(found.curves.empty());
  EXPECT_NEAR(found.curves[0].list[0].energy, flat[0].energy, 1e-9);
  EXPECT_TRUE(says(relative_companion(preset(), {}, found), direction_name(about.direction())));
  for (const RelativeCurve& curve : found.curves) {
    const RelativeEquilibrium& one = curve.list[0];
    const Vec3 j = momentum_map(*bodies.system, start_turning(one));
    EXPECT_LT((j - one.momentum * axis).norm(), 1e-9);
  }
  // An orbit begins in one of its small motions there, too.
  const State upright = start_turning(flat[0]);
  const auto at = turning_start(*bodies.system, *bodies.rest, upright, Vec3::UnitZ()),
             tilted = turning_start(*bodies.system, *bodies.rest, begun, axis);
  ASSERT_TRUE(at && tilted);
  EXPECT_LT((tilted->turn - 2 * axis).norm(), 1e-12);
  const OrbitPoint point = value_of(turning_mode_start(*tilted, 1));
  EXPECT_NEAR(point.period, value_of(turning_mode_start(*at, 1)).period, 1e-9);
  EXPECT_LT((tilt.transpose() * point.state.q - upright.q).norm(), 0.1);
  // What is not so symmetric, or does not turn, has no such axis.
  const auto refused = [&](const char* text, const System& rest, const State& state) {
    return error_of(read_turning_axis(text, rest, state)).text();
  };
  EXPECT_TRUE(says(refused("x", *bodies.rest, begun), "must be e1, e2, e3 or J"));
  const TurningSystem pendulum = turning(double_pendulum());
  EXPECT_TRUE(says(refused("J", *pendulum.rest, {0, random_directions(2, 1), Columns::Zero(3, 2)}),
                   "all rotations"));
  begun.w.setZero();
  EXPECT_TRUE(says(refused("J", *bodies.rest, begun), "0 at the start"));
  // Nor has a sum of which rounding is left.
  for (int i = 0; i < 3; ++i) begun.q.col(i) = Vec3(std::cos(i), std::sin(i), 0);
  begun.w.row(2) << 0.1, 0.2, -0.3;
  EXPECT_TRUE(says(refused("J", *bodies.rest, begun), "0 at the start"));
}

TEST(RelativeEquilibria, WhatCannotTurnIsRefused) {
  const auto refusal = [](const Shared& system, int axis) {
    return error_of(check_turning(turning(system, axis))).text();
  };
  const auto chain = [](int n, Values values) -> Shared {
    const std::vector<double> ones(static_cast<std::size_t>(n), 1);
    values.merge(Values{{"masses", ones}, {"lengths", ones}});
    return system_of("chain_pendulum", n, std::move(values));
  };
  EXPECT_TRUE(says(refusal(chain(2, {}), 0), "does not conserve the momentum about e1"));
  EXPECT_TRUE(says(refusal(chain(2, {{"damping", {0.1}}}), 2), "damping"));
  EXPECT_TRUE(says(refusal(chain(101, {}), 2), "has 101 bodies"));
  EXPECT_TRUE(says(refusal(chain(2, {{"frame_rotation", {0, 0, 1}}}), 2), "axes that rotate"));
  EXPECT_TRUE(says(refusal(chain(2, {{"tip_force", {0, 1, 0, 0}}}), 2), "does not conserve"));
  const TurningSystem spins = turning(make_spin_ring(3));
  EXPECT_TRUE(says(
      error_of(relative_equilibria_of_momenta(spins, ring_start(3), {1, 2}, {}, 1, always)).text(),
      "at a given rate only"));
}

TEST(RelativeEquilibria, TheirTableAndDocumentHaveOneOfEach) {
  const TurningSystem pendulum = turning(double_pendulum());
  const RelativeEquilibria found = value_of(
      relative_equilibria_of_rate(pendulum, random_directions(2, 3), 1, {.tries = 20}, 1, always));
  const std::string table = relative_table(found);
  EXPECT_TRUE(
      says(table, "relative_equilibrium [1],curve [1],turn [1],rate [rad/s],momentum [J s]"));
  EXPECT_TRUE(says(table, "eigenvalue2_im [rad/s],q0_x [1]"));
  EXPECT_EQ(static_cast<std::size_t>(std::count(table.begin(), table.end(), '\n')),
            1 + found.curves.size());
  EXPECT_EQ(to_json(found).find("relative_equilibria")->items.size(), found.curves.size());
  EXPECT_TRUE(says(relative_text(found), "stable"));
  EXPECT_TRUE(says(relative_companion(preset(), {}, found), "\"axis\": \"e3\""));
  const Scenario begun = scenario_turning(preset(), found.curves[0].list[0]);
  EXPECT_EQ(begun.q, found.curves[0].list[0].q);
  EXPECT_GT(begun.omega.norm(), 0);
}

}  // namespace
}  // namespace twosphere::test::relative_equilibria_test
