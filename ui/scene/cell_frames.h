// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <imgui/imgui.h>

#include <span>
#include <string>
#include <vector>

#include "core/color/palette.h"
#include "ui/shell/frame.h"

namespace twosphere::ui {

/// What the caption of a cell says: "Runge-Kutta 4, h 0.01 s, |E−E₀−W| 4.2e-03 J, 1.3e-05 rad from
/// the reference".
std::string spoken_caption(const CellCaption& caption);

/// Where on a bar from 1e-16 rad to π a distance is, on a logarithmic scale: 0 to 1.
double bar_share(double distance);

/// Draws the frames of the cells and their captions, in the background of the current ImGui frame;
/// returns the rectangles of the captions. They are drawn below `below` [px]; `scale` as for
/// load_fonts().
std::vector<Rect> draw_cells(std::span<const CellView> cells, Palette palette, float scale,
                             float below = 0);

/// Draws the lanes, one a row: a swatch, a ball or a ring, the name. In the spare part of the scene
/// if there is one, else above the corner axes. Returns the rectangles of the rows.
std::vector<Rect> draw_lane_rows(const Legend& legend, const Rect& scene, Palette palette,
                                 float scale);

}  // namespace twosphere::ui
