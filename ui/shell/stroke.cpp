// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/stroke.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "ui/shell/style.h"

namespace twosphere::ui {

namespace {

constexpr float line_width = 2;

ImVec2 between(ImVec2 a, ImVec2 b, float part) {
  return {a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part};
}

/// Sharp turns would grow long mitres; such corners are left as two separate lines.
bool sharp(ImVec2 a, ImVec2 b, ImVec2 c) {
  const float x1 = b.x - a.x, y1 = b.y - a.y, x2 = c.x - b.x, y2 = c.y - b.y;
  return x1 * x2 + y1 * y2 < 0;
}

void stroke(ImDrawList& list, std::span<const ImVec2> points, ImU32 color, float width) {
  std::size_t first = 0;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const bool end = i + 1 == points.size();
    if (!end && !sharp(points[i - 1], points[i], points[i + 1])) continue;
    list.AddPolyline(points.data() + first, static_cast<int>(i - first + 1), color, 0, width);
    first = i;
  }
}

}  // namespace

void draw_line(ImDrawList& list, std::span<const ImVec2> points, const LaneStyle& style,
               float scale, float& start) {
  const ImU32 color = im_color(style.color);
  const float width = line_width * scale;
  const std::span<const float> lengths = pattern(style.dash);
  if (points.size() < 2) return;
  if (lengths.empty()) return stroke(list, points, color, width);

  float period = 0;
  for (const float l : lengths) period += l * scale;
  // Where in the pattern the line begins.
  float left = std::fmod(start, period);
  std::size_t phase = 0;
  while (left >= lengths[phase] * scale) {
    left -= lengths[phase] * scale;
    phase = (phase + 1) % lengths.size();
  }
  float remaining = lengths[phase] * scale - left;

  std::vector<ImVec2> dash;
  if (phase % 2 == 0) dash.push_back(points[0]);
  for (std::size_t i = 1; i < points.size(); ++i) {
    const ImVec2 a = points[i - 1], b = points[i];
    const float length = std::hypot(b.x - a.x, b.y - a.y);
    start += length;
    float done = 0;
    while (length - done > remaining) {
      done += remaining;
      const ImVec2 at = between(a, b, done / length);
      if (phase % 2 == 0) {
        dash.push_back(at);
        stroke(list, dash, color, width);
        dash.clear();
      } else {
        dash.assign(1, at);
      }
      phase = (phase + 1) % lengths.size();
      remaining = lengths[phase] * scale;
    }
    remaining -= length - done;
    if (phase % 2 == 0) dash.push_back(b);
  }
  if (dash.size() > 1) stroke(list, dash, color, width);
}

void draw_marker(ImDrawList& list, ImVec2 c, float r, const LaneStyle& style) {
  const ImU32 color = im_color(style.color);
  switch (style.marker) {
    case Marker::circle:
      return list.AddCircleFilled(c, r, color);
    case Marker::square:
      return list.AddRectFilled({c.x - 0.85f * r, c.y - 0.85f * r},
                                {c.x + 0.85f * r, c.y + 0.85f * r}, color);
    case Marker::triangle:
      return list.AddTriangleFilled({c.x, c.y - 1.1f * r}, {c.x + r, c.y + 0.8f * r},
                                    {c.x - r, c.y + 0.8f * r}, color);
    case Marker::diamond:
      return list.AddQuadFilled({c.x, c.y - 1.2f * r}, {c.x + 1.2f * r, c.y}, {c.x, c.y + 1.2f * r},
                                {c.x - 1.2f * r, c.y}, color);
    case Marker::cross:
      list.AddLine({c.x - r, c.y - r}, {c.x + r, c.y + r}, color, line_width);
      return list.AddLine({c.x - r, c.y + r}, {c.x + r, c.y - r}, color, line_width);
  }
}

void swatch(ImDrawList& list, ImVec2 from, float width, const LaneStyle& style, float scale) {
  const std::array<ImVec2, 2> ends{from, ImVec2{from.x + width, from.y}};
  float start = 0;
  draw_line(list, ends, style, scale, start);
  draw_marker(list, {from.x + width / 2, from.y}, 3.5f * scale, style);
}

}  // namespace twosphere::ui
