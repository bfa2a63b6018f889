// SPDX-License-Identifier: GPL-3.0-or-later
// Lagrangians as one text.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "core/custom/equations.h"
#include "core/mechanics/inertia.h"
#include "core/mechanics/linear_terms.h"
#include "core/mechanics/random_state.h"
#include "tests/core/custom/definitions.h"
#include "tests/core/custom/wrong_text.h"
#include "tests/outcome.h"

namespace twosphere::test::custom_lagrangian_test {
namespace {

/// Names for Lagrangians of three bodies.
Definition written(const std::string& lagrangian) {
  Definition d;
  d.bodies = 3;
  d.parameters = {list("m", {1, 0.5, 2}, "kg"), list("l", {1, 0.7, 0.4}, "m"),
                  number("g", 9.81, "m/s^2"), number("B", 0.3, "J s")};
  d.define = {"x[i] = sum(j <= i: l[j]*q[j])", "T = sum(i: m[i]/2*norm(rate(x[i]))^2)",
              "z[i] = norm(v[i])"};
  d.lagrangian = lagrangian;
  return d;
}

/// The same with its parts.
Definition in_parts(const std::string& inertia, const std::string& potential,
                    const std::string& gyroscopic = "") {
  Definition d = written("");
  d.inertia = inertia;
  d.potential = potential;
  d.gyroscopic = gyroscopic;
  return d;
}

/// V, M and A and their derivatives are equal to rounding.
void expect_same(const System& a, const System& b) {
  const int n = a.size();
  for (const unsigned seed : {1U, 2U}) {
    const Columns q = random_directions(n, seed), v = random_tangents(q, seed);
    EXPECT_NEAR(a.potential(q), b.potential(q), 1e-12);
    const auto near = [&](const char* what, const auto& compute) {
      Columns x = Columns::Zero(3, n), y = x;
      compute(a, x);
      compute(b, y);
      EXPECT_LT((x - y).norm(), 1e-11 * (1 + y.norm())) << what;
    };
    near("gradient", [&](const System& s, Columns& out) { s.gradient(q, out); });
    near("Hessian", [&](const System& s, Columns& out) { s.hessian_times(q, v, out); });
    EXPECT_LT((dense(a.inertia(), q) - dense(b.inertia(), q)).norm(), 1e-12);
    ASSERT_EQ(has_gyroscopic(a), has_gyroscopic(b));
    if (has_gyroscopic(a)) {
      near("A", [&](const System& s, Columns& out) { s.gyroscopic()->evaluate(q, out); });
      near("slopes", [&](const System& s, Columns& out) { s.gyroscopic()->slopes(q, v, out); });
    }
    const auto *of_a = std::get_if<VariableInertia>(&a.inertia()),
               *of_b = std::get_if<VariableInertia>(&b.inertia());
    ASSERT_EQ(!of_a, !of_b);
    if (!of_a) continue;
    Eigen::MatrixXd weights(n, n), x(n, n), y(n, n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) weights(i, j) = std::sin(1.0 + i + j) + (i == j ? 0.3 * i : 0);
    of_a->field->derivative_along(q, v, x);
    of_b->field->derivative_along(q, v, y);
    EXPECT_LT((x - y).norm(), 1e-12);
    near("slopes of m", [&](const System& s, Columns& out) {
      std::get<VariableInertia>(s.inertia()).field->slopes(q, weights, out);
    });
    near("their derivative", [&](const System& s, Columns& out) {
      std::get<VariableInertia>(s.inertia()).field->slopes_along(q, weights, v, out);
    });
  }
}

TEST(CustomLagrangian, OfAChainIsAChain) {
  const auto system = make(written("T + sum(i: m[i]*g*e3.x[i])"));
  EXPECT_TRUE(std::holds_alternative<ChainInertia>(system->inertia()));
  EXPECT_FALSE(has_linear_terms(*system));
  EXPECT_EQ(system->conserved_momentum(), (std::array<bool, 3>{false, false, true}));
  expect_same(*system, *make(in_parts("chain(m, l)", "-sum(i: m[i]*g*e3.x[i])")));
}

TEST(CustomLagrangian, IsTakenApartByVelocities) {
  // Uncoupled, with terms linear in velocities in a product.
  const auto bodies =
      make(written("sum(i: m[i]/2*(v[i] + B/m[i]*cross(e3, q[i])).(v[i] + B/m[i]*cross(e3, q[i]))) "
                   "- 3*q[0].q[1]"));
  EXPECT_TRUE(std::holds_alternative<DiagonalInertia>(bodies->inertia()));
  expect_same(
      *bodies,
      *make(in_parts("diag(m)", "3*q[0].q[1] - sum(i: B^2/m[i]/2*cross(e3, q[i]).cross(e3, q[i]))",
                     "sum(i: B*cross(e3, q[i]).v[i])")));
  // A matrix, and one that depends on q, with a choice.
  expect_same(*make(written("v[0].v[0] + v[1].v[1]/2 + v[2].v[2] + 0.3*v[0].v[1] - 0.2*v[1].v[2]")),
              *make(in_parts("matrix(i, j: if(i == j, if(i == 1, 1, 2), if(i + j == 1, 0.3, if(i + "
                             "j == 3, -0.2, 0))))",
                             "")));
  expect_same(
      *make(written("sum(i: (2 + e3.q[i])/2*norm(v[i])^2) + 0.1*(q[0].q[1])*v[0].v[1] + "
                    "if(e1.q[0] < 0, 1, 2)*e3.v[2] + B*e1.q[1]")),
      *make(in_parts("matrix(i, j: if(i == j, 2 + e3.q[i], if(i + j == 1, 0.1*q[0].q[1], 0)))",
                     "-B*e1.q[1]", "if(e1.q[0] < 0, 1, 2)*e3.v[2]")));
}

TEST(CustomLagrangian, RatesAreVelocities) {
  Definition d = written("T");
  d.plots = {{"by rate", "rate(x[2]).e1"},
             {"by v", "e1.sum(j: l[j]*v[j])"},
             {"of a number", "rate(2*e3.q[1] + 1)"},
             {"again", "2*e3.v[1]"}};
  const auto system = make(d);
  const Columns q = random_directions(3, 1), w = random_tangents(q, 2);
  const auto value = [&](const char* name) { return system->own_quantity(name, 0, q, w); };
  EXPECT_NEAR(value("by rate"), value("by v"), 1e-15);
  EXPECT_NEAR(value("of a number"), value("again"), 1e-15);
  // A parameter of this name is one.
  d = written("T + rate*e3.q[0]");
  d.define[1] = "T = sum(i: v[i].v[i])";
  d.parameters.push_back(number("rate", 2));
  EXPECT_TRUE(translate(d).definition) << translate(d).error.message;
}

TEST(CustomLagrangian, ManyFactorsAreOneProduct) {
  std::string text = "v[0].v[0]";
  for (int k = 0; k < 4000; ++k) text += "*(1 + 0*e3.q[0])";
  const auto system = make(written(text + " + v[1].v[1] + 2*v[2].v[2]"));
  const Eigen::MatrixXd expected = Eigen::Vector3d(2, 2, 4).asDiagonal();
  EXPECT_EQ(dense(system->inertia(), random_directions(3, 1)), expected);
}

TEST(CustomLagrangian, HasTheFormWithAllValuesOfParameters) {
  Definition d = written("sum(i: v[i].v[i]) + B*(e3.v[0])^2");
  d.parameters.back().value = {0};
  const auto compiled = translate(d).definition;
  ASSERT_TRUE(compiled);
  Values values = values_of(d);
  values["B"] = {0.5};
  const auto refused = compiled->info().create(3, values);
  EXPECT_TRUE(says(error_of(refused).text(), "v[0].v[0]"));
}

TEST(CustomLagrangian, HasUnitsAndIsTypeset) {
  Definition d = written("T + sum(i: m[i]*g*e3.x[i])");
  d.strict_units = true;
  EXPECT_TRUE(translate(d).definition) << translate(d).error.message;
  d.lagrangian = "T + g";
  EXPECT_FALSE(translate(d).definition);
  EXPECT_TRUE(
      says(fmt::format("{}", fmt::join(equations(written("T - 2*e3.q[0]")), "\n")), "L = T"));
}

/// The text, the column and a part of the message.
using Case = std::tuple<std::string, int, std::string>;

const std::vector<Case> cases{
    {"-sum(i: sqrt(1 - v[i].v[i]))", 9, "no polynomial"},
    {"T + z[0]", 5, "in this definition"},
    {"T + (v[0].v[0])^2", 10, "third velocity"},
    {"T*(v[0].v[0])", 8, "third velocity"},
    {"T + (v[0].v[0])^3", 16, "another power"},
    {"T + 1/(2 + e3.v[0])", 10, "a velocity that divides"},
    {"T + if(e3.v[0] < 0, 1, 2)", 10, "in a condition"},
    {"v[0].v[0] + v[1].v[1]", 1, "positive definite"},
    {"sum(i: v[i].v[i]) + (e3.v[0])^2", 1, "v[0].v[0]"},
    {"sum(i: v[i].v[i]) + e3.cross(v[0], v[1])", 1, "v[0].v[1]"},
    {"3*e3.q[0] + e3.v[0]", 1, "no kinetic energy"},
    {"T + e3.w[0]", 8, "write velocities v"},
    {"T + sin(t)", 9, "depend on t"},
    {"v[0]", 1, "a number is expected"},
    {"norm(rate(norm(q[0])*q[1]))^2", 11, "linear in the directions q"},
    {"norm(rate(e3))^2", 11, "linear in the directions q"},
};

class CustomLagrangianError : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Cases, CustomLagrangianError, testing::ValuesIn(cases));

TEST_P(CustomLagrangianError, NamesTheCharacter) {
  const auto& [text, column, message] = GetParam();
  expect_refused(written(text), {"lagrangian", text, "lagrangian", column, message});
}

TEST(CustomLagrangianErrors, NothingElseStandsBesideIt) {
  for (const auto& [key, member] : {std::pair{"inertia", &Definition::inertia},
                                    {"potential", &Definition::potential},
                                    {"strength", &Definition::strength},
                                    {"frame_rotation", &Definition::frame_rotation},
                                    {"gyroscopic", &Definition::gyroscopic},
                                    {"damping", &Definition::damping}}) {
    Definition d = written("T");
    d.*member = "1";
    const TextError error = translate(d).error;
    EXPECT_EQ(error.location, key);
    EXPECT_TRUE(says(error.message, "cannot stand beside it"));
  }
  Definition d = written("T");
  d.first_order = true;
  EXPECT_EQ(translate(d).error.location, "lagrangian");
}

}  // namespace
}  // namespace twosphere::test::custom_lagrangian_test
