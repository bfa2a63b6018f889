// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace twosphere::ui {

/// A stretch of an axis, low < high. On a log axis both are log10 of the value.
struct Interval {
  double low = 0, high = 1;

  double span() const { return high - low; }
  bool operator==(const Interval&) const = default;
};

/// The smallest of 1, 2, 5 × 10ᵏ that divides `span` into at most `most` parts.
double tick_step(double span, int most);
/// The multiples of a 1-2-5 step inside the range, at most `most` + 1.
std::vector<double> linear_ticks(Interval range, int most);

/// Decades inside a range of log10, and 2 … 9 times them where they fit.
struct LogTicks {
  std::vector<int> decades;   ///< exponents that carry a label
  std::vector<double> minor;  ///< log10 of the values without one
};
LogTicks log_ticks(Interval range, int most);

/// How tick labels are written: value = offset + label · 10^exponent.
struct Labelling {
  double offset = 0;
  int exponent = 0;
  int decimals = 0;
};
/// An offset is taken out where the range is tiny beside the value, an exponent where labels would
/// be long.
Labelling labelling(Interval range, double step);
std::string tick_label(const Labelling& labelling, double value);
/// "+1.605 J", "×10⁻⁶", "+1.605 J  ×10⁻⁶", or empty.
std::string note(const Labelling& labelling, std::string_view unit);
/// "10⁻³"
std::string power_of_ten(int exponent);

/// The range that shows data from low to high on a linear axis: a margin, then out to the next
/// tick.
Interval fit_linear(double low, double high, int most);
/// The same on a log axis, for positive data: whole decades, at least two.
Interval fit_log(double low, double high);
/// The least of 1, 1.5, 2, 3, 4, 6, 8, 10 × 10ᵏ that is ≥ x > 0: a time axis that grows in steps.
double round_up(double x);

/// Zoomed about a point that stays where it is; factor < 1 shows less.
Interval zoomed(Interval range, double about, double factor);
Interval shifted(Interval range, double by);

/// A formatted number with a minus as wide as the plus: "−0.5"; a negative zero loses it.
std::string with_minus(std::string text);
/// A number with 4 to 6 significant digits: "9.810", "0.01000", "1.000e-05".
std::string short_number(double value);
/// A figure of fixed width for a column of errors: "2.083e-03".
std::string error_number(double value);
/// As many decimals as a time in steps of h needs, between 3 and 6.
int time_decimals(double step);

}  // namespace twosphere::ui
