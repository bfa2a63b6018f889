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
#include "ui/shell/panel.h"
#include "ui/shell/style.h"

namespace twosphere::ui {

namespace {

// Logical pixels.
constexpr float tick = 4, key_height = 20, arrow_length = 26;
constexpr float scale_title = 16, scale_values = 14;  // heights of the texts of a scale
constexpr float bar_height = 10, scale_gap = 8;
constexpr float scale_height = scale_title + bar_height + tick + scale_values;
constexpr float min_width = 150, max_width = 240;  // of a scale
constexpr float beside_scales = 180;               // the least room for a text
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

  /// Draws a scale of colours: its title, the bar, its labels.
  void color_scale(const ColorBar& b, float left, float top, float width) const {
    const float y = std::round(top + px(scale_title)), low = y + px(bar_height);
    list.AddText({std::round(left), std::round(top)}, im_color(colors.text),
                 elided(title_of(b), width).c_str());
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
    ImGui::PopFont();
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

/// How many scales of colours lie side by side, and how wide each is [logical pixels].
struct ScaleRow {
  std::size_t columns;
  float width;
};

ScaleRow scale_row(std::size_t count, float room) {
  const auto width = [room](std::size_t columns) {
    return (room + legend_margin) / static_cast<float>(columns) - legend_margin;
  };
  std::size_t columns = std::max<std::size_t>(count, 1);
  while (columns > 1 && width(columns) < min_width) --columns;
  return {columns, std::min(width(columns), max_width)};
}

}  // namespace

float scales_depth(std::size_t count, float width) {
  const std::size_t columns = scale_row(count, width - 2 * legend_margin).columns;
  return static_cast<float>((count + columns - 1) / columns) * (scale_height + scale_gap);
}

float lower_edge_of_scales(const Legend& legend, const std::map<std::string, Rect>& widgets) {
  float low = 0;
  if (legend.spare.width > 0) return low;
  for (auto scale = widgets.lower_bound("color_bar/");
       scale != widgets.end() && scale->first.starts_with("color_bar/"); ++scale)
    low = std::max(low, scale->second.y + scale->second.height);
  return low;
}

float top_below_scales(const Panel& panel, const Rect& scene) {
  return std::max(scene.y + panel.px(44),
                  lower_edge_of_scales(panel.frame.legend, panel.widgets) + panel.px(8));
}

void draw_legend(const Legend& legend, const Rect& whole, Palette palette, float scale,
                 std::map<std::string, Rect>* widgets, float below) {
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  const LegendPainter painter{list, colors(palette), palette, scale, widgets};
  const auto px = [&](float size) { return size * scale; };
  const std::vector<Rect> captions = draw_cells(legend.cells, palette, scale, below);
  for (std::size_t i = 0; i < captions.size(); ++i) {
    const CellView& cell = legend.cells[i];
    painter.mark(fmt::format("cell/{}", cell.shows), captions[i]);
    // A note has its own row.
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
  const float left = scene.x + px(legend_margin), right = scene.x + scene.width - px(legend_margin);
  const float top = std::max(scene.y + px(legend_margin), below);
  ImGui::PushFont(font(Face::small_text));
  // The scales lie across the top, where the camera leaves room for them.
  const std::size_t count = legend.bars.size();
  const ScaleRow row = scale_row(count, (right - left) / scale);
  const float apart = px(row.width + legend_margin);
  const float first = right + px(legend_margin) - static_cast<float>(row.columns) * apart;
  for (std::size_t i = 0; i < count; ++i) {
    const Rect place{first + static_cast<float>(i % row.columns) * apart,
                     top + static_cast<float>(i / row.columns) * px(scale_height + scale_gap),
                     px(row.width), px(scale_height)};
    painter.color_scale(legend.bars[i], place.x, place.y, place.width);
    painter.mark(fmt::format("color_bar/{}", i), place);
  }

  // Texts have their place beside the scales, or below them if there is little room.
  const float free = count > 0 ? first - px(legend_margin) - left : right - left;
  const bool beside = free >= px(beside_scales);
  const float room = beside ? free : right - left;
  float y = beside ? top : top + px(scales_depth(count, scene.width / scale));
  for (const ArrowScale& a : legend.arrows) {
    painter.arrow_row(a, left, y, room);
    y += px(key_height);
  }
  for (const auto& [text, name] : {std::pair(&legend.frame, "frame"), {&legend.sizes, "sizes"}}) {
    if (text->empty()) continue;
    const float wrap = std::max(room, px(80));
    const ImVec2 size = ImGui::CalcTextSize(text->c_str(), nullptr, false, wrap);
    const float from = y + (px(key_height) - ImGui::GetFontSize()) / 2;
    list.AddText(ImGui::GetFont(), ImGui::GetFontSize(), {std::round(left), std::round(from)},
                 im_color(painter.colors.dim), text->c_str(), nullptr, wrap);
    painter.mark(name, {left, from, size.x, size.y});
    y += size.y + px(key_height) - ImGui::GetFontSize();
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
