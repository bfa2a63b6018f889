// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/equation_view.h"

#include <algorithm>
#include <cfloat>
#include <cmath>

namespace twosphere::ui {

namespace {

/// The font nearest to a size.
const ImFont* font_of_size(float size) {
  const ImFont* best = font(Face::text);
  for (const Face face : {Face::small_text, Face::title})
    if (std::abs(font(face)->FontSize - size) < std::abs(best->FontSize - size)) best = font(face);
  return best;
}

}  // namespace

float ScreenPen::width(const std::string& text, float size) const {
  return font_of_size(size)->CalcTextSizeA(size, FLT_MAX, 0, text.c_str()).x;
}

void ScreenPen::text(float x, float baseline, const std::string& text, float size) {
  const ImFont* f = font_of_size(size);
  list_.AddText(f, size, {x, baseline - f->Ascent * size / f->FontSize}, color_, text.c_str());
}

void ScreenPen::line(float x0, float y0, float x1, float y1, float thickness) {
  list_.AddLine({x0, y0}, {x1, y1}, color_, std::max(thickness, scale_));
}

void ScreenPen::dot(float x, float y, float radius) {
  list_.AddCircleFilled({x, y}, std::max(radius, 0.9f * scale_), color_);
}

void draw_equations(ImU32 color, float scale, std::string_view text, float width) {
  ScreenPen pen(color, scale);
  const float size = font(Face::text)->FontSize;
  while (!text.empty()) {
    const std::size_t end = text.find(",  ");
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const FormulaSize set =
        set_formula(parse_formula(text.substr(0, end)), pen, at.x, at.y, size, width);
    ImGui::Dummy({std::min(set.width, width), set.up + set.down + 2 * scale});
    if (end == text.npos) break;
    text.remove_prefix(end + 3);
  }
}

}  // namespace twosphere::ui
