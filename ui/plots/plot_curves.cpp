// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/plot_curves.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "ui/shell/stroke.h"
#include "ui/shell/style.h"

namespace twosphere::ui {

namespace {

// Where a curve is thinner than this it is drawn as a line, elsewhere as columns [px].
constexpr float thin = 1.5f;
// Of what lies between the edges of a curve [opacity].
constexpr float faintness = 0.4f;
// Of all values behind the largest so far [opacity].
constexpr float band = 0.22f;
// The axis of an error that has only been zero so far.
constexpr Interval no_error{-17, -15};

double shown_value(const PlotSpec& spec, double v) {
  return spec.shows_magnitude() ? std::abs(v) : v;
}

/// A line through every value. On a log axis the way to and from exact zeros is only hinted at.
void draw_sparse(ImDrawList& list, const Canvas& canvas, const PlotSpec& spec, const Curve& curve,
                 const Reduced& r, float scale) {
  const Trace trace(*curve.history, curve.signal);
  const bool logarithmic = spec.scale == Scale::logarithmic;
  std::vector<ImVec2> points;
  float start = 0;
  const auto finish = [&] {
    if (points.size() == 1)
      list.AddCircleFilled(points[0], 1.5f * scale, im_color(curve.style.color));
    draw_line(list, points, curve.style, scale, start);
    points.clear();
  };
  for (std::size_t i = r.values.first; i < r.values.last; ++i) {
    const double value = trace.value(i);
    if (!std::isfinite(value)) {
      finish();
      continue;
    }
    const ImVec2 at{canvas.x(trace.time(i)), canvas.y(value)};
    if (logarithmic && !points.empty() && (value == 0) != (trace.value(i - 1) == 0)) {
      list.AddLine(points.back(), at, im_color(curve.style.color, faintness), scale);
      finish();
    }
    points.push_back(at);
  }
  if (r.values.size() == 1 && !points.empty()) draw_marker(list, points[0], 3 * scale, curve.style);
  finish();
}

/// Whether a column is one of many alike: tall, and as high as both neighbours for the most part.
bool in_block(const std::vector<std::pair<float, float>>& spans, std::size_t i, float scale) {
  if (i == 0 || i + 1 == spans.size()) return false;
  const auto [top, bottom] = spans[i];
  const float height = bottom - top;
  const auto shared = [&](const std::pair<float, float>& other) {
    return std::min(bottom, other.second) - std::max(top, other.first);
  };
  return height > 10 * scale && shared(spans[i - 1]) > 0.6f * height &&
         shared(spans[i + 1]) > 0.6f * height;
}

/// Thin stretches as a line, the rest as filled columns that touch their neighbours. Where columns
/// make a block it is filled faintly between solid edges.
void draw_dense(ImDrawList& list, const Canvas& canvas, const Curve& curve, const Reduced& r,
                float scale) {
  const float width = (canvas.to.x - canvas.from.x) / static_cast<float>(r.columns.size());
  const float half = scale;  // of the line
  std::vector<float> middles;
  std::vector<std::pair<float, float>> spans;  // top and bottom of each column that has samples
  std::vector<bool> reach_zero;                // and whether it goes down to the line of zeros
  for (std::size_t i = 0; i < r.columns.size(); ++i) {
    const Extremes& e = r.columns[i];
    if (e.empty || !std::isfinite(e.low) || !std::isfinite(e.high)) continue;
    middles.push_back(canvas.from.x + width * (static_cast<float>(i) + 0.5f));
    const float a = canvas.y(e.high), b = canvas.y(e.low);
    spans.emplace_back(std::min(a, b), std::max(a, b));
    reach_zero.push_back(canvas.scale.scale == Scale::logarithmic && e.low == 0);
  }

  const ImDrawListFlags flags = list.Flags;
  const ImU32 solid = im_color(curve.style.color), faint = im_color(curve.style.color, faintness);
  const auto rectangle = [&](float x, float top, float bottom, float reach, ImU32 color) {
    list.AddRectFilled({x - reach, top}, {x + reach, bottom}, color);
  };
  std::vector<ImVec2> line;
  float start = 0;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const auto [top, bottom] = spans[i];
    const float x = middles[i];
    if (bottom - top < thin * scale) {
      if (line.empty() && i > 0)
        line.push_back({middles[i - 1],
                        std::clamp((top + bottom) / 2, spans[i - 1].first, spans[i - 1].second)});
      line.push_back({x, (top + bottom) / 2});
      continue;
    }
    if (!line.empty()) line.push_back({x, std::clamp(line.back().y, top, bottom)});
    draw_line(list, line, curve.style, scale, start);
    line.clear();
    list.Flags &= ~(ImDrawListFlags_AntiAliasedFill | ImDrawListFlags_AntiAliasedLines);
    if (reach_zero[i] || in_block(spans, i, scale)) {
      rectangle(x, top, bottom, width / 2, faint);
      rectangle(x, top - half, top + half, width / 2 + half, solid);
      rectangle(x, bottom - half, bottom + half, width / 2 + half, solid);
    } else {
      // Up to where the column before ends.
      const float upper = i > 0 ? std::min(top, spans[i - 1].second) : top;
      const float lower = i > 0 ? std::max(bottom, spans[i - 1].first) : bottom;
      rectangle(x, upper - half, lower + half, half, solid);
    }
    list.Flags = flags;
  }
  draw_line(list, line, curve.style, scale, start);
}

/// The largest magnitude so far as a line, and behind it lightly every value, or the stretch of
/// each column of pixels.
void draw_envelope(ImDrawList& list, const Canvas& canvas, const Curve& curve, const Reduced& r,
                   float scale) {
  const Trace trace(*curve.history, curve.signal);
  const IndexRange own = trace.of(curve.samples);
  double largest = 0;
  const auto include = [&](const Range& range) {
    largest = std::max({largest, std::abs(range.low), std::abs(range.high)});
  };
  if (r.values.first > own.first) include(trace.range(own.first, r.values.first));

  std::vector<ImVec2> line;
  float start = 0;
  bool zero = largest == 0;
  const auto add = [&](float x) {
    if (zero && largest > 0) {  // from the line of zeros
      draw_line(list, line, curve.style, scale, start);
      line.clear();
    }
    zero = largest == 0;
    line.push_back({x, canvas.y(largest)});
  };
  const ImU32 light = im_color(curve.style.color, band);
  const ImDrawListFlags flags = list.Flags;
  list.Flags &= ~(ImDrawListFlags_AntiAliasedFill | ImDrawListFlags_AntiAliasedLines);
  if (r.dense) {
    const float width = (canvas.to.x - canvas.from.x) / static_cast<float>(r.columns.size());
    for (std::size_t i = 0; i < r.columns.size(); ++i) {
      const Extremes& e = r.columns[i];
      if (e.empty || !std::isfinite(e.low) || !std::isfinite(e.high)) continue;
      const float x = canvas.from.x + width * static_cast<float>(i);
      const float a = canvas.y(e.high), b = canvas.y(e.low);
      list.AddRectFilled({x, std::min(a, b)}, {x + width, std::max(a, b) + scale}, light);
      include({e.low, e.high});
      add(x + width / 2);
    }
  } else {
    std::optional<ImVec2> before;
    for (std::size_t i = r.values.first; i < r.values.last; ++i) {
      const double value = trace.value(i);
      if (!std::isfinite(value)) continue;
      const ImVec2 at{canvas.x(trace.time(i)), canvas.y(value)};
      if (before) list.AddLine(*before, at, light, scale);
      before = at;
      include({value, value});
      add(at.x);
    }
  }
  list.Flags = flags;
  if (line.size() == 1) return draw_marker(list, line[0], 3 * scale, curve.style);
  draw_line(list, line, curve.style, scale, start);
}

/// The values of a curve, and the first of the curve after it, to which its line goes on.
IndexRange drawn_values(const Trace& trace, const Curve& curve) {
  const IndexRange own = trace.of(curve.samples);
  return {own.first, std::min(own.last + 1, trace.size())};
}

}  // namespace

float Canvas::limited(double part) { return static_cast<float>(std::clamp(part, -1e3, 1e3)); }

float Canvas::y(double value) const {
  if (scale.scale == Scale::logarithmic) {
    if (value == 0) return floor();
    return std::min(place(scale.forward(value)), bottom);
  }
  return place(scale.forward(magnitude ? std::abs(value) : value));
}

Reduced reduced(const PlotSpec& spec, const Curve& curve, Interval time, int columns) {
  const Trace trace(*curve.history, curve.signal);
  const IndexRange drawn = drawn_values(trace, curve);
  Reduced r;
  r.values = visible(trace, drawn, time);
  r.dense = r.values.size() > 2 * static_cast<std::size_t>(columns);
  if (r.dense) r.columns = reduce(trace, drawn, spec.shows_magnitude(), time, columns);
  return r;
}

void fit(ValueAxis& axis, const PlotSpec& spec, const std::vector<Curve>& curves,
         const std::vector<Reduced>& parts, int ticks) {
  std::vector<double> sizes;  // of what is not zero; of the least in a column
  double low = 0, high = 0;
  bool any = false;
  const auto include = [&](double a, double b) {
    if (!std::isfinite(a) || !std::isfinite(b)) return;
    low = any ? std::min(low, a) : a;
    high = any ? std::max(high, b) : b;
    any = true;
    const double least = std::min(std::abs(a), std::abs(b)),
                 largest = std::max(std::abs(a), std::abs(b));
    if (least > 0 || largest > 0) sizes.push_back(least > 0 ? least : largest);
  };
  for (std::size_t c = 0; c < curves.size(); ++c) {
    for (const Extremes& e : parts[c].columns)
      if (!e.empty) include(e.low, e.high);
    if (parts[c].dense) continue;
    const Trace trace(*curves[c].history, curves[c].signal);
    for (std::size_t i = parts[c].values.first; i < parts[c].values.last; ++i) {
      const double v = shown_value(spec, trace.value(i));
      include(v, v);
    }
  }
  if (!any) return;
  if (spec.scale == Scale::linear) {
    axis.range = fit_linear(low, high, ticks, spec.whole());
    return;
  }
  if (sizes.empty()) {
    axis.linear_threshold = static_cast<int>(no_error.low);
    axis.range = spec.scale == Scale::symlog ? Interval{-1, 1} : no_error;
    return;
  }
  // Narrow dips, as where a difference changes its sign, stretch the scale by two decades at most.
  const auto twentieth = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 20);
  std::nth_element(sizes.begin(), twentieth, sizes.end());
  const double typical = *twentieth;
  if (spec.scale == Scale::logarithmic) {
    const double least = *std::min_element(sizes.begin(), sizes.end());
    axis.range = fit_log(std::max(least, typical / 100), high);
    return;
  }
  axis.linear_threshold = symlog_zone(typical, std::max(std::abs(low), std::abs(high)));
  axis.range = fit_symlog({Scale::symlog, axis.linear_threshold}, low, high);
}

bool as_envelope(const PlotSpec& spec, const Signal& signal) {
  const auto quantity = signal.quantity();
  return spec.over_time() && spec.shows_magnitude() &&
         (quantity == Quantity::unit_length_error || quantity == Quantity::unit_length_error_mean);
}

void draw_curve(ImDrawList& list, const Canvas& canvas, const PlotSpec& spec, const Curve& curve,
                const Reduced& part, float scale) {
  if (as_envelope(spec, curve.signal))
    draw_envelope(list, canvas, curve, part, scale);
  else if (part.dense)
    draw_dense(list, canvas, curve, part, scale);
  else
    draw_sparse(list, canvas, spec, curve, part, scale);
}

void draw_spectrum(ImDrawList& list, const Canvas& canvas, const LaneSpectrum& lane, float scale) {
  std::vector<ImVec2> points;
  const int columns = std::max(2, static_cast<int>(canvas.to.x - canvas.from.x));
  for (const auto& [at, density] : spectrum_points(lane.spectrum, canvas.x_range, columns))
    points.emplace_back(canvas.x(at), canvas.y(density));
  float start = 0;
  draw_line(list, points, lane.style, scale, start);
}

std::optional<Reading> read_at(const PlotSpec& spec, const Curve& curve, double t) {
  const auto own = [&](std::size_t sample) {
    return sample >= curve.samples.first && sample < curve.samples.last;
  };
  if (spec.x) {
    const Pairs pairs(spec, curve);
    if (pairs.size() == 0) return std::nullopt;
    const std::size_t i = pairs.nearest(t);
    if (!own(pairs.sample(i))) return std::nullopt;
    return Reading{pairs.time(i), shown_value(spec, pairs.y(i)), pairs.x(i)};
  }
  const Trace trace(*curve.history, curve.signal);
  if (trace.size() == 0) return std::nullopt;
  const std::size_t i = trace.nearest(t);
  if (!own(trace.sample(i))) return std::nullopt;
  return Reading{trace.time(i), shown_value(spec, trace.value(i)), 0};
}

std::vector<CurveName> curve_names(const PlotSpec& spec, const std::vector<Curve>& curves,
                                   Interval time, int places) {
  std::vector<CurveName> names;
  if (spec.also.empty()) return names;
  const auto same = [&](std::size_t a, std::size_t b) {
    return curves[a].lane == curves[b].lane && curves[a].signal == curves[b].signal;
  };
  std::vector<std::size_t> first;  // curve of each lane and signal
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
