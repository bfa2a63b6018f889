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
  for (const double p : {0.1, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 1.2, 1.5, 2.5}) {
    // Of a negative number, and of a positive one.
    const double x = c(0, 1) - 1, y = c(0, 2) + 2;
    for (const auto& [text, expected] :
         {std::pair("((q[0].e1 - 1)^2)^{}", std::pow(-x, 2 * p)),
          {"((q[0].e1 - 1)^4)^{}", std::pow(-x, 4 * p)},
          {"abs(q[0].e1 - 1)^{}", std::pow(-x, p)},
          {"((q[0].e2 + 2)^3)^{}", std::pow(y, 3 * p)},
          {"(q[0].e2 + 2)^{}*sqrt(q[0].e2 + 2)", std::pow(y, p + 0.5)},
          {"acos(q[0].e1)^{}", std::pow(std::acos(x + 1), p)},
          {"(acos(q[0].e1)^4)^{}", std::pow(std::acos(x + 1), 4 * p)},
          {"(norm([q[0].e1 - 1, 0, 0])^2)^{}", std::pow(-x, 2 * p)}})
      EXPECT_NEAR(value(fmt::format(fmt::runtime(text), p), q) / expected, 1, 1e-14) << text << p;
  }
  // Roots of negative numbers, also below whole powers.
  for (const char* text : {"((q[0].e1 - 1)^3)^(1/3)", "(sqrt(q[0].e1 - 1)^8)^0.3",
                           "sqrt(q[0].e1 - 1)^130", "((q[0].e1 - 1)^0.5)^65*sqrt(q[0].e1 - 1)^65"})
    EXPECT_TRUE(std::isnan(value(text, q))) << text;
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

/// A potential of x = e1.q, y = e3.q and c = e2.q at q = e2, where x = y = 0 and c = 1: its value,
/// and its first and second derivatives on the sphere.
struct AtPole {
  const char* text;
  double value = 0, gx = 0, gy = 0, hxx = 0, hxy = 0, hyy = 0;
};
constexpr double none = std::numeric_limits<double>::quiet_NaN();
/// The derivative is refused, because it does not exist.
constexpr AtPole refused(const char* text, double value = 0) { return {text, value, none}; }
/// The first derivative is 0, the second one infinite.
constexpr AtPole bent(const char* text) { return {text, 0, 0, 0, none}; }

constexpr AtPole at_pole[] = {
    // |x|ᵖ
    bent("({x}^2)^0.75"),
    refused("({x}^2)^0.5"),
    refused("sqrt({x}^2)"),
    refused("({x}^2)^0.4"),
    {"({x}^2)^1.25"},
    {"({x}^2)^1.5"},
    {"sqrt({x}^2)^3"},
    bent("(m[i]*{x}^2)^0.75"),
    {.text = "sqrt({x}^4)", .hxx = 2},
    {.text = "3 + 2*({x}^4)^0.5", .value = 3, .hxx = 4},
    bent("({x}^4)^0.3"),
    refused("({x}^4)^0.25"),
    {"({x}^4)^0.75"},
    {.text = "({x}^6)^(1/3)", .hxx = 2},
    {.text = "abs({x})*abs({x})", .hxx = 2},
    {"abs({x})^4"},
    {"abs({x})^3"},
    // xᵖ, of x ≥ 0
    refused("{x}^0.75"),
    bent("{x}^1.5"),
    bent("sqrt({x}^3)"),
    {"sqrt({x}^5)"},
    {.text = "({x}^3)^(2/3)", .hxx = 2},
    bent("({x}^0.3)^5"),
    {"({x}^1.5)^2"},
    {.text = "sqrt({x})^2", .gx = 1},
    bent("{x}*sqrt({x})"),
    bent("{x}^0.3*{x}^0.9"),
    {"sqrt({x})*{x}^2"},
    {.text = "{x}^0.5*{x}^1.5", .hxx = 2},
    refused("sqrt({x})*sqrt({y})"),
    refused("exp(0.75*log({x}^2))"),
    // rᵖ, r² = x² + y²
    {"({x}^2 + {y}^2)^1.25"},
    bent("({x}^2 + {y}^2)^0.75"),
    bent("sqrt({x}^2 + 2*{y}^2)^1.5"),
    refused("({x}^2 + {y}^2)^0.5"),
    refused("({x}^2 + {y}^2)^0.25"),
    refused("({x}^2 - {y}^2)^0.75"),
    refused("({x}^2 + {y})^0.75"),
    bent("(norm([{x}, 0, {y}])^2)^0.75"),
    {.text = "norm([{x}, 0, {y}])*norm([{x}, 0, {y}])", .hxx = 2, .hyy = 2},
    {.text = "norm([{x}, 0, {x} + {y}])^2", .hxx = 4, .hxy = 2, .hyy = 2},
    // θᵖ of the angle θ from the pole
    {.text = "acos({c})^2", .hxx = 2, .hyy = 2},
    {.text = "acos({c})*acos({c})", .hxx = 2, .hyy = 2},
    {"acos({c})^3"},
    {"acos({c})^4"},
    {.text = "acos(0.5 + 0.5*{c})^2", .hxx = 1, .hyy = 1},
    refused("acos({c})"),
    refused("acos(-{c})^2", std::numbers::pi* std::numbers::pi),
    {.text = "angle(q[i], e2)*angle(q[i], e2)", .hxx = 2, .hyy = 2},
    bent("(angle(q[i], e2)^2)^0.75"),
    {"(angle(q[i], e2)^2)^1.5"},
    bent("acos({c})^1.5"),
    bent("(2*acos({c}))^1.3"),
    bent("sqrt(acos({c})^3)"),
    {"(m[i]*acos({c}))^3"},
    refused("acos(1 - abs({x}))^1.5"),
    // Powers of |x|, r and θ between the first and the second
    bent("abs({x})^1.5"),
    bent("(2*abs({x}))^1.2"),
    bent("sqrt(abs({x})^3)"),
    bent("abs({x})*sqrt(abs({x}))"),
    bent("(abs({x}) + abs({y}))^1.5"),
    bent("abs(sin({x}))^1.5"),
    {"abs({x})^2.5"},
    refused("abs({x})^0.75"),
    bent("norm([{x}, 0, {y}])^1.5"),
    bent("norm(q[i] - e2)^1.2"),
    bent("angle(q[i], e2)^1.5"),
    // Factors, sums and roots of higher powers
    {.text = "sqrt(2*{x}^4)", .hxx = 2 * std::numbers::sqrt2},
    {.text = "(4*abs({x}))^2", .hxx = 32},
    {.text = "abs(2*abs({x}))^2", .hxx = 8},
    {.text = "abs(2*abs({x}))*abs(2*abs({x}))", .hxx = 8},
    {"abs(2*abs({x}))^4"},
    {.text = "sqrt(exp({y})*{x}^4)", .hxx = 2},
    bent("sqrt(2*{x}^3)"),
    bent("({c}*{x}^2)^0.75"),
    bent("({x}^2/{c})^0.75"),
    bent("({c}*abs({x}))^1.5"),
    {"({c}*{x}^4)^0.75"},
    // Exponents that move
    bent("abs({x})^(0.5 + {c})"),
    bent("({x}^2)^(1.75 - {c})"),
    {"abs({x})^(1.5 + {c})"},
    {.text = "({x}^2)^{c}", .hxx = 2},
    refused("({x}^2)^({c} - 0.5)"),
    refused("({c}*{x}^2)^0.5"),
    refused("({x}^2/{c})^0.4"),
    bent("sqrt({x}^4 + {y}^4)"),
    bent("({x}^4 + 2*{y}^4)^0.4"),
    {"({x}^4 + 2*{y}^4)^0.75"},
    refused("({x}^4 + {y}^4)^0.25"),
    {.text = "sqrt(({x}^2 + {y}^2)^2)", .hxx = 2, .hyy = 2},
    bent("sum(a in four: four[a]*{x}^2)^0.75"),
    bent("max({x}^2, {y}^2)^0.75"),
    // What is nowhere negative because q is a unit vector
    bent("(1 - {c})^0.75"),
    bent("(2 - 2*{c})^0.6"),
    bent("(1 - {c}^2)^0.75"),
    bent("(1 - cos({x}))^0.75"),
    bent("(1 - q[i].q[0])^0.75"),
    {"(1 - {c}^2)^1.5"},
    refused("(1 - {c})^0.5"),
    refused("sqrt(1 - {c}^2)"),
    refused("({c} - {c}^2)^0.75"),
};

TEST(CustomValues, PowersHaveTheLimitsOfTheirDerivativesWhereTheyAreNothing) {
  for (const int n : {3, 40})
    for (const AtPole& row : at_pole) {
      const std::string text = fmt::format(fmt::runtime(row.text), fmt::arg("x", "q[i].e1"),
                                           fmt::arg("y", "q[i].e3"), fmt::arg("c", "q[i].e2"));
      SCOPED_TRACE(fmt::format("{} for {}", text, n));
      const auto system = make(with_potential("sum(i: " + text + ")", n));
      const Columns q = Vec3::UnitY().replicate(1, n);
      EXPECT_NEAR(system->potential(q), n * row.value, 1e-12);
      Columns g(3, n), h(3, n);
      system->gradient(q, g);
      const bool exists = std::isfinite(row.gx);
      EXPECT_EQ(g.allFinite(), exists);
      if (!exists) continue;
      EXPECT_EQ(g(0, 1), row.gx);
      EXPECT_EQ(g(2, 1), row.gy);
      // On the sphere a second derivative along v is that in space less (∂V/∂q·q) v.
      system->hessian_times(q, Vec3::UnitX().replicate(1, n), h);
      if (!std::isfinite(row.hxx)) {
        EXPECT_FALSE(std::isfinite(Vec3::UnitX().dot(h.col(1))));
        continue;
      }
      EXPECT_DOUBLE_EQ(h(0, 1) - g(1, 1), row.hxx);
      EXPECT_DOUBLE_EQ(h(2, 1), row.hxy);
      system->hessian_times(q, Vec3::UnitZ().replicate(1, n), h);
      EXPECT_DOUBLE_EQ(h(2, 1) - g(1, 1), row.hyy);
    }
}

TEST(CustomValues, PowersOfDefinitionsHaveTheDerivativesOfWhatTheyStandFor) {
  for (const int n : {3, 40}) {
    Definition d = with_potential("sum(i: gap[i]^0.75) + sum(i: 2*fourth[i]^0.5)", n);
    d.define.insert(d.define.end(), {"gap[i] = 1 - q[i].e2", "fourth[i] = m[i]*(q[i].e1)^4"});
    const auto system = make(d);
    const Columns q = Vec3::UnitY().replicate(1, n);
    Columns g(3, n);
    system->gradient(q, g);
    EXPECT_TRUE(g.isZero(0)) << n;
  }
}

// On either side of the angle at which a series takes over: dθ²/dc = −2θ/sin θ of c = cos θ, and
// d²θ²/dc² = 2 (1 − θ cot θ)/sin² θ, 2/3 at θ = 0.
TEST(CustomValues, TheSquareOfAnArcCosineHasAccurateDerivatives) {
  const auto system = make(with_potential("acos(q[0].e2)^2", 3));
  for (const double theta : {1e-6, 0.1, 0.19, 0.21, 1.0, 3.0}) {
    Columns q(3, 3), g(3, 3), h(3, 3), v = Columns::Zero(3, 3);
    q.colwise() = Vec3(std::sin(theta), std::cos(theta), 0);
    const double slope = -2 * theta / std::sin(theta);
    system->gradient(q, g);
    EXPECT_NEAR(g(1, 0), slope, 1e-13 * std::abs(slope)) << theta;
    v(1, 0) = 1;
    system->hessian_times(q, v, h);
    const double second =
        theta < 1e-3 ? 2.0 / 3 : 2 * (1 - theta / std::tan(theta)) / std::pow(std::sin(theta), 2);
    EXPECT_NEAR(h(1, 0), second, 1e-12 * second) << theta;
  }
  // There is no arc cosine of more than 1.
  Columns q(3, 3), g(3, 3);
  q.colwise() = Vec3(0, 1.001, 0);
  system->gradient(q, g);
  EXPECT_TRUE(std::isnan(g(1, 0)));
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
