// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <imgui/imgui.h>

#include "ui/plot/draw_list.h"
#include "ui/shell/palette.h"

namespace twosphere::ui {

/// That load_fonts() has loaded.
ImFont* font(Face face);

/// Loads the fonts into an atlas (DejaVu Sans and Sans Mono, else ImGui's own). `scale` is
/// Settings::scale times the screen's pixel ratio. Call it between frames of the atlas' context,
/// whenever that changed, and upload the atlas afterwards.
void load_fonts(ImFontAtlas& atlas, float scale);
/// Colours, paddings, roundings and how far the mouse may stray in a click, of a palette and the
/// scale as above. Interface::draw() calls it when they changed.
void apply_style(Palette palette, float scale);

inline ImU32 im_color(Color c, float alpha = 1) {
  return IM_COL32((c.rgb >> 16) & 0xff, (c.rgb >> 8) & 0xff, c.rgb & 0xff,
                  static_cast<int>(alpha * 255 + 0.5f));
}

}  // namespace twosphere::ui
