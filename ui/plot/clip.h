// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "ui/plot/draw_list.h"

namespace twosphere::ui {

/// The part of the segment a → b inside a rectangle including its edges, by the Liang-Barsky
/// algorithm; none if the segment is outside. The points must be finite but may be arbitrarily far
/// away.
std::optional<std::pair<Point, Point>> clipped(Point a, Point b, const Box& inside);

/// The parts of the line through `points` inside a rectangle, in order. A point that is not finite
/// interrupts the line. Each part has at least two points, all inside the rectangle.
std::vector<std::vector<Point>> clipped(std::span<const Point> points, const Box& inside);

}  // namespace twosphere::ui
