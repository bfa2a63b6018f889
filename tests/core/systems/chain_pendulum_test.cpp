// SPDX-License-Identifier: GPL-3.0-or-later
// The chain pendulum: closed forms, long chains, work.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/base/decompositions.h"
#include "core/integrators/variational.h"
#include "core/mechanics/diagnostics.h"
#include "core/studies/published.h"
#include "tests/cases.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::test::chain_pendulum_test {
namespace {

constexpr double gravity = 9.81;

SystemCase chain(const std::vector<double>& masses, const std::vector<double>& lengths,
                 double g = gravity, const Vec3& torque = Vec3::Zero(),
                 const std::vector<double>& force = {0, 0, 0}) {
  const int n = static_cast<int>(masses.size());
  Values values{{"masses", masses}, {"lengths", lengths}, {"gravity", {g}}, {"damping", {0}}};
  values["control_torque"] = {0, torque[0], torque[1], torque[2]};
  values["tip_force"] = {0, force[0], force[1], force[2]};
  return {"", "chain_pendulum", n, values, 0.5, 0.5, 1};
}

/// A residual that is no number is the worst, whichever come after it.
TEST(LengthIteration, RefusesAnIterateThatIsNotFinite) {
  for (const double nowhere :
       {std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity()}) {
    LengthIteration newton(0, 8);
    newton.check(0, 1e-17, 0);
    newton.check(1, nowhere, nowhere);
    newton.check(2, -3, -0.1);
    newton.check(3, 0, 0);
    StepReport report;
    EXPECT_TRUE(newton.ends(1, report));
    EXPECT_EQ(report.status, StepStatus::not_finite);
    EXPECT_EQ(report.body, 1);
  }
}

TEST(Chain, ConicalPendulumTurnsAtItsDiscreteRate) {
  // q on a horizontal circle of polar angle θ. The discrete equations put it there exactly, turning
  // by α per step with sin²(α/2) = g h² / (4 l cos θ); the conjugate velocity is sin α sin θ / h.
  const double length = 0.7, theta = 0.6, h = 0.01;
  const auto system = make_system(chain({2}, {length}));
  const double alpha = 2 * std::asin(h / 2 * std::sqrt(gravity / (length * std::cos(theta))));
  State s;
  s.q = Vec3(std::sin(theta), 0, std::cos(theta));
  s.w = s.q.col(0).cross(Vec3(0, std::sin(alpha) * std::sin(theta) / h, 0));
  auto integrator = prepared("variational", *system, s);
  double lowest = 1, highest = -1;
  const int steps = 10'000;
  for (int k = 0; k < steps; ++k) {
    ASSERT_TRUE(integrator->advance(*system, h, s).ok());
    lowest = std::min(lowest, s.q(2, 0));
    highest = std::max(highest, s.q(2, 0));
  }
  EXPECT_NEAR(lowest, std::cos(theta), 5e-14);   // measured: 3e-15
  EXPECT_NEAR(highest, std::cos(theta), 5e-14);  // measured: 6e-15
  const double angle =
      std::remainder(std::atan2(s.q(1, 0), s.q(0, 0)) - steps * alpha, 2 * std::numbers::pi);
  EXPECT_NEAR(angle, 0, 1e-11);  // measured: 3e-13
  // And the limit h → 0 is the textbook's Ω² = g / (l cos θ), to order 2.
  EXPECT_NEAR(alpha / h, std::sqrt(gravity / (length * std::cos(theta))), 2 * h * h * 5);
}

TEST(Chain, SmallOscillationsHaveTheNormalModesFrequencies) {
  // About the hanging rest M ẍ = −K x with K = diag(l_i g Σ_{k≥i} m_k); the VI replaces Ω by (2/h)
  // asin(h Ω/2).
  const SystemCase c = chain({1, 0.5, 2, 1}, {0.5, 1, 0.75, 0.5});
  const auto system = make_system(c);
  const Eigen::MatrixXd m = dense(system->inertia(), Columns(3, c.n));
  Columns g(3, c.n);
  system->gradient(Columns::Zero(3, c.n), g);
  const Eigen::VectorXd stiffness = -g.row(2).transpose();
  const EigenSystem modes = generalised_eigensystem(stiffness.asDiagonal(), m);
  const double h = 0.01, amplitude = 1e-6;
  for (int mode = 0; mode < c.n; ++mode) {
    const Eigen::VectorXd shape = modes.vectors.col(mode).normalized();
    const double omega = 2 / h * std::asin(h / 2 * std::sqrt(modes.values[mode]));
    State s;
    s.q.resize(3, c.n);
    s.w = Columns::Zero(3, c.n);
    for (int i = 0; i < c.n; ++i) {
      const double a = amplitude * shape[i];
      s.q.col(i) = Vec3(a * 0.6, a * 0.8, std::sqrt(1 - a * a));
    }
    auto integrator = prepared("variational", *system, s);
    for (int k = 1; k <= 1000; ++k) {
      ASSERT_TRUE(integrator->advance(*system, h, s).ok());
      for (int i = 0; i < c.n; ++i)
        ASSERT_NEAR(s.q(0, i), 0.6 * amplitude * shape[i] * std::cos(omega * k * h),
                    4e-9 * amplitude)  // measured: 2e-10, rounding of 1e-16
            << "mode " << mode << " body " << i << " step " << k;
    }
  }
}

TEST(Chain, SixtyLinksStepLikeTheDenseForm) {
  // The double dense solution is the less accurate of the two.
  const int n = 60;
  const SystemCase c = chain(std::vector<double>(n, 1), std::vector<double>(n, 0.5));
  const auto system = make_system(c);
  State s = generic_start(n, 0.3, 0.3, 33);
  State other = s;
  auto integrator = prepared("variational", *system, s);
  auto cayley = prepared("variational_cayley", *system, other);
  for (int k = 0; k < 3; ++k) {
    ASSERT_TRUE(integrator->advance(*system, 1e-3, s).ok());
    ASSERT_TRUE(cayley->advance(*system, 1e-3, other).ok());
  }
  EXPECT_LT((s.q - other.q).cwiseAbs().maxCoeff(), 5e-15);  // measured: 3e-16
}

TEST(Chain, LongChainsKeepTheUnitLengthLikeShortOnes) {
  // Momenta and tensions are sums over thousands of masses; their rounding must not reach q.
  for (const int n : {1000, 10'000}) {
    const auto size = static_cast<std::size_t>(n);
    const SystemCase c = chain(std::vector<double>(size, 1), std::vector<double>(size, 0.5));
    const auto system = make_system(c);
    State s = generic_start(n, 0.6, 0, 36);
    auto integrator = prepared("variational", *system, s);
    double worst = 0;
    for (int k = 0; k < 100; ++k) {
      const StepReport report = integrator->advance(*system, 1e-3, s);
      ASSERT_TRUE(report.ok()) << "step " << k << ", residual " << report.residual;
      for (int i = 0; i < n; ++i) worst = std::max(worst, unit_length_error(s.q.col(i)));
    }
    EXPECT_LE(worst, 4e-16) << n;
  }
}

TEST(Chain, WorkOfConstantForcesIsExactPerStep) {
  // Tip force: d·Δx_tip. Base torque: τ·(q_{1,k} × q_{1,k+1}).
  const Vec3 torque(1, 0.5, -2), force(2, -1, 0.5);
  const SystemCase c = chain({1, 2, 0.5}, {1, 0.5, 0.75}, gravity, Vec3(1, 0.5, -2), {2, -1, 0.5});
  const auto system = make_system(c);
  State s = generic_start(3, 0.8, 1, 34);
  auto integrator = prepared("variational", *system, s);
  const Vec3 lengths(1, 0.5, 0.75);
  for (int k = 0; k < 200; ++k) {
    const Columns before = s.q;
    const StepReport report = integrator->advance(*system, 0.005, s);
    ASSERT_TRUE(report.ok());
    const double expected = force.dot((s.q - before) * lengths) +
                            torque.dot(Vec3(before.col(0)).cross(Vec3(s.q.col(0))));
    EXPECT_NEAR(report.work, expected, 2e-15);  // measured: 2e-16
  }
}

TEST(Chain, TheTipForceCanBeASineOfTime) {
  SystemCase c = chain({1, 2, 0.5}, {1, 0.5, 0.75});
  c.values["tip_force"] = {1, 2, -1, 0.5, 1.7, 0.4};
  const auto system = make_system(c);
  EXPECT_TRUE(system->has_external_force());
  EXPECT_TRUE(system->time_dependent());
  const Columns q = generic_start(3, 0.8, 1, 36).q;
  Columns f(3, 3);
  for (const double t : {0.0, 0.3, 17.25}) {
    system->force(t, q, f);
    const Vec3 d = std::sin(2 * std::numbers::pi * 1.7 * t + 0.4) * Vec3(2, -1, 0.5);
    for (Eigen::Index i = 0; i < 3; ++i)
      EXPECT_LT((f.col(i) - c.values["lengths"][static_cast<std::size_t>(i)] * d).norm(), 1e-14);
  }
  // The work of a step is that of the mean force at the tip, ½ (d_k + d_{k+1})·Δx.
  State s = generic_start(3, 0.8, 1, 36);
  auto integrator = prepared("variational", *system, s);
  const Vec3 lengths(1, 0.5, 0.75);
  const double h = 0.005;
  for (int k = 0; k < 50; ++k) {
    s.t = k * h;
    const Columns before = s.q;
    const StepReport report = integrator->advance(*system, h, s);
    ASSERT_TRUE(report.ok());
    const double now = std::sin(2 * std::numbers::pi * 1.7 * s.t + 0.4),
                 next = std::sin(2 * std::numbers::pi * 1.7 * (s.t + h) + 0.4);
    const Vec3 force = (now + next) / 2 * Vec3(2, -1, 0.5);
    EXPECT_NEAR(report.work, force.dot((s.q - before) * lengths), 1e-14);
  }
  // Without amplitude there is none, and without frequency it is constant.
  c.values["tip_force"] = {1, 0, 0, 0, 1.7, 0.4};
  EXPECT_FALSE(make_system(c)->has_external_force());
  c.values["tip_force"] = {1, 0, 0, 3, 0, 0.4};
  EXPECT_FALSE(make_system(c)->time_dependent());
  // Along e3 it keeps that component of the angular momentum.
  EXPECT_TRUE(make_system(c)->conserved_momentum()[2]);
  c.values["tip_force"] = {1, 1, 0, 3, 1.7, 0.4};
  EXPECT_FALSE(make_system(c)->conserved_momentum()[2]);
}

/// A pendulum with a small force across swings as m l² θ̈ = −m g l θ + l A sin(2π ν t).
TEST(Chain, ASineAtTheTipDrivesTheOscillationOfItsClosedForm) {
  SystemCase c = chain({2}, {0.7});
  const double amplitude = 1e-5, nu = 0.4, h = 1e-3, t = 3;
  c.values["tip_force"] = {1, amplitude, 0, 0, nu, 0};
  const auto system = make_system(c);
  State s{0, Vec3(0, 0, 1), Vec3::Zero()};
  ASSERT_TRUE(march(*system, *prepared("variational", *system, s), h, std::lround(t / h), s));
  // θ = a [sin(Ωt) − (Ω/ω) sin(ωt)], a = A/(m l (ω² − Ω²)), ω² = g/l
  const double own = std::sqrt(gravity / 0.7), driven = 2 * std::numbers::pi * nu;
  const double theta = amplitude / (2 * 0.7 * (own * own - driven * driven)) *
                       (std::sin(driven * t) - driven / own * std::sin(own * t));
  EXPECT_NEAR(s.q(0, 0), theta, 1e-4 * amplitude);
}

TEST(Chain, ASineAtTheTipIsLiveAndRepeats) {
  Simulation run = test::start(
      test::with(
          test::preset("chain_pendulum"), "system.tip_force",
          value_of(json::parse(R"({"type": "sine", "amplitude": [0.5, 0, 0], "frequency": 0.8,
                               "phase": 0.1})",
                               "force"))),
      200);
  const double work = run.sample(0)[Quantity::work];
  ASSERT_TRUE(run.set({{"system.tip_force.frequency", 1.1}}));
  EXPECT_EQ(run.sample(0)[Quantity::work], work);
  test::march(run, 100);
  Simulation again = test::repeated(run, 300);
  EXPECT_EQ(test::bytes(again), test::bytes(run));
  Simulation on = test::loaded(run);
  test::march(on, 50);
  test::march(run, 50);
  EXPECT_EQ(test::bytes(on), test::bytes(run));
  // As a constant it is written as before.
  ASSERT_TRUE(run.set({{"system.tip_force", json::Node::numbers(std::array{0.5, 0.0, 1.0})}}));
  EXPECT_TRUE(says(write_scenario(run.present()), "\"tip_force\": [0.5, 0, 1]"));
}

TEST(Chain, DrivenEnergyIsBalancedByTheWorkToSecondOrder) {
  const SystemCase c =
      chain({1, 2, 0.5}, {1, 0.5, 0.75}, gravity, Vec3(0.1, 0.05, -0.2), {2, -1, 0.5});
  const auto system = make_system(c);
  const State start = generic_start(3, 0.8, 1, 35);
  const auto worst = [&](const char* key, double h) {
    State s = start;
    auto integrator = prepared(key, *system, s);
    const double reference = total_energy(*system, s);
    CompensatedSum work;
    double largest = 0;
    for (int k = 0; k < std::lround(1 / h); ++k) {
      const StepReport report = integrator->advance(*system, h, s);
      EXPECT_TRUE(report.ok());
      work.add(report.work);
      integrator->complete(*system, s);
      largest = std::max(largest, std::abs(total_energy(*system, s) - reference - work.value()));
    }
    EXPECT_GT(std::abs(work.value()), 0.1) << "the forces must have done something";
    return largest;
  };
  for (const auto& [key, order] : {std::pair{"variational", 2.0}, {"rk4", 4.0}}) {
    std::vector<double> h{0.005, 0.0025, 0.00125}, errors;
    for (const double step : h) errors.push_back(worst(key, step));
    EXPECT_NEAR(fitted_order(h, errors), order, 0.12) << key;  // measured: 0.03
  }
}

}  // namespace
}  // namespace twosphere::test::chain_pendulum_test
