// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <imgui/imgui.h>

#include <cmath>

#include "ui/plot/draw_list.h"
#include "ui/shell/interface_colors.h"

namespace twosphere::ui {

/// The height of the smallest font at scale 1 [px].
inline constexpr float smallest_font = 11.5f;

/// The height of the text of legends and captions at scale 1 [px], and the height of a font, from
/// ascender to descender, by its size as typographers measure it, for DejaVu Sans.
inline constexpr float legend_font = 12, height_by_size = 1.164f;

/// The scale at which legends and captions are written as large as the text of a figure whose font
/// has this size [px].
constexpr float scale_for_text(double size) {
  return static_cast<float>(size) * height_by_size / legend_font;
}

/// A font loaded by load_fonts().
ImFont* font(Face face);

/// Loads the fonts into an atlas (DejaVu Sans and Sans Mono, or else the font of ImGui). `scale` is
/// Settings::scale times the pixel ratio of the screen. Call when the scale has changed, between
/// frames of the context of the atlas, and upload the atlas afterwards.
void load_fonts(ImFontAtlas& atlas, float scale);
/// Sets colours, paddings, roundings and the click tolerance for a palette and a scale as above.
/// Interface::draw() calls it when these have changed.
void apply_style(Palette palette, float scale);

inline ImU32 im_color(Color c, float alpha = 1) {
  return IM_COL32((c.rgb >> 16) & 0xff, (c.rgb >> 8) & 0xff, c.rgb & 0xff,
                  static_cast<int>(std::lround(alpha * 255)));
}

}  // namespace twosphere::ui
