// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace twosphere::ui {

/// A range of an axis, low < high. On a logarithmic axis both are log10 of the value.
struct Interval {
  double low = 0, high = 1;

  double span() const { return high - low; }
  bool operator==(const Interval&) const = default;
};

/// The scale of an axis.
enum class Scale {
  linear,
  logarithmic,  ///< log10 |value|; exact zeros are drawn separately
  symlog,       ///< linear near 0, logarithmic beyond, for both signs
};

/// Maps values to the coordinate of the axis, and back.
struct Transform {
  Scale scale = Scale::linear;
  int linear_threshold =
      0;  ///< symlog: linear for |value| ≤ 10^linear_threshold, one unit per decade beyond
  bool whole = false;  ///< linear: integer values, with ticks only at integers

  /// Linear: v. Logarithmic: log10 |v|, −∞ for 0. Symlog: v/10^linear_threshold up to the
  /// threshold, beyond it ±(1 + log10 |v/10^linear_threshold|).
  double forward(double value) const;
  double backward(double at) const;
  bool operator==(const Transform&) const = default;
};

/// The smallest of 1, 2, 5 × 10ᵏ that divides `span` into at most `max_labels` parts; at least 1
/// for integers.
double tick_step(double span, int max_labels, bool whole = false);
/// The multiples of tick_step() in the range, at most `max_labels` + 1.
std::vector<double> linear_ticks(Interval range, int max_labels, bool whole = false);

/// Decades in a range of log10, and 2 … 9 times them if there is room.
struct LogTicks {
  std::vector<int> decades;   ///< exponents with a label
  std::vector<double> minor;  ///< log10 of the values without a label
};
LogTicks log_ticks(Interval range, int max_labels);

/// The format of tick labels: value = offset + label · 10^exponent.
struct Labelling {
  double offset = 0;
  int exponent = 0;
  int decimals = 0;
};
/// Chooses the format: with an offset if the range is small compared with the values, with an
/// exponent if labels would be long.
Labelling labelling(Interval range, double step);
std::string tick_label(const Labelling& labelling, double value);
/// "+1.605 J", "×10⁻⁶", "+1.605 J + … ×10⁻⁶ J" (the dots represent the label), or empty.
std::string note(const Labelling& labelling, std::string_view unit);
/// "10⁻³"
std::string power_of_ten(int exponent);

/// The ticks of an axis, in its own coordinate.
struct Ticks {
  struct Label {
    double at;
    std::string text;
  };
  std::vector<Label> labels;
  std::vector<double> minor;  ///< ticks without a label, on logarithmic ranges
  std::string note;           ///< offset and factor of the labels: note()
};
/// 1-2-5 steps on a linear axis, decades on the others, at most about `max_labels` labels.
Ticks axis_ticks(const Transform& transform, Interval range, int max_labels, std::string_view unit);

/// The range of a linear axis for data from low to high: with a margin, extended to the next tick.
/// For a constant it extends by a tenth of the value to either side, for 0 or an integer by 1.
Interval fit_linear(double low, double high, int max_labels, bool whole = false);
/// The same for a logarithmic axis and positive data: whole decades, at least two.
Interval fit_log(double low, double high);
/// The same for a symlog axis: whole decades on the sides that have data, at least one.
Interval fit_symlog(const Transform& transform, double low, double high);
/// The linear threshold of a symlog axis for data with magnitudes up to `largest`, most of them
/// above `typical`, both > 0: between one and six decades below the largest.
int symlog_zone(double typical, double largest);
/// The smallest of 1, 1.5, 2, 3, 4, 6, 8, 10 × 10ᵏ that is ≥ x > 0: for a time axis that grows in
/// steps.
double round_up(double x);

/// Zooms about a fixed point; factor < 1 shows less.
Interval zoomed(Interval range, double about, double factor);
Interval shifted(Interval range, double by);

/// Replaces the hyphen of a formatted number by a minus sign: "−0.5"; negative zero has none.
std::string with_minus(std::string text);
/// The text for a value that is not a number.
inline constexpr std::string_view no_number = "—";
/// With so many significant digits: "−9.81"; `zeros` keeps those at the end, "−9.810".
std::string significant(double value, int digits, bool zeros = false);
/// A measured number with 3 significant digits; no_number if it is not finite.
std::string result_number(double value);
/// A number with 4 to 6 significant digits: "9.810", "0.01000", "1.000e-05".
std::string short_number(double value);
/// A number of fixed width for a column of errors: "2.083e-03".
std::string error_number(double value);
/// The number of decimals, 3 to 6, needed for times in steps of `step`.
int time_decimals(double step);

}  // namespace twosphere::ui
