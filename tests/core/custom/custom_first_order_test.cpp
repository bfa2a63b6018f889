// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of systems of first order: what they mean, their motion, and what is refused where.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/custom/equations.h"
#include "core/mechanics/first_order.h"
#include "core/mechanics/heat_bath.h"
#include "tests/cases.h"
#include "tests/core/custom/definitions.h"
#include "tests/core/custom/wrong_text.h"
#include "tests/outcome.h"

namespace twosphere::test::custom_first_order_test {
namespace {

/// Three spins that are right.
Definition right() {
  Definition d;
  d.bodies = 3;
  d.first_order = true;
  d.parameters = {list("kappa", {1, -2, 0.5}, "J s"), number("B", 0.7, "J"),
                  number("c", 0.1, "N m s"), list("four", {1, 2, 3, 4}), number("s", 2)};
  d.define = {"z[i] = q[i].e3", "speed = norm(v[0])", "k[i] = 2*kappa[i]"};
  d.strength = "kappa";
  d.hamiltonian = "-B*sum(i: e3.q[i]) - 0.3*q[0].q[1]";
  return d;
}

Columns directions() {
  Columns q(3, 3);
  q << Vec3(0.2, 0.3, 1).normalized(), Vec3(1, -0.5, 0.2).normalized(),
      Vec3(-0.4, 0.1, -0.8).normalized();
  return q;
}

using Numbers = std::vector<double>;
Numbers numbers(const Eigen::VectorXd& v) { return {v.begin(), v.end()}; }

TEST(CustomFirstOrder, HasNoInertiaAndItsStrengths) {
  const auto system = make(right());
  EXPECT_TRUE(first_order(*system));
  EXPECT_EQ(numbers(system->strength()), (Numbers{1, -2, 0.5}));
  EXPECT_EQ(system->damping().size(), 0);
  EXPECT_TRUE(translate(right()).definition->info().first_order);
  EXPECT_TRUE(translate(right()).definition->warnings().empty());
  const Columns q = directions();
  EXPECT_DOUBLE_EQ(system->potential(q), -0.7 * q.row(2).sum() - 0.3 * q.col(0).dot(q.col(1)));
}

TEST(CustomFirstOrder, AStrengthIsANumberAListOrAnExpressionOfTheIndex) {
  const auto strength = [](const std::string& text) {
    Definition d = right();
    d.strength = text;
    return numbers(make(d)->strength());
  };
  EXPECT_EQ(strength("2"), (Numbers{2, 2, 2}));
  EXPECT_EQ(strength("-s"), (Numbers{-2, -2, -2}));
  EXPECT_EQ(strength("3 J s"), (Numbers{3, 3, 3}));
  EXPECT_EQ(strength("kappa"), (Numbers{1, -2, 0.5}));
  EXPECT_EQ(strength("i: kappa[i]*(1 + i)"), (Numbers{1, -4, 1.5}));
  EXPECT_EQ(strength("body: if(body == 1, -1, 1)"), (Numbers{1, -1, 1}));
  EXPECT_EQ(strength("k"), (Numbers{2, -4, 1}));
}

TEST(CustomFirstOrder, DampingIsWrittenLikewise) {
  Definition d = right();
  d.damping = "c";
  EXPECT_EQ(numbers(make(d)->damping()), (Numbers{0.1, 0.1, 0.1}));
  d.damping = "i: c*i";
  EXPECT_EQ(numbers(make(d)->damping()), (Numbers{0, 0.1, 0.2}));
  d.damping = "0";
  EXPECT_EQ(make(d)->damping().size(), 0) << "none";
  // Overdamped motion.
  d.damping = "c";
  d.strength = "0";
  EXPECT_EQ(numbers(make(d)->strength()), (Numbers{0, 0, 0}));
}

TEST(CustomFirstOrder, WithDampingItMayBeInAHeatBath) {
  Definition d = right();
  d.damping = "i: c*i";
  d.temperature = "B/2";
  d.seed = 9;
  const auto system = make(d);
  ASSERT_TRUE(system->heat_bath());
  EXPECT_EQ(system->heat_bath()->temperature, 0.35);
  EXPECT_EQ(system->heat_bath()->seed, 9U);
  d.temperature = "0";
  EXPECT_EQ(make(d)->heat_bath(), nullptr);
  d.damping.clear();
  EXPECT_EQ(make(d)->heat_bath(), nullptr) << "at 0 J it needs no damping";
}

// A spin with its moment along its angular momentum precesses about the field with −B/κ.
TEST(CustomFirstOrder, ASpinPrecessesAboutTheField) {
  Definition d = right();
  d.hamiltonian = "-B*sum(i: e3.q[i])";
  const auto system = make(d);
  const Columns q = directions();
  Columns w(3, 3);
  first_order_velocity(*system, 0, q, w);
  for (Eigen::Index i = 0; i < 3; ++i) {
    const Vec3 turn = -0.7 / system->strength()[i] * Vec3::UnitZ();
    EXPECT_LT((Vec3(w.col(i)).cross(q.col(i)) - turn.cross(q.col(i))).norm(), 1e-15);
  }
}

TEST(CustomFirstOrder, ForcesReadTimeAndDirections) {
  Definition d = right();
  d.force = {"f[0] = sin(2*pi*t)*e1", "f[i] = 0.1*(e3×q[i])"};
  d.torque = {"torque[1] = 0.2*e2"};
  const auto system = make(d);
  EXPECT_TRUE(system->has_external_force());
  EXPECT_TRUE(system->time_dependent());
  EXPECT_FALSE(system->has_velocity_force());
  const Columns q = directions();
  Columns f(3, 3);
  system->force(0.25, q, f);
  EXPECT_LT((f.col(0) - Vec3::UnitX() - 0.1 * Vec3::UnitZ().cross(q.col(0))).norm(), 1e-14);
  const Vec3 torque = q.col(1).cross(f.col(1) - 0.1 * Vec3::UnitZ().cross(q.col(1)));
  EXPECT_LT((torque - tangent(q.col(1), 0.2 * Vec3::UnitY())).norm(), 1e-14);
}

TEST(CustomFirstOrder, PlotsAndColoursReadVelocities) {
  Definition d = right();
  d.plots = {{"speed", "speed"}, {"turn", "norm(w[1])"}};
  d.color = {{"speed", "norm(v[i])"}};
  const auto system = make(d);
  const Columns q = directions();
  Columns w(3, 3);
  first_order_velocity(*system, 0, q, w);
  EXPECT_DOUBLE_EQ(system->own_quantity("turn", 0, q, w), w.col(1).norm());
  EXPECT_NEAR(system->own_quantity("speed", 0, q, w), Vec3(w.col(0)).cross(q.col(0)).norm(), 1e-15);
}

// J = Σ κ_i q_i, whatever the strengths are.
TEST(CustomFirstOrder, TheMomentumAboutAnAxisOfSymmetryIsConserved) {
  using Axes = std::array<bool, 3>;
  Definition d = right();
  EXPECT_EQ(make(d)->conserved_momentum(), (Axes{false, false, true}));
  d.hamiltonian = "-0.3*q[0].q[1]";
  EXPECT_EQ(make(d)->conserved_momentum(), (Axes{true, true, true}));
  d.damping = "c";
  EXPECT_EQ(make(d)->conserved_momentum(), (Axes{false, false, false}));
}

// H = −B Σ e3·q has an acceleration nowhere.
TEST(CustomFirstOrder, AFieldIsNoWeight) {
  Definition d = right();
  d.parameters[1].unit.clear();
  d.hamiltonian = "-B*sum(i: e3.q[i])";
  EXPECT_FALSE(make(d)->extent().gravity);
}

TEST(CustomFirstOrder, EquationsNameTheStrengthAndTheHamiltonian) {
  Definition d = right();
  d.define.clear();
  using Lines = std::vector<std::string>;
  d.hamiltonian = "-B*sum(i: e3.q[i])";
  EXPECT_EQ(equations(d), (Lines{"κᵢ q̇ᵢ = ∂H/∂qᵢ × qᵢ", "H = −B Σᵢ e₃·qᵢ"}));
  d.strength = "i: -s*kappa[i]";
  d.damping = "c";
  d.force = {"f[0] = s*e1"};
  EXPECT_EQ(equations(d), (Lines{"κᵢ q̇ᵢ = (∂H/∂qᵢ − fᵢ) × qᵢ − cᵢ qᵢ × q̇ᵢ", "H = −B Σᵢ e₃·qᵢ",
                                 "κᵢ = −s κᵢ", "cᵢ = c", "f₀ = s e₁"}));
  d.temperature = "2*B";
  const Lines heated = equations(d);
  EXPECT_EQ(heated[0], "κᵢ q̇ᵢ = (∂H/∂qᵢ − fᵢ − ξᵢ) × qᵢ − cᵢ qᵢ × q̇ᵢ");
  EXPECT_EQ(heated[4], "ξᵢ: noise of k_BT = 2 B");
}

const std::vector<WrongText> cases{
    // What belongs to the other order.
    {"inertia", "diag(1)", "inertia", 1, "systems of first order have no inertia"},
    {"potential", "-B*z[0]", "potential", 1, "is written in \"hamiltonian\""},
    {"second", "", "hamiltonian", 1, "belongs to systems of first order"},
    {"frame_rotation", "[0, 0, 0.1]", "frame_rotation", 1, "systems of first order have none"},
    {"hot second", "0.1", "temperature", 1, "belongs to systems of first order"},
    // Missing ones.
    {"strength", " ", "strength", 1, "is empty"},
    {"hamiltonian", "", "hamiltonian", 1, "is empty; an expression of q is expected"},
    // Values.
    {"strength", "0", "strength", 1,
     "the strength of body 0 is 0, which is allowed only with damping"},
    {"strength", "i: kappa[i]*(i - 1)", "strength", 12, "the strength of body 1 is 0"},
    {"strength", "1/(s - 2)", "strength", 2, "the strength of body 0 is infinite"},
    {"damping", "-c", "damping", 1,
     "the damping of body 0 is -0.1, must be finite and not negative"},
    {"damping", "i: c*(1 - i)", "damping", 5, "the damping of body 2 is -0.1"},
    {"temperature", "0.1", "temperature", 1,
     "needs a damping greater than 0: a heat bath is noise and damping together"},
    {"temperature", "0.1 - B", "temperature", 5, "must be 0 or greater, not -0.6"},
    {"temperature", "1/(s - 2)", "temperature", 2, "is infinite, must be finite"},
    // Indices and lists.
    {"strength", "four", "strength", 1, "has 4 numbers, must have one for each of the 3 bodies"},
    {"strength", "2*kappa", "strength", 3, "\"kappa\" is a list; write i: and kappa[i]"},
    {"strength", "kappa[i]", "strength", 7, "is bound by nothing; write i: …"},
    {"strength", "i, j: 1", "strength", 1, "\"strength\" takes one index for all bodies"},
    {"damping", "i < 2: c", "damping", 1, "\"damping\" takes one index for all bodies"},
    {"strength", "i in four: four[i]", "strength", 1, "takes one index for all bodies"},
    {"temperature", "kappa", "temperature", 1, "is a vector; a number is expected here"},
    {"strength", "e3", "strength", 1, "is a vector; a number is expected here"},
    // What they read.
    {"strength", "1 + q[0].e1", "strength", 5, "\"strength\" is constant; it may not depend on q"},
    {"strength", "1 + z[0]", "strength", 5, "may not depend on q, as this definition does"},
    {"strength", "2 + sin(t)", "strength", 9, "\"strength\" is constant; it may not depend on t"},
    {"damping", "c*(1 + norm(w[0]))", "damping", 13, "may not depend on velocities w or v"},
    {"temperature", "0.1*exp(-t)", "temperature", 10,
     "\"temperature\" is constant; it may not depend on t"},
    {"hamiltonian", "B*z[0] + e1.v[0]", "hamiltonian", 13,
     "the Hamiltonian may not depend on velocities w or v"},
    {"hamiltonian", "B*z[0]*sin(t)", "hamiltonian", 12,
     "the Hamiltonian may not depend on t; write a force"},
    {"force", "f[i] = -0.1*v[i]", "force[0]", 13, "may not depend on velocities w or v"},
    {"torque", "torque[0] = speed*e1", "torque[0]", 13, "as this definition does"},
    {"hamiltonian", "kapa[0]*z[0]", "hamiltonian", 1, "did you mean kappa?"},
};

class CustomFirstOrderError : public testing::TestWithParam<WrongText> {};
INSTANTIATE_TEST_SUITE_P(Cases, CustomFirstOrderError, testing::ValuesIn(cases));

TEST_P(CustomFirstOrderError, NamesTheTextAndTheCharacter) {
  const WrongText& c = GetParam();
  Definition d = put(right(), c);
  if (c.where == "second") d.first_order = false, d.inertia = "diag(1)";
  if (c.where == "hot second") {
    d.first_order = false;
    d.temperature = c.text;
  }
  expect_refused(d, c);
}

TEST(CustomFirstOrder, UnitsAreThoseOfAnAngularMomentumAndAnEnergy) {
  const auto error = [](const std::string& strength, const std::string& hamiltonian,
                        const std::string& damping, const std::string& temperature = "") {
    Definition d = right();
    d.strict_units = true;
    if (!strength.empty()) d.strength = strength;
    d.hamiltonian = hamiltonian.empty() ? "-B*sum(i: e3.q[i])" : hamiltonian;
    d.damping = damping;
    d.temperature = temperature;
    const CompileResult t = translate(d);
    return t.definition ? "none" : fmt::format("{}: {}", t.error.location, t.error.message);
  };
  EXPECT_EQ(error("", "", "c"), "none");
  EXPECT_EQ(error("i: kappa[i]", "", ""), "none");
  EXPECT_EQ(error("B", "", ""), "strength: is J, must be J s; a factor in s is missing");
  EXPECT_TRUE(says(error("", "c*z[0]", ""), "must be J; a factor in s^-1 is missing"));
  EXPECT_EQ(error("", "", "B"), "damping: is J, must be N m s; a factor in s is missing");
  EXPECT_EQ(error("", "", "c", "B/2"), "none");
  EXPECT_TRUE(says(error("", "", "c", "c"), "temperature: is J s, must be J"));
}

// With damping a spin falls into the field: tan ½θ = tan ½θ₀ exp(−cBt/(κ² + c²)), φ = −κBt/(κ² +
// c²).
TEST(CustomFirstOrder, ADampedSpinFallsIntoTheField) {
  Definition d;
  d.bodies = 2;
  d.first_order = true;
  d.parameters = {list("kappa", {1.5, -0.8})};
  d.strength = "kappa";
  d.hamiltonian = "-0.7*sum(i: e3.q[i])";
  d.damping = "0.2";
  const auto system = make(d);
  State state{0, Columns(3, 2), Columns::Zero(3, 2)};
  const double polar = 1;
  for (Eigen::Index i = 0; i < 2; ++i) state.q.col(i) = Vec3(std::sin(polar), 0, std::cos(polar));
  const auto method = prepared("spherical_midpoint8", *system, state);
  ASSERT_TRUE(march(*system, *method, 0.02, 100, state));
  for (Eigen::Index i = 0; i < 2; ++i) {
    const double kappa = system->strength()[i], rate = 0.7 / (kappa * kappa + 0.04), t = 2;
    const double theta = 2 * std::atan(std::tan(polar / 2) * std::exp(-0.2 * rate * t)),
                 phi = -kappa * rate * t;
    const Vec3 expected(std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi),
                        std::cos(theta));
    EXPECT_LT((state.q.col(i) - expected).norm(), 1e-11) << i;
  }
}

}  // namespace
}  // namespace twosphere::test::custom_first_order_test
