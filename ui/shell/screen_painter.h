// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <imgui/imgui.h>

#include "ui/plot/draw_list.h"

namespace twosphere::ui {

inline ImVec2 pixel(Point p) { return {static_cast<float>(p.x), static_cast<float>(p.y)}; }

/// The letters of load_fonts(), in pixels.
class ScreenLetters : public TextMeasure {
 public:
  double width(Face face, std::string_view text) const override;
  double height(Face face) const override;
};

/// Draws what a list has, in pixels of the screen: letters on whole ones, polylines smooth and with
/// dashes by the length along them.
void paint(ImDrawList& to, const DrawList& list);

/// draw_swatch() at once.
void swatch(ImDrawList& to, ImVec2 from, float width, const LaneStyle& style, float scale);

}  // namespace twosphere::ui
