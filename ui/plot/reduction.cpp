// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/reduction.h"

#include <algorithm>
#include <cmath>

namespace twosphere::ui {

namespace {

/// A missing value counts nowhere.
void include(Extremes& total, double low, double high) {
  if (std::isnan(low)) return;
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

IndexRange Trace::between(Interval time, IndexRange within) const {
  const auto [first, last] =
      std::minmax({times().boundary(time.low, within), times().boundary(time.high, within)});
  return {first, last};
}

std::size_t Trace::nearest_in(IndexRange leg, double t) const {
  const std::size_t after = std::min(times().boundary(t, leg), leg.last - 1);
  const bool earlier =
      after > leg.first && std::abs(time(after - 1) - t) < std::abs(time(after) - t);
  return earlier ? after - 1 : after;
}

std::size_t Trace::nearest(double t) const {
  std::size_t best = 0;
  for (const IndexRange& samples : legs_) {
    const IndexRange leg = of(samples);
    if (leg.size() == 0) continue;
    const std::size_t here = nearest_in(leg, t);
    if (std::abs(time(here) - t) <= std::abs(time(best) - t)) best = here;
  }
  return best;
}

std::optional<std::size_t> Trace::nearest(double t, IndexRange values) const {
  std::optional<std::size_t> best;
  for (const IndexRange& samples : legs_) {
    const IndexRange leg = of(samples);
    if (leg.size() == 0 || leg.last <= values.first || values.last <= leg.first) continue;
    const auto [low, high] = std::minmax({time(leg.first), time(leg.last - 1)});
    if (legs_.size() > 1 && (t < low || t > high)) continue;
    const std::size_t here = nearest_in(leg, t);
    if (!best || std::abs(time(here) - t) <= std::abs(time(*best) - t)) best = here;
  }
  return best;
}

IndexRange visible(const Trace& trace, IndexRange within, Interval time) {
  const IndexRange inside = trace.between(time, within);
  return {std::max(within.first, inside.first == 0 ? 0 : inside.first - 1),
          std::min(within.last, inside.last + 1)};
}

std::vector<Extremes> reduce(const Trace& trace, IndexRange within, bool magnitude, Interval time,
                             int count) {
  std::vector<Extremes> parts(static_cast<std::size_t>(count));
  const auto edge = [&](int i) {
    return trace.times().boundary(time.low + time.span() * i / count, within);
  };
  std::size_t before = trace.times().boundary(time.low, within);
  for (int i = 0; i < count; ++i) {
    const std::size_t after = edge(i + 1);
    const auto [first, last] = std::minmax({before, after});
    Extremes& part = parts[static_cast<std::size_t>(i)];
    if (last > first) {
      if (magnitude) {
        part = magnitudes(trace, first, last);
      } else {
        const Range r = trace.range(first, last);
        include(part, r.low, r.high);
      }
    }
    before = after;
  }
  return parts;
}

}  // namespace twosphere::ui
