// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/axis.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace twosphere::ui {

namespace {

// Narrower ranges, relative to their values, cannot be resolved in double precision.
constexpr double resolution = 1e-14;
// Largest number of decimals of a label that begins with zeros.
constexpr int longest_fraction = 5;

std::string superscript(int number) {
  static constexpr std::array<std::string_view, 10> digits{"⁰", "¹", "²", "³", "⁴",
                                                           "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string result = number < 0 ? "⁻" : "";
  for (const char c : std::to_string(std::abs(number)))
    result += digits[static_cast<std::size_t>(c - '0')];
  return result;
}

int decimals_for(double step) {
  return std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-9)), 0, 17);
}

/// The fewest decades from one label to the next with at most `max_labels` labels; `labels(step)`
/// is their number.
template <class Labels>
int label_step(int max_labels, const Labels& labels) {
  for (const int step : {1, 2, 3, 4, 5, 10, 20, 50})
    if (labels(step) <= max_labels) return step;
  return 100;
}

}  // namespace

std::string with_minus(std::string text) {
  if (!text.starts_with('-')) return text;
  // "-0.00" is zero.
  if (text.find_first_of("123456789") == std::string::npos) return text.substr(1);
  return "−" + text.substr(1);
}

double Transform::forward(double value) const {
  const double size = std::abs(value);
  switch (scale) {
    case Scale::linear:
      return value;
    case Scale::logarithmic:
      return std::log10(size);
    case Scale::symlog:
      break;
  }
  const double part = size / std::pow(10, linear_threshold);
  return std::copysign(part <= 1 ? part : 1 + std::log10(size) - linear_threshold, value);
}

double Transform::backward(double at) const {
  switch (scale) {
    case Scale::linear:
      return at;
    case Scale::logarithmic:
      return std::pow(10, at);
    case Scale::symlog:
      break;
  }
  const double size = std::abs(at);
  const double value =
      size <= 1 ? size * std::pow(10, linear_threshold) : std::pow(10, size - 1 + linear_threshold);
  return std::copysign(value, at);
}

double tick_step(double span, int max_labels, bool whole) {
  const double raw = whole ? std::max(span / max_labels, 1.0) : span / max_labels;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= raw * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

std::vector<double> linear_ticks(Interval range, int max_labels, bool whole) {
  std::vector<double> ticks;
  const double step = tick_step(range.span(), max_labels, whole);
  const double first = std::ceil(range.low / step - 1e-6);
  for (double k = first; k * step <= range.high + 1e-6 * step; ++k) {
    ticks.push_back(k * step);
    // Steps below the spacing of doubles do not advance.
    if (static_cast<int>(ticks.size()) > max_labels) break;
  }
  return ticks;
}

LogTicks log_ticks(Interval range, int max_labels) {
  LogTicks ticks;
  const int first = static_cast<int>(std::ceil(range.low - 1e-9));
  const int last = static_cast<int>(std::floor(range.high + 1e-9));
  const int every = label_step(max_labels, [&](int step) {
    int labels = 0;
    for (int k = first; k <= last; ++k) labels += k % step == 0;
    return labels;
  });
  for (int k = first; k <= last; ++k) {
    if (k % every == 0)
      ticks.decades.push_back(k);
    else
      ticks.minor.push_back(k);
  }
  if (every == 1)
    for (int k = first - 1; k <= last; ++k)
      for (int m = 2; m <= 9; ++m) {
        const double at = k + std::log10(m);
        if (at > range.low && at < range.high) ticks.minor.push_back(at);
      }
  return ticks;
}

Labelling labelling(Interval range, double step) {
  Labelling result;
  const double largest = std::max(std::abs(range.low), std::abs(range.high));
  double remaining = largest;
  // More than five digits before the last one that changes: take the common part out.
  if (largest > 2e4 * step) {
    const double grain = std::pow(10, std::ceil(std::log10(range.span())));
    result.offset = std::round((range.low + range.high) / 2 / grain) * grain;
    remaining = std::max(std::abs(range.low - result.offset), std::abs(range.high - result.offset));
  }
  const int magnitude = static_cast<int>(std::floor(std::log10(std::max(remaining, step))));
  const bool long_fraction = magnitude < -1 && decimals_for(step) > longest_fraction;
  if (magnitude >= 5 || magnitude < -3 || long_fraction) result.exponent = magnitude;
  result.decimals = decimals_for(step / std::pow(10, result.exponent));
  return result;
}

std::string tick_label(const Labelling& how, double value) {
  return with_minus(
      fmt::format("{:.{}f}", (value - how.offset) / std::pow(10, how.exponent), how.decimals));
}

std::string note(const Labelling& how, std::string_view given_unit) {
  const std::string unit = given_unit == "1" ? "" : fmt::format(" {}", given_unit);
  std::string factor = how.exponent != 0 ? "×" + power_of_ten(how.exponent) : std::string();
  if (how.offset == 0) return factor;
  const std::string offset =
      fmt::format("{}{:.12g}{}", how.offset < 0 ? "−" : "+", std::abs(how.offset), unit);
  if (!factor.empty()) return fmt::format("{} + … {}{}", offset, factor, unit);
  // In brackets, because it is added, and neither a value nor subtracted.
  return how.offset < 0 ? fmt::format("+ ({})", offset) : offset;
}

std::string power_of_ten(int exponent) { return "10" + superscript(exponent); }

namespace {

Ticks linear_axis(Interval range, int max_labels, bool whole, std::string_view unit) {
  Ticks ticks;
  const Labelling how = labelling(range, tick_step(range.span(), max_labels, whole));
  for (const double at : linear_ticks(range, max_labels, whole))
    ticks.labels.push_back({at, tick_label(how, at)});
  ticks.note = note(how, unit);
  return ticks;
}

Ticks symlog_axis(int linear_threshold, Interval range, int max_labels) {
  Ticks ticks;
  const int first = static_cast<int>(std::ceil(range.low - 1e-9));
  const int last = static_cast<int>(std::floor(range.high + 1e-9));
  // Zero, and steps of whole decades to either side of it.
  const int every = label_step(std::max(max_labels, 3), [&](int step) {
    return std::max(last, 0) / step + std::max(-first, 0) / step + 1;
  });
  for (int k = first; k <= last; ++k) {
    if (k == 0)
      ticks.labels.push_back({0, "0"});
    else if (k % every == 0)
      ticks.labels.push_back(
          {static_cast<double>(k),
           (k < 0 ? "−" : "") + power_of_ten(linear_threshold + std::abs(k) - 1)});
    else
      ticks.minor.push_back(k);
  }
  if (every > 1) return ticks;
  for (int k = 1; k <= std::max(last, -first) + 1; ++k)
    for (int m = 2; m <= 9; ++m)
      for (const double sign : {-1.0, 1.0}) {
        const double at = sign * (k + std::log10(m));
        if (at > range.low && at < range.high) ticks.minor.push_back(at);
      }
  return ticks;
}

}  // namespace

Ticks axis_ticks(const Transform& transform, Interval range, int max_labels,
                 std::string_view unit) {
  if (transform.scale == Scale::linear)
    return linear_axis(range, max_labels, transform.whole, unit);
  if (transform.scale == Scale::symlog)
    return symlog_axis(transform.linear_threshold, range, max_labels);
  const LogTicks log = log_ticks(range, max_labels);
  Ticks ticks;
  for (const int k : log.decades) ticks.labels.push_back({static_cast<double>(k), power_of_ten(k)});
  ticks.minor = log.minor;
  return ticks;
}

Interval fit_linear(double low, double high, int max_labels, bool whole) {
  const double largest = std::max(std::abs(low), std::abs(high));
  double half = 0.5 * (high - low) * 1.08;
  // A constant is shown in the scale of its value, rounding errors in their own.
  if (high > low)
    half = std::max({half, largest * 8 * resolution, 1e-15});
  else
    half = whole || largest == 0 ? 1 : 0.1 * largest;
  const double middle = low + 0.5 * (high - low);
  Interval range{middle - half, middle + half};
  // The margin must not extend to values of the other sign.
  const bool signless = high > low || whole;
  if (signless && low >= 0) range.low = std::max(range.low, 0.0);
  if (signless && high <= 0 && low < 0) range.high = std::min(range.high, 0.0);
  // Extending the range to the ticks may require wider ticks.
  for (int i = 0; i < 2; ++i) {
    const double step = tick_step(range.span(), max_labels, whole);
    range.low = std::floor(range.low / step + 1e-9) * step;
    range.high = std::ceil(range.high / step - 1e-9) * step;
  }
  return range;
}

Interval fit_log(double low, double high) {
  double bottom = std::floor(std::log10(low)), top = std::ceil(std::log10(high) + 0.02);
  if (top - bottom < 2) bottom = top - 2;
  return {bottom, top};
}

Interval fit_symlog(const Transform& transform, double low, double high) {
  const auto outwards = [&](double value) {
    const double at = std::abs(transform.forward(value));
    return std::max(std::ceil(at + 0.02), 1.0);
  };
  return {low < 0 ? -outwards(low) : 0, high > 0 || low >= 0 ? outwards(high) : 0};
}

int symlog_zone(double typical, double largest) {
  const int top = static_cast<int>(std::ceil(std::log10(largest)));
  return std::clamp(static_cast<int>(std::floor(std::log10(typical))), top - 6, top - 1);
}

double round_up(double x) {
  const double power = std::pow(10, std::floor(std::log10(x)));
  for (const double factor : {1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0})
    if (factor * power >= x * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

Interval zoomed(Interval range, double about, double factor) {
  const double largest = std::max(std::abs(range.low), std::abs(range.high));
  const double narrowest = std::max(largest * 100 * resolution, 1e-15);
  if (factor < 1 && range.span() * factor < narrowest) return range;
  if (factor > 1 && range.span() * factor > 1e15) return range;
  return {about - (about - range.low) * factor, about + (range.high - about) * factor};
}

Interval shifted(Interval range, double by) { return {range.low + by, range.high + by}; }

std::string significant(double value, int digits, bool zeros) {
  if (std::isnan(value)) return std::string(no_number);
  return with_minus(zeros ? fmt::format("{:#.{}g}", value, digits)
                          : fmt::format("{:.{}g}", value, digits));
}

std::string result_number(double value) {
  return std::isfinite(value) ? significant(value, 3) : std::string(no_number);
}

std::string short_number(double value) {
  if (std::isnan(value)) return std::string(no_number);
  std::string text;
  for (int digits = 4; digits <= 6; ++digits) {
    text = fmt::format("{:#.{}g}", value, digits);
    double read = 0;
    std::from_chars(text.data(), text.data() + text.size(), read);
    if (read == value) break;
  }
  // Omit the decimal of an integer with enough digits.
  if (text.size() > 5 && text.ends_with(".0")) text.resize(text.size() - 2);
  return with_minus(std::move(text));
}

std::string error_number(double value) {
  return std::isnan(value) ? std::string(no_number) : fmt::format("{:.3e}", value);
}

int time_decimals(double step) {
  if (!(step > 0)) return 3;
  return std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 3, 6);
}

}  // namespace twosphere::ui
