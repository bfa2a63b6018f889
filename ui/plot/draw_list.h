// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/color/color.h"
#include "core/output/lane_style.h"

/// The drawing of plots and figures as data, independent of Dear ImGui and Qt.
namespace twosphere::ui {

struct Point {
  double x = 0, y = 0;
  bool finite() const { return std::isfinite(x) && std::isfinite(y); }
  bool operator==(const Point&) const = default;
};

/// A rectangle by its upper left and lower right corner.
struct Box {
  Point from, to;

  double width() const { return to.x - from.x; }
  double height() const { return to.y - from.y; }
  Point center() const { return {(from.x + to.x) / 2, (from.y + to.y) / 2}; }
  bool contains(Point p) const {
    return p.x >= from.x && p.x <= to.x && p.y >= from.y && p.y <= to.y;
  }
  bool contains(const Box& other) const { return contains(other.from) && contains(other.to); }
};

/// Fonts. On paper all are the same.
enum class Face {
  text,        ///< 14 px
  mono,        ///< numbers
  small_text,  ///< captions
  small_mono,  ///< ticks and readouts
  title,
};

/// The size of text in the fonts of a painter, in its units.
class TextMeasure {
 public:
  virtual ~TextMeasure() = default;
  virtual double width(Face face, std::string_view text) const = 0;
  /// The height of a line of text.
  virtual double height(Face face) const = 0;
};

/// A colour with opacity.
struct Ink {
  Color color;
  float opacity = 1;
  bool operator==(const Ink&) const = default;
};

struct Stroke {
  Ink ink;
  double width = 1;  ///< 0: none
  std::span<const float>
      dash{};  ///< lengths drawn and skipped alternately, in `unit`; empty: solid
  double unit = 1;
  bool smooth = true;  ///< anti-aliased
};
/// Lengths drawn and skipped alternately, for a line 2 px wide [px]; empty for a solid line.
std::span<const float> pattern(Dash dash);
/// The line of a lane with this width.
Stroke stroke_of(const LaneStyle& style, double width);

/// One shape; its points are stored in the list.
struct Primitive {
  enum class Kind {
    line,       ///< from one point to another
    polyline,   ///< through the points
    boxes,      ///< filled rectangles, two corners each, not anti-aliased
    frame,      ///< a filled and outlined rectangle with rounded corners
    circle,     ///< filled or outlined
    marker,     ///< the marker of a lane
    triangles,  ///< filled, three points each; outlined to close seams
    text,       ///< at its upper left corner; upright: upwards from its lower left corner
    clip,  ///< restricts the following shapes to a rectangle until unclip; nested ones intersect
    unclip
  };
  Kind kind;
  std::uint32_t first = 0, count = 0;  // points
  Ink fill{{}, 0};
  Stroke stroke{{}, 0, {}, 1, true};
  double radius = 0;  // also of rounded corners
  Marker marker = Marker::circle;
  Face face = Face::text;
  std::uint32_t text = 0;  // index in the list of texts
  bool upright = false;
  bool joins = false;  // the dashes continue those of the previous polyline
};

/// Shapes in drawing order; y points down.
class DrawList {
 public:
  void clear();
  void line(Point a, Point b, const Stroke& stroke);
  void polyline(std::span<const Point> points, const Stroke& stroke, bool joins = false);
  void box(const Box& box, Ink fill);
  void frame(const Box& box, Ink fill, const Stroke& outline, double rounding = 0);
  void disc(Point center, double radius, Ink fill);
  void ring(Point center, double radius, const Stroke& stroke);
  /// `line` is the line width of a cross.
  void marker(Point center, double radius, const LaneStyle& style, double line);
  /// `seam` is the width of an outline in the same colour; 0: none.
  void triangles(std::span<const Point> corners, Ink fill, double seam = 0);
  void text(Point at, Face face, Ink ink, std::string_view text, bool upright = false);
  void clip(const Box& box);
  void unclip();

  const std::vector<Primitive>& primitives() const { return primitives_; }
  std::span<const Point> points(const Primitive& one) const {
    return {points_.data() + one.first, one.count};
  }
  Box box(const Primitive& one) const { return {points_[one.first], points_[one.first + 1]}; }
  const std::string& text(const Primitive& one) const { return texts_[one.text]; }

 private:
  Primitive& add(Primitive::Kind kind, std::span<const Point> points);

  std::vector<Primitive> primitives_;
  std::vector<Point> points_;
  std::vector<std::string> texts_;
};

/// A sample of the line of a lane with its marker, `width` long, from its left end; `unit` is a
/// pixel at scale 1.
void draw_swatch(DrawList& list, Point from, double width, const LaneStyle& style, double unit);

/// Corners of a marker of radius 1 about the origin; none for a circle, and for a cross the ends of
/// its two strokes.
std::span<const Point> corners(Marker marker);

}  // namespace twosphere::ui
