// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/plot_layout.h"

#include <cmath>
#include <optional>
#include <utility>

namespace twosphere::ui {

namespace {

// Parts of a curve thinner than this are drawn as a line, others as columns [px].
constexpr double thin = 1.5;
// Opacity between the edges of a curve.
constexpr float faintness = 0.4f;
// Opacity of the values behind the running maximum, and of the band around a curve.
constexpr float band_opacity = 0.22f;

/// A light tint for areas behind lines.
Color pale(Color color) {
  const auto part = [&](int shift) {
    return (255 - (255 - ((color.rgb >> shift) & 0xff)) * 2 / 5) << shift;
  };
  return {part(16) | part(8) | part(0)};
}

void across(DrawList& list, const Area& area, double y, const Stroke& stroke) {
  list.line({area.box.from.x, y}, {area.box.to.x, y}, stroke);
}

/// The linear range of a symlog axis: a tint between two thin lines.
void draw_linear_stretch(DrawList& list, const PlotLook& look, const Area& area) {
  const double top = std::clamp(area.place(1), area.box.from.y, area.box.to.y);
  const double bottom = std::clamp(area.place(-1), area.box.from.y, area.box.to.y);
  if (bottom - top < 1) return;
  list.box({{area.box.from.x, top}, {area.box.to.x, bottom}}, {look.dim.color, 0.09f});
  for (const double y : {top, bottom}) across(list, area, y, look.zeros);
}

/// Pieces of one curve; on the screen the dashes continue from one to the next.
class Pieces {
 public:
  Pieces(DrawList& list, const PlotLook& look, const PlotCurve& curve)
      : list_(list),
        stroke_(stroke_of(curve.style, curve.width * look.line)),
        join_(!look.paper()) {}

  void add(const std::vector<Point>& points) {
    if (points.size() < 2) return;
    list_.polyline(points, stroke_, join_ && std::exchange(later_, true));
  }

 private:
  DrawList& list_;
  Stroke stroke_;
  bool join_, later_ = false;
};

/// A line through every value. On a logarithmic axis thin lines lead to and from exact zeros.
void draw_values_line(DrawList& list, const PlotLook& look, const Area& area,
                      const PlotCurve& curve) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  // Zeros are drawn in their strip, other values above it.
  const Box axis{area.box.from, {area.box.to.x, area.bottom}};
  Pieces pieces(list, look, curve);
  std::vector<Point> part;
  bool zero = false;
  const auto finish = [&] {
    if (look.paper()) list.clip(zero ? area.box : axis);
    if (part.size() == 1) list.disc(part[0], look.lone, {curve.style.color});
    pieces.add(part);
    if (look.paper()) list.unclip();
    part.clear();
  };
  if (look.paper()) {
    list.clip(area.box);
    for (const Point from : curve.drops)
      list.line(area.at(from), {area.x(from.x), area.floor()},
                {{pale(curve.style.color)}, look.drop});
    list.unclip();
  }
  for (const Point p : curve.points) {
    const Point at = area.at(p);
    if (!at.finite()) {
      finish();
      continue;
    }
    const bool here = p.y == -inf;
    if (here != zero && !part.empty()) {
      if (!look.paper()) list.line(part.back(), at, {{curve.style.color, faintness}, look.unit});
      finish();
    }
    zero = here;
    part.push_back(at);
  }
  if (!look.paper() && curve.points.size() == 1 && !part.empty())
    list.marker(part[0], 3 * look.unit, curve.style, look.cross);
  finish();
}

/// Top and bottom of a column.
struct Span {
  double x, top, bottom;
  bool reaches_zero;  ///< extends to the line of zeros

  double height() const { return bottom - top; }
};

std::vector<Span> spans(const Area& area, const std::vector<Extremes>& columns) {
  const double width = area.box.width() / static_cast<double>(columns.size());
  std::vector<Span> all;
  all.reserve(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Extremes& e = columns[i];
    if (e.empty) continue;
    const double a = area.y(e.high), b = area.y(e.low);
    all.push_back({area.box.from.x + width * (static_cast<double>(i) + 0.5), std::min(a, b),
                   std::max(a, b),
                   area.scale.scale == Scale::logarithmic && std::isinf(e.low) && e.low < 0});
  }
  return all;
}

/// Whether a column is part of a block: tall, and overlapping both neighbours for the most part.
bool in_block(const std::vector<Span>& all, std::size_t i, double unit) {
  if (i == 0 || i + 1 == all.size()) return false;
  const Span& own = all[i];
  const auto shared = [&](const Span& other) {
    return std::min(own.bottom, other.bottom) - std::max(own.top, other.top);
  };
  return own.height() > 10 * unit && shared(all[i - 1]) > 0.6 * own.height() &&
         shared(all[i + 1]) > 0.6 * own.height();
}

/// Thin parts as a line, the rest as filled columns that touch their neighbours. Blocks of columns
/// are filled faintly between solid edges.
void draw_columns(DrawList& list, const PlotLook& look, const Area& area, const PlotCurve& curve) {
  const double width = area.box.width() / static_cast<double>(curve.columns.size());
  const double half = curve.width * look.unit;  // half the line width
  const std::vector<Span> all = spans(area, curve.columns);
  const Ink solid{curve.style.color}, faint{curve.style.color, faintness};
  const auto rectangle = [&](double x, double top, double bottom, double reach, Ink ink) {
    list.box({{x - reach, top}, {x + reach, bottom}}, ink);
  };
  Pieces pieces(list, look, curve);
  std::vector<Point> line;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto [x, top, bottom, reaches_zero] = all[i];
    if (bottom - top < thin * look.unit) {
      if (line.empty() && i > 0)
        line.push_back(
            {all[i - 1].x, std::clamp((top + bottom) / 2, all[i - 1].top, all[i - 1].bottom)});
      line.push_back({x, (top + bottom) / 2});
      continue;
    }
    if (!line.empty()) line.push_back({x, std::clamp(line.back().y, top, bottom)});
    pieces.add(line);
    line.clear();
    if (reaches_zero || in_block(all, i, look.unit)) {
      rectangle(x, top, bottom, width / 2, faint);
      rectangle(x, top - half, top + half, width / 2 + half, solid);
      rectangle(x, bottom - half, bottom + half, width / 2 + half, solid);
    } else {
      // Up to the end of the previous column.
      const double upper = i > 0 ? std::min(top, all[i - 1].bottom) : top;
      const double lower = i > 0 ? std::max(bottom, all[i - 1].top) : bottom;
      rectangle(x, upper - half, lower + half, half, solid);
    }
  }
  pieces.add(line);
}

/// The running maximum of the magnitude as a line, and behind it, lightly, every value or the range
/// of each column.
void draw_envelope(DrawList& list, const PlotLook& look, const Area& area, const PlotCurve& curve) {
  const double nothing = area.scale.forward(0);
  double largest = *curve.largest;
  Pieces pieces(list, look, curve);
  std::vector<Point> line;
  bool zero = largest == nothing;
  const auto add = [&](double x, double value) {
    largest = std::max(largest, value);
    if (zero && largest > nothing) {  // starting at the line of zeros
      pieces.add(line);
      line.clear();
    }
    zero = largest == nothing;
    line.push_back({x, area.y(largest)});
  };
  const Ink light{curve.style.color, band_opacity};
  if (curve.columns.empty()) {
    Stroke thread{light, look.unit};
    thread.smooth = false;
    std::optional<Point> before;
    for (const Point p : curve.points) {
      if (std::isnan(p.y)) continue;
      const Point at = area.at(p);
      if (before) list.line(*before, at, thread);
      before = at;
      add(at.x, p.y);
    }
  } else {
    const double width = area.box.width() / static_cast<double>(curve.columns.size());
    for (std::size_t i = 0; i < curve.columns.size(); ++i) {
      const Extremes& e = curve.columns[i];
      if (e.empty) continue;
      const double x = area.box.from.x + width * static_cast<double>(i);
      const double a = area.y(e.high), b = area.y(e.low);
      list.box({{x, std::min(a, b)}, {x + width, std::max(a, b) + look.unit}}, light);
      add(x + width / 2, e.high);
    }
  }
  if (line.size() == 1)
    list.marker(line[0], 3 * look.unit, curve.style, look.cross);
  else
    pieces.add(line);
}

/// The band around a curve; values that are missing interrupt it.
void draw_band(DrawList& list, const PlotLook& look, const Area& area, const PlotCurve& curve) {
  std::vector<Point> corners;
  for (std::size_t i = 1; i < curve.band.size(); ++i) {
    const Point a = area.at(curve.band[i - 1].first), b = area.at(curve.band[i - 1].second),
                c = area.at(curve.band[i].second), d = area.at(curve.band[i].first);
    if (!a.finite() || !b.finite() || !c.finite() || !d.finite()) continue;
    corners.insert(corners.end(), {a, b, c, a, c, d});
  }
  if (corners.empty()) return;
  if (look.paper()) list.clip(area.box);
  list.triangles(corners, {curve.style.color, band_opacity});
  if (look.paper()) list.unclip();
}

}  // namespace

void draw_grid(DrawList& list, const PlotLook& look, const Area& area, const Ticks& x,
               const Ticks& y) {
  for (const Ticks::Label& tick : x.labels) {
    const double at = look.snapped(area.x(tick.at));
    list.line({at, area.box.from.y}, {at, area.box.to.y}, look.grid);
  }
  if (!look.paper()) {
    if (area.scale.scale == Scale::symlog) draw_linear_stretch(list, look, area);
    for (const double minor : y.minor) {
      const double at = look.snapped(area.place(minor));
      list.line({area.box.from.x, at}, {area.box.from.x + look.short_tick, at}, look.tick);
    }
  }
  for (const Ticks::Label& tick : y.labels)
    across(list, area, look.snapped(area.place(tick.at)), look.grid);
  if (area.has_floor()) across(list, area, look.snapped(area.floor()), look.zeros);
}

void draw_frame(DrawList& list, const PlotLook& look, const Area& area, const Ticks& x,
                const Ticks& y) {
  list.frame(area.box, {{}, 0}, look.frame);
  const auto over = [&](double at, double reach) {
    list.line({area.x(at), area.box.to.y}, {area.x(at), area.box.to.y - reach}, look.tick);
  };
  const auto beside = [&](double at, double reach) {
    const double up = area.place(at);
    list.line({area.box.from.x, up}, {area.box.from.x + reach, up}, look.tick);
  };
  for (const Ticks::Label& label : x.labels) over(label.at, look.long_tick);
  for (const double at : x.minor) over(at, look.short_tick);
  for (const Ticks::Label& label : y.labels) beside(label.at, look.long_tick);
  for (const double at : y.minor) beside(at, look.short_tick);
}

void draw_values(DrawList& list, const PlotLook& look, const TextMeasure& letters, const Area& area,
                 const Ticks& y) {
  const auto value = [&](double at, const std::string& label) {
    list.text({area.box.from.x - look.beside - letters.width(Face::small_mono, label),
               look.snapped(at) - letters.height(Face::small_mono) / 2},
              Face::small_mono, look.dim, label);
  };
  for (const Ticks::Label& tick : y.labels) value(area.place(tick.at), tick.text);
  if (area.has_floor()) value(area.floor(), "0");
}

void draw_labels(DrawList& list, const PlotLook& look, const TextMeasure& letters, const Area& area,
                 const Ticks& x, const std::string& title) {
  for (const Ticks::Label& tick : x.labels) {
    const double width = letters.width(Face::small_mono, tick.text);
    list.text({std::min(area.x(tick.at) - width / 2, area.box.to.x + look.overhang - width),
               area.box.to.y + look.below},
              Face::small_mono, look.dim, tick.text);
  }
  const std::string full = x.note.empty() ? title : title + "  " + x.note;
  list.text(
      {area.box.center().x - letters.width(Face::small_text, full) / 2, area.box.to.y + look.title},
      Face::small_text, look.dim, full);
}

void draw_curve(DrawList& list, const PlotLook& look, const Area& area, const PlotCurve& curve) {
  draw_band(list, look, area, curve);
  if (curve.largest)
    draw_envelope(list, look, area, curve);
  else if (!curve.columns.empty())
    draw_columns(list, look, area, curve);
  else
    draw_values_line(list, look, area, curve);
}

void draw_cloud(DrawList& list, const PlotLook& look, const Area& area, const PlotCloud& cloud) {
  const Interval &x = area.x_range, &y = area.y_range;
  for (std::size_t i = 0; i < cloud.points.size(); ++i) {
    const Point p = cloud.points[i];
    if (!(p.x >= x.low && p.x <= x.high && p.y >= y.low && p.y <= y.high)) continue;
    if (cloud.strengths.empty()) {
      list.disc(area.at(p), cloud.size * look.dot, {cloud.style.color});
      continue;
    }
    const double wide = cloud.cell.x / 2, high = cloud.cell.y / 2;
    list.box({area.at({p.x - wide, p.y + high}), area.at({p.x + wide, p.y - high})},
             {cloud.style.color, cloud.strengths[i]});
  }
}

void draw_names(DrawList& list, const PlotLook& look, const TextMeasure& letters, const Area& area,
                const std::vector<PlotName>& names) {
  for (const PlotName& name : names) {
    const Point middle = area.at(name.at);
    const double width = letters.width(Face::small_text, name.name) + 2 * look.name_padding_x;
    const double height = letters.height(Face::small_text) + 2 * look.name_padding_y;
    Point from{middle.x - width / 2, middle.y - height / 2};
    // Near an edge it moves inwards, so that it is not cut.
    if (area.box.contains(middle)) {
      from.x = std::max(std::min(from.x, area.box.to.x - width), area.box.from.x);
      from.y = std::max(std::min(from.y, area.box.to.y - height), area.box.from.y);
    }
    from = {look.snapped(from.x), look.snapped(from.y)};
    const Box box{from, {from.x + width, from.y + height}};
    if (look.paper() && !area.box.contains(box)) continue;
    list.frame(box, look.ground, {{name.style.color}, look.name_line}, look.name_rounding);
    list.text({from.x + look.name_padding_x, from.y + look.name_padding_y}, Face::small_text,
              look.text, name.name);
  }
}

}  // namespace twosphere::ui
