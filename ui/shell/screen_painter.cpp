// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/screen_painter.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "ui/shell/style.h"

namespace twosphere::ui {

namespace {

constexpr float nearest = 1e-3f;  // smallest distance of two points of a line [px]

ImU32 color_of(Ink ink) { return im_color(ink.color, ink.opacity); }

ImVec2 interpolate(ImVec2 a, ImVec2 b, float part) {
  return {a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part};
}

/// Skips points that nearly coincide with the last: their direction is undefined, and so would be
/// the mitre.
void add(std::vector<ImVec2>& line, ImVec2 at) {
  if (line.empty() || std::abs(at.x - line.back().x) + std::abs(at.y - line.back().y) >= nearest)
    line.push_back(at);
}

/// Sharp turns would have long mitres; there the line is divided in two.
bool sharp(ImVec2 a, ImVec2 b, ImVec2 c) {
  const float x1 = b.x - a.x, y1 = b.y - a.y, x2 = c.x - b.x, y2 = c.y - b.y;
  return x1 * x2 + y1 * y2 < 0;
}

void stroke(ImDrawList& to, std::span<const ImVec2> points, ImU32 color, float width) {
  std::size_t first = 0;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const bool end = i + 1 == points.size();
    if (!end && !sharp(points[i - 1], points[i], points[i + 1])) continue;
    to.AddPolyline(points.data() + first, static_cast<int>(i - first + 1), color, 0, width);
    first = i;
  }
}

/// Divides a line into dashes. `start` is the length before the line and is increased by its
/// length.
template <class Take>
void dash(std::span<const ImVec2> points, const Stroke& how, float& start, const Take& take) {
  const auto length_of = [&](std::size_t k) { return static_cast<float>(how.dash[k] * how.unit); };
  float period = 0;
  for (std::size_t k = 0; k < how.dash.size(); ++k) period += length_of(k);
  // Position in the pattern at the start of the line.
  float left = std::fmod(start, period);
  std::size_t phase = 0;
  while (left >= length_of(phase)) {
    left -= length_of(phase);
    phase = (phase + 1) % how.dash.size();
  }
  float remaining = length_of(phase) - left;

  std::vector<ImVec2> piece;
  if (phase % 2 == 0) piece.push_back(points[0]);
  for (std::size_t i = 1; i < points.size(); ++i) {
    const ImVec2 a = points[i - 1], b = points[i];
    const float length = std::hypot(b.x - a.x, b.y - a.y);
    start += length;
    float done = 0;
    while (length - done > remaining) {
      done += remaining;
      const ImVec2 at = interpolate(a, b, done / length);
      if (phase % 2 == 0) {
        add(piece, at);
        if (piece.size() > 1) take(piece);
        piece.clear();
      } else {
        piece.assign(1, at);
      }
      phase = (phase + 1) % how.dash.size();
      remaining = length_of(phase);
    }
    remaining -= length - done;
    if (phase % 2 == 0) add(piece, b);
  }
  if (piece.size() > 1) take(piece);
}

class Painter {
 public:
  Painter(ImDrawList& to, const DrawList& list) : to_(to), list_(list) {}

  void draw(const Primitive& shape) {
    using Kind = Primitive::Kind;
    const auto points = list_.points(shape);
    const ImU32 fill = color_of(shape.fill), line = color_of(shape.stroke.ink);
    const auto width = static_cast<float>(shape.stroke.width),
               radius = static_cast<float>(shape.radius);
    switch (shape.kind) {
      case Kind::line:
        return draw_line(shape);
      case Kind::polyline:
        return draw_polyline(shape);
      case Kind::boxes:
        for (std::size_t i = 0; i < points.size(); i += 2)
          to_.AddRectFilled(pixel(points[i]), pixel(points[i + 1]), fill);
        return;
      case Kind::frame:
        if (shape.fill.opacity > 0)
          to_.AddRectFilled(pixel(points[0]), pixel(points[1]), fill, radius);
        if (width > 0) to_.AddRect(pixel(points[0]), pixel(points[1]), line, radius, 0, width);
        return;
      case Kind::circle:
        if (shape.fill.opacity > 0) to_.AddCircleFilled(pixel(points[0]), radius, fill);
        if (width > 0) to_.AddCircle(pixel(points[0]), radius, line, 0, width);
        return;
      case Kind::marker:
        return draw_marker(shape);
      case Kind::triangles:
        for (std::size_t i = 0; i < points.size(); i += 3)
          to_.AddTriangleFilled(pixel(points[i]), pixel(points[i + 1]), pixel(points[i + 2]), fill);
        return;
      case Kind::text: {
        ImFont* f = font(shape.face);
        const ImVec2 at = pixel(points[0]);
        return to_.AddText(f, f->FontSize * ImGui::GetIO().FontGlobalScale,
                           {std::round(at.x), std::round(at.y)}, fill, list_.text(shape).c_str());
      }
      case Kind::clip:
        return to_.PushClipRect(pixel(points[0]), pixel(points[1]), true);
      case Kind::unclip:
        return to_.PopClipRect();
    }
  }

 private:
  /// Lines go through the centres of pixels.
  void draw_line(const Primitive& shape) {
    const std::array ends{pixel(list_.points(shape)[0]), pixel(list_.points(shape)[1])};
    const ImU32 color = color_of(shape.stroke.ink);
    const auto width = static_cast<float>(shape.stroke.width);
    const ImDrawListFlags flags = to_.Flags;
    if (!shape.stroke.smooth) to_.Flags &= ~ImDrawListFlags_AntiAliasedLines;
    float start = 0;
    if (shape.stroke.dash.empty())
      to_.AddLine(ends[0], ends[1], color, width);
    else
      dash(ends, shape.stroke, start, [&](const std::vector<ImVec2>& piece) {
        to_.AddLine(piece.front(), piece.back(), color, width);
      });
    to_.Flags = flags;
  }

  void draw_polyline(const Primitive& shape) {
    line_.clear();
    for (const Point p : list_.points(shape)) add(line_, pixel(p));
    if (line_.size() < 2) return;
    const ImU32 color = color_of(shape.stroke.ink);
    const auto width = static_cast<float>(shape.stroke.width);
    if (shape.stroke.dash.empty()) return stroke(to_, line_, color, width);
    if (!shape.joins) start_ = 0;
    dash(line_, shape.stroke, start_,
         [&](const std::vector<ImVec2>& piece) { stroke(to_, piece, color, width); });
  }

  void draw_marker(const Primitive& shape) {
    const ImVec2 c = pixel(list_.points(shape)[0]);
    const auto r = static_cast<float>(shape.radius);
    const ImU32 color = color_of(shape.fill);
    if (shape.marker == Marker::circle) return to_.AddCircleFilled(c, r, color);
    line_.clear();
    for (const Point p : corners(shape.marker))
      line_.push_back({c.x + r * static_cast<float>(p.x), c.y + r * static_cast<float>(p.y)});
    if (shape.marker == Marker::square) return to_.AddRectFilled(line_[0], line_[2], color);
    if (shape.marker != Marker::cross)
      return to_.AddConvexPolyFilled(line_.data(), static_cast<int>(line_.size()), color);
    for (const std::size_t i : {0u, 2u})
      to_.AddLine(line_[i], line_[i + 1], color, static_cast<float>(shape.stroke.width));
  }

  ImDrawList& to_;
  const DrawList& list_;
  std::vector<ImVec2> line_;
  float start_ = 0;  // length of the dashes of the last polyline
};

}  // namespace

double ScreenLetters::width(Face face, std::string_view text) const {
  ImFont* f = font(face);
  return f
      ->CalcTextSizeA(f->FontSize * ImGui::GetIO().FontGlobalScale, FLT_MAX, 0, text.data(),
                      text.data() + text.size())
      .x;
}

double ScreenLetters::height(Face face) const {
  return font(face)->FontSize * ImGui::GetIO().FontGlobalScale;
}

void paint(ImDrawList& to, const DrawList& list) {
  Painter painter(to, list);
  for (const Primitive& shape : list.primitives()) painter.draw(shape);
}

void swatch(ImDrawList& to, ImVec2 from, float width, const LaneStyle& style, float scale) {
  DrawList list;
  draw_swatch(list, {from.x, from.y}, width, style, scale);
  paint(to, list);
}

}  // namespace twosphere::ui
