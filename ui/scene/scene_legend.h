// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>

#include "core/color/palette.h"
#include "ui/shell/frame.h"

namespace twosphere::ui {

/// Draws a legend over a scene, which fills the rectangle `whole`, in the background of the current
/// ImGui frame; `scale` as for load_fonts(). Adds its rectangles to `widgets`, if given. Everything
/// is drawn below `below` [px].
void draw_legend(const Legend& legend, const Rect& whole, Palette palette, float scale,
                 std::map<std::string, Rect>* widgets = nullptr, float below = 0);

}  // namespace twosphere::ui
