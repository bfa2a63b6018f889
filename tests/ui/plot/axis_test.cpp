// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/axis.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>

namespace twosphere::ui::axis_test {
namespace {

TEST(Axis, TickStepsAreOneTwoFive) {
  EXPECT_DOUBLE_EQ(tick_step(10, 10), 1);
  EXPECT_DOUBLE_EQ(tick_step(10, 9), 2);
  EXPECT_DOUBLE_EQ(tick_step(10, 4), 5);
  EXPECT_DOUBLE_EQ(tick_step(10, 1), 10);
  EXPECT_DOUBLE_EQ(tick_step(3e-7, 4), 1e-7);
  EXPECT_DOUBLE_EQ(tick_step(0.7, 5), 0.2);
}

TEST(Axis, LinearTicksLieInTheRangeEvenlyAndNotTooMany) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> place(-100, 100), decade(-6, 6);
  for (int i = 0; i < 2000; ++i) {
    const double low = place(random), span = std::pow(10, decade(random));
    const Interval range{low, low + span};
    for (const int most : {2, 5, 9}) {
      const auto ticks = linear_ticks(range, most);
      const double step = tick_step(span, most);
      ASSERT_LE(ticks.size(), static_cast<std::size_t>(most) + 1);
      for (std::size_t k = 0; k < ticks.size(); ++k) {
        ASSERT_GE(ticks[k], range.low - 1e-5 * step);
        ASSERT_LE(ticks[k], range.high + 1e-5 * step);
        if (k) {
          ASSERT_NEAR(ticks[k] - ticks[k - 1], step, 1e-6 * step + 1e-12);
        }
      }
      // No room for another one at either end.
      if (!ticks.empty()) {
        ASSERT_GT(ticks.front() - step, range.low - 1e-3 * step - step);
        ASSERT_GT(ticks.back() + step, range.high);
      }
    }
  }
}

TEST(Axis, LogTicksLabelDecadesAndThinThemOut) {
  const LogTicks few = log_ticks({-4, -1}, 6);
  EXPECT_EQ(few.decades, (std::vector<int>{-4, -3, -2, -1}));
  EXPECT_EQ(few.minor.size(), 24u);
  for (const double m : few.minor) EXPECT_TRUE(m > -4 && m < -1);
  const LogTicks many = log_ticks({-17, 1}, 6);
  EXPECT_LE(many.decades.size(), 6u);
  for (std::size_t i = 1; i < many.decades.size(); ++i)
    EXPECT_EQ(many.decades[i] - many.decades[i - 1], many.decades[1] - many.decades[0]);
  // Decades without a label keep a tick.
  EXPECT_EQ(many.decades.size() + many.minor.size(), 19u);
}

TEST(Axis, LabelsGiveTheValueBack) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> place(-200, 200), decade(-9, 3);
  for (int i = 0; i < 2000; ++i) {
    const double middle = place(random), span = std::pow(10, decade(random));
    const Interval range{middle - span / 2, middle + span / 2};
    const double step = tick_step(span, 6);
    const Labelling how = labelling(range, step);
    for (const double v : linear_ticks(range, 6)) {
      std::string label = tick_label(how, v);
      ASSERT_LE(label.size(), 11u) << label;
      if (label.starts_with("−")) label = "-" + label.substr(std::string("−").size());
      const double back =
          how.offset + std::strtod(label.c_str(), nullptr) * std::pow(10, how.exponent);
      ASSERT_NEAR(back, v, 0.01 * step + 1e-12 * std::abs(v)) << label;
    }
  }
}

TEST(Axis, OffsetOnlyWhereTheRangeIsTinyBesideTheValue) {
  const Labelling tiny = labelling({1.6049, 1.6051}, 5e-5);
  EXPECT_EQ(note(tiny, "J").substr(0, 8), "+1.605 J");
  EXPECT_NE(tiny.exponent, 0);
  const Labelling plain = labelling({-70, -120}, 10);
  EXPECT_EQ(note(plain, "J"), "");
  EXPECT_EQ(tick_label(plain, -80), "−80");
  EXPECT_EQ(tick_label(plain, -0.0), "0");
  // Fractions that begin with zeros are short with a power of ten.
  EXPECT_EQ(labelling({1.230e-3, 1.236e-3}, 1e-6).exponent, -3);
  EXPECT_EQ(note(labelling({0, 3e-6}, 1e-6), "J"), "×10⁻⁶");
  // The power of ten belongs to the labels, not to what is added.
  EXPECT_EQ(note({-0.00124597, -9, 1}, "J"), "−0.00124597 J + … ×10⁻⁹ J");
  EXPECT_EQ(note({0.9162, -5, 1}, "1"), "+0.9162 + … ×10⁻⁵");
  EXPECT_EQ(note({1.605, 0, 4}, "J"), "+1.605 J");
  EXPECT_EQ(note({-18.41, 0, 4}, "J"), "+ (−18.41 J)");
  EXPECT_EQ(power_of_ten(-12), "10⁻¹²");
}

TEST(Axis, FittedRangesHoldTheData) {
  std::mt19937 random(13);
  std::uniform_real_distribution<double> place(-100, 100), decade(-12, 3);
  for (int i = 0; i < 2000; ++i) {
    const double low = place(random), high = low + std::pow(10, decade(random));
    const Interval linear = fit_linear(low, high, 5);
    ASSERT_LT(linear.low, low);
    ASSERT_GT(linear.high, high);
    ASSERT_LT(linear.span(), 8 * (high - low) + 1e-10);
    const double a = std::pow(10, decade(random)), b = a * 3.7;
    const Interval log = fit_log(a, b);
    ASSERT_LE(log.low, std::log10(a));
    ASSERT_GE(log.high, std::log10(b));
    ASSERT_GE(log.span(), 2);
  }
  const Interval constant = fit_linear(5, 5, 5);
  EXPECT_LT(constant.low, 5);
  EXPECT_GT(constant.high, 5);
  EXPECT_GT(constant.span(), 0.5) << "in the scale of the value";
  EXPECT_LT(constant.span(), 2.5);
  EXPECT_EQ(fit_linear(0, 0, 5), (Interval{-1, 1}));
  EXPECT_LE(fit_linear(-9.81, -9.81, 5).low, -10.5);
  // Of one sign the range is, too.
  for (const int most : {2, 5, 9}) {
    EXPECT_EQ(fit_linear(0, 36.6, most).low, 0);
    EXPECT_EQ(fit_linear(0.1, 36.6, most).low, 0);
    EXPECT_EQ(fit_linear(-36.6, 0, most).high, 0);
    EXPECT_LT(fit_linear(-0.1, 36.6, most).low, -0.1);
    EXPECT_GE(fit_linear(0, 36.6, most).high, 36.6);
  }
}

TEST(Axis, CountsHaveTicksAtWholeNumbers) {
  EXPECT_EQ(fit_linear(2, 2, 5, true), (Interval{1, 3}));
  EXPECT_EQ(fit_linear(0, 0, 5, true), (Interval{0, 1}));
  EXPECT_EQ(fit_linear(2, 3, 5, true), (Interval{1, 4}));
  for (const double high : {0.0, 1.0, 2.0, 7.0, 40.0, 123'456.0})
    for (const int most : {2, 5, 9}) {
      const Interval range = fit_linear(0, high, most, true);
      EXPECT_EQ(range.low, 0);
      EXPECT_GE(range.high, std::max(high, 1.0));
      const Ticks ticks = axis_ticks({Scale::linear, 0, true}, range, most, "1");
      EXPECT_GE(ticks.labels.size(), 2u);
      for (const Ticks::Label& label : ticks.labels) {
        EXPECT_EQ(label.at, std::round(label.at));
        if (ticks.note.empty()) {
          EXPECT_EQ(label.text.find('.'), label.text.npos) << label.text;
        }
      }
    }
  // Zoomed in between two of them.
  for (const Ticks::Label& label : axis_ticks({Scale::linear, 0, true}, {1.7, 2.2}, 5, "1").labels)
    EXPECT_EQ(label.text, "2");
}

TEST(Axis, TimeGrowsInRoundSteps) {
  EXPECT_DOUBLE_EQ(round_up(1), 1);
  EXPECT_DOUBLE_EQ(round_up(1.01), 1.5);
  EXPECT_DOUBLE_EQ(round_up(52.3), 60);
  EXPECT_DOUBLE_EQ(round_up(85), 100);
  EXPECT_DOUBLE_EQ(round_up(0.0021), 0.003);
}

TEST(Axis, ZoomKeepsThePointAndStopsAtRounding) {
  const Interval range = zoomed({0, 10}, 2, 0.5);
  EXPECT_DOUBLE_EQ(range.low, 1);
  EXPECT_DOUBLE_EQ(range.high, 6);
  Interval deep{0, 10};
  for (int i = 0; i < 1000; ++i) deep = zoomed(deep, 3, 0.5);
  EXPECT_GT(deep.span(), 0);
  EXPECT_LE(deep.low, 3);
  EXPECT_GE(deep.high, 3);
  for (int i = 0; i < 1000; ++i) deep = zoomed(deep, 3, 2);
  EXPECT_TRUE(std::isfinite(deep.span()));
}

TEST(Axis, NumbersHaveFourToSixDigits) {
  EXPECT_EQ(significant(-9.81, 4), "−9.81");
  EXPECT_EQ(significant(-9.81, 4, true), "−9.810");
  EXPECT_EQ(significant(1e-5, 6), "1e-05");
  EXPECT_EQ(short_number(1), "1.000");
  EXPECT_EQ(short_number(9.81), "9.810");
  EXPECT_EQ(short_number(0.01), "0.01000");
  EXPECT_EQ(short_number(1e-5), "1.000e-05");
  EXPECT_EQ(short_number(1.23456), "1.23456");
  EXPECT_EQ(short_number(1.0 / 3), "0.333333");
  EXPECT_EQ(short_number(1500), "1500");
  EXPECT_EQ(short_number(0), "0.000");
  EXPECT_EQ(short_number(-2.5), "−2.500");
  EXPECT_EQ(error_number(0.0020832), "2.083e-03");
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (const std::string& text : {significant(nan, 4), short_number(nan), error_number(nan)})
    EXPECT_EQ(text, "—");
  EXPECT_EQ(time_decimals(0.01), 3);
  EXPECT_EQ(time_decimals(1e-4), 4);
  EXPECT_EQ(time_decimals(1e-9), 6);
}

TEST(Axis, TransformsGoBothWaysAndRise) {
  for (const Transform t :
       {Transform{Scale::linear, 0}, Transform{Scale::symlog, -6}, Transform{Scale::symlog, 2}}) {
    double before = -INFINITY;
    for (const double v :
         {-1e9, -123.0, -1e-3, -1e-6, -1e-8, 0.0, 1e-8, 1e-6, 2e-6, 1e-3, 50.0, 100.0, 1e9}) {
      const double at = t.forward(v);
      EXPECT_GT(at, before);
      EXPECT_NEAR(t.backward(at), v, 1e-12 * std::abs(v));
      before = at;
    }
  }
  const Transform log{Scale::logarithmic, 0};
  EXPECT_DOUBLE_EQ(log.forward(-1e-5), -5);
  EXPECT_DOUBLE_EQ(log.backward(-5), 1e-5);
  EXPECT_EQ(log.forward(0), -INFINITY);
  // One unit per decade outside the linear threshold, one for the zone's half.
  const Transform symlog{Scale::symlog, -4};
  EXPECT_DOUBLE_EQ(symlog.forward(1e-4), 1);
  EXPECT_DOUBLE_EQ(symlog.forward(-1e-2), -3);
  EXPECT_DOUBLE_EQ(symlog.forward(5e-5), 0.5);
}

TEST(Axis, SymlogTicksAreDecadesAboutZero) {
  const Transform t{Scale::symlog, -6};
  const Ticks ticks = axis_ticks(t, {-3, 2}, 8, "J");
  std::vector<std::string> labels;
  for (const Ticks::Label& l : ticks.labels) {
    labels.push_back(l.text);
    EXPECT_EQ(l.at, std::round(l.at));
  }
  EXPECT_EQ(labels, (std::vector<std::string>{"−10⁻⁴", "−10⁻⁵", "−10⁻⁶", "0", "10⁻⁶", "10⁻⁵"}));
  // 2 … 9 times the decades, none inside the linear threshold.
  EXPECT_EQ(ticks.minor.size(), 3u * 8);
  for (const double at : ticks.minor) EXPECT_GT(std::abs(at), 1);
  // Few labels stand apart, zero among them.
  const Ticks few = axis_ticks(t, {-6, 6}, 3, "J");
  ASSERT_EQ(few.labels.size(), 3u);
  EXPECT_EQ(few.labels[1].text, "0");
  EXPECT_GE(few.labels[2].at, 4);
}

TEST(Axis, SymlogFitsBothSides) {
  EXPECT_EQ(symlog_zone(1e-9, 0.5), -6);
  EXPECT_EQ(symlog_zone(2e-3, 0.5), -3);
  EXPECT_EQ(symlog_zone(0.4, 0.5), -1);
  const Transform t{Scale::symlog, -3};
  const Interval range = fit_symlog(t, -0.2, 0.004);
  EXPECT_EQ(range.low, -4);
  EXPECT_EQ(range.high, 2);
  EXPECT_EQ(fit_symlog(t, 0.001, 0.2).low, 0);
  EXPECT_EQ(fit_symlog(t, -0.2, -0.001).high, 0);
}

}  // namespace
}  // namespace twosphere::ui::axis_test
