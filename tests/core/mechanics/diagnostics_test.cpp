// SPDX-License-Identifier: GPL-3.0-or-later
// Every quantity of a sample by its formula.
#include "core/mechanics/diagnostics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "core/base/decompositions.h"
#include "core/mechanics/omega_matrix.h"
#include "tests/cases.h"

namespace twosphere::test::diagnostics_test {
namespace {

// Off the sphere, with an ω that is not tangent. A quantity that is missing here is NaN and fails.
TEST(Diagnostics, EveryQuantityIsThatOfItsFormula) {
  for (const SystemCase& c : system_cases()) {
    auto [system, s] = started(c, 61);
    s.t = 3;
    s.q.col(0) *= 1.001;
    s.w.col(c.n - 1) += 0.01 * c.speed * s.q.col(c.n - 1);
    Columns v(3, c.n);
    for (int i = 0; i < c.n; ++i) v.col(i) = s.w.col(i).cross(s.q.col(i));
    const Columns p = v * dense(system->inertia(), s.q);
    Vec3 momentum = Vec3::Zero();
    double off = 0, mean = 0, along = 0;
    for (int i = 0; i < c.n; ++i) {
      const Vec3 q = s.q.col(i);
      momentum += q.cross(p.col(i));
      if (first_order(*system)) momentum += system->strength()[i] * q;
      off = std::max(off, std::abs(q.norm() - 1));
      mean += std::abs(q.squaredNorm() - 1) / c.n;
      along = std::max(along, std::abs(q.dot(s.w.col(i))));
    }
    constexpr double reference = 5, work = 7;
    Sample want = missing_sample(s.t);
    want[Quantity::kinetic_energy] = v.cwiseProduct(p).sum() / 2;
    want[Quantity::potential_energy] = system->potential(s.q);
    want[Quantity::total_energy] =
        want[Quantity::kinetic_energy] + want[Quantity::potential_energy];
    want[Quantity::work] = work;
    want[Quantity::energy_error] = want[Quantity::total_energy] - reference - work;
    want[Quantity::unit_length_error] = off;
    want[Quantity::unit_length_error_mean] = mean;
    want[Quantity::tangency_error] = along;
    want[Quantity::angular_momentum_x] = momentum.x();
    want[Quantity::angular_momentum_y] = momentum.y();
    want[Quantity::angular_momentum_z] = momentum.z();
    const Sample got = measure(*system, s, reference, work);
    const double scale = reference + work + want[Quantity::kinetic_energy] +
                         std::abs(want[Quantity::potential_energy]);
    for (const QuantityInfo& info : quantities()) {
      const auto quantity = static_cast<Quantity>(&info - quantities().data());
      EXPECT_NEAR(got[quantity], want[quantity], 1e-13 * scale) << c.name << ": " << info.key;
    }
  }
}

std::unique_ptr<const System> molecules(double epsilon) {
  return system_of("lennard_jones", 12,
                   {{"masses", {1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 0.5, 1}},
                    {"epsilon", {epsilon}},
                    {"sigma", {0.8}},
                    {"cutoff", {}}});
}

/// 2n − 3 degrees of freedom, because all of J is conserved.
TEST(Diagnostics, TemperatureLeavesOutTheConservedMomenta) {
  const auto gas = molecules(0.05);
  const State s = generic_start(12, everywhere, 0.3, 62);
  EXPECT_DOUBLE_EQ(temperature(*gas, s), 2 * kinetic_energy(*gas, s) / 21);
  const auto one = system_of("lennard_jones", 1,
                             {{"masses", {1}}, {"epsilon", {1}}, {"sigma", {1}}, {"cutoff", {}}});
  EXPECT_TRUE(std::isnan(temperature(*one, generic_start(1, everywhere, 1, 63))));
}

/// pA = (n − 3/2) k_B T where molecules do not interact.
TEST(Diagnostics, PressureOfAnIdealGasIsThatOfItsTemperature) {
  const auto gas = molecules(1e-16);
  const State s = generic_start(12, everywhere, 0.3, 62);
  EXPECT_NEAR(pressure(*gas, s) * 4 * std::numbers::pi, 10.5 * temperature(*gas, s), 1e-9);
}

/// −∂V/∂A as the sphere grows, A = 4π R²: all chords are multiplied by R.
TEST(Diagnostics, PressureIsTheVirialOfTheChords) {
  const auto gas = molecules(0.05);
  const State s = generic_start(12, everywhere, 0.3, 62);
  constexpr double step = 1e-5;
  const double slope =
      (gas->potential((1 + step) * s.q) - gas->potential((1 - step) * s.q)) / (2 * step);
  const double area = 4 * std::numbers::pi, kinetic = kinetic_energy(*gas, s) / area;
  EXPECT_NEAR(pressure(*gas, s), kinetic - slope / (2 * area), 1e-7 * std::abs(slope));
  EXPECT_GT(std::abs(slope), 0.01);
}

TEST(OmegaMatrix, HasTheDeterminantOfTheClosedFormOfTwoBodies) {
  const auto chain = system_of("chain_pendulum", 2, {{"masses", {1, 2}}, {"lengths", {0.5, 0.75}}});
  const Columns q = generic_start(2, 0.8, 0, 64).q;
  const Eigen::MatrixXd m = dense(chain->inertia(), q);
  const double c = q.col(0).dot(q.col(1)), product = m(0, 0) * m(1, 1), square = m(0, 1) * m(0, 1);
  EXPECT_NEAR(omega_matrix(chain->inertia(), q).determinant /
                  (product * (product - square * c * c) * (product - square)),
              1, 1e-12);
}

TEST(OmegaMatrix, HasTheEigenvaluesOfTheWholeMatrix) {
  for (const char* name : {"chain_of_5", "three_bodies", "rod_consistent", "variable_inertia"}) {
    const auto& cases = system_cases();
    const SystemCase& c = *std::find_if(cases.begin(), cases.end(),
                                        [&](const SystemCase& one) { return one.name == name; });
    const auto [system, s] = started(c, 65);
    const Eigen::MatrixXd m = dense(system->inertia(), s.q);
    Eigen::MatrixXd whole(3 * c.n, 3 * c.n);
    for (Eigen::Index i = 0; i < c.n; ++i)
      for (Eigen::Index j = 0; j < c.n; ++j)
        whole.block<3, 3>(3 * i, 3 * j) = i == j
                                              ? Mat3(m(i, i) * Mat3::Identity())
                                              : Mat3(-m(i, j) * hat(s.q.col(i)) * hat(s.q.col(j)));
    const Eigen::VectorXd values = symmetric_eigenvalues(whole);
    const OmegaMatrix found = omega_matrix(system->inertia(), s.q);
    EXPECT_NEAR(found.determinant / values.prod(), 1, 1e-9) << name;
    EXPECT_NEAR(found.condition / (values.maxCoeff() / values.minCoeff()), 1, 1e-9) << name;
  }
}

}  // namespace
}  // namespace twosphere::test::diagnostics_test
