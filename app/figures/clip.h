// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPolygonF>
#include <QRectF>
#include <optional>
#include <utility>
#include <vector>

namespace twosphere {

/// The part of the segment a → b inside a rectangle, edges included, by Liang and Barsky's method;
/// nothing if there is none. Finite points, however far away.
std::optional<std::pair<QPointF, QPointF>> clipped(QPointF a, QPointF b, const QRectF& inside);

/// The parts of the line through `points` inside a rectangle, in order; every point of every part
/// lies in it. A point that is not finite interrupts the line. Parts have two points or more.
std::vector<QPolygonF> clipped(const std::vector<QPointF>& points, const QRectF& inside);

}  // namespace twosphere
