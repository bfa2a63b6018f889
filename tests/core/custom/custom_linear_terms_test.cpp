// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of strengths beside an inertia, and of axes that rotate.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "core/custom/equations.h"
#include "core/mechanics/linear_terms.h"
#include "tests/cases.h"
#include "tests/core/custom/definitions.h"
#include "tests/core/custom/wrong_text.h"
#include "tests/outcome.h"

namespace twosphere::test::custom_linear_terms_test {
namespace {

/// Three pendula that spin, in axes that rotate.
Definition right() {
  Definition d;
  d.bodies = 3;
  d.parameters = {list("kappa", {0.5, -1, 2}, "J s"), list("Omega", {0.1, 0, -0.3}, "rad/s"),
                  number("w_e", 0.2, "rad/s"), number("m", 2, "kg m^2"), number("g", 3, "J")};
  d.inertia = "diag(m)";
  d.potential = "-g*sum(i: e3.q[i])";
  d.strength = "i: kappa[i]";
  d.frame_rotation = "Omega";
  return d;
}

TEST(CustomLinearTerms, AreThoseOfTheTexts) {
  const auto system = make(right());
  EXPECT_EQ(system->strength(), Eigen::VectorXd(Vec3(0.5, -1, 2)));
  EXPECT_EQ(system->frame_rotation(), Vec3(0.1, 0, -0.3));
  EXPECT_EQ(system->conserved_momentum(), (std::array<bool, 3>{false, false, false}));

  Definition d = right();
  d.strength = "kappa";
  d.frame_rotation = "w_e*[0, 0, cos(60 deg)]";
  EXPECT_EQ(make(d)->strength(), Eigen::VectorXd(Vec3(0.5, -1, 2)));
  EXPECT_NEAR(make(d)->frame_rotation().z(), 0.1, 1e-15);
  EXPECT_EQ(make(d)->conserved_momentum(), (std::array<bool, 3>{false, false, true}));
  // None.
  d.strength = "0*kappa[0]";
  d.frame_rotation = "[0, 0, 0]";
  EXPECT_FALSE(has_linear_terms(*make(d)));
  d.strength = d.frame_rotation = "";
  EXPECT_FALSE(has_linear_terms(*make(d)));
  // Axes rotate with any constant inertia.
  d.frame_rotation = "Omega";
  for (const char* inertia : {"chain(m, 1)", "rod(m, 1, 0.1)", "matrix(i, j: if(i == j, 3, 1))"}) {
    d.inertia = inertia;
    EXPECT_TRUE(has_frame_rotation(*make(d))) << inertia;
  }
}

TEST(CustomLinearTerms, HaveTheirUnits) {
  Definition d = right();
  d.strict_units = true;
  EXPECT_TRUE(translate(d).definition);
  d.strength = "g";
  EXPECT_EQ(translate(d).error.location, "strength");
  d = right();
  d.strict_units = true;
  d.frame_rotation = "m*Omega";
  EXPECT_EQ(translate(d).error.location, "frame_rotation");
}

TEST(CustomLinearTerms, AreTypeset) {
  const std::string lines = fmt::format("{}", fmt::join(equations(right()), "\n"));
  EXPECT_TRUE(says(lines, "L = T − V + Σᵢ κᵢ A(qᵢ)·q\u0307ᵢ"));
  EXPECT_TRUE(says(lines, "Ω = Ω"));
}

const std::vector<WrongText> cases{
    {"inertia", "chain(m, 1)", "strength", 1, "strengths are those of uncoupled bodies"},
    {"inertia", "matrix(i, j: if(i == j, 3, 1))", "strength", 1, "uncoupled bodies"},
    {"inertia", "diag(i: m*(2 + e3.q[i]))", "strength", 1, "does not depend on q"},
    {"inertia", "", "strength", 1, "belongs to systems of first order"},
    {"no strength", "diag(i: m*(2 + e3.q[i]))", "frame_rotation", 1, "does not depend on q"},
    {"strength", "1/(kappa[0] - 0.5)", "strength", 2, "the strength of body 0 is infinite"},
    {"strength", "kappa[0]*e3.q[0]", "strength", 13, "may not depend on q"},
    {"strength", "2 + sin(t)", "strength", 9, "may not depend on t"},
    {"strength", "e3", "strength", 1, "is a vector; a number is expected here"},
    {"frame_rotation", "w_e", "frame_rotation", 1, "is a number; a vector is expected here"},
    {"frame_rotation", "w_e*q[0]", "frame_rotation", 5, "may not depend on q"},
    {"frame_rotation", "[0, 0, w_e*t]", "frame_rotation", 12, "may not depend on t"},
    {"frame_rotation", "w_e*w[1]", "frame_rotation", 5, "may not depend on velocities"},
    {"frame_rotation", "[0, 0, 1/(w_e - 0.2)]", "frame_rotation", 1, "must be finite"},
    {"frame_rotation", "Omga", "frame_rotation", 1, "did you mean Omega?"},
    {"damping", "0.1", "damping", 1, "torque[i] = -c*w[i]"},
};

class CustomLinearTermsError : public testing::TestWithParam<WrongText> {};
INSTANTIATE_TEST_SUITE_P(Cases, CustomLinearTermsError, testing::ValuesIn(cases));

TEST_P(CustomLinearTermsError, NamesTheTextAndTheCharacter) {
  const WrongText& c = GetParam();
  Definition d = put(right(), c);
  if (c.where == "no strength") d.inertia = c.text, d.strength = "";
  expect_refused(d, c);
}

}  // namespace
}  // namespace twosphere::test::custom_linear_terms_test
