// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "core/color/palette.h"
#include "ui/shell/frame.h"

namespace twosphere::ui {

struct Panel;

/// Between a legend and the edges of its scene, and between scales [logical pixels].
inline constexpr float legend_margin = 16;

/// The height that so many scales of colours take at the top of a scene of this width, with the gap
/// below [logical pixels].
float scales_depth(std::size_t count, float width);

/// The lower edge of the lowest scale of colours across the top of the scene, by the widgets of a
/// frame [px]; 0: there is none, or they lie in the part that cells leave.
float lower_edge_of_scales(const Legend& legend, const std::map<std::string, Rect>& widgets);
/// The top of what lies over a scene, below its title and the scales of colours [px].
float top_below_scales(const Panel& panel, const Rect& scene);

/// Draws a legend over a scene, which fills the rectangle `whole`, in the background of the current
/// ImGui frame; `scale` as for load_fonts(). Adds its rectangles to `widgets`, if given. Everything
/// is drawn below `below` [px].
void draw_legend(const Legend& legend, const Rect& whole, Palette palette, float scale,
                 std::map<std::string, Rect>* widgets = nullptr, float below = 0);

}  // namespace twosphere::ui
