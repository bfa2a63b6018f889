// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/draw_list.h"

#include <array>

namespace twosphere::ui {

namespace {

constexpr std::array<float, 2> dashed{8, 5}, dotted{2, 4}, long_dash{14, 5};
constexpr std::array<float, 4> dash_dot{8, 4, 2, 4};

}  // namespace

std::span<const float> pattern(Dash dash) {
  switch (dash) {
    case Dash::solid:
      return {};
    case Dash::dashed:
      return dashed;
    case Dash::dotted:
      return dotted;
    case Dash::dash_dot:
      return dash_dot;
    case Dash::long_dash:
      return long_dash;
  }
  return {};
}

Stroke stroke_of(const LaneStyle& style, double width) {
  // Patterns are defined for lines 2 px wide.
  return {{style.color}, width, pattern(style.dash), width / 2};
}

void DrawList::clear() {
  primitives_.clear();
  points_.clear();
  texts_.clear();
}

Primitive& DrawList::add(Primitive::Kind kind, std::span<const Point> points) {
  Primitive& shape = primitives_.emplace_back(Primitive{kind});
  shape.first = static_cast<std::uint32_t>(points_.size());
  shape.count = static_cast<std::uint32_t>(points.size());
  points_.insert(points_.end(), points.begin(), points.end());
  return shape;
}

void DrawList::line(Point a, Point b, const Stroke& stroke) {
  add(Primitive::Kind::line, std::array{a, b}).stroke = stroke;
}

void DrawList::polyline(std::span<const Point> points, const Stroke& stroke, bool joins) {
  if (points.size() < 2) return;
  Primitive& shape = add(Primitive::Kind::polyline, points);
  shape.stroke = stroke;
  shape.joins = joins;
}

void DrawList::box(const Box& box, Ink fill) {
  if (primitives_.empty() || primitives_.back().kind != Primitive::Kind::boxes ||
      primitives_.back().fill != fill)
    add(Primitive::Kind::boxes, {}).fill = fill;
  points_.push_back(box.from);
  points_.push_back(box.to);
  primitives_.back().count += 2;
}

void DrawList::frame(const Box& box, Ink fill, const Stroke& outline, double rounding) {
  Primitive& shape = add(Primitive::Kind::frame, std::array{box.from, box.to});
  shape.fill = fill;
  shape.stroke = outline;
  shape.radius = rounding;
}

void DrawList::disc(Point center, double radius, Ink fill) {
  Primitive& shape = add(Primitive::Kind::circle, {&center, 1});
  shape.radius = radius;
  shape.fill = fill;
}

void DrawList::ring(Point center, double radius, const Stroke& stroke) {
  Primitive& shape = add(Primitive::Kind::circle, {&center, 1});
  shape.radius = radius;
  shape.stroke = stroke;
}

void DrawList::marker(Point center, double radius, const LaneStyle& style, double line) {
  Primitive& shape = add(Primitive::Kind::marker, {&center, 1});
  shape.radius = radius;
  shape.marker = style.marker;
  shape.fill = {style.color};
  shape.stroke = {{style.color}, line};
}

void DrawList::triangles(std::span<const Point> corners, Ink fill, double seam) {
  Primitive& shape = add(Primitive::Kind::triangles, corners);
  shape.fill = fill;
  shape.stroke = {fill, seam};
}

void DrawList::text(Point at, Face face, Ink ink, std::string_view text, bool upright) {
  Primitive& shape = add(Primitive::Kind::text, {&at, 1});
  shape.face = face;
  shape.fill = ink;
  shape.text = static_cast<std::uint32_t>(texts_.size());
  shape.upright = upright;
  texts_.emplace_back(text);
}

void DrawList::clip(const Box& box) { add(Primitive::Kind::clip, std::array{box.from, box.to}); }

void DrawList::unclip() { add(Primitive::Kind::unclip, {}); }

void draw_swatch(DrawList& list, Point from, double width, const LaneStyle& style, double unit) {
  list.polyline(std::array{from, Point{from.x + width, from.y}}, stroke_of(style, 2 * unit));
  list.marker({from.x + width / 2, from.y}, 3.5 * unit, style, 2);
}

std::span<const Point> corners(Marker marker) {
  static constexpr std::array<Point, 4> square{
      {{-0.85, -0.85}, {0.85, -0.85}, {0.85, 0.85}, {-0.85, 0.85}}};
  static constexpr std::array<Point, 3> triangle{{{0, -1.1}, {1, 0.8}, {-1, 0.8}}};
  static constexpr std::array<Point, 4> diamond{{{0, -1.2}, {1.2, 0}, {0, 1.2}, {-1.2, 0}}};
  static constexpr std::array<Point, 4> cross{{{-1, -1}, {1, 1}, {-1, 1}, {1, -1}}};
  switch (marker) {
    case Marker::circle:
      return {};
    case Marker::square:
      return square;
    case Marker::triangle:
      return triangle;
    case Marker::diamond:
      return diamond;
    case Marker::cross:
      return cross;
  }
  return {};
}

}  // namespace twosphere::ui
