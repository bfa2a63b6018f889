// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/plot_model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/output/lane_style.h"
#include "ui/plot/curve_pairs.h"
#include "ui/plot/pixel_mask.h"

namespace twosphere::ui {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
// On paper a line with more points is drawn only where it reaches new cells; the cell size is in
// columns.
constexpr std::size_t longest_paper_line = 20'000;
constexpr int cell_columns = 2;
// The dots on the lines of a spectrum, relative to PlotLook::dot.
constexpr double line_dot = 3;

/// Maps values to the vertical axis; NaN if they are not finite.
struct Places {
  const PlotSpec& spec;
  Transform transform;
  double origin = 0;  // Curve::origin

  double operator()(double v) const {
    return std::isfinite(v) ? transform.forward(spec.shown(v - origin)) : nan;
  }
};

/// Every visible value.
void add_values(PlotCurve& out, const Trace& trace, IndexRange values, const Places& place) {
  const bool logarithmic = place.transform.scale == Scale::logarithmic;
  out.points.reserve(values.size());
  for (std::size_t i = values.first; i < values.last; ++i) {
    const double here = trace.value(i);
    out.points.push_back({trace.time(i), place(here)});
    if (!logarithmic || i == values.first) continue;
    if ((here == 0) != (trace.value(i - 1) == 0))
      out.drops.push_back(here == 0 ? out.points[out.points.size() - 2] : out.points.back());
  }
}

/// A line through the extremes of the columns, in an order that makes it short.
void add_extremes(PlotCurve& out, const std::vector<Extremes>& columns, Interval time,
                  const Places& place) {
  const bool logarithmic = place.transform.scale == Scale::logarithmic;
  const double width = time.span() / static_cast<double>(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Extremes& e = columns[i];
    if (e.empty) continue;
    const double t = time.low + width * (static_cast<double>(i) + 0.5);
    double first = place(e.low), second = place(e.high);
    if (logarithmic && e.low == 0 && e.high > 0) {
      out.points.push_back({t, second});
      out.drops.push_back({t, second});
      continue;
    }
    if (!out.points.empty() &&
        std::abs(out.points.back().y - second) < std::abs(out.points.back().y - first))
      std::swap(first, second);
    out.points.push_back({t, first});
    if (second != first) out.points.push_back({t, second});
  }
}

/// The band around a curve.
void add_band(PlotCurve& out, const Curve& curve, const Reduced& part, Interval time,
              const Places& place) {
  const auto band = band_of(place.spec, curve.signal);
  if (!band) return;
  if (part.dense) {
    const double width = time.span() / static_cast<double>(part.band.size());
    for (std::size_t i = 0; i < part.band.size(); ++i) {
      const Extremes& e = part.band[i];
      if (e.empty) continue;
      const double t = time.low + width * (static_cast<double>(i) + 0.5);
      out.band.push_back({{t, place(e.low)}, {t, place(e.high)}});
    }
    return;
  }
  const Trace low(*curve.history, band->first), high(*curve.history, band->second);
  for (std::size_t i = part.values.first; i < part.values.last; ++i)
    out.band.push_back({{low.time(i), place(low.value(i))}, {low.time(i), place(high.value(i))}});
}

/// The fit of the growth of a cloud, in the style of the curve but dashed.
PlotCurve fitted(const Places& place, const LaneStyle& style, const GrowthRate& fit) {
  constexpr int points = 64;
  PlotCurve out{way_back(style), {}};
  for (int i = 0; i <= points; ++i) {
    const double t = std::lerp(fit.from, fit.to, static_cast<double>(i) / points);
    out.points.push_back({t, place(std::exp(fit.level + fit.rate * (t - fit.from)))});
  }
  return out;
}

PlotCurve over_time(Places place, const Curve& curve, const Reduced& part, Interval time,
                    Medium medium) {
  PlotCurve out{curve.style, {}};
  out.samples = curve.samples;
  out.width = curve.width;
  place.origin = curve.origin;
  const Trace trace(*curve.history, curve.signal);
  add_band(out, curve, part, time, place);
  if (!part.dense)
    add_values(out, trace, part.values, place);
  else if (medium == Medium::paper)
    add_extremes(out, part.columns, time, place);
  else
    for (const Extremes& e : part.columns)
      out.columns.push_back({place(e.low), place(e.high),
                             e.empty || !std::isfinite(e.low) || !std::isfinite(e.high)});
  if (medium == Medium::screen && as_envelope(place.spec, curve.signal)) {
    const std::size_t first = trace.of(curve.samples).first;
    double largest = 0;
    if (part.values.first > first) {
      const Range before = trace.range(first, part.values.first);
      largest = std::max({largest, std::abs(before.low), std::abs(before.high)});
    }
    out.largest = place(largest);
  }
  return out;
}

/// A curve of a portrait as a line. A long one has only the parts that reach new cells, of two
/// columns each.
PlotCurve portrait_line(const PlotView& plot, const Curve& curve, Interval time, int columns) {
  PlotCurve out{curve.style, {}};
  out.samples = curve.samples;
  const Pairs pairs(plot.spec, curve);
  const IndexRange points = pairs.visible(time);
  const Transform transform = plot.transform();
  const auto at = [&](std::size_t i) { return pairs.at(i, plot.spec, transform); };
  const auto add = [&](Point point, std::size_t i) {
    out.points.push_back(point);
    out.point_samples.push_back(pairs.sample(i));
  };
  if (points.size() <= longest_paper_line) {
    for (std::size_t i = points.first; i < points.last; ++i) add(at(i), i);
    return out;
  }
  const int side = std::max(1, columns / cell_columns);
  PixelMask mask(side, side);
  const auto cell = [&](Point p) {
    return Point{(p.x - plot.x.range.low) / plot.x.range.span() * side,
                 (p.y - plot.y.range.low) / plot.y.range.span() * side};
  };
  Point last = at(points.first);
  bool joined = false;  // the line includes the last point
  for (std::size_t i = points.first + 1; i < points.last; ++i) {
    const Point next = at(i);
    if (last.finite() && next.finite() && mask.visit(cell(last), cell(next), 2)) {
      if (!joined) {
        if (!out.points.empty()) add({nan, nan}, i - 1);
        add(last, i - 1);
      }
      add(next, i);
      joined = true;
    } else {
      joined = false;
    }
    last = next;
  }
  return out;
}

}  // namespace

std::vector<Reduced> fit_plot(PlotView& plot, const std::vector<Curve>& curves, Interval time,
                              int columns, int x_ticks, int y_ticks) {
  const PlotSpec& spec = plot.spec;
  std::vector<Reduced> parts;
  if (spec.spectrum) {
    if (plot.x.automatic) plot.x.range = frequency_range(plot.spectra);
    if (plot.y.automatic) plot.y.range = density_range(plot.spectra);
  } else if (spec.x) {
    fit_portrait(plot, curves, time, x_ticks, y_ticks);
  } else {
    for (const Curve& curve : curves) parts.push_back(reduced(spec, curve, time, columns));
    if (plot.y.automatic) fit(plot.y, spec, curves, parts, y_ticks);
  }
  return parts;
}

namespace {

/// The strongest lines of the lanes: a dot each, and their names beside the curve of the first.
void add_line_marks(PlotModel& model, const PlotView& plot, const Places& place) {
  constexpr double across = 0.07, up = 0.1, beside = 0.075;  // of the axes
  const Interval &x = plot.x.range, &y = plot.y.range;
  for (const LaneLines& lines : plot.strongest) {
    const auto lane = std::find_if(plot.spectra.begin(), plot.spectra.end(),
                                   [&](const LaneSpectrum& one) { return one.lane == lines.lane; });
    if (lane == plot.spectra.end()) continue;
    PlotCloud cloud{lane->style, {}, {}, line_dot};
    for (const LineMark& mark : line_marks(lines, lane->spectrum)) {
      const Point at{mark.at, place(mark.density)};
      if (at.x < x.low || at.x > x.high || at.y < y.low || at.y > y.high) continue;
      cloud.points.push_back(at);
      const Point name{at.x, std::min(at.y + beside * y.span(), y.high - beside / 2 * y.span())};
      const bool covered =
          std::any_of(model.names.begin(), model.names.end(), [&](const PlotName& other) {
            return std::abs(other.at.x - name.x) < across * x.span() &&
                   std::abs(other.at.y - name.y) < up * y.span();
          });
      if (lane == plot.spectra.begin() && !covered)
        model.names.push_back({lane->style, mark.name, name});
    }
    model.clouds.push_back(std::move(cloud));
  }
}

/// A word at the end of each curve whose samples are too far apart for the motion.
void add_alias_marks(PlotModel& model, const PlotView& plot, const Places& place) {
  constexpr double inside = 0.08;  // of the axes
  const Interval &x = plot.x.range, &y = plot.y.range;
  for (const LaneLines& lines : plot.strongest)
    for (const LaneSpectrum& lane : plot.spectra) {
      const std::size_t count = lane.spectrum.density.size();
      if (lane.lane != lines.lane || count < 2 || !lines.rows.may_be_aliased()) continue;
      const double end = std::log10(lane.spectrum.frequency(count - 1));
      model.names.push_back({lane.style,
                             "aliased?",
                             {std::clamp(end, x.low, x.high - inside * x.span()),
                              std::clamp(place(lane.spectrum.density.back()),
                                         y.low + inside * y.span(), y.high - inside * y.span())}});
    }
}

}  // namespace

PlotModel plot_model(const PlotView& plot, const std::vector<Curve>& curves,
                     const std::vector<Reduced>& parts, Interval time, int columns, Medium medium,
                     int names, const Markers& markers, std::string_view reference) {
  const PlotSpec& spec = plot.spec;
  const Places place{spec, plot.transform()};
  PlotModel model;
  model.over_time = spec.over_time();
  model.x = {"time", "s", {}, time};
  if (spec.x)
    model.x = {spec.x->label(),
               std::string(spec.x->unit()),
               {Scale::linear, 0, spec.x->count()},
               plot.x.range};
  if (spec.spectrum)
    model.x = {"frequency, Hann window, mean removed", "Hz", {Scale::logarithmic}, plot.x.range};
  model.y = {title(spec, curves, reference), unit(spec), place.transform, plot.y.range};
  if (spec.spectrum) {
    for (const LaneSpectrum& lane : plot.spectra) {
      PlotCurve& curve = model.curves.emplace_back(PlotCurve{lane.style, {}});
      for (const auto& [at, density] : spectrum_points(lane.spectrum, plot.x.range, columns))
        curve.points.push_back({at, place(density)});
    }
    add_line_marks(model, plot, place);
    add_alias_marks(model, plot, place);
    return model;
  }
  for (std::size_t c = 0; c < curves.size(); ++c) {
    if (!spec.x)
      model.curves.push_back(over_time(place, curves[c], parts[c], time, medium));
    else if (medium == Medium::paper)
      model.curves.push_back(portrait_line(plot, curves[c], time, columns));
  }
  if (plot.fit && model.over_time && std::isfinite(plot.fit->growth.rate))
    for (std::size_t c = curves.size(); c-- > 0;)
      if (curves[c].lane == plot.fit->lane && band_of(spec, curves[c].signal)) {
        model.curves.push_back(fitted(place, curves[c].style, plot.fit->growth));
        break;
      }
  for (const CurveName& name : curve_names(spec, curves, time, names)) {
    const Curve& curve = curves[name.curve];
    model.names.push_back({curve.style, curve.symbol(), {name.at.t, place(name.at.y)}});
  }
  for (std::size_t m = 0; m < markers.size(); ++m)
    for (const Curve& curve : curves)
      if (markers[m])
        if (const auto reading = read_at(spec, curve, *markers[m]))
          model.dots.push_back(
              {curve.style, {spec.x ? reading->x : reading->t, place(reading->y)}, m});
  return model;
}

}  // namespace twosphere::ui
