// SPDX-License-Identifier: GPL-3.0-or-later
// Derivatives of every function and form of sum against central differences, and the values of
// formulas against the same in C++.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "tests/core/custom/definitions.h"

namespace twosphere::test::custom_derivatives_test {
namespace {

class CustomDerivatives : public testing::TestWithParam<int> {};
// Few bodies are written out, many are loops.
INSTANTIATE_TEST_SUITE_P(Bodies, CustomDerivatives, testing::Values(3, 7, 40));

TEST_P(CustomDerivatives, AgreeWithDifferences) {
  const int n = GetParam();
  constexpr double h = 1e-6;
  for (const std::string& potential : potentials()) {
    SCOPED_TRACE(potential);
    const auto system = make(with_potential(potential, n));
    const Columns q = directions(n, 3), v = directions(n, 4);
    const Columns ahead = q + h * v, behind = q - h * v;
    Columns g(3, n), ga(3, n), gb(3, n), hv(3, n);
    system->gradient(q, g);
    system->gradient(ahead, ga);
    system->gradient(behind, gb);
    system->hessian_times(q, v, hv);
    const double slope = (system->potential(ahead) - system->potential(behind)) / (2 * h);
    EXPECT_NEAR(g.cwiseProduct(v).sum(), slope, 2e-8 * (1 + g.norm()));
    EXPECT_LT(((ga - gb) / (2 * h) - hv).norm(), 2e-8 * (1 + hv.norm() + g.norm()));
    // Every component, not only along v.
    for (Eigen::Index k = 0; k < 3; ++k) {
      Columns a = q, b = q;
      a(k, n / 2) += h;
      b(k, n / 2) -= h;
      EXPECT_NEAR(g(k, n / 2), (system->potential(a) - system->potential(b)) / (2 * h),
                  2e-8 * (1 + g.norm()));
    }
  }
}

double value(const std::string& potential, const Columns& q) {
  Definition d = with_potential(potential, static_cast<int>(q.cols()));
  const auto system = make(d);
  return system ? system->potential(q) : std::numeric_limits<double>::quiet_NaN();
}

TEST(CustomValues, AreThoseOfTheFormulas) {
  const Columns q = directions(3, 8);
  const auto c = [&](int i, int k) { return q(k - 1, i); };
  const double m[] = {0.5, 0.75, 1};
  EXPECT_DOUBLE_EQ(value("2^3^2", q), 512);
  EXPECT_DOUBLE_EQ(value("-2^2", q), -4);
  EXPECT_DOUBLE_EQ(value("1/2/4*3 − e1·e1", q), 0.375 - 1);
  EXPECT_DOUBLE_EQ(value("-e3.x[n-1]", q), -(0.5 * c(0, 3) + 0.75 * c(1, 3) + c(2, 3)));
  EXPECT_DOUBLE_EQ(value("x[0].e3", q), 0.5 * c(0, 3));
  EXPECT_DOUBLE_EQ(value("1.5*x[0].e3", q), 0.75 * c(0, 3));
  EXPECT_DOUBLE_EQ(value("q[0].e1^2", q), c(0, 1) * c(0, 1));
  EXPECT_DOUBLE_EQ(value("q[0].e1²", q), c(0, 1) * c(0, 1));
  EXPECT_DOUBLE_EQ(value("e1×e2.q[0]", q), c(0, 3));
  EXPECT_DOUBLE_EQ(value("p0[1] + p0.e1", q), -0.2 + 0.3);
  EXPECT_DOUBLE_EQ(value("30 deg/π", q), 1.0 / 6);
  EXPECT_DOUBLE_EQ(value("0.2 N m/k", q), 0.2 / 1.25);
  EXPECT_DOUBLE_EQ(value("5 cm + 981 cm/s^2", q), 0.05 + 9.81);
  EXPECT_DOUBLE_EQ(value("sum(i: m[i]*i) + n", q), m[1] + 2 * m[2] + 3);
  EXPECT_DOUBLE_EQ(value("prod(i: m[i])", q), m[0] * m[1] * m[2]);
  EXPECT_DOUBLE_EQ(value("sum(i < j: m[i]*m[j])", q), m[0] * m[1] + m[0] * m[2] + m[1] * m[2]);
  EXPECT_DOUBLE_EQ(value("sum(a in four: four[a]) + k[2]", q), 10 + 1.25);
  EXPECT_DOUBLE_EQ(value("sum(i > 5: m[i])", q), 0);
  EXPECT_DOUBLE_EQ(value("prod(i > 5: q[i].e1)", q), 1);
  EXPECT_DOUBLE_EQ(value("if(1 < 2, 3, 4) + if(2 ≤ 1, 3, 4)", q), 7);
  EXPECT_DOUBLE_EQ(value("min(3, 1, 2) + max(3, 1, 2) + abs(-1) + sign(-2)", q), 4);
}

TEST(CustomValues, AnglesAreAccurateAtNothingAndAtHalfATurn) {
  for (const double small : {1e-3, 1e-8, 1e-12}) {
    Columns q(3, 3);
    q.col(0) = Vec3::UnitX();
    q.col(1) = Vec3(std::cos(small), std::sin(small), 0);
    q.col(2) = Vec3(-std::cos(small), std::sin(small), 0);
    EXPECT_NEAR(value("angle(q[0], q[1])", q), small, 1e-15 * small);
    EXPECT_NEAR(value("1*angle(q[0], q[2])", q), std::numbers::pi - small, 5e-16);
    const auto system = make(with_potential("angle(q[0], q[1])", 3));
    Columns g(3, 3);
    system->gradient(q, g);
    // ∂θ/∂q is the unit vector across.
    EXPECT_NEAR(g(0, 1), -std::sin(small), 1e-15);
    EXPECT_NEAR(g(1, 1), std::cos(small), 1e-15);
    EXPECT_NEAR(g(1, 0), -1, 1e-15);
  }
}

// V = θ²/2 of the angle θ from a to b: ∇V = θ t at b, with t across, ∇²V = 1 along t and θ cot θ
// beside it.
TEST(CustomValues, TheSquareOfAnAngleHasASecondDerivativeWhereItIsNothing) {
  const auto system = make(with_potential("0.5*angle(q[0], q[1])^2", 3));
  for (const double theta : {0.0, 1e-12, 1e-6, 1e-3, 0.0998, 0.1002, 1.0, 3.0}) {
    const Vec3 along(-std::sin(theta), std::cos(theta), 0), beside = Vec3::UnitZ();
    Columns q(3, 3), g(3, 3), h(3, 3), v = Columns::Zero(3, 3);
    q.colwise() = Vec3::UnitX();
    q.col(1) = Vec3(std::cos(theta), std::sin(theta), 0);
    EXPECT_NEAR(value("angle(q[0], q[1])^4", q), std::pow(theta, 4), 1e-14 * std::pow(theta, 4));
    system->gradient(q, g);
    EXPECT_LE((g.col(1) - theta * along).norm(), 1e-15 * theta) << theta;
    v.col(1) = along;
    system->hessian_times(q, v, h);
    EXPECT_NEAR(along.dot(h.col(1)), 1, 1e-13) << theta;
    EXPECT_NEAR(h(1, 0), -1, 1e-13) << theta;
    v.col(1) = beside;
    system->hessian_times(q, v, h);
    EXPECT_NEAR(h(2, 1), theta == 0 ? 1 : theta / std::tan(theta), 1e-13) << theta;
    EXPECT_NEAR(h(2, 0), theta == 0 ? -1 : -theta / std::sin(theta), 2e-13) << theta;
  }
}

TEST(CustomValues, ProductsWithZerosHaveExactDerivatives) {
  for (const int n : {3, 40}) {
    // Where one factor is 0 its derivative is the product of all others, where two are there is
    // none, but a second derivative.
    const auto system = make(with_potential("prod(i: q[i].e1)", n));
    Columns q(3, n), g(3, n), h(3, n), v = Columns::Zero(3, n);
    q.colwise() = Vec3::UnitX();
    q.col(1) = Vec3::UnitY();
    system->gradient(q, g);
    EXPECT_EQ(g(0, 1), 1);
    EXPECT_EQ(g(0, 0), 0);
    q.col(2) = Vec3::UnitY();
    v(0, 2) = 2;
    system->gradient(q, g);
    EXPECT_TRUE(g.isZero(0));
    system->hessian_times(q, v, h);
    EXPECT_EQ(h(0, 1), 2);
  }
}

/// The derivatives of a potential by the first component of a body, where all of these are 0.
struct AtZero {
  Columns g, h;

  AtZero(const std::string& potential, int n) : g(3, n), h(3, n) {
    const auto system = make(with_potential(potential, n));
    const Columns q = Vec3::UnitY().replicate(1, n), v = Vec3::UnitX().replicate(1, n);
    system->gradient(q, g);
    system->hessian_times(q, v, h);
  }
  double first(int body) const { return g(0, body); }
  double second(int body) const { return h(0, body); }
};

TEST(CustomValues, PowersOfZeroHaveTheDerivativesThatExist) {
  for (const int n : {3, 40}) {
    for (const double p : {1.3, 1.5, 2.5, 3.0, 3.5, 4.3, 64.5, 65.0})
      for (const char* base : {"q[i].e1", "2*q[i].e1", "max(0, q[i].e1)", "abs(q[i].e1)",
                               "norm([q[i].e1, 0, 0])", "3*norm([q[i].e1, 0, 0])"}) {
        const std::string text = fmt::format("sum(i: ({})^{})", base, p);
        const AtZero at(text, n);
        EXPECT_TRUE(at.g.isZero(0)) << text;
        EXPECT_TRUE(p < 2 || at.h.isZero(0)) << text;
      }
    EXPECT_EQ(AtZero("sum(i: (q[i].e1)^2)", n).second(1), 2);
    // Powers of roots.
    for (const char* text : {"sum(i: sqrt(q[i].e1)^2)", "sum(i: sqrt(q[i].e1)*sqrt(q[i].e1))"}) {
      EXPECT_EQ(AtZero(text, n).first(1), 1) << text;
      EXPECT_EQ(AtZero(text, n).second(1), 0) << text;
    }
    EXPECT_EQ(AtZero("sum(i: sqrt(q[i].e1)^3)", n).first(1), 0);
    EXPECT_EQ(AtZero("sum(i: ((q[i].e1)^0.5)^3)", n).first(1), 0);
    EXPECT_EQ(AtZero("sum(i: sqrt(q[i].e1)^4)", n).second(1), 2);
    // An exponent for each body, and one that moves.
    const AtZero each("sum(i: (q[i].e1)^i)", n);
    EXPECT_EQ(each.first(0), 0);
    EXPECT_EQ(each.first(1), 1);
    EXPECT_EQ(each.first(2), 0);
    EXPECT_EQ(each.second(0), 0);
    EXPECT_EQ(each.second(1), 0);
    EXPECT_EQ(each.second(2), 2);
    EXPECT_EQ(AtZero("sum(i: (q[i].e1)^(m[i] + 1))", n).second(2), 2);
    const AtZero moving("sum(i: (q[i].e1)^(2.5 + q[i].e3))", n);
    EXPECT_TRUE(moving.g.isZero(0));
    EXPECT_TRUE(moving.h.isZero(0));
  }
}

TEST(CustomValues, PowersOfFactorsDoNotLeaveTheRangeOfNumbers) {
  const Columns q = directions(3, 8);
  for (const char* text : {"(1e-200*exp(460 + q[0].e1))^2", "(1e200*norm(1e-200*q[0]))^2",
                           "(1e-200/norm(1e-200*q[0]))^2"}) {
    const double v = value(text, q);
    EXPECT_GT(v, 0) << text;
    EXPECT_LT(v, 10) << text;
  }
}

TEST(CustomValues, WhatIsNotChosenContributesNothing) {
  for (const int n : {3, 40}) {
    const auto system =
        make(with_potential("sum(i: if(q[i].e1 > 2, sqrt(q[i].e1 - 2), q[i].e2))", n));
    Columns g(3, n), h(3, n);
    const Columns q = directions(n, 2);
    system->gradient(q, g);
    EXPECT_EQ(g, Columns(Vec3::UnitY().replicate(1, n)));
    system->hessian_times(q, tangents(q, 3), h);
    EXPECT_TRUE(h.isZero(0));
  }
}

TEST(CustomValues, LoopsAndWrittenOutCodeAgree) {
  // 20 bodies that do not interact with the first three change nothing there.
  const std::string few = "sum(i < j: if(j < 3, k/norm(q[i] - q[j]), 0))";
  const Columns q = directions(40, 9);
  EXPECT_NEAR(value(few, q), value(few, q.leftCols(3)), 1e-14);
}

}  // namespace
}  // namespace twosphere::test::custom_derivatives_test
