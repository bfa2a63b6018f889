// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <imgui/imgui.h>

#include "ui/plot/draw_list.h"

namespace twosphere::ui {

inline ImVec2 pixel(Point p) { return {static_cast<float>(p.x), static_cast<float>(p.y)}; }

/// Measures text in the fonts of load_fonts(), in pixels.
class ScreenLetters : public TextMeasure {
 public:
  double width(Face face, std::string_view text) const override;
  double height(Face face) const override;
};

/// Draws a list in pixels of the screen: text at whole pixels, polylines anti-aliased, with dashes
/// measured along them.
void paint(ImDrawList& to, const DrawList& list);

/// Draws a swatch directly: draw_swatch().
void swatch(ImDrawList& to, ImVec2 from, float width, const LaneStyle& style, float scale);

}  // namespace twosphere::ui
