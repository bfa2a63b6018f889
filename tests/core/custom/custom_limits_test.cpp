// SPDX-License-Identifier: GPL-3.0-or-later
// Texts that need as much as they can: each is refused or translated soon.
#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "tests/core/custom/definitions.h"

namespace twosphere::test::custom_limits_test {
namespace {

std::string repeated(const std::string& text, int times) {
  std::string out;
  for (int k = 0; k < times; ++k) out += text;
  return out;
}

struct Greedy {
  std::string name;
  int bodies;
  std::function<void(Definition&)> change;
};
void PrintTo(const Greedy& g, std::ostream* out) { *out << g.name; }

Greedy potential(const std::string& name, int bodies, const std::string& text) {
  return {name, bodies, [text](Definition& d) { d.potential = text; }};
}
Greedy inertia(const std::string& name, int bodies, const std::string& text) {
  return {name, bodies, [text](Definition& d) { d.inertia = text; }};
}

const std::vector<Greedy>& greedy() {
  static const std::vector<Greedy> list{
      potential("triples", 1000, "sum(i, j, k: q[i].(q[j]×q[k]))"),
      potential("nested_sums", 215, "sum(i: sum(j: sum(k: q[i].(q[j]×q[k]))))"),
      potential("pairs_of_many", 100'000, "sum(i < j: q[i].q[j])"),
      potential("pairs", 2000, "sum(i < j: 1/norm(q[i] - q[j]))"),
      potential("constant_sum", 2, "sum(i, j: 1)*" + repeated("sum(i, j, k: 1)*", 6000) + "1"),
      potential("constant_triples", 215, "sum(i, j, k: sin(i + j*k))"),
      potential("product", 3000, "sum(i: prod(j: q[i].q[j] + 2))"),
      potential("long_and_many", 100, "sum(i < j: " + repeated("q[i].q[j] + ", 190) + "1)"),
      potential("long_conditions", 40000, "sum(i, j: if(i < 5, 1, 2))"),
      inertia("matrix", 1024, "matrix(i, j: if(i == j, 2, 1e-4))"),
      inertia("matrix_that_is_indefinite", 1024, "matrix(i, j: if(i == j, 2, -1))"),
      inertia("long_matrix", 1024,
              "matrix(i, j: if(i == j, 2, 1e-9*(" + repeated("i + j + ", 3) + "1)))"),
      inertia("matrix_of_q", 1024, "matrix(i, j: if(i == j, 2, 1e-4*q[i].q[j]))"),
      inertia("matrix_of_q_that_is_indefinite", 1000, "matrix(i, j: if(i == j, 2, -q[i].q[j]))"),
      inertia("diagonal_of_sums", 1024, "diag(i: 2 + sum(j: (q[i].q[j])^2))"),
      inertia("rod_that_is_indefinite", 1024, "rod(1, 1, -0.9)"),
      inertia("diagonal_constant", 3000, "diag(i: sum(j: 1 + i*j))"),
      inertia("matrix_of_functions_of_q", 1024,
              "matrix(i, j: if(i == j, 2, 1e-4*exp(-norm(q[i] - q[j])^2)))"),
      {"matrix_of_names", 1000,
       [](Definition& d) {
         d.define = {"x[i] = sum(j <= i: q[j])"};
         d.inertia = "matrix(i, j: if(i == j, 2, 1e-9*x[i].x[j]))";
       }},
      {"doubled_names", 100,
       [](Definition& d) {
         d.define = {"d0[i] = q[i].e1"};
         for (int k = 0; k < 28; ++k)
           d.define.push_back("d" + std::to_string(k + 1) + "[i] = d" + std::to_string(k) +
                              "[i]*d" + std::to_string(k) + "[i] + d" + std::to_string(k) +
                              "[n-1-i]");
         d.potential = "sum(i: d28[i])";
       }},
      {"doubled_constants", 3000,
       [](Definition& d) {
         d.define = {"d0[i] = i"};
         for (int k = 0; k < 28; ++k)
           d.define.push_back("d" + std::to_string(k + 1) + "[i] = d" + std::to_string(k) +
                              "[i] + d" + std::to_string(k) + "[n-1-i]");
         d.potential = "sum(i: d28[i])";
       }},
      {"constants_of_sums", 3000,
       [](Definition& d) {
         d.define = {"c[i] = sum(j: i*j)"};
         d.potential = "sum(i: c[i]*q[i].e1)";
         d.inertia = "diag(i: 1 + c[i])";
       }},
      {"long_definitions", 5000,
       [](Definition& d) {
         for (int k = 0; k < 60; ++k)
           d.define.push_back("a" + std::to_string(k) + "[i] = " + repeated("(q[i].e1)^3*", 100) +
                              "1");
         d.potential = "sum(i: 0";
         for (int k = 0; k < 60; ++k) d.potential += "+a" + std::to_string(k) + "[i]";
         d.potential += ")";
       }},
      {"figures_of_pairs", 1000,
       [](Definition& d) {
         for (int k = 0; k < 10; ++k) d.figure.push_back("i < j: spring(q[i], q[j], 1, 1)");
       }},
      potential("products_of_products", 150, "prod(i: prod(j: 1 + q[i].q[j]/1000))"),
      potential(
          "nested_conditions", 40,
          "sum(i: " + repeated("if(q[i].e1 < 0.5, q[i].e2, ", 60) + "1" + repeated(")", 60) + ")"),
      potential("long_text_in_a_sum", 100,
                "sum(i < j: " + repeated("exp(q[i].q[j]) + ", 1900) + "1)"),
      potential("powers_of_sums", 50, repeated("(sum(i < j: q[i].q[j]) + 1)*", 3000) + "1"),
      potential("sums_of_sums_of_pairs", 640,
                "sum(i < j: q[i].q[j])" + repeated(" + sum(i < j: (q[i].q[j])^3)", 3000)),
      potential("sums_of_linear", 1000, "sum(i: q[i].e1)" + repeated(" + sum(i: q[i].e1)", 4000)),
      potential("vectors_of_sums", 1000, "(" + repeated("sum(i: q[i]) + ", 4000) + "e1).q[0]"),
      {"many_plots_of_names", 5000,
       [](Definition& d) {
         d.define = {"x[i] = sum(j <= i: q[j])", "y[i] = norm(x[i])"};
         for (int k = 0; k < 2000; ++k)
           d.plots.emplace_back("p" + std::to_string(k), "y[" + std::to_string(k) + "]");
       }},
      {"clamps_and_pendula", 40'000,
       [](Definition& d) {
         d.define = {"p[i] = [i, 0, 0]"};
         d.figure = {"rod(p[i] - e3, p[i])", "rod(p[i] + e1/2, p[i] + e1/2 + q[i])",
                     "ball(p[i] + q[i])"};
       }},
      {"long_unknown_name", 2,
       [](Definition& d) {
         d.define = {std::string(49'000, 'a') + " = 1"};
         d.potential = std::string(48'900, 'a') + "b";
       }},
      {"long_unknown_name_of_many", 2,
       [](Definition& d) {
         for (int k = 0; k < 7000; ++k) d.parameters.push_back(number("p" + std::to_string(k), 1));
         d.potential = std::string(60'000, 'a');
       }},
      {"more_parameters", 2,
       [](Definition& d) {
         for (int k = 0; k < 8000; ++k) d.parameters.push_back(number("p" + std::to_string(k), 1));
         for (int k = 0; k < 8000; ++k) d.potential += "+p" + std::to_string(k);
       }},
      {"many_names_used", 2,
       [](Definition& d) {
         for (int k = 0; k < 5000; ++k) d.define.push_back("a" + std::to_string(k) + "=1");
         for (int k = 0; k < 5000; ++k) d.potential += "+a" + std::to_string(k);
       }},
      {"many_warnings", 2,
       [](Definition& d) {
         d.parameters = {number("l", 1, "m"), number("g", 1, "s")};
         d.potential = "0" + repeated("+(l+g)", 15000);
       }},
      {"many_digits", 2, [](Definition& d) { d.potential = std::string(99'000, '9'); }},
      {"many_signs", 2, [](Definition& d) { d.potential = std::string(99'000, '-') + "1"; }},
      {"many_brackets", 2, [](Definition& d) { d.potential = std::string(99'000, '('); }},
      {"many_factors", 2, [](Definition& d) { d.potential = "n" + repeated("*n", 49'000); }},
      {"many_crosses", 2, [](Definition& d) { d.potential = "q[0]" + repeated("×q[1]", 14'000); }},
      {"many_indices", 2,
       [](Definition& d) {
         std::string i = "i0";
         for (int k = 1; k < 9000; ++k) i += ",i" + std::to_string(k);
         d.potential = "sum(" + i + ": 1)";
       }},
      {"many_conditions", 2,
       [](Definition& d) { d.potential = "sum(i" + repeated("<n", 40'000) + ": 1)"; }},
      {"wrong_bytes", 2, [](Definition& d) { d.potential = std::string(99'000, '\xcf'); }},
      {"long_torque_of_many", 3000,
       [](Definition& d) { d.torque = {"torque[i] = 0*w[i]" + repeated("-0.1*w[i]", 9000)}; }},
      {"many_plots", 600,
       [](Definition& d) {
         for (int k = 0; k < 400; ++k)
           d.plots.emplace_back("p" + std::to_string(k), "sum(i < j: (q[i].q[j])^3)");
       }},
      {"many_forces", 1000,
       [](Definition& d) {
         for (int k = 0; k < 2000; ++k) d.force.push_back("f[i] = q[n-1-i]*t");
       }},
      {"forces_of_sums", 700,
       [](Definition& d) {
         for (int k = 0; k < 40; ++k) d.force.push_back("f[i] = sum(j: (q[i].q[j])*q[j])");
       }},
      {"much_damping", 2000,
       [](Definition& d) {
         for (int k = 0; k < 4000; ++k) d.torque.push_back("torque[i] = -0.1*w[i]");
       }},
      {"figures", 100'000,
       [](Definition& d) {
         for (int k = 0; k < 100; ++k) d.figure.push_back("rod(q[i], q[i-1])");
       }},
      {"figure_of_pairs", 1000, [](Definition& d) { d.figure = {"i, j: rod(q[i], q[j])"}; }},
      {"long_list", 2,
       [](Definition& d) {
         d.parameters = {pairs("bonds", std::vector<double>(2'000'000, 0))};
         d.potential = "sum(i, j in bonds: q[i].q[j])";
       }},
  };
  return list;
}

class GreedyText : public testing::TestWithParam<Greedy> {};
INSTANTIATE_TEST_SUITE_P(Texts, GreedyText, testing::ValuesIn(greedy()),
                         [](const auto& p) { return p.param.name; });

TEST_P(GreedyText, IsRefusedOrTranslatedSoon) {
  Definition d;
  d.bodies = GetParam().bodies;
  d.inertia = "diag(1)";
  d.potential = "0";
  GetParam().change(d);
  const double before = processor_time();
  const CompileResult t = translate(d);
  const double spent = processor_time() - before;
  RecordProperty("seconds", std::to_string(spent));
  EXPECT_LT(spent, longest_translation) << (t.definition ? "translated" : t.error.message);
}

TEST(CustomLimits, AFigureOfManyPartsIsMeasuredSoon) {
  Definition d;
  d.bodies = 642;
  d.inertia = "diag(1)";
  for (const char* figure : {"i, j: rod(q[i], q[j])", "i, j: rod(2*q[i], q[j]*(q[i].e1))"}) {
    d.figure = {figure};
    const auto system = make(d);
    const double before = processor_time();
    const double radius = system->extent().radius, most = figure[10] == '2' ? 2 : 1;
    EXPECT_EQ(system->lever(3, 3), 1);
    EXPECT_LT(processor_time() - before, longest_translation) << figure;
    EXPECT_GE(radius, most);
    EXPECT_LE(radius, 1.26 * most);
  }
}

TEST(CustomLimits, LoopsAreCountedBeforeTheyAreBegun) {
  Definition d;
  d.bodies = 4;
  d.inertia = "diag(1)";
  std::string indices = "a";
  for (char index = 'b'; index <= 'l'; ++index) indices += std::string(", ") + index;
  d.potential = "sum(" + indices + ": q[a].q[b])";
  const double before = processor_time();
  EXPECT_EQ(translate(d).error.message,
            "needs more than 10000000 operations, the most that are allowed");
  EXPECT_LT(processor_time() - before, longest_translation / 30);
  // With a condition they are tried one by one, and take no more memory than there may be: of 4¹¹
  // cases three in four.
  indices = "a, b != a" + indices.substr(4, indices.find(", l") - 4);
  d.potential = "sum(" + indices + ": q[a].q[b])";
  EXPECT_EQ(translate(d).error.message,
            "needs memory for more than 16777216 numbers, the most that are allowed");
}

TEST(CustomLimits, CountFiguresAndWarnings) {
  Definition d;
  d.bodies = 1000;
  d.inertia = "diag(1)";
  d.figure = {"i, j: rod(q[i], q[j])"};
  EXPECT_TRUE(translate(d).definition) << "a million";
  d.figure.emplace_back("sphere()");
  EXPECT_TRUE(translate(d).definition);
  d.figure.emplace_back("rod(0*e1, q[i])");
  const TextError error = translate(d).error;
  EXPECT_EQ(error.location, "figure[2]");
  EXPECT_EQ(error.message, "draws more than 1000000 figures, the most that are allowed");
  Definition of_units;
  of_units.bodies = 1;
  of_units.inertia = "diag(1)";
  of_units.parameters = {number("l", 1, "m"), number("g", 1, "s")};
  of_units.potential = "0" + repeated("+(l+g)", 99);
  EXPECT_EQ(translate(of_units).definition->warnings().size(), 99U);
  of_units.potential = "0" + repeated("+(l+g)", 5000);
  EXPECT_EQ(translate(of_units).definition->warnings().size(), 100U);
}

TEST(CustomLimits, PendulaHangWhereTheirClampsEnd) {
  Definition d;
  d.bodies = 3;
  d.inertia = "diag(1)";
  d.potential = "0";
  d.define = {"p[i] = [if(i < 2, 0, 1), 0, 0]"};
  d.figure = {"rod(p[i] - e3, p[i])", "rod(p[i], p[i] + q[i])", "rod(2*e1, 3*e1)",
              "ball(p[i] + q[i])"};
  Geometry geometry;
  make(d)->geometry(directions(3, 1), geometry);
  ASSERT_EQ(geometry.pivots.size(), 2U) << "two hang at one point";
  EXPECT_EQ(geometry.pivots[0], Vec3(0, 0, 0));
  EXPECT_EQ(geometry.pivots[1], Vec3(1, 0, 0));
  EXPECT_EQ(geometry.links.size(), 6U);
  EXPECT_EQ(geometry.guides.size(), 1U) << "no pendulum begins at its end";
}

}  // namespace
}  // namespace twosphere::test::custom_limits_test
