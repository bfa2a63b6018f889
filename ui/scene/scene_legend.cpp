// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/scene_legend.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "ui/plot/axis.h"
#include "ui/scene/cell_frames.h"
#include "ui/shell/style.h"

namespace twosphere::ui {

namespace {

// Logical pixels.
constexpr float bar_width = 12, bar_height = 150, bar_top = 66, margin = 16, tick = 4;
constexpr float key_height = 20, first_row = 44, arrow_length = 26;
constexpr float flat_height = 10, widest_flat = 400;
constexpr int pieces = 64;
constexpr int digits = 6;  // of values

struct LegendPainter {
  ImDrawList& list;
  const Colors& colors;
  Palette palette;
  float scale;
  std::map<std::string, Rect>* widgets;

  float px(float size) const { return size * scale; }
  void mark(std::string name, const Rect& rect) const {
    if (widgets) (*widgets)[std::move(name)] = rect;
  }

  /// Draws a bar with its labels, right-aligned at `right`; returns the width.
  float bar(const ColorBar& b, float right, float top, float height) const {
    const float x = right - px(bar_width);
    // The background of the labels is slightly transparent.
    ImGui::PushFont(font(Face::small_mono));
    float widest = 0;
    for (const double s : labels_of(b))
      widest = std::max(widest, ImGui::CalcTextSize(text_at(b, s).c_str()).x);
    const float half = ImGui::GetFontSize() / 2;
    list.AddRectFilled({x - px(tick + 7) - widest, top - half - px(2)},
                       {x, top + height + half + px(2)}, im_color(colors.scene, 0.7f), px(4));
    const auto at = [&](int k) {
      return std::round(top + height * static_cast<float>(k) / static_cast<float>(pieces));
    };
    for (int i = 0; i < pieces; ++i) {
      const double s = 1 - (i + 0.5) / pieces;
      list.AddRectFilled({x, at(i)}, {right, at(i + 1)}, im_color(color_at(b.map, s, palette)));
    }
    list.AddRect({x, top}, {right, top + height}, im_color(colors.line));
    for (const double s : labels_of(b)) {
      const std::string text = text_at(b, s);
      const ImVec2 extent = ImGui::CalcTextSize(text.c_str());
      const float y = top + height * static_cast<float>(1 - s);
      list.AddLine({x - px(tick), y}, {x, y}, im_color(colors.dim));
      list.AddText({std::round(x - px(tick + 4) - extent.x), std::round(y - extent.y / 2)},
                   im_color(colors.text), text.c_str());
    }
    ImGui::PopFont();
    ImGui::PushFont(font(Face::small_text));
    const std::string label = title_of(b);
    const ImVec2 size = ImGui::CalcTextSize(label.c_str());
    list.AddText({std::round(right - size.x), std::round(top - size.y - px(6))},
                 im_color(colors.text), label.c_str());
    ImGui::PopFont();
    return std::max(size.x, px(bar_width + tick + 4) + widest);
  }

  /// Draws a bar that lies across the scene, with its title above and its labels below; returns
  /// the height.
  float flat_bar(const ColorBar& b, float left, float top, float width) const {
    ImGui::PushFont(font(Face::small_text));
    const std::string label = title_of(b);
    list.AddText({std::round(left), std::round(top)}, im_color(colors.text), label.c_str());
    const float y = std::round(top + ImGui::GetFontSize() + px(4));
    ImGui::PopFont();
    const float low = y + px(flat_height);
    const auto at = [&](double s) { return std::round(left + width * static_cast<float>(s)); };
    for (int i = 0; i < pieces; ++i)
      list.AddRectFilled({at(static_cast<double>(i) / pieces), y}, {at((i + 1.0) / pieces), low},
                         im_color(color_at(b.map, (i + 0.5) / pieces, palette)));
    list.AddRect({left, y}, {left + width, low}, im_color(colors.line));
    ImGui::PushFont(font(Face::small_mono));
    for (const double s : labels_of(b)) {
      const std::string text = text_at(b, s);
      const float extent = ImGui::CalcTextSize(text.c_str()).x;
      list.AddLine({at(s), low}, {at(s), low + px(tick)}, im_color(colors.dim));
      list.AddText({std::round(at(s) - static_cast<float>(s) * extent), low + px(tick)},
                   im_color(colors.text), text.c_str());
    }
    const float bottom = low + px(tick) + ImGui::GetFontSize();
    ImGui::PopFont();
    return bottom - top;
  }

  void arrow_row(const ArrowScale& a, float x, float y, float room) const {
    const ImU32 color = im_color(a.color);
    const float middle = y + px(key_height) / 2, head = px(7), length = px(arrow_length);
    list.AddLine({x, middle}, {x + length - head, middle}, color, px(2));
    list.AddTriangleFilled({x + length, middle}, {x + length - head, middle + 0.5f * head},
                           {x + length - head, middle - 0.5f * head}, color);
    const BodyVectorInfo& vector = info(a.vector);
    const std::string value = fmt::format("{}, longest {} {}", vector.symbol,
                                          significant(a.longest, digits), vector.unit);
    std::string text = fmt::format("{} {}", vector.label, value);
    if (length + px(8) + ImGui::CalcTextSize(text.c_str()).x > room) text = value;
    const ImVec2 size = ImGui::CalcTextSize(text.c_str());
    list.AddText({std::round(x + length + px(8)), std::round(middle - size.y / 2)},
                 im_color(colors.text), text.c_str());
    mark(fmt::format("arrow_key/{}", vector.key), {x, y, length + px(8) + size.x, px(key_height)});
  }

  void body_number(const BodyLabel& label) const {
    const std::string text = std::to_string(label.body + 1);
    const ImVec2 size = ImGui::CalcTextSize(text.c_str());
    const ImVec2 at{std::round(label.at[0] - size.x / 2), std::round(label.at[1] - size.y)};
    // An outline in the background colour keeps the number legible.
    for (const ImVec2 d : {ImVec2{1, 0}, ImVec2{-1, 0}, ImVec2{0, 1}, ImVec2{0, -1}})
      list.AddText({at.x + d.x, at.y + d.y}, im_color(colors.scene, 0.8f), text.c_str());
    list.AddText(at, im_color(colors.text), text.c_str());
    mark(fmt::format("body/{}", label.body + 1), {at.x, at.y, size.x, size.y});
  }
};

}  // namespace

void draw_legend(const Legend& legend, const Rect& whole, Palette palette, float scale,
                 std::map<std::string, Rect>* widgets, float below) {
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  const LegendPainter painter{list, colors(palette), palette, scale, widgets};
  const auto px = [&](float size) { return size * scale; };
  const std::vector<Rect> captions = draw_cells(legend.cells, palette, scale, below);
  for (std::size_t i = 0; i < captions.size(); ++i) {
    const CellView& cell = legend.cells[i];
    painter.mark(fmt::format("cell/{}", cell.shows), captions[i]);
    // A note has a row of its own.
    const float lines = cell.caption.note.empty() ? 1.0f : 2.0f;
    if (cell.rect.y < whole.y + 1)
      below = std::max(below, captions[i].y + lines * captions[i].height);
  }
  const std::vector<Rect> rows = draw_lane_rows(legend, whole, palette, scale);
  for (std::size_t i = 0; i < rows.size(); ++i)
    painter.mark(fmt::format("lane_row/{}", legend.lanes[i].lane), rows[i]);
  // In the part that the cells leave, below the lanes.
  const bool spare = legend.spare.width > 0;
  const Rect& scene = spare ? legend.spare : whole;
  if (spare && !rows.empty()) below = rows.back().y + rows.back().height;
  list.PushClipRect({whole.x, whole.y}, {whole.x + whole.width, whole.y + whole.height});
  const float room = scene.width - 2 * px(margin), left = scene.x + px(margin);
  // Upright bars would cover what a narrow scene shows.
  const bool narrow = scene.width < scene.height && scene.width < px(widest_flat);
  float right = left + room;
  if (!narrow) {
    const float top = std::max(scene.y + px(bar_top), below + px(bar_top - first_row));
    const float height = std::min(px(bar_height), 0.4f * scene.height);
    for (std::size_t i = 0; i < legend.bars.size(); ++i) {
      const float width = painter.bar(legend.bars[i], right, top, height);
      painter.mark(fmt::format("color_bar/{}", i), {right - width, top, width, height});
      right -= width + px(margin);
    }
  }

  ImGui::PushFont(font(Face::small_text));
  float y = std::max(scene.y + px(first_row), below);
  for (const ArrowScale& a : legend.arrows) {
    painter.arrow_row(a, left, y, room);
    y += px(key_height);
  }
  for (const auto& [text, name] : {std::pair(&legend.frame, "frame"), {&legend.sizes, "sizes"}}) {
    if (text->empty()) continue;
    // Beside the title of the first upright bar.
    const float wrap = std::max(right - left, px(80));
    const ImVec2 size = ImGui::CalcTextSize(text->c_str(), nullptr, false, wrap);
    const float from = y + (px(key_height) - ImGui::GetFontSize()) / 2;
    list.AddText(ImGui::GetFont(), ImGui::GetFontSize(), {std::round(left), std::round(from)},
                 im_color(painter.colors.dim), text->c_str(), nullptr, wrap);
    painter.mark(name, {left, from, size.x, size.y});
    y += size.y + px(key_height) - ImGui::GetFontSize();
  }
  if (narrow)
    for (std::size_t i = 0; i < legend.bars.size(); ++i) {
      const float height = painter.flat_bar(legend.bars[i], left, y, room);
      painter.mark(fmt::format("color_bar/{}", i), {left, y, room, height});
      y += height + px(flat_height);
    }
  if (const Rect& inset = legend.inset; inset.width > 0) {
    const char* text = "all qᵢ on S²";
    const ImVec2 size = ImGui::CalcTextSize(text);
    list.AddText(
        {std::round(inset.x + (inset.width - size.x) / 2), std::round(inset.y - size.y + px(4))},
        im_color(painter.colors.dim), text);
    painter.mark("inset", inset);
  }
  for (const BodyLabel& label : legend.labels) painter.body_number(label);
  ImGui::PopFont();
  list.PopClipRect();
}

}  // namespace twosphere::ui
