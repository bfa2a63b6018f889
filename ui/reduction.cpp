// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/reduction.h"

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

/// Of |value| over samples [first, last), from signed extremes of up to 16 parts.
Extremes magnitudes(const History& history, Quantity quantity, std::size_t first,
                    std::size_t last) {
  Extremes total;
  const std::size_t count = last - first, parts = std::min<std::size_t>(count, 16);
  for (std::size_t k = 0; k < parts; ++k) {
    const Range r =
        history.range(quantity, first + count * k / parts, first + count * (k + 1) / parts);
    const double a = std::abs(r.low), b = std::abs(r.high);
    include(total, std::min(a, b), std::max(a, b));
  }
  return total;
}

}  // namespace

Stretch visible(const History& history, Stretch within, Interval time) {
  const std::size_t first = history.lower_bound(time.low);
  const std::size_t last = history.lower_bound(time.high);
  return {std::clamp(first == 0 ? 0 : first - 1, within.first, within.last),
          std::clamp(last + 1, within.first, within.last)};
}

std::vector<Extremes> reduce(const History& history, Stretch within, Quantity quantity,
                             bool magnitude, Interval time, int count) {
  std::vector<Extremes> parts(static_cast<std::size_t>(count));
  std::size_t first = std::clamp(history.lower_bound(time.low), within.first, within.last);
  for (int i = 0; i < count; ++i) {
    const double end = time.low + time.span() * (i + 1) / count;
    const std::size_t last = std::clamp(history.lower_bound(end), within.first, within.last);
    Extremes& part = parts[static_cast<std::size_t>(i)];
    if (last > first) {
      if (magnitude) {
        part = magnitudes(history, quantity, first, last);
      } else {
        const Range r = history.range(quantity, first, last);
        part = {r.low, r.high, false};
      }
    }
    first = last;
  }
  return parts;
}

}  // namespace twosphere::ui
