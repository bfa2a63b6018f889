// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/language/evaluate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "tests/outcome.h"

namespace twosphere::evaluate_test {
namespace {

using std::numbers::pi;
using test::says;

double value(std::string_view text, std::string_view unit = "1") {
  const auto result = evaluate(text, unit);
  EXPECT_TRUE(result) << text << ": " << (result ? "" : result.error().text());
  return result ? *result : 0;
}

std::string error(std::string_view text, std::string_view unit = "1") {
  const auto result = evaluate(text, unit);
  return result ? "no error" : result.error().text();
}

TEST(Expression, ReadsNumbers) {
  EXPECT_EQ(value("2"), 2);
  EXPECT_EQ(value(" +2.5 "), 2.5);
  EXPECT_EQ(value("2,5"), 2.5);
  EXPECT_EQ(value(".5"), 0.5);
  EXPECT_EQ(value("5."), 5);
  EXPECT_EQ(value("1e-3"), 1e-3);
  EXPECT_EQ(value("1E+3"), 1000);
  EXPECT_EQ(value("0.1"), 0.1) << "the nearest double";
  EXPECT_EQ(value("−5"), -5);
}

TEST(Expression, ACommaThatMaySeparateThousandsIsRefused) {
  EXPECT_EQ(value("0,125"), 0.125);
  EXPECT_EQ(value("1,25"), 1.25);
  EXPECT_EQ(value("1,2345"), 1.2345);
  EXPECT_EQ(value("1234,567"), 1234.567) << "thousands have at most three digits before the mark";
  for (const char* text : {"1,000", "12,345", "1,000.5", "1,234,567", "2*1,000 m", "1,000e3"})
    EXPECT_TRUE(says(error(text, "m"), "write a point as the decimal mark")) << text;
  EXPECT_EQ(error("1,000"),
            "column 1: \"1,000\" may be 1000 or 1.000; write a point as the decimal mark, and "
            "thousands without a mark");
  EXPECT_EQ(value("atan2(1,200)"), std::atan2(1, 200));
}

TEST(Expression, MayStandInQuotesAsInAFile) {
  EXPECT_EQ(value(" \"30 cm\"", "m"), 0.3);
  EXPECT_EQ(error("\"1 +\""), "column 6: the expression ends too early");
  EXPECT_NE(error("\"1"), "no error");
}

TEST(Expression, ObservesPrecedence) {
  EXPECT_EQ(value("1/3"), 1.0 / 3);
  EXPECT_EQ(value("1 + 2*3"), 7);
  EXPECT_EQ(value("(1 + 2)*3"), 9);
  EXPECT_EQ(value("7 - 2 - 1"), 4) << "from left to right";
  EXPECT_EQ(value("8/4/2"), 1);
  EXPECT_EQ(value("8/4*2"), 4);
  EXPECT_EQ(value("2^3^2"), 512) << "from right to left";
  EXPECT_EQ(value("-2^2"), -4);
  EXPECT_EQ(value("(-2)^2"), 4);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("--2"), 2);
  EXPECT_EQ(value("2*-3"), -6);
  EXPECT_EQ(value("3² + 2³"), 17);
  EXPECT_EQ(value("2·3×4"), 24);
}

TEST(Expression, KnowsConstantsAndFunctions) {
  EXPECT_EQ(value("2*pi"), 2 * pi);
  EXPECT_EQ(value("π/2"), pi / 2);
  EXPECT_EQ(value("e"), std::numbers::e);
  EXPECT_EQ(value("sqrt(2)/2"), std::sqrt(2.0) / 2);
  EXPECT_EQ(value("sin(1) + cos(1) + tan(1)"), std::sin(1) + std::cos(1) + std::tan(1));
  EXPECT_EQ(value("asin(0.5)"), std::asin(0.5));
  EXPECT_EQ(value("acos(0.5)"), std::acos(0.5));
  EXPECT_EQ(value("atan(2)"), std::atan(2.0));
  EXPECT_EQ(value("abs(-2) + sign(-3)"), 1);
  EXPECT_EQ(value("sinh(1) + cosh(1) + tanh(1)"), std::sinh(1) + std::cosh(1) + std::tanh(1));
  EXPECT_EQ(value("exp(2) + log(2)"), std::exp(2) + std::log(2));
  EXPECT_EQ(value("atan2(1, -2)"), std::atan2(1, -2));
  EXPECT_EQ(value("atan2(1,-2)"), std::atan2(1, -2));
  EXPECT_EQ(value("atan2(1,2)"), std::atan2(1, 2)) << "the comma separates here";
}

// As in the texts of systems.
TEST(Expression, ChoosesAmongValues) {
  EXPECT_EQ(value("min(3, 1, 2)"), 1);
  EXPECT_EQ(value("max(30 cm, 1/2 m)", "m"), 0.5);
  EXPECT_EQ(value("if(1 < 2 <= 2, 30 deg, 1)"), value("30 deg"));
  EXPECT_EQ(value("if(1 m > 2 cm, 3, 4)"), 3);
  EXPECT_EQ(value("max(1, 2 deg)", "deg"), value("1 rad", "deg"))
      << "as 1 + 2 deg is 1 rad + 2 deg";
  EXPECT_EQ(value("if(1 < 2, 1, 2 deg)", "deg"), value("1 rad", "deg"));
  EXPECT_EQ(value("max(5/s, 1 Hz)", "rad/s"), value("5 Hz", "rad/s")) << "as 5/s + 1 Hz is 6 Hz";
  EXPECT_TRUE(says(error("min(2*π Hz, 9 Hz)", "rad/s"), "contains π already"));
  EXPECT_EQ(value("if(3 < π, 1 Hz, 2 Hz)", "rad/s"), value("1 Hz", "rad/s"));
  EXPECT_EQ(error("max(1 m, 2)", "m"), "column 1: \"max\" joins m and a plain number");
  EXPECT_EQ(error("if(1 < 2 m, 3, 4)"), "column 6: \"<\" joins a plain number and m");
  EXPECT_EQ(error("if(1, 2, 3)"), "column 1: if is written if(x < 1, a, b)");
  EXPECT_EQ(error("1 < 2"), "column 1: a comparison stands only in if(…, a, b)");
  EXPECT_EQ(error("[1, 2, 3]"),
            "column 1: a field takes numbers; there are no vectors and indices in it");
  EXPECT_EQ(error("2*N(3)"), "column 3: \"N\" is no function; a product is written with *");
  EXPECT_EQ(error("2 min(3, 4)"), "column 3: an operator such as * must stand before \"min\"");
  EXPECT_EQ(error("sqrt"), "column 5: \"(\" is expected here, not the end");
  EXPECT_EQ(error("2**3"), "column 2: a power is written ^, as in x^2, not **");
  EXPECT_TRUE(error("(1 week)", "s").starts_with("column 4: \"week\" is no unit"));
  EXPECT_EQ(error("2 atan2(1, 2)"), "column 3: an operator such as * must stand before \"atan2\"");
}

TEST(Expression, ConvertsUnits) {
  EXPECT_EQ(value("30 deg"), 30 * (pi / 180));
  EXPECT_EQ(value("30°"), value("30 deg"));
  EXPECT_EQ(value("sin(30 deg)"), std::sin(30 * (pi / 180)));
  EXPECT_EQ(value("2 rad"), 2);
  EXPECT_EQ(value("180 deg/s", "rad/s"), pi);
  EXPECT_EQ(value("57 cm", "m"), 0.57) << "prefixes do not round";
  EXPECT_EQ(value("1/2 m", "m"), 0.5) << "a unit multiplies the product before it";
  EXPECT_EQ(value("1 m + 2 cm", "m"), 1.02);
  EXPECT_EQ(value("250 g", "kg"), 0.25);
  EXPECT_EQ(value("3 ms", "s"), 0.003);
  EXPECT_EQ(value("5 µs", "s"), 5e-6);
  EXPECT_EQ(value("2 kg m²/s²", "J"), 2);
  EXPECT_EQ(value("3 kN m", "N m"), 3000);
  EXPECT_EQ(value("2 N/mm", "N/m"), 2000);
  EXPECT_EQ(value("9.81 m/s^2", "m/s²"), 9.81);
  EXPECT_EQ(value("2 s^-1", "rad/s"), 2);
  EXPECT_EQ(value("1500 mm", "cm"), 150);
  EXPECT_EQ(value("3", "steps"), 3);
  EXPECT_EQ(value("90 min", "h"), 1.5);
  EXPECT_EQ(value("2 d + 1 h", "s"), 176400);
  EXPECT_EQ(value("3 mT", "N/(A m)"), 0.003);
}

TEST(Expression, ATurnPerSecondIs2PiRadiansPerSecond) {
  EXPECT_DOUBLE_EQ(value("1.5 Hz", "rad/s"), 3 * pi);
  EXPECT_DOUBLE_EQ(value("30 rpm", "rad/s"), pi);
  EXPECT_DOUBLE_EQ(value("2 kHz", "deg/s"), 720000);
  EXPECT_DOUBLE_EQ(value("3 rad/s", "Hz"), 3 / (2 * pi));
  EXPECT_DOUBLE_EQ(value("180 deg/min", "Hz"), 1.0 / 120);
  EXPECT_DOUBLE_EQ(value("180 deg/min", "rad/s"), pi / 60);
  EXPECT_DOUBLE_EQ(value("1 Hz^2", "rad^2/s^2"), 4 * pi * pi);
  EXPECT_EQ(value("30 rpm", "Hz"), 0.5);
  EXPECT_EQ(value("90 rpm", "rpm"), 90);
  EXPECT_EQ(value("2 rad/s", "rad/s"), 2);
  // 1/s goes with both.
  EXPECT_EQ(value("2/s", "rad/s"), 2);
  EXPECT_EQ(value("2/s", "Hz"), 2);
  EXPECT_EQ(value("2 Hz", "1/s"), 2);
  EXPECT_EQ(value("2*pi*1.5/s", "rad/s"), value("2*pi*1.5", "rad/s"));
  EXPECT_EQ(value("2 Hz + 1/s", "Hz"), 3);
  EXPECT_EQ(error("1 rad/s + 2 Hz", "rad/s"), "column 9: \"+\" joins rad s^-1 and Hz");
  EXPECT_EQ(error("1/s + 1 Hz - 2 rad/s", "Hz"), "column 12: \"-\" joins Hz and rad s^-1");
  // A factor of 2π would be applied twice.
  EXPECT_EQ(
      error("2*pi*1.5 Hz", "rad/s"),
      "column 1: the value is converted from Hz to rad/s with 1 Hz = 2π rad/s, and contains π "
      "already; leave that factor out, or write the unit with 1/s");
  EXPECT_NE(error("3/(2*π) rad/s", "Hz"), "no error");
  EXPECT_DOUBLE_EQ(value("2*cos(pi/3) Hz", "rad/s"), 2 * pi) << "in brackets it is another";
  EXPECT_EQ(value("2*pi Hz", "Hz"), 2 * pi);
}

TEST(Expression, SaysWhereItIsWrongAndWhatIsAllowed) {
  EXPECT_EQ(error(""), "column 1: a number is expected");
  EXPECT_EQ(error("1 +"), "column 4: the expression ends too early");
  EXPECT_EQ(error("1 + * 2"), "column 5: a number is expected here, not \"*\"");
  EXPECT_EQ(error("2 3"), "column 3: an operator such as * must stand before \"3\"");
  EXPECT_EQ(error("2(3)"), "column 2: an operator such as * must stand before \"(\"");
  EXPECT_EQ(error("2 pi"), "column 3: an operator such as * must stand before \"pi\"");
  EXPECT_EQ(error("1.2.3"), "column 4: an operator such as * must stand before \".3\"");
  EXPECT_EQ(error("(1 + 2"), "column 7: \")\" is expected here, not the end");
  EXPECT_EQ(error("1)"), "column 2: \")\" closes no bracket");
  EXPECT_EQ(error("1, 2"),
            "column 2: a comma separates only the values of a function or of a list");
  EXPECT_EQ(error("sqrt 2"), "column 6: \"(\" is expected here, not \"2\"");
  EXPECT_EQ(error("sqrt(2, 3)"), "column 1: sqrt is written sqrt(x)");
  EXPECT_EQ(error("atan2(1)"), "column 1: atan2 is written atan2(y, x)");
  EXPECT_TRUE(
      error("2·sqr(2)").starts_with("column 3: \"sqr\" is not known; did you mean sqrt? the names"))
      << "columns count characters, not bytes";
  EXPECT_TRUE(error("1 € 2").starts_with("column 3: \"€\" has no meaning here; allowed are"));
  EXPECT_TRUE(error("0x10").starts_with("column 2: \"x10\" is no unit; the units are rad, deg"));
  EXPECT_TRUE(error("1 week", "s").starts_with("column 3: \"week\" is no unit"));
  EXPECT_TRUE(error("30 dge").starts_with("column 4: \"dge\" is no unit; did you mean deg?"));
  EXPECT_EQ(error("N m s", "N m s"),
            "column 1: \"N m s\" is a unit without a number; write 1 N m s");
  EXPECT_EQ(error("s^-1", "Hz"), "column 1: \"s^-1\" is a unit without a number; write 1 s^-1");
  EXPECT_EQ(error("5 kg", "m"), "column 1: the value must be in m, not in kg");
  EXPECT_EQ(error("30 deg", "kg"), "column 1: the value must be in kg, not in rad");
  EXPECT_EQ(error("5 rpm", "kg"), "column 1: the value must be in kg, not in Hz");
  EXPECT_EQ(error("5 kg"), "column 1: the value must be in plain numbers, not in kg");
  EXPECT_EQ(error("3 s", "steps"), "column 1: the value must be in steps, not in s");
  EXPECT_EQ(error("1 m + 2", "m"), "column 5: \"+\" joins m and a plain number");
  EXPECT_EQ(error("sin(1 m)", "m"), "column 1: sin takes a plain number, not m");
  EXPECT_EQ(error("2^(1 s)"), "column 2: an exponent must be a plain number, not s");
  EXPECT_EQ(error("(4 m²)^0.5", "m"), "column 7: units have whole exponents up to 16, not 0.5");
}

TEST(Expression, NamesDimensionsByTheUnitsOfTheField) {
  const std::pair<const char*, const char*> quantities[] = {
      {"1 kg m^2/s^2", "J"}, {"2 N m s", "J s"},     {"1 kg m/s", "N s"}, {"3 N/m", "N m^-1"},
      {"1 J/s", "J s^-1"},   {"1 kg m^2", "kg m^2"}, {"1 kg m", "kg m"},  {"1 kg/s", "kg s^-1"},
      {"1 mT", "T"},         {"1 N/A^2", "N A^-2"},  {"1/J", "J^-1"},     {"1 m/s^2", "m s^-2"},
      {"1 A m^2", "m^2 A"},  {"1 J Hz", "J Hz"}};
  for (const auto& [text, named] : quantities)
    EXPECT_EQ(error(text, "rad"),
              std::string("column 1: the value must be in rad, not in ") + named)
        << text;
}

TEST(Expression, ShowsTypedPowersOfUnitsAsSuch) {
  for (const auto& [typed, shown] :
       {std::pair("m/s^2", "m/s²"), std::pair("kg m^2/s", "kg m²/s"),
        std::pair("m^3 s^-2", "m³ s^-2"), std::pair("N m", "N m"), std::pair("1", "1")}) {
    EXPECT_EQ(shown_unit(typed), shown);
    EXPECT_EQ(read_unit(shown_unit(typed))->dimension, read_unit(typed)->dimension) << typed;
  }
}

TEST(Expression, IsFinite) {
  EXPECT_EQ(error("1/0"), "column 2: 1 / 0 is not a finite number");
  EXPECT_EQ(error("0/0"), "column 2: 0 / 0 is not a finite number");
  EXPECT_EQ(error("1 + sqrt(-1)"), "column 5: sqrt(-1) is not a finite number");
  EXPECT_EQ(error("log(0)"), "column 1: log(0) is not a finite number");
  EXPECT_EQ(error("1e200*1e200"), "column 6: 1e+200 * 1e+200 is not a finite number");
  EXPECT_EQ(error("(-8)^(1/3)").substr(0, 10), "column 5: ");
  EXPECT_EQ(error("1e999"), "column 1: 1e999 exceeds the range of a double");
  for (const char* word : {"inf", "nan", "-inf", "infinity"})
    EXPECT_TRUE(says(error(word), "is not known")) << word;
  EXPECT_EQ(error("1e-3 - 1e308*10"), "column 13: 1e+308 * 10 is not a finite number");
  EXPECT_NE(error("1e308 Gm", "m"), "no error");
}

TEST(Expression, BoundsItsDepth) {
  const auto nested = [](int depth) {
    return std::string(depth, '(') + "1" + std::string(depth, ')');
  };
  EXPECT_EQ(value(nested(60)), 1);
  EXPECT_EQ(value(nested(63)), 1);
  std::string sums = "1";
  for (int i = 0; i < 62; ++i) sums = "(2*" + sums + "^1+3)";
  EXPECT_GT(value(sums), 1) << "of products of powers";
  EXPECT_NE(error("2" + std::string(100, '^') + "1"), "no error");
  std::string squares = "1";
  for (int i = 0; i < 100000; ++i) squares += "²";
  EXPECT_TRUE(says(error(squares), "nested deeper"));
  EXPECT_TRUE(says(error(nested(100)), "nested deeper than 64"));
  EXPECT_TRUE(says(error(nested(1000000)), "nested deeper than 64"));
  std::string signs(1000000, '-');
  signs += '1';
  EXPECT_TRUE(says(error(signs), "nested deeper"));
  EXPECT_TRUE(says(error("((((m^16)^16)^16)^16)^16"), "exponents"));
  std::string tower = "1", sum = "1";
  for (int i = 0; i < 1000; ++i) tower += "^1", sum += "+1";
  EXPECT_TRUE(says(error(tower), "nested deeper"));
  EXPECT_EQ(value(sum), 1001) << "a long sum is not deep";
}

}  // namespace
}  // namespace twosphere::evaluate_test
