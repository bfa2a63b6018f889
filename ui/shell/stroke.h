// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <imgui/imgui.h>

#include <span>

#include "ui/plot/lane_style.h"

namespace twosphere::ui {

/// A line through points, 2 px wide at scale 1, anti-aliased, dashed by the length along it.
/// `start`: the length drawn before, and afterwards with this one, so that pieces join in pattern.
void draw_line(ImDrawList& list, std::span<const ImVec2> points, const LaneStyle& style,
               float scale, float& start);
/// A lane's marker about a point.
void draw_marker(ImDrawList& list, ImVec2 center, float radius, const LaneStyle& style);
/// A piece of a lane's line with its marker, `width` long, from the left.
void swatch(ImDrawList& list, ImVec2 from, float width, const LaneStyle& style, float scale);

}  // namespace twosphere::ui
