// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/plot_curves.h"

#include <algorithm>
#include <cmath>

#include "core/record/history.h"
#include "ui/plot/curve_pairs.h"

namespace twosphere::ui {

namespace {

// The axis of an error that is zero so far.
constexpr Interval no_error{-17, -15};

/// The values of a curve, and the first one of the next curve, to which the line continues.
IndexRange drawn_values(const Trace& trace, const Curve& curve) {
  const IndexRange own = trace.of(curve.samples);
  return {own.first, std::min(own.last + 1, trace.size())};
}

/// A running mean has not settled in the first tenth of its time: the share of the drawn values
/// that belong to it, which do not count for the axis.
double settled_from(const Curve& curve, const Reduced& part) {
  const auto q = curve.signal.step_quantity();
  if (!q || !exponent_index(*q) || part.values.size() == 0) return 0;
  const Trace trace(*curve.history, curve.signal);
  std::size_t first = 0, end = part.values.last;  // the first that is known is in between
  while (first < end) {
    const std::size_t middle = first + (end - first) / 2;
    if (std::isnan(trace.range(0, middle + 1).low))
      first = middle + 1;
    else
      end = middle;
  }
  const double settled = static_cast<double>(first) +
                         0.1 * static_cast<double>(part.values.last - first) -
                         static_cast<double>(part.values.first);
  return std::clamp(settled / static_cast<double>(part.values.size()), 0.0, 1.0);
}

/// The axis where energies are compared: 5 % around T and V, from `low` to `high`, and what E is
/// meant to be in the lane of these: its start and the work since then.
Interval fit_energies(const std::vector<Curve>& curves, const std::vector<Reduced>& parts,
                      double low, double high, int ticks) {
  constexpr double margin = 0.05;
  double origin = 0;  // of all but T
  for (const Curve& curve : curves)
    if (curve.origin != 0) origin = curve.origin;
  for (std::size_t c = 0; c < curves.size(); ++c) {
    const Curve& curve = curves[c];
    const History& lane = *curve.history;
    const IndexRange& seen = parts[c].values;
    if (curve.signal != Signal(Quantity::kinetic_energy) || seen.size() == 0 ||
        lane.first() >= lane.size())
      continue;
    const double start = lane.column(Quantity::total_energy)[lane.first()] -
                         lane.column(Quantity::work)[lane.first()] - origin;
    const Range work = lane.range(Quantity::work, seen.first, seen.last);
    if (!std::isfinite(start + work.low) || !std::isfinite(start + work.high)) continue;
    low = std::min(low, start + work.low);
    high = std::max(high, start + work.high);
  }
  if (!(high > low)) return fit_linear(low, high, ticks);
  const double around = margin * (high - low);
  return {low - around, high + around};
}

}  // namespace

Reduced reduced(const PlotSpec& spec, const Curve& curve, Interval time, int columns) {
  const Trace trace(*curve.history, curve.signal);
  const IndexRange drawn = drawn_values(trace, curve);
  Reduced r;
  r.values = visible(trace, drawn, time);
  r.dense = r.values.size() > 2 * static_cast<std::size_t>(columns);
  if (!r.dense) return r;
  r.columns = reduce(trace, drawn, spec.shows_magnitude(), time, columns);
  if (const auto band = band_of(spec, curve.signal)) {
    const auto of = [&](const Signal& edge) {
      const Trace values(*curve.history, edge);
      return reduce(values, drawn_values(values, curve), spec.shows_magnitude(), time, columns);
    };
    r.band = of(band->first);
    const std::vector<Extremes> upper = of(band->second);
    for (std::size_t i = 0; i < r.band.size(); ++i) r.band[i].high = upper[i].high;
  }
  return r;
}

void fit(ValueAxis& axis, const PlotSpec& spec, const std::vector<Curve>& curves,
         const std::vector<Reduced>& parts, int ticks) {
  std::vector<double> sizes;  // magnitudes of nonzero values; of the minima of columns
  double low = 0, high = 0;
  bool any = false;
  const auto include = [&](double a, double b) {
    if (!std::isfinite(a) || !std::isfinite(b)) return;
    low = any ? std::min(low, a) : a;
    high = any ? std::max(high, b) : b;
    any = true;
    const double smallest = std::min(std::abs(a), std::abs(b)),
                 largest = std::max(std::abs(a), std::abs(b));
    if (smallest > 0 || largest > 0) sizes.push_back(smallest > 0 ? smallest : largest);
  };
  const bool energies = compares_energies(spec);
  for (std::size_t c = 0; c < curves.size(); ++c) {
    // E is nearly a constant, whose rounding errors would have the scale to themselves.
    if (energies && curves[c].signal == Signal(Quantity::total_energy)) continue;
    const double origin = curves[c].origin;
    const double settled = settled_from(curves[c], parts[c]);
    const auto all =
        static_cast<double>(std::count_if(parts[c].columns.begin(), parts[c].columns.end(),
                                          [](const Extremes& e) { return !e.empty; }));
    double drawn = 0;
    for (const Extremes& e : parts[c].columns)
      if (!e.empty && drawn++ >= settled * all) include(e.low - origin, e.high - origin);
    for (const Extremes& e : parts[c].band)
      if (!e.empty) include(e.low, e.high);
    if (parts[c].dense) continue;
    const auto include_all = [&](const Signal& signal) {
      const Trace trace(*curves[c].history, signal);
      const IndexRange& values = parts[c].values;
      const auto from = static_cast<std::size_t>(settled * static_cast<double>(values.size()));
      for (std::size_t i = values.first + from; i < values.last; ++i) {
        const double v = spec.shown(trace.value(i) - origin);
        include(v, v);
      }
    };
    include_all(curves[c].signal);
    if (const auto band = band_of(spec, curves[c].signal)) {
      include_all(band->first);
      include_all(band->second);
    }
  }
  if (!any) return;
  if (energies) {
    axis.range = fit_energies(curves, parts, low, high, ticks);
    return;
  }
  if (spec.scale == Scale::linear) {
    axis.range = fit_linear(low, high, ticks, spec.whole());
    return;
  }
  if (sizes.empty()) {
    axis.linear_threshold = static_cast<int>(no_error.low);
    axis.range = spec.scale == Scale::symlog ? Interval{-1, 1} : no_error;
    return;
  }
  // Narrow dips, where a difference changes its sign, extend the scale by two decades at most.
  const auto twentieth = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 20);
  std::nth_element(sizes.begin(), twentieth, sizes.end());
  const double typical = *twentieth;
  if (spec.scale == Scale::logarithmic) {
    const double smallest = *std::min_element(sizes.begin(), sizes.end());
    axis.range = fit_log(std::max(smallest, typical / 100), high);
    return;
  }
  axis.linear_threshold = symlog_zone(typical, std::max(std::abs(low), std::abs(high)));
  axis.range = fit_symlog({Scale::symlog, axis.linear_threshold}, low, high);
}

void fit_portrait(PlotView& plot, const std::vector<Curve>& curves, Interval time, int x_ticks,
                  int y_ticks) {
  std::vector<Reduced> extremes;
  double low = 0, high = 0;
  bool any = false;
  for (const Curve& curve : curves) {
    const Pairs pairs(plot.spec, curve);
    const IndexRange points = pairs.visible(time);
    // A single column per curve: the vertical axis needs only the extremes.
    Reduced& part = extremes.emplace_back();
    part.dense = true;
    if (points.size() == 0) continue;
    const Range x = pairs.x_range(points), y = pairs.y_range(points);
    if (!std::isfinite(x.low) || !std::isfinite(x.high)) continue;
    low = any ? std::min(low, x.low) : x.low;
    high = any ? std::max(high, x.high) : x.high;
    any = true;
    if (!plot.spec.shows_magnitude())
      part.columns = {{y.low, y.high, false}};
    else if (y.low > 0 || y.high < 0)
      part.columns = {{std::min(std::abs(y.low), std::abs(y.high)),
                       std::max(std::abs(y.low), std::abs(y.high)), false}};
    else
      part.columns = {{0, std::max(-y.low, y.high), false}};
  }
  if (any && plot.x.automatic) plot.x.range = fit_linear(low, high, x_ticks, plot.spec.x->count());
  if (plot.y.automatic) fit(plot.y, plot.spec, curves, extremes, y_ticks);
}

bool as_envelope(const PlotSpec& spec, const Signal& signal) {
  const auto quantity = signal.quantity();
  return spec.over_time() && spec.shows_magnitude() &&
         (quantity == Quantity::unit_length_error || quantity == Quantity::unit_length_error_mean);
}

std::optional<std::pair<Signal, Signal>> band_of(const PlotSpec& spec, const Signal& signal) {
  if (!spec.over_time() || signal != Signal(StepQuantity::cloud_distance)) return {};
  return std::pair(Signal(StepQuantity::cloud_low), Signal(StepQuantity::cloud_high));
}

std::optional<Reading> read_at(const PlotSpec& spec, const Curve& curve, double t) {
  const auto own = [&](std::size_t sample) {
    return sample >= curve.samples.first && sample < curve.samples.last;
  };
  if (spec.x) {
    const Pairs pairs(spec, curve);
    const auto i = pairs.nearest(t);
    if (!i || !own(pairs.sample(*i))) return std::nullopt;
    return Reading{pairs.time(*i), spec.shown(pairs.y(*i)), pairs.x(*i)};
  }
  const Trace trace(*curve.history, curve.signal);
  const auto i = trace.nearest(t, trace.of(curve.samples));
  if (!i || !own(trace.sample(*i))) return std::nullopt;
  return Reading{trace.time(*i), spec.shown(trace.value(*i) - curve.origin), 0};
}

double snapped(const std::vector<Curve>& curves, const Signal& signal, double t) {
  for (const Curve& curve : curves)
    if (const Trace trace(*curve.history, signal); trace.size() > 0)
      return trace.time(trace.nearest(t));
  return t;
}

std::vector<CurveName> curve_names(const PlotSpec& spec, const std::vector<Curve>& curves,
                                   Interval time, int places) {
  std::vector<CurveName> names;
  if (spec.also.empty()) return names;
  const auto same = [&](std::size_t a, std::size_t b) {
    return curves[a].lane == curves[b].lane && curves[a].signal == curves[b].signal;
  };
  std::vector<std::size_t> first;  // the first curve of each lane and signal
  for (std::size_t c = 0; c < curves.size(); ++c)
    if (c == 0 || !same(c - 1, c)) first.push_back(c);
  if (first.empty()) return names;
  const auto kinds = static_cast<int>(first.size());
  const int count = kinds * std::max(1, places / kinds);
  const double apart = time.span() / count;
  for (int k = 0; k < count; ++k) {
    const double t = time.low + apart * (k + 0.5);
    for (std::size_t c = first[static_cast<std::size_t>(k % kinds)];
         c < curves.size() && same(c, first[static_cast<std::size_t>(k % kinds)]); ++c)
      if (const auto at = read_at(spec, curves[c], t);
          at && std::abs(at->t - t) < apart / 2 && std::isfinite(at->y))
        names.push_back({c, *at});
  }
  return names;
}

}  // namespace twosphere::ui
