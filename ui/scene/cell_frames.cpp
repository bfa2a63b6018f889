// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/cell_frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/output/cell_caption.h"
#include "ui/plot/axis.h"
#include "ui/shell/panel.h"
#include "ui/shell/screen_painter.h"
#include "ui/shell/style.h"

namespace twosphere::ui {

namespace {

// Logical pixels.
constexpr float frame_line = 2, caption_left = 6, caption_sample = 26, caption_gap = 8;
constexpr float narrow_cell = 380, bar_length = 80, bar_thickness = 6;
constexpr float lane_row = 20, axes_height = 136, row_margin = 16;
constexpr float row_symbol = 4.5f;      // radius
constexpr double min_distance = 1e-16;  // [rad]
constexpr int step_digits = 4;

std::string step_text(double step) { return fmt::format("h {} s", significant(step, step_digits)); }

std::string distance_text(double distance) {
  return distance == 0 ? "0 rad" : fmt::format("{:.1e} rad", distance);
}

std::string energy_text(double error) { return fmt::format("|E−E₀−W| {:.1e} J", std::abs(error)); }

float text_width(const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x; }

/// Draws parts of a caption one after the other.
class CaptionLine {
 public:
  CaptionLine(ImDrawList& list, const Rect& place, const Colors& colors, float scale)
      : list_(list), place_(place), colors_(colors), scale_(scale), x_(place.x) {}

  void add_sample(const LaneStyle& style) {
    swatch(list_, {x_, middle()}, caption_sample * scale_, style, scale_);
    x_ += (caption_sample + caption_gap) * scale_;
  }
  void add_text(const std::string& text, Color color) {
    const std::string shown = elided(text, left());
    const float y = middle() - ImGui::GetFontSize() / 2;
    list_.AddText({std::round(x_), std::round(y)}, im_color(color), shown.c_str());
    x_ += text_width(shown) + caption_gap * scale_;
  }
  void add_bar(double distance, const LaneStyle& style) {
    const float width = bar_length * scale_,
                top = std::round(middle() - bar_thickness * scale_ / 2);
    const float low = top + bar_thickness * scale_,
                filled = static_cast<float>(bar_share(distance));
    list_.AddRectFilled({x_, top}, {x_ + filled * width, low}, im_color(style.color));
    list_.AddRect({x_, top}, {x_ + width, low}, im_color(colors_.dim));
    x_ += width;
  }
  float left() const { return std::max(place_.x + place_.width - x_, 0.0f); }

 private:
  float middle() const { return place_.y + place_.height / 2; }

  ImDrawList& list_;
  const Rect place_;
  const Colors& colors_;
  float scale_, x_;
};

/// Draws the caption of a cell within `place`, which it fills from the left.
void draw_caption(const CellCaption& caption, const Rect& place, bool narrow, const Colors& colors,
                  float scale, ImDrawList& list) {
  const float lines = caption.note.empty() ? 1.0f : 2.0f;
  list.AddRectFilled({place.x, place.y}, {place.x + place.width, place.y + lines * place.height},
                     im_color(colors.scene, 0.7f));
  CaptionLine line(list, place, colors, scale);
  line.add_sample(caption.style);
  const float bar = caption.distance ? (bar_length + caption_gap) * scale : 0;
  const std::string name = elided(caption.name, std::max(line.left() - bar, 0.0f));
  line.add_text(name, colors.text);
  const auto add = [&](const std::string& text, Color color) {
    if (!text.empty() && line.left() - bar > text_width(text)) line.add_text(text, color);
  };
  if (!narrow) {
    if (caption.step) add(step_text(*caption.step), colors.dim);
    if (caption.energy_error) add(energy_text(*caption.energy_error), colors.dim);
    if (caption.distance) add(distance_text(*caption.distance), colors.dim);
  }
  if (caption.distance) line.add_bar(*caption.distance, caption.style);
}

}  // namespace

double bar_share(double distance) {
  const double most = std::log10(std::numbers::pi), least = std::log10(min_distance);
  return distance > min_distance ? std::min((std::log10(distance) - least) / (most - least), 1.0)
                                 : 0;
}

std::string spoken_caption(const CellCaption& caption) {
  std::string text = caption.name;
  if (caption.step) text += ", " + step_text(*caption.step);
  if (caption.energy_error) text += ", " + energy_text(*caption.energy_error);
  text += caption.distance ? ", " + distance_text(*caption.distance) + " from the reference"
                           : ", the reference";
  if (!caption.note.empty()) text += ", " + caption.note;
  return text;
}

std::vector<Rect> draw_cells(std::span<const CellView> cells, Palette palette, float scale,
                             float below) {
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  const Colors& c = colors(palette);
  const auto px = [&](float size) { return size * scale; };
  const float line = px(frame_line);
  std::vector<Rect> captions;
  ImGui::PushFont(font(Face::small_text));
  for (const CellView& cell : cells) {
    const Rect& r = cell.rect;
    list.PushClipRect({r.x, r.y}, {r.x + r.width, r.y + r.height});
    list.AddRect({r.x + line / 2, r.y + line / 2},
                 {r.x + r.width - line / 2, r.y + r.height - line / 2},
                 im_color(cell.caption.style.color), 0, 0, line);
    const float left = r.x + px(caption_left), top = std::max(r.y + px(caption_top), below);
    const Rect place{left, top, std::max(r.width - 2 * (left - r.x), 0.0f), px(caption_height)};
    draw_caption(cell.caption, place, r.width < px(narrow_cell), c, scale, list);
    if (!cell.caption.note.empty())
      list.AddText({std::round(left), std::round(top + px(caption_height))}, im_color(c.dim),
                   elided(cell.caption.note, place.width).c_str());
    list.PopClipRect();
    captions.push_back(place);
  }
  ImGui::PopFont();
  return captions;
}

std::vector<Rect> draw_lane_rows(const Legend& legend, const Rect& scene, Palette palette,
                                 float scale) {
  std::vector<Rect> rows;
  const bool spare = legend.spare.width > 0;
  if (legend.lanes.empty() || (!spare && !legend.cells.empty())) return rows;
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  const Colors& c = colors(palette);
  const auto px = [&](float size) { return size * scale; };
  ImGui::PushFont(font(Face::small_text));
  const float symbols = px(caption_sample + 2 * (caption_gap + row_symbol));
  float widest = 0;
  for (const LaneRow& row : legend.lanes) widest = std::max(widest, text_width(row.name));
  const Rect& area = spare ? legend.spare : scene;
  // Not over the inset; above the axes, where few bodies are: a row is in the way of the mouse.
  const float right = !spare && legend.inset.width > 0 ? legend.inset.x : area.x + area.width;
  const float x = area.x + px(row_margin);
  // Not the difference of places, whose rounding would shorten a name that fits.
  const float room = std::min(widest, std::max(right - x - px(row_margin) - symbols, 0.0f));
  const float height = px(lane_row) * static_cast<float>(legend.lanes.size());
  float y = spare ? area.y + px(row_margin) : area.y + area.height - px(axes_height) - height;
  list.PushClipRect({area.x, area.y}, {area.x + area.width, area.y + area.height});
  for (const LaneRow& row : legend.lanes) {
    const float middle = y + px(lane_row) / 2, radius = px(row_symbol);
    const float strength = row.hidden ? 0.35f : 1;
    if (!row.hidden) swatch(list, {x, middle}, px(caption_sample), row.style, scale);
    const ImVec2 center{x + px(caption_sample + caption_gap) + radius, middle};
    if (row.full)
      list.AddCircleFilled(center, radius, im_color(row.style.color, strength));
    else
      list.AddCircle(center, radius, im_color(row.style.color, strength), 0, px(2));
    const float from = x + symbols;
    list.AddText({std::round(from), std::round(middle - ImGui::GetFontSize() / 2)},
                 im_color(row.hidden ? c.dim : c.text), elided(row.name, room).c_str());
    rows.push_back({x, y, symbols + room, px(lane_row)});
    y += px(lane_row);
  }
  list.PopClipRect();
  ImGui::PopFont();
  return rows;
}

}  // namespace twosphere::ui
