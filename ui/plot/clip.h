// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "ui/plot/draw_list.h"

namespace twosphere::ui {

/// The part of the segment a → b inside a rectangle, edges included, by Liang and Barsky's method;
/// nothing if there is none. Finite points, however far away.
std::optional<std::pair<Point, Point>> clipped(Point a, Point b, const Box& inside);

/// The parts of the line through `points` inside a rectangle, in order; every point of every part
/// lies in it. A point that is not finite interrupts the line. Parts have two points or more.
std::vector<std::vector<Point>> clipped(std::span<const Point> points, const Box& inside);

}  // namespace twosphere::ui
