// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/clip.h"

#include <algorithm>

namespace twosphere::ui {

namespace {}  // namespace

std::optional<std::pair<Point, Point>> clipped(Point a, Point b, const Box& inside) {
  const Point d{b.x - a.x, b.y - a.y};
  double first = 0, last = 1;  // parameters along a → b
  // Restricts the parameters s to p·s ≤ q.
  const auto cut = [&](double p, double q) {
    if (p == 0) return q >= 0;
    if (p < 0)
      first = std::max(first, q / p);
    else
      last = std::min(last, q / p);
    return first <= last;
  };
  if (!cut(-d.x, a.x - inside.from.x) || !cut(d.x, inside.to.x - a.x) ||
      !cut(-d.y, a.y - inside.from.y) || !cut(d.y, inside.to.y - a.y))
    return std::nullopt;
  // Clamp against rounding.
  const auto at = [&](double part) {
    const Point p = part == 0 ? a : part == 1 ? b : Point{a.x + part * d.x, a.y + part * d.y};
    return Point{std::clamp(p.x, inside.from.x, inside.to.x),
                 std::clamp(p.y, inside.from.y, inside.to.y)};
  };
  return std::pair{at(first), at(last)};
}

std::vector<std::vector<Point>> clipped(std::span<const Point> points, const Box& inside) {
  std::vector<std::vector<Point>> parts;
  std::vector<Point> part;
  const auto finish = [&] {
    if (part.size() > 1) parts.push_back(part);
    part.clear();
  };
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (!points[i - 1].finite() || !points[i].finite()) {
      finish();
      continue;
    }
    const auto piece = clipped(points[i - 1], points[i], inside);
    if (!piece) {
      finish();
      continue;
    }
    if (part.empty() || part.back() != piece->first) {
      finish();
      part.push_back(piece->first);
    }
    if (piece->second != piece->first) part.push_back(piece->second);
    if (piece->second != points[i]) finish();
  }
  finish();
  return parts;
}

}  // namespace twosphere::ui
