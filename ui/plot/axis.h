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

/// How values stand along an axis.
enum class Scale {
  linear,
  logarithmic,  ///< log10 |value|; exact zeros stand apart
  symlog,       ///< logarithmic on either side of a linear zone about 0
};

/// From values to the coordinate in which an axis is even, and back.
struct Transform {
  Scale scale = Scale::linear;
  int linear_threshold =
      0;  ///< symlog: linear where |value| ≤ 10^linear_threshold, one unit per decade beyond
  bool whole = false;  ///< linear: of whole numbers, and ticks only at them

  /// linear v; logarithmic log10 |v| (−∞ for 0); symlog v/10^linear_threshold within the linear
  /// threshold, beyond it ±(1 + log10 |v/10^linear_threshold|).
  double forward(double value) const;
  double backward(double at) const;
  bool operator==(const Transform&) const = default;
};

/// The smallest of 1, 2, 5 × 10ᵏ that divides `span` into at most `most` parts; of whole numbers at
/// least 1.
double tick_step(double span, int most, bool whole = false);
/// The multiples of such a step inside the range, at most `most` + 1.
std::vector<double> linear_ticks(Interval range, int most, bool whole = false);

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
/// "+1.605 J", "×10⁻⁶", "+1.605 J + … ×10⁻⁶ J" where labels stand for the dots, or empty.
std::string note(const Labelling& labelling, std::string_view unit);
/// "10⁻³"
std::string power_of_ten(int exponent);

/// What an axis is marked with. Places are in its own coordinate.
struct Ticks {
  struct Label {
    double at;
    std::string text;
  };
  std::vector<Label> labels;
  std::vector<double> minor;  ///< without a label, on logarithmic stretches
  std::string note;           ///< what has to be added or multiplied: note()
};
/// 1-2-5 steps on a linear axis, decades on the others, at most about `most` labels.
Ticks axis_ticks(const Transform& transform, Interval range, int most, std::string_view unit);

/// The range that shows data from low to high on a linear axis: a margin, then out to the next
/// tick. About a constant it is a tenth of it to either side, about 0 and a whole number 1.
Interval fit_linear(double low, double high, int most, bool whole = false);
/// The same on a log axis, for positive data: whole decades, at least two.
Interval fit_log(double low, double high);
/// The same on a symlog axis: whole decades on the sides that have data, at least one.
Interval fit_symlog(const Transform& transform, double low, double high);
/// The linear threshold of a symlog axis for data up to `largest` in magnitude of which most is
/// above `typical`, both > 0: between one and six decades below the largest.
int symlog_zone(double typical, double largest);
/// The least of 1, 1.5, 2, 3, 4, 6, 8, 10 × 10ᵏ that is ≥ x > 0: a time axis that grows in steps.
double round_up(double x);

/// Zoomed about a point that stays where it is; factor < 1 shows less.
Interval zoomed(Interval range, double about, double factor);
Interval shifted(Interval range, double by);

/// A formatted number with a minus as wide as the plus: "−0.5"; a negative zero loses it.
std::string with_minus(std::string text);
/// With so many significant digits: "−9.81"; `zeros` keeps those at the end, "−9.810".
std::string significant(double value, int digits, bool zeros = false);
/// A number with 4 to 6 significant digits: "9.810", "0.01000", "1.000e-05".
std::string short_number(double value);
/// A figure of fixed width for a column of errors: "2.083e-03".
std::string error_number(double value);
/// As many decimals as a time in steps of h needs, between 3 and 6.
int time_decimals(double step);

}  // namespace twosphere::ui
