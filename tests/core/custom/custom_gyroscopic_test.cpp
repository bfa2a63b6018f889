// SPDX-License-Identifier: GPL-3.0-or-later
// Texts that are linear in velocities.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <tuple>
#include <vector>

#include "core/custom/equations.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/linear_terms.h"
#include "core/mechanics/random_state.h"
#include "tests/core/custom/definitions.h"
#include "tests/core/custom/wrong_text.h"
#include "tests/outcome.h"

namespace twosphere::test::custom_gyroscopic_test {
namespace {

/// Two coupled bodies in a field along e3.
Definition right() {
  Definition d;
  d.bodies = 2;
  d.parameters = {number("B", 0.8, "J s"), number("m", 2, "kg m^2"), list("c", {0.5, -1})};
  d.define = {"u[i] = sum(j <= i: c[j]*v[j])", "z[i] = norm(v[i])", "k = 3"};
  d.inertia = "matrix(i, j: if(i == j, m, 0.6))";
  d.potential = "-3*e3.q[0]";
  d.gyroscopic = "B*sum(i: e3.cross(q[i], v[i])) + (e3.q[1])^2*cross(q[0], q[1]).u[1]";
  return d;
}

/// A of right().
Columns field_of(const Columns& q) {
  const Vec3 a = q.col(0), b = q.col(1), e3 = Vec3::UnitZ();
  Columns out(3, 2);
  out.col(0) = 0.8 * e3.cross(a) + b.z() * b.z() * 0.5 * a.cross(b);
  out.col(1) = 0.8 * e3.cross(b) - b.z() * b.z() * a.cross(b);
  return out;
}

/// The derivative of f at q along d, by differences of five points.
template <class Function>
Columns difference(const Function& f, const Columns& q, const Columns& d) {
  constexpr double s = 1e-3;
  return (8 * (f(q + s * d) - f(q - s * d)) - (f(q + 2 * s * d) - f(q - 2 * s * d))) / (12 * s);
}

TEST(CustomGyroscopic, IsItsDerivativeByTheVelocities) {
  const auto system = make(right());
  ASSERT_TRUE(has_gyroscopic(*system) && has_linear_terms(*system));
  const GyroscopicField& field = *system->gyroscopic();
  for (const unsigned seed : {1U, 2U, 3U}) {
    const Columns q = random_directions(2, seed), u = random_tangents(q, seed),
                  d = random_tangents(q, seed + 10);
    Columns a(3, 2), change(3, 2);
    field.evaluate(q, a);
    EXPECT_LT((a - field_of(q)).norm(), 1e-14);
    field.derivative_along(q, d, change);
    EXPECT_LT((change - difference(field_of, q, d)).norm(), 1e-10);
    // Σ_i r_i·d_i is the derivative of Σ A·u along d; it is added to what is there.
    const auto slopes = [&](const Columns& at) {
      Columns r = Columns::Ones(3, 2);
      field.slopes(at, u, r);
      return Columns(r - Columns::Ones(3, 2));
    };
    EXPECT_NEAR(slopes(q).cwiseProduct(d).sum(), change.cwiseProduct(u).sum(), 1e-13);
    Columns second = Columns::Ones(3, 2);
    field.slopes_along(q, u, d, second);
    EXPECT_LT((second - Columns::Ones(3, 2) - difference(slopes, q, d)).norm(), 1e-9);
  }
}

TEST(CustomGyroscopic, LongTextsHaveLoops) {
  // One that is written out without loops, and the same for so many bodies that it has some.
  for (const int n : {2, 40}) {
    Definition d = right();
    d.bodies = n;
    d.parameters.pop_back();
    d.define = {"u[i] = sum(j <= i: (j + 1)*v[j])"};
    d.gyroscopic = "sum(i: B*e3.cross(q[i], u[i]))";
    const auto system = make(d);
    const Columns q = random_directions(n, 5);
    Columns a(3, n), expected = Columns::Zero(3, n);
    system->gyroscopic()->evaluate(q, a);
    for (int j = 0; j < n; ++j)
      for (int i = j; i < n; ++i)
        expected.col(j) += 0.8 * (j + 1) * Vec3::UnitZ().cross(Vec3(q.col(i)));
    EXPECT_LT((a - expected).norm(), 1e-12 * expected.norm()) << n;
  }
}

TEST(CustomGyroscopic, MomentumHasItAndIsConservedWhereItIsSymmetric) {
  const auto system = make(right());
  EXPECT_EQ(system->conserved_momentum(), (std::array<bool, 3>{false, false, true}));
  Definition d = right();
  d.gyroscopic = "B*e1.cross(q[0], v[0])";
  EXPECT_EQ(make(d)->conserved_momentum(), (std::array<bool, 3>{false, false, false}));
  // Without gravity about that axis.
  d.potential = "q[0].q[1]";
  EXPECT_EQ(make(d)->conserved_momentum(), (std::array<bool, 3>{true, false, false}));
  d.gyroscopic = "B*cross(q[0], q[1]).v[0]";
  EXPECT_EQ(make(d)->conserved_momentum(), (std::array<bool, 3>{true, true, true}));

  const State at{0, random_directions(2, 4), Columns::Zero(3, 2)};
  const Columns a = field_of(at.q);
  Vec3 sum = Vec3::Zero();
  for (int i = 0; i < 2; ++i) sum += at.q.col(i).cross(a.col(i));
  EXPECT_LT((momentum_map(*system, at) - sum).norm(), 1e-14);
  Columns pi(3, 2);
  angular_momenta(*system, at, pi);
  EXPECT_LT((pi.rowwise().sum() - sum).norm(), 1e-14);
  // At rest there is no kinetic energy, and nothing of it in H.
  EXPECT_EQ(total_energy(*system, at), system->potential(at.q));
}

TEST(CustomGyroscopic, GoesWithEveryInertiaAndCanBeNothing) {
  for (const char* inertia :
       {"diag(m)", "chain(m, 1)", "rod(m, 1, 0.1)", "diag(i: m*(2 + e3.q[i]))"}) {
    Definition d = right();
    d.inertia = inertia;
    EXPECT_TRUE(has_gyroscopic(*make(d))) << inertia;
  }
  Definition d = right();
  d.gyroscopic = "0";
  EXPECT_FALSE(has_linear_terms(*make(d)));
  for (const char* text : {"-e3.v[0]", "if(e3.q[0] < 0, e3.v[0], 2*e1.v[0])", "e3.v[0] - 0",
                           "[e3.v[0], 0, 0].q[1]", "e3.u[1]/(2 + e3.q[0])"}) {
    d.gyroscopic = text;
    EXPECT_TRUE(has_gyroscopic(*make(d))) << text;
  }
}

TEST(CustomGyroscopic, HasUnitsAndIsTypeset) {
  Definition d = right();
  d.strict_units = true;
  d.gyroscopic = "B*e3.cross(q[0], v[0])";
  EXPECT_TRUE(translate(d).definition) << translate(d).error.message;
  d.gyroscopic = "m*e3.cross(q[0], v[0])";
  EXPECT_EQ(translate(d).error.location, "gyroscopic");
  const std::string lines = fmt::format("{}", fmt::join(equations(right()), "\n"));
  EXPECT_TRUE(says(lines, "L = T − V + G"));
  EXPECT_TRUE(says(lines, "G = B "));
}

TEST(CustomGyroscopic, AParameterMayHaveItsName) {
  Definition d = right();
  d.parameters.push_back(number("gyroscopic", 4));
  d.gyroscopic = "";
  d.potential = "gyroscopic*e3.q[0]";
  EXPECT_FALSE(has_gyroscopic(*make(d)));
}

/// The text, the column and a part of the message.
using Case = std::tuple<std::string, int, std::string>;

const std::vector<Case> cases{
    {"B", 1, "has no velocity"},
    {"k*e3.q[0]", 1, "has no velocity"},
    {"v[0].v[1]", 6, "second velocity in a product"},
    {"e3.v[0]*(e1.u[1])", 12, "second velocity in a product"},
    {"cross(v[0], v[1]).e3", 13, "second velocity in a product"},
    {"e3.v[0] + 1", 11, "has no velocity"},
    {"k + e3.v[0]", 1, "has no velocity"},
    {"[1, e3.v[0], 0].q[1]", 2, "has no velocity"},
    {"(0*v[0] + e2).e1 + e3.v[0]", 14, "has no velocity"},
    {"norm(v[0])", 1, "not linear"},
    {"sin(e3.v[0])", 1, "not linear"},
    {"max(0, e3.v[0])", 1, "not linear"},
    {"prod(i: e3.v[i])", 1, "not linear"},
    {"2*z[1]", 3, "in this definition"},
    {"1/(e3.v[0])", 6, "a velocity that divides"},
    {"if(e3.v[0] < 0, 1, 2)*e3.v[1]", 6, "a velocity in a condition"},
    {"if(e3.q[0] < 0, e3.v[0], 2)", 26, "has no velocity"},
    {"e3.w[0]", 4, "write velocities v"},
    {"sin(t)*e3.v[0]", 5, "may not depend on t"},
    {"v[0]", 1, "a number is expected"},
    {"e3.v[2]", 4, "v[2] is read here"},
};

class CustomGyroscopicError : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Cases, CustomGyroscopicError, testing::ValuesIn(cases));

TEST_P(CustomGyroscopicError, NamesTheCharacter) {
  const auto& [text, column, message] = GetParam();
  const WrongText wrong{"gyroscopic", text, "gyroscopic", column, message};
  expect_refused(put(right(), wrong), wrong);
}

TEST(CustomGyroscopicErrors, OtherTexts) {
  Definition d = right();
  d.frame_rotation = "e3";
  EXPECT_TRUE(says(translate(d).error.message, "axes at rest"));
  d = right();
  d.bodies = 1025;
  d.inertia = "diag(m)";
  d.gyroscopic = "e3.v[0]";
  EXPECT_TRUE(says(translate(d).error.message, "at most 1024 bodies, not 1025"));
  // Beside first order.
  d = right();
  d.first_order = true;
  d.inertia = d.potential = "";
  d.strength = "1";
  d.hamiltonian = "e3.q[0]";
  EXPECT_EQ(translate(d).error.location, "gyroscopic");
  // Where A, or its derivative, is not finite at the start.
  d = right();
  d.gyroscopic = "e3.v[0]/(1 - e3.q[0])";
  State start{0, Columns(3, 2), Columns::Zero(3, 2)};
  start.q << 0, 1, 0, 0, 1, 0;
  const auto check = [&start](const Definition& of) {
    const auto compiled = translate(of).definition;
    const auto system = value_of(compiled->info().create(2, values_of(of)));
    return compiled->check_start(start, *system, values_of(of));
  };
  const auto error = check(d);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->location, "gyroscopic");
  EXPECT_EQ(error->column, 12);
  d.gyroscopic = "sqrt(1 - e3.q[0])*e3.v[0]";
  const auto rooted = check(d);
  ASSERT_TRUE(rooted);
  EXPECT_EQ(rooted->column, 1);
  // Beside a choice, too, where a derivative that is infinite is multiplied by 0.
  d.gyroscopic = "if(e1.q[0] < 2, cos(sqrt(1 - e3.q[0] + abs(e1.q[0])))*e1.v[0], 0)";
  const auto chosen = check(d);
  ASSERT_TRUE(chosen);
  EXPECT_EQ(chosen->column, 21);
}

}  // namespace
}  // namespace twosphere::test::custom_gyroscopic_test
