// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/reduction.h"

#include <algorithm>
#include <cmath>

namespace twosphere::ui {

namespace {

void include(Extremes& total, double low, double high) {
  if (total.empty) {
    total = {low, high, false};
  } else {
    total.low = std::min(total.low, low);
    total.high = std::max(total.high, high);
  }
}

/// The extremes of |value| over [first, last), from signed extremes of up to 16 parts.
Extremes magnitudes(const Trace& trace, std::size_t first, std::size_t last) {
  // Long ranges are divided at multiples of Series::piece, where range() is cheapest.
  constexpr std::size_t piece = Series::piece;
  Extremes total;
  const std::size_t count = last - first;
  const bool many = count >= 2 * piece;
  const std::size_t parts = std::min<std::size_t>(many ? count / piece : count, 16);
  for (std::size_t k = 1, from = first; k <= parts; ++k) {
    std::size_t to = first + count * k / parts;
    if (many && k < parts) to = to / piece * piece;
    if (to == from) continue;
    const Range r = trace.range(from, to);
    const double a = std::abs(r.low), b = std::abs(r.high);
    include(total, std::min(a, b), std::max(a, b));
    from = to;
  }
  return total;
}

}  // namespace

IndexRange Trace::of(IndexRange samples) const {
  const auto up = [this](std::size_t sample) {
    return std::min((sample + view_.stride - 1) / view_.stride, size());
  };
  return {up(samples.first), up(samples.last)};
}

std::size_t Trace::nearest(double t) const {
  const std::size_t after = std::min(lower_bound(t), size() - 1);
  return after > 0 && t - time(after - 1) < time(after) - t ? after - 1 : after;
}

IndexRange visible(const Trace& trace, IndexRange within, Interval time) {
  const std::size_t first = trace.lower_bound(time.low);
  const std::size_t last = trace.lower_bound(time.high);
  return {std::clamp(first == 0 ? 0 : first - 1, within.first, within.last),
          std::clamp(last + 1, within.first, within.last)};
}

std::vector<Extremes> reduce(const Trace& trace, IndexRange within, bool magnitude, Interval time,
                             int count) {
  std::vector<Extremes> parts(static_cast<std::size_t>(count));
  std::size_t first = std::clamp(trace.lower_bound(time.low), within.first, within.last);
  for (int i = 0; i < count; ++i) {
    const double end = time.low + time.span() * (i + 1) / count;
    const std::size_t last = std::clamp(trace.lower_bound(end), within.first, within.last);
    Extremes& part = parts[static_cast<std::size_t>(i)];
    if (last > first) {
      if (magnitude) {
        part = magnitudes(trace, first, last);
      } else {
        const Range r = trace.range(first, last);
        part = {r.low, r.high, false};
      }
    }
    first = last;
  }
  return parts;
}

}  // namespace twosphere::ui
