// SPDX-License-Identifier: GPL-3.0-or-later
// The loss of accuracy of forces and of distances where something in them nearly cancels, against
// extended precision for the same doubles. docs/numerics.md has the table.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "core/mechanics/sphere.h"
#include "tests/cases.h"

namespace twosphere::test::accuracy_test {
namespace {

using Real = long double;
using RealVec = Eigen::Matrix<Real, 3, 1>;

RealVec real(const Vec3& v) { return v.cast<Real>(); }

struct Accuracy : testing::Test {
  void SetUp() override {
    if (std::numeric_limits<Real>::digits < 64) GTEST_SKIP() << "no extended precision";
  }
};

/// The largest errors of torques, relative and absolute, and of energies, relative.
struct Errors {
  double torque = 0, torque_absolute = 0, energy = 0;

  void add(const Vec3& torque_found, const RealVec& torque_exact, double energy_found,
           Real energy_exact) {
    const auto off = static_cast<double>((torque_found.cast<Real>() - torque_exact).norm());
    torque = std::max(torque, off / static_cast<double>(torque_exact.norm()));
    torque_absolute = std::max(torque_absolute, off);
    energy = std::max(energy, static_cast<double>(std::abs(energy_found - energy_exact) /
                                                  std::abs(energy_exact)));
  }
  void record(double at) const {
    testing::Test::RecordProperty(fmt::format("at_{:.4g}", at),
                                  fmt::format("torque {:.2g} (absolute {:.2g}), energy {:.2g}",
                                              torque, torque_absolute, energy));
  }
};

/// A pair of directions θ apart, in several positions.
void for_pairs(double theta, const std::function<void(const Columns& q)>& visit) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    Columns q = generic_start(2, everywhere, 0, 200 + seed).q;
    const Vec3 aside = q.col(0).cross(q.col(1)).normalized().cross(q.col(0));
    q.col(1) = (std::cos(theta) * q.col(0) + std::sin(theta) * aside).normalized();
    visit(q);
  }
}

/// q_0 × g_0
Vec3 torque(const System& system, const Columns& q) {
  Columns g(3, q.cols());
  system.gradient(q, g);
  return q.col(0).cross(g.col(0));
}

TEST_F(Accuracy, OfMoleculesAtAnyDistance) {
  for (const double theta : {1e-1, 1e-3, 1e-6, 1e-8}) {
    const double sigma = 0.95 * theta;
    const auto system =
        system_of("lennard_jones", 2, {{"masses", {1, 1}}, {"epsilon", {1}}, {"sigma", {sigma}}});
    Errors errors;
    for_pairs(theta, [&](const Columns& q) {
      const RealVec a = real(q.col(0)), b = real(q.col(1));
      const Real r2 = (a - b).squaredNorm(), s2 = static_cast<Real>(sigma) * sigma / r2;
      const Real s6 = s2 * s2 * s2;
      errors.add(torque(*system, q), 4 * (6 - 12 * s6) * s6 / r2 * a.cross(RealVec(a - b)),
                 system->potential(q), 4 * (s6 - 1) * s6);
    });
    errors.record(theta);
    EXPECT_LT(errors.torque, 1e-14) << theta;
    EXPECT_LT(errors.energy, 4e-15) << theta;
  }
}

TEST_F(Accuracy, OfMagnetsAtAnyDistance) {
  for (const double apart : {1e-1, 1e-3, 1e-6, 1e-8}) {
    const Vec3 from(1, 1, 1), to(1 + apart, 1 - apart, 1 + apart);
    const auto system = system_of("dipole_array", 2,
                                  {{"masses", {1, 1}},
                                   {"lengths", {1, 1}},
                                   {"moments", {1, 1}},
                                   {"positions", {1, 1, 1, to.x(), to.y(), to.z()}}});
    Errors errors;
    for_pairs(1, [&](const Columns& q) {
      const RealVec a = real(q.col(0)), b = real(q.col(1)), r = real(to) - real(from);
      const RealVec n = r.normalized();
      const Real k = 1e-7L / std::pow(r.norm(), Real(3));
      errors.add(torque(*system, q), k * a.cross(RealVec(b - 3 * n * n.dot(b))),
                 system->potential(q), k * (a.dot(b) - 3 * n.dot(a) * n.dot(b)));
    });
    errors.record(apart);
    EXPECT_LT(errors.torque, 3e-15) << apart;
    EXPECT_LT(errors.energy, 3e-15) << apart;
  }
}

TEST_F(Accuracy, OfSpringsHoweverNearlyRelaxed) {
  const auto system =
      system_of("pendulum_network", 2,
                values_from("masses 1 1; lengths 1 1; gravity 0; pivots 0 0 0 1 0 0; "
                            "springs 0 1 1"));
  for (const double theta : {1e-1, 1e-3, 1e-5, 1e-7}) {
    Errors errors;
    for_pairs(theta, [&](const Columns& q) {
      const RealVec a = real(q.col(0)), b = real(q.col(1)), r(1, 0, 0), d = (b - a) / 2, e = r + d;
      const Real stretch = d.dot(RealVec(r + e)) / (e.norm() + 1);
      errors.add(torque(*system, q), -stretch / e.norm() / 2 * a.cross(e), system->potential(q),
                 stretch * stretch / 2);
    });
    errors.record(theta);
    EXPECT_LT(errors.torque, 1e-14) << theta;
    EXPECT_LT(errors.energy, 1e-14) << theta;
  }
}

TEST_F(Accuracy, OfARodIsThatOfItsStiffness) {
  // 1 − c loses 1e-16 where a joint is nearly straight: of the torque κ (1 − c) sin θ ≈ κ θ³/2 that
  // is κ θ 1e-16. As printed, it is the same off the sphere.
  const auto system =
      system_of("elastic_rod", 2,
                values_from("elements 2; mass 1; length 1; gravity 0; stiffness 0 1; inertia 1"));
  for (const double theta : {1e-1, 1e-3, 1e-5, 1e-7}) {
    Errors errors;
    for_pairs(theta, [&](const Columns& q) {
      const RealVec a = real(q.col(0)).normalized(), b = real(q.col(1)).normalized();
      const Real bend = (b - a).squaredNorm() / 2;
      errors.add(torque(*system, q), -bend * a.cross(RealVec(b - a)), system->potential(q),
                 bend * bend / 2);
    });
    errors.record(theta);
    EXPECT_LT(errors.torque_absolute, 1e-15 * theta) << theta;
  }
}

TEST_F(Accuracy, OfAnglesHoweverSmall) {
  for (const double theta : {1e-1, 1e-3, 1e-6, 1e-9, 1e-12, std::numbers::pi - 1e-6}) {
    double worst = 0;
    for_pairs(theta, [&](const Columns& q) {
      const RealVec a = real(q.col(0)), b = real(q.col(1));
      const Real side = theta < 1 ? 1 : -1;
      const Real exact = std::atan2(a.cross(RealVec(b - side * a)).norm(), a.dot(b));
      worst =
          std::max(worst, static_cast<double>(std::abs(angle(q.col(0), q.col(1)) - exact) / exact));
    });
    RecordProperty(fmt::format("at_{:.7g}", theta), fmt::format("{:.2g}", worst));
    EXPECT_LT(worst, 1e-15) << theta;
  }
  EXPECT_EQ(angle(Vec3(0.6, 0, 0.8), Vec3(0.6, 0, 0.8)), 0);
  EXPECT_NEAR(angle(Vec3(0.6, 0, 0.8), Vec3(0.9, 0, 1.2)), 0, 1e-16) << "of any length";
}

}  // namespace
}  // namespace twosphere::test::accuracy_test
