// SPDX-License-Identifier: GPL-3.0-or-later
// Wrong definitions: each names the text and the column of the right character, and what is
// allowed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>

#include "core/custom/definition_keys.h"
#include "tests/core/custom/definitions.h"
#include "tests/core/custom/wrong_text.h"
#include "tests/outcome.h"

namespace twosphere::test::custom_errors_test {
namespace {

/// A chain of three bodies that is right.
Definition right() {
  Definition d;
  d.bodies = 3;
  d.parameters = {list("m", {1, 2, 3}, "kg"), number("l", 0.5, "m"), number("g", 9.81, "m/s^2"),
                  list("four", {1, 2, 3, 4}), pairs("springs", {0, 1, 1, 2})};
  d.define = {"x[i] = sum(j <= i: l*q[j])", "a = q[0].e1"};
  d.inertia = "diag(i: m[i]*l^2)";
  d.potential = "-g*sum(i: m[i]*e3.x[i])";
  d.figure = {"ball(x[i], m[i])"};
  d.plots = {{"height", "-e3.x[n-1]"}};
  return d;
}

Definition with(const WrongText& c) {
  Definition d = put(right(), c);
  if (c.where == "plots") d.plots.emplace_back("p", c.text);
  if (c.where == "color") d.color.emplace_back("p", c.text);
  if (c.where == "unit") d.parameters[1].unit = c.text;
  if (c.where == "key") d.parameters[1].key = c.text;
  return d;
}

const std::vector<WrongText> cases{
    // Characters and grammar.
    {"potential", "q[0].q[1] ? 2", "potential", 11, "\"?\" has no meaning here"},
    {"potential", "3·l + π·π", "potential", 2, "multiplies two numbers; write *"},
    {"potential", "g*(1 + 2", "potential", 9, "\")\" is expected here, not the end"},
    {"potential", "g*(1 + 2))", "potential", 10, "\")\" closes no bracket"},
    {"potential", "", "none", 0, ""},
    {"potential", "g*", "potential", 3, "the expression ends too early"},
    {"potential", "g l", "potential", 3, "an operator such as * must stand before \"l\""},
    {"potential", "2 l", "potential", 3, "an operator such as * must stand before \"l\""},
    {"potential", "-2 m*g*q[0].e3", "potential", 4, "\"m\" is a unit and a name of the definition"},
    {"potential", "2 furlong", "potential", 3, "\"furlong\" is no unit; the units are rad"},
    {"potential", "2 degg", "potential", 3, "is no unit; did you mean deg?"},
    {"potential", "1e999", "potential", 1, "exceeds the range of a double"},
    {"potential", "g = 2", "potential", 3, "a comparison is =="},
    {"potential", "if(a = 1, 2, 3)", "potential", 6, "a comparison is =="},
    {"potential", "sum(i = 0: a)", "potential", 7, "a comparison is =="},
    {"potential", "(a = 1)", "potential", 4, "a comparison is =="},
    {"potential", "g, l", "potential", 2, "a comma separates only"},
    {"potential", "a < 2", "potential", 1, "a comparison stands only in if"},
    {"potential", "q[0.e1", "potential", 7, "\"]\" is expected here, not the end"},
    // What is written otherwise elsewhere.
    {"potential", "sum(i<j g*q[i].q[j])", "potential", 9, "a colon is missing before \"g\""},
    {"inertia", "matrix(i, j m[i])", "inertia", 13, "a colon is missing before \"m\""},
    {"potential", "g*x[0][2]", "potential", 7, "a component is written e3.x[0]"},
    {"potential", "g*x[0][i]", "potential", 7, "its components are e1.x[0], e2.x[0] and e3.x[0]"},
    {"potential", "g*l**2", "potential", 4, "a power is written ^"},
    {"potential", "g*|x[0]|", "potential", 3, "|a| is norm(a) of a vector, abs(a) of a number"},
    {"potential", "||x[0]||", "potential", 1, "|a| is norm(a) of a vector, abs(a) of a number"},
    {"potential", "if(g > l || l > 0, 1, 2)", "potential", 10, "conditions are combined as in if"},
    {"potential", "g*sin^2(a)", "potential", 6, "a power of sin is written sin(x)^2"},
    {"potential", "cos²(a)", "potential", 4, "a power of cos is written cos(x)^2"},
    // Names.
    {"potential", "g*zzz", "potential", 3, "\"zzz\" is not known; the names are m, l, g"},
    {"potential", "sine(g)", "potential", 1, "did you mean sin?"},
    {"potential", "norm(qdot[0])", "potential", 6, "did you mean v?"},
    {"potential", "K(2)*k", "potential", 1, "the functions are sqrt, exp"},
    {"potential", "G*m[0]", "potential", 1, "did you mean g?"},
    {"potential", "Sin(g)", "potential", 1, "did you mean sin?"},
    {"potential", "k*q[0].e3", "potential", 1, "\"k\" is not known; the names are m, l, g"},
    {"potential", "q[1].z", "potential", 6, "a component of q[0] is q[0].e3"},
    {"potential", "norm(q0)", "potential", 6, "did you mean q[0]?"},
    {"potential", "g*m_1", "potential", 3, "did you mean m[1]?"},
    {"potential", "q[0].e4", "potential", 6, "the axes are e1, e2 and e3"},
    {"potential", "phi*g", "potential", 1, "\"phi\" is not known; the names are m, l, g"},
    {"potential", "mod(2, 3)", "potential", 1, "\"mod\" is not known; the functions are sqrt"},
    {"potential", "if(g > 0 and l > 0, 1, 2)", "potential", 10, "conditions are combined as in if"},
    {"potential", "if(g > l or l > 0, 1, 2)", "potential", 10, "conditions are combined as in if"},
    {"potential", "if(g > l && l > 0, 1, 2)", "potential", 10, "conditions are combined as in if"},
    {"potential", "ln(2 + a)", "potential", 1, "did you mean log?"},
    {"potential", "αβ + g*sprngs", "potential", 1, "\"αβ\" is not known"},
    {"potential", "π*sum(i, j in sprngs: 1)", "potential", 15, "did you mean springs?"},
    {"potential", "m[i]*g", "potential", 3, "the index \"i\" is bound by nothing; write sum(i: …)"},
    {"define", "y = q[i].e3", "define[2]", 7, "write sum(i: …), or y[i] = … for all bodies"},
    {"potential", "sum(i: sum(i: 1))", "potential", 12, "\"i\" is the name of an outer index"},
    {"potential", "sum(m: 1)", "potential", 5, "\"m\" has a meaning"},
    {"potential", "sum(q[0].e1)", "potential", 1, "\"sum\" needs its indices and a colon"},
    {"potential", "g(2)", "potential", 1, "\"g\" is no function"},
    // Types.
    {"potential", "q[0]*q[1]", "potential", 5,
     "\"q[0]*q[1]\" multiplies two vectors; write q[0].q[1] or cross(q[0], q[1])"},
    {"potential", "−q[0]", "potential", 1, "is a vector; a number is expected here"},
    {"potential", "g + x[0]", "potential", 3,
     "\"+\" joins a number and a vector: \"x[0]\" is a vector"},
    {"potential", "g/x[0]", "potential", 2, "\"x[0]\" is a vector: only numbers divide"},
    {"potential", "x[0]^2", "potential", 1, "\"x[0]\" is a vector; write norm(…)^2 or a.a"},
    {"potential", "g.e3", "potential", 2, "\".\" joins two vectors; \"g\" is a number: write *"},
    {"potential", "norm(g)", "potential", 6, "\"g\" is a number; a vector is expected here"},
    {"potential", "sin(x[0])", "potential", 5, "\"x[0]\" is a vector; a number is expected here"},
    {"potential", "norm([1, 2])", "potential", 6, "a vector has three components"},
    {"potential", "sin(1, 2)", "potential", 1, "\"sin\" takes 1 value, as in sin(x)"},
    {"potential", "if(g, 1, 2)", "potential", 4, "a comparison is expected here"},
    {"potential", "four.e1", "potential", 1, "is a list of 4 numbers and takes an index"},
    {"potential", "q.e1", "potential", 1, "\"q\" takes an index, as in q[0]"},
    {"potential", "a[0]", "potential", 1, "\"a\" is a number and takes no index"},
    {"potential", "sum(i, j in m: 1)", "potential", 5, "a list of numbers takes one index"},
    {"potential", "sum(i in springs: 1)", "potential", 5, "a list of pairs takes two indices"},
    {"potential", "sum(i in g: 1)", "potential", 10, "\"g\" is not a list"},
    {"potential", "springs", "potential", 1, "it stands only in sum(i, j in springs: …)"},
    // Indices.
    {"potential", "a + q[3].e1", "potential", 5,
     "q[3] is read here; the indices of q go from 0 to 2"},
    {"potential", "sum(i: q[i-1].e1)", "potential", 8, "q[-1] is read here"},
    {"potential", "x[-1].e3", "potential", 1, "x[-1] is read here"},
    {"potential", "q[0.5].e1", "potential", 3, "\"0.5\" is no index"},
    {"potential", "q[g].e1", "potential", 3, "\"g\" is no index"},
    // What may be read where.
    {"potential", "sin(t)*a", "potential", 5, "the potential may not depend on t; write a force"},
    {"potential", "a + norm(w[0])", "potential", 10, "the potential may not depend on velocities"},
    {"define", "x[i] = q[i]", "define[2]", 1, "\"x\" is defined twice"},
    {"define", "y[0] = q[0]", "define[2]", 3, "a definition is for all bodies"},
    {"define", "sin = 2", "define[2]", 1, "\"sin\" has a meaning of its own"},
    {"define", "y[i] q[i]", "define[2]", 6, "\"=\" is expected here, not \"q\""},
    {"define", "y = y + 1", "define[2]", 5, "\"y\" is not known"},
    // Inertia.
    {"inertia", "dig(m)", "inertia", 1, "did you mean diag?"},
    {"inertia", "diag(m*l^2)", "inertia", 6, "\"m\" is a list; write i: and m[i]"},
    {"inertia", "diag(four)", "inertia", 6,
     "has 4 numbers, must have one for each of the 3 bodies"},
    {"inertia", "m*l^2", "inertia", 1,
     "the inertia is written diag(…), chain(m, l), rod(mu, l, D)"},
    {"inertia", "m*l^2", "inertia", 1, "for the same of every body diag(m*l^2)"},
    {"inertia", "m", "inertia", 1, "for the same of every body diag(m)"},
    {"inertia", "1", "inertia", 1, "for the same of every body diag(1)"},
    {"inertia", "diag(m)*2", "inertia", 8, "the inertia is written diag(…)"},
    {"inertia", "chain(m)", "inertia", 1,
     "\"chain\" takes 2 or 3 values, as in chain(m, l) or, with a free base, chain(m, l, m0)"},
    {"inertia", "chain(m, l, -1)", "inertia", 13, "the mass of the base is -1, must be positive"},
    {"inertia", "rod(1, l)", "inertia", 1,
     "\"rod\" takes 3 or 4 values, as in rod(mu, l, D) or, with a free base, rod(mu, l, D, m0)"},
    {"inertia", "rod(1, l, 0.1, 0)", "inertia", 16, "the mass of the base is 0, must be positive"},
    {"inertia", "rod(i: m[i], l, 0.1, i + 1)", "inertia", 24,
     "the mass of the base must not depend on the index"},
    {"inertia", "diag(i: m[i] - 2)", "inertia", 14,
     "the inertia of body 0 is -1, must be positive"},
    {"inertia", "matrix(i, j: if(i == j, 1, 2))", "inertia", 14,
     "not positive definite: its smallest eigenvalue is -1"},
    {"inertia", "matrix(i, j: i - j)", "inertia", 1, "the inertia is not symmetric"},
    {"inertia", "matrix(i, j: if(i == j, 1, q[i].e1 - 2*q[j].e1))", "inertia", 1,
     "the inertia is not symmetric"},
    {"inertia", "matrix(i, j: if(i == j, 1, 3*q[i].q[j]))", "inertia", 14, "smallest eigenvalue"},
    {"inertia", "diag(i: 0.5 + q[i].e3)", "inertia", 13, "at q[0] = ["},
    {"inertia", "diag(0/0)", "inertia", 7, "the inertia of body 0 is not a number"},
    {"inertia", "diag(1 + (e3.q[i])^2)", "inertia", 16, "is bound by nothing; write diag(i: …)"},
    {"inertia", "rod(1, i*l, 0)", "inertia", 8, "is bound by nothing; write rod(i: …)"},
    {"inertia", "diag(sum(i: w[i].e1))", "inertia", 13, "the inertia may not depend on velocities"},
    // Forces.
    {"force", "g[0] = e1", "force[0]", 1, "a force is f[i] = …"},
    {"force", "f = e1", "force[0]", 1, "\"f\" needs a body"},
    {"force", "f[3] = e1", "force[0]", 1, "there is no body 3"},
    {"torque", "[0, 0, 1]", "torque[0]", 1, "a name and =, as in torque[i] = …, are expected here"},
    {"torque", "l*e3", "torque[0]", 2, "\"=\" is expected here, not \"*\", as in torque[i] = …"},
    {"force", "g*e3", "force[0]", 2, "\"=\" is expected here, not \"*\", as in f[i] = …"},
    {"force", "f[0] = 2", "force[0]", 8, "\"2\" is a number; a vector is expected here"},
    {"torque", "torque[0] = 0.1*w[0]", "torque[0]", 17, "must not be negative"},
    {"torque", "torque[i] = -(0.1 - i)*w[i]", "torque[0]", 24, "the damping of body 1 is -0.9"},
    // Figures and plots.
    {"figure", "bal(x[i])", "figure[1]", 1, "did you mean ball?"},
    {"figure", "ball(x[0])", "figure[1]", 1, "there are 4 balls that move, must be one for each"},
    {"figure", "x[0]", "figure[1]", 1, "what is drawn is written ball(x[i]), rod(x[i-1], x[i])"},
    {"figure", "i < j: rod(x[i], x[j])", "none", 0, ""},
    {"figure", "ball(i < j: x[i])", "figure[1]", 1, "there are 6 balls that move"},
    {"figure", "rod(x[i])", "figure[1]", 1, "\"rod\" is written rod(x[i-1], x[i])"},
    {"plots", "x[0]", "plots.p", 1, "\"x[0]\" is a vector"},
    {"color", "x[i]", "color.p", 1, "\"x[i]\" is a vector"},
    {"color", "e3.x[0]", "color.p", 1, "has 0 indices, must have one for the body"},
    {"color", "sum(j != i: 1/norm(q[i] - q[j]))", "color.p", 10,
     "this sum binds \"i\" itself, as a sum binds every index before its colon that is not bound "
     "outside; for the index of the body define c[i] = …"},
    {"figure", "rod(sum(j < i: l*q[j]), sum(j <= i: l*q[j]))", "figure[1]", 13,
     "for the index of the body write rod(i: …)"},
    {"figure", "rod(sum(j <= i: l*q[j]), x[i])", "figure[1]", 14,
     "for the index of the body write rod(i: …)"},
    {"color", "x[i].x[j]", "color.p", 1, "has 2 indices, must have one for the body"},
    {"color", "q[i+1].e3", "color.p", 1, "q[3] is read here; the indices of q go from 0 to 2"},
    // Parameters.
    {"unit", "kg furlong", "parameters.l.unit", 4, "is no unit"},
    {"key", "sin", "parameters.sin", 0, "has a meaning of its own"},
    {"key", "2l", "parameters.2l", 0, "letters, digits and _"},
    {"key", "m", "parameters.m", 0, "is given twice"},
};

class CustomErrors : public testing::TestWithParam<WrongText> {};
INSTANTIATE_TEST_SUITE_P(Definitions, CustomErrors, testing::ValuesIn(cases));

TEST_P(CustomErrors, NameThePlaceAndTheCharacter) {
  const WrongText& c = GetParam();
  if (c.location == "none") {
    EXPECT_TRUE(translate(with(c)).definition);
    return;
  }
  const TextError error = expect_refused(with(c), c);
  if (c.column > 0) {
    EXPECT_EQ(error.text, c.text);
  }
}

TEST(CustomErrorLimits, AreRefusedWithTheNumber) {
  const auto error = [](const std::function<void(Definition&)>& change) {
    Definition d = right();
    change(d);
    const CompileResult t = translate(d);
    EXPECT_FALSE(t.definition);
    return t.error.message;
  };
  EXPECT_TRUE(says(error([](Definition& d) { d.potential = std::string(100'001, ' '); }),
                   "at most 100000 are allowed"));
  EXPECT_TRUE(says(error([](Definition& d) {
                     d.potential.assign(65, '(');
                     d.potential += '1';
                     d.potential.append(65, ')');
                   }),
                   "deeper than 64"));
  EXPECT_TRUE(says(error([](Definition& d) {
                     d.potential.assign(90, '-');
                     d.potential += '1';
                   }),
                   "deeper than 64"));
  EXPECT_TRUE(says(error([](Definition& d) {
                     // Each definition doubles the one before it.
                     d.define.push_back("d0 = q[0].e1");
                     for (int k = 0; k < 70; ++k)
                       d.define.push_back("d" + std::to_string(k + 1) + " = d" + std::to_string(k) +
                                          " + d" + std::to_string(k));
                   }),
                   "deeper than 64"));
  EXPECT_TRUE(says(error([](Definition& d) {
                     d.bodies = 1000;
                     d.parameters = {};
                     d.define = d.figure = {};
                     d.plots = {};
                     d.inertia = "diag(1)";
                     d.potential = "sum(i, j, k: q[i].(q[j]×q[k]))";
                   }),
                   "10000000"));
  EXPECT_TRUE(says(error([](Definition& d) { d.bodies = 0; }), "must be 1 to 100000"));
}

TEST(CustomInertia, AMatrixThatIsSimplerIsOfferedAsThat) {
  const auto offer = [](const std::string& inertia) {
    Definition d;
    d.bodies = 3;
    d.parameters = {list("m", {1, 0.5, 2}), list("l", {0.5, 1, 0.25})};
    d.inertia = inertia;
    d.potential = "0*q[0].e1";
    const CompileResult t = translate(d);
    EXPECT_TRUE(t.definition) << t.error.message;
    if (!t.definition || t.definition->warnings().empty()) return std::string("none");
    EXPECT_EQ(t.definition->warnings().front().location, "inertia");
    return t.definition->warnings().front().message;
  };
  const std::string chain = "l[i]*l[j]*sum(i <= k, j <= k: m[k])";
  EXPECT_TRUE(says(offer("matrix(i, j: " + chain + ")"),
                   "chain(m, l) with m = [0.25, 0.125, 0.5] and l = [1, 2, 0.5]"))
      << offer("matrix(i, j: " + chain + ")");
  EXPECT_TRUE(says(offer("matrix(i, j: if(i == j, m[i], 0))"), "diag(m) with m = [1, 0.5, 2]"));
  // The masses from each body on must decrease, and nothing else may be in the matrix.
  EXPECT_EQ(offer("matrix(i, j: " + chain + " + if(i == j, 1e-6, 0))"), "none");
  EXPECT_EQ(offer("matrix(i, j: if(i == j, 2, 0.5))"), "none");
  EXPECT_EQ(offer("matrix(i, j: if(i == j, 2, -0.5^(i + j)))"), "none");
  EXPECT_EQ(offer("chain(m, l)"), "none");
  EXPECT_EQ(offer("diag(m)"), "none");
}

TEST(CustomUnits, AreCheckedWhereTheyAreGiven) {
  EXPECT_TRUE(translate(right()).definition->warnings().empty());
  const auto warning = [](const std::string& potential) {
    Definition d = right();
    d.potential = potential;
    const CompileResult t = translate(d);
    EXPECT_TRUE(t.definition) << t.error.message;
    if (!t.definition || t.definition->warnings().empty()) return std::string("none");
    const TextError& w = t.definition->warnings().front();
    return w.location + ":" + std::to_string(w.column) + ": " + w.message;
  };
  EXPECT_EQ(warning("sum(i: m[i]*e3.x[i])"),
            "potential:1: is kg m, must be J; a factor in m s^-2 is missing");
  EXPECT_EQ(warning("2 + 3*m[0]*g"), "potential:5: is N, must be J; a factor in m is missing");
  EXPECT_EQ(warning("m[0]*g*l*(1 + a)"), "none") << "plain numbers go with any unit";
  EXPECT_EQ(warning("m[0]*g*(l + g)"), "potential:11: \"+\" joins m and m s^-2; g must be in m");
  EXPECT_EQ(warning("2 J*sin(l)"), "potential:9: \"sin\" takes a plain number, not m");
  EXPECT_EQ(warning("m[0]*g*sqrt(l^2)"), "none");
  EXPECT_EQ(warning("four[0]*g + l"), "none") << "four has no unit";
  EXPECT_EQ(warning("2 J + 3 N m"), "none");
  EXPECT_EQ(warning("1 J*abs(1 Hz - 2 rad/s)/1 Hz"), "potential:14: \"-\" joins Hz and rad s^-1");
  EXPECT_EQ(warning("1 J*min(2*1 Hz, 30 rpm, 1 rad/s)/1 Hz"),
            "potential:25: \"min\" joins Hz and rad s^-1");
  EXPECT_EQ(warning("1 J*(2*pi*1 Hz + 1 rad/s)/1 Hz"), "none") << "2π makes one of the other";
  EXPECT_EQ(warning("1 J*(1 Hz + 2/1 min)*1 s + 2 A m^2*1 mT"), "none");
  EXPECT_EQ(warning("1 J s^2*((60 rpm)^2 - (1 rad/s)^2)"),
            "potential:21: \"-\" joins Hz^2 and rad^2 s^-2");
  EXPECT_EQ(warning("1 J s^2*(1 Hz*1 Hz - 1 rad/s*1 rad/s)"),
            "potential:20: \"-\" joins Hz^2 and rad^2 s^-2");
  EXPECT_EQ(warning("1 J s*(sqrt((1 Hz)^2) - 1 rad/s)"),
            "potential:23: \"-\" joins Hz and rad s^-1");
  EXPECT_EQ(warning("1 J s^2*((2*pi*1 Hz)^2 - (1 rad/s)^2)"), "none");
  EXPECT_EQ(warning("1 J s^2*(4*pi^2*(1 Hz)^2 - (1 rad/s)^2)"), "none");
  EXPECT_EQ(warning("1 J s^2*(2*pi*1 Hz*1 rad/s - (1 rad/s)^2)"), "none");
  EXPECT_EQ(warning("1 J s*sqrt(1 rad/s^2)"), "none") << "a root of the angle is left out";
  Definition damped = right();
  damped.torque = {"torque[i] = -0.1*w[i]"};
  damped.force = {"f[0] = 0.2*sin(2*pi*t)*e1"};
  EXPECT_TRUE(translate(damped).definition->warnings().empty());
  Definition strict = right();
  strict.strict_units = true;
  EXPECT_TRUE(translate(strict).definition);
  strict.potential = "m[0]*g";
  const CompileResult t = translate(strict);
  EXPECT_FALSE(t.definition);
  EXPECT_EQ(t.error.location, "potential");
}

TEST(CustomParameters, OutsideTheirRangeAreWarnedOf) {
  const auto warnings = [](std::vector<double> m, bool strict, const Values& before = {}) {
    Definition d = right();
    d.parameters[0].value = std::move(m);
    d.parameters[0].range = {{0.5, 3}};
    d.parameters[1].range = {{0, 1}};
    d.strict_units = strict;
    const CompileResult t = translate(d);
    EXPECT_TRUE(t.definition) << t.error.message;
    EXPECT_TRUE(t.definition && t.definition->warnings().empty());
    return outside_ranges(d, before);
  };
  EXPECT_TRUE(warnings({0.5, 2, 3}, false).empty());
  for (const bool strict : {false, true}) {
    const auto found = warnings({1, 2, 4}, strict);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].location, "parameters.m.value[2]");
    EXPECT_EQ(found[0].message, "is 4, outside the range of its slider, 0.5 to 3 kg");
  }
  // Once they are known, of others only.
  EXPECT_TRUE(warnings({1, 2, 4}, false, {{"m", {1, 1, 4}}}).empty());
  const auto other = warnings({5, 2, 0.25}, false, {{"m", {5, 1, 4}}});
  ASSERT_EQ(other.size(), 1U);
  EXPECT_EQ(other[0].location, "parameters.m.value[2]");
  EXPECT_EQ(warnings({1, 2, 4}, false, {{"m", {1, 2}}}).size(), 1U);
}

TEST(CustomUnits, OfTermsThatDoNotFitAreSaidWithTheRightOnes) {
  const auto warning = [](const std::string& term) {
    Definition d = right();
    d.parameters.push_back(number("k", 3, "N"));
    d.parameters.push_back(number("p", 3, "m^2"));
    d.potential = "m[0]*g*l*a + " + term;
    const CompileResult t = translate(d);
    EXPECT_TRUE(t.definition) << t.error.message;
    if (!t.definition || t.definition->warnings().empty()) return std::string("none");
    return t.definition->warnings().front().message;
  };
  EXPECT_EQ(warning("k*a^2/1 cm"), "\"+\" joins J and N m^-1; k must be in N m^2");
  EXPECT_EQ(warning("k*a"), "\"+\" joins J and N; k must be in J");
  EXPECT_EQ(warning("3*m[1]*a"), "\"+\" joins J and kg; m must be in J");
  EXPECT_EQ(warning("2 N m^2/k"), "\"+\" joins J and m^2; k must be in m");
  EXPECT_EQ(warning("2 J/k"), "\"+\" joins J and m; k must be a plain number");
  EXPECT_EQ(warning("a*(2*(k/(1 s)))"), "\"+\" joins J and N s^-1; k must be in J s");
  EXPECT_EQ(warning("min(k, 2 J)"), "\"min\" joins N and J");
  EXPECT_EQ(warning("min(2 J, k)"), "\"min\" joins J and N; k must be in J");
  EXPECT_EQ(warning("sum(i: k*q[i].e1)"), "\"+\" joins J and N; k must be in J");
  // Of several any may be wrong, and one in a power has no such unit.
  EXPECT_EQ(warning("k*p"), "\"+\" joins J and N m^2; a factor in m^-1 is missing");
  EXPECT_EQ(warning("1 N*p^2"), "\"+\" joins J and N m^4");
}

TEST(CustomUnits, StrictOnesAreThoseOfTimeToo) {
  const auto error = [](const std::string& potential, const std::string& torque) {
    Definition d = right();
    d.parameters.push_back(number("nu", 2, "Hz"));
    d.parameters.push_back(number("c", 0.1, "N m s"));
    d.plots = {};
    if (!potential.empty()) d.potential = potential;
    if (!torque.empty()) d.torque = {torque};
    EXPECT_TRUE(translate(d).definition) << "they are not checked otherwise";
    d.strict_units = true;
    const CompileResult t = translate(d);
    return t.definition
               ? "none"
               : fmt::format("{}:{}: {}", t.error.location, t.error.column, t.error.message);
  };
  EXPECT_EQ(error("", "torque[0] = 2 J*sin(2*pi*nu*t)*e1"), "none");
  EXPECT_EQ(error("", "torque[0] = 2 J*sin(2*pi*t)*e1"),
            "torque[0]:25: \"sin\" takes a plain number, not s");
  EXPECT_EQ(error("", "torque[i] = -c*w[i]"), "none");
  EXPECT_EQ(error("", "torque[0] = c*(norm(w[0]) + nu)*e1"),
            "torque[0]:27: \"+\" joins rad s^-1 and Hz");
  EXPECT_EQ(error("", "torque[0] = c*(norm(w[0]) + norm(v[0]) - 2*pi*nu)*e1"), "none");
  EXPECT_EQ(error("", "torque[i] = -0.1*w[i]"),
            "torque[0]:13: is s^-1, must be N m; a factor in N m s is missing");
  EXPECT_EQ(error("", "torque[0] = c*norm(v[0])*nu/nu*e1"), "none");
  EXPECT_EQ(error("m[0]*g*(l^3)^(1/3)", ""), "none");
  EXPECT_EQ(error("m[0]*g*(l^4)^0.25", ""), "none");
  EXPECT_EQ(error("m[0]*g*l^0.5", ""),
            "potential:9: the power 0.5 of m has no unit with whole powers");
  EXPECT_EQ(error("2 J*sqrt(l)", ""),
            "potential:5: the power 0.5 of m has no unit with whole powers");
  EXPECT_EQ(error("m[0]*g*l^a", ""),
            "potential:9: a power that is not a number of m has no unit with whole powers");
}

}  // namespace
}  // namespace twosphere::test::custom_errors_test
