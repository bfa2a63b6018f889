// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/portrait.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace twosphere::ui {

namespace {

// Up to this number of points a portrait is drawn as a line, beyond it as the pixels passed
// through.
constexpr std::size_t longest_line = 6000;
constexpr std::size_t points_per_frame = 200'000;
constexpr int arrows = 5;

void arrow(DrawList& list, Point at, Point along, double size, Ink ink) {
  const Point across{-along.y, along.x};
  list.triangles(std::array{Point{at.x + along.x * size, at.y + along.y * size},
                            Point{at.x - along.x * size + across.x * size * 0.8,
                                  at.y - along.y * size + across.y * size * 0.8},
                            Point{at.x - along.x * size - across.x * size * 0.8,
                                  at.y - along.y * size - across.y * size * 0.8}},
                 ink);
}

/// Arrows at equal distances along a line.
void draw_arrows(DrawList& list, const std::vector<Point>& points, Ink ink, double unit) {
  double total = 0;
  const auto length = [&](std::size_t i) {
    return std::hypot(points[i].x - points[i - 1].x, points[i].y - points[i - 1].y);
  };
  for (std::size_t i = 1; i < points.size(); ++i) total += length(i);
  const int count = std::min(arrows, static_cast<int>(total / (40 * unit)));
  double done = 0;
  int next = 0;
  for (std::size_t i = 1; i < points.size() && next < count; ++i) {
    const double l = length(i);
    const double due = total * (next + 0.5) / count;
    if (l > 0 && done + l >= due) {
      const double part = (due - done) / l;
      const Point along{(points[i].x - points[i - 1].x) / l, (points[i].y - points[i - 1].y) / l};
      arrow(list, {points[i - 1].x + along.x * l * part, points[i - 1].y + along.y * l * part},
            along, 4.5 * unit, ink);
      ++next;
    }
    done += l;
  }
}

/// Updates the cells of a long curve as far as the time of one frame permits; returns whether they
/// are complete.
bool advance(PixelMask& mask, const Area& area, const Pairs& pairs, const PlotView& plot,
             const Curve& curve, IndexRange points, double ratio, std::uint64_t generation) {
  const int width = static_cast<int>(area.box.width() * ratio);
  const int height = static_cast<int>((area.bottom - area.box.from.y) * ratio);
  const bool same = mask.history == curve.history && mask.generation == generation &&
                    mask.x == area.x_range && mask.y == area.y_range && mask.width == width &&
                    mask.height == height && mask.done.first == points.first &&
                    mask.done.last <= points.last;
  if (!same)
    mask = PixelMask(width, height, curve.history, generation, area.x_range, area.y_range,
                     {points.first, points.first});
  const Transform transform = plot.transform();
  const auto at = [&](std::size_t i) {
    const Point p = area.at(pairs.at(i, plot.spec, transform));
    return Point{(p.x - area.box.from.x) * ratio, (p.y - area.box.from.y) * ratio};
  };
  const std::size_t end = std::min(points.last, mask.done.last + points_per_frame);
  std::size_t i = mask.done.last > points.first ? mask.done.last - 1 : points.first;
  if (i < end) {
    Point from = at(i);
    for (++i; i < end; ++i) {
      const Point to = at(i);
      if (from.finite() && to.finite()) mask.visit(from, to, 1);
      from = to;
    }
  }
  mask.done.last = end;
  return end == points.last;
}

/// Draws each horizontal run of cells as one box, slightly enlarged.
void draw_cells(DrawList& list, const Area& area, const PixelMask& mask, Ink ink) {
  const double cell = area.box.width() / mask.width;
  const double extra = 0.25;
  const Point corner = area.box.from;
  for (int row = 0; row < mask.height; ++row) {
    const std::uint8_t* line = mask.cells.data() + static_cast<std::ptrdiff_t>(row) * mask.width;
    const double top = corner.y + cell * row;
    for (int x = 0; x < mask.width; ++x) {
      if (!line[x]) continue;
      const int first = x;
      while (x < mask.width && line[x]) ++x;
      list.box({{corner.x + cell * first - extra, top - extra},
                {corner.x + cell * x + extra, top + cell + extra}},
               ink);
    }
  }
}

}  // namespace

bool draw_portrait(DrawList& list, const PlotLook& look, const Area& area, const PlotView& plot,
                   const Curve& curve, Interval time, PixelMask& mask, double ratio,
                   std::uint64_t generation, bool first, bool last) {
  const Pairs pairs(plot.spec, curve);
  const IndexRange points = pairs.visible(time);
  if (points.size() == 0) return true;
  const Ink ink{curve.style.color};
  const Stroke stroke = stroke_of(curve.style, look.line);
  const Transform transform = plot.transform();
  const auto at = [&](std::size_t i) { return area.at(pairs.at(i, plot.spec, transform)); };
  bool complete = true;
  if (points.size() > longest_line) {
    complete = advance(mask, area, pairs, plot, curve, points, ratio, generation);
    draw_cells(list, area, mask, ink);
  } else {
    mask = {};
    std::vector<Point> line;
    bool joins = false;
    const auto finish = [&] {
      list.polyline(line, stroke, std::exchange(joins, true));
      draw_arrows(list, line, ink, look.unit);
      line.clear();
    };
    for (std::size_t i = points.first; i < points.last; ++i) {
      if (const Point p = at(i); p.finite())
        line.push_back(p);
      else
        finish();
    }
    finish();
  }
  if (const Point start = at(points.first); first && start.finite())
    list.ring(start, 4 * look.unit, {ink, 1.5 * look.unit});
  if (const Point end = at(points.last - 1); last && end.finite())
    list.marker(end, 4.5 * look.unit, curve.style, look.cross);
  return complete;
}

std::optional<double> time_near(const Area& area, const PlotView& plot,
                                const std::vector<Curve>& curves, Interval time, Point place,
                                double reach) {
  std::optional<double> found;
  double best = reach;
  const Transform transform = plot.transform();
  for (const Curve& curve : curves) {
    const Pairs pairs(plot.spec, curve);
    const IndexRange points = pairs.visible(time);
    if (points.size() > longest_line) continue;
    for (std::size_t i = points.first; i < points.last; ++i) {
      const Point p = area.at(pairs.at(i, plot.spec, transform));
      const double distance = std::hypot(p.x - place.x, p.y - place.y);
      if (!(distance < best)) continue;
      best = distance;
      found = pairs.time(i);
    }
  }
  return found;
}

}  // namespace twosphere::ui
