// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/figures/clip.h"

#include <algorithm>
#include <cmath>

namespace twosphere {

namespace {

bool finite(QPointF p) { return std::isfinite(p.x()) && std::isfinite(p.y()); }

// Rounding leaves no point outside.
QPointF within(QPointF p, const QRectF& r) {
  return {std::clamp(p.x(), r.left(), r.right()), std::clamp(p.y(), r.top(), r.bottom())};
}

}  // namespace

std::optional<std::pair<QPointF, QPointF>> clipped(QPointF a, QPointF b, const QRectF& inside) {
  const QPointF d = b - a;
  double first = 0, last = 1;  // of the way from a to b
  // Of the way along one axis: from where on, or up to where, p·s ≤ q holds.
  const auto cut = [&](double p, double q) {
    if (p == 0) return q >= 0;
    if (p < 0)
      first = std::max(first, q / p);
    else
      last = std::min(last, q / p);
    return first <= last;
  };
  if (!cut(-d.x(), a.x() - inside.left()) || !cut(d.x(), inside.right() - a.x()) ||
      !cut(-d.y(), a.y() - inside.top()) || !cut(d.y(), inside.bottom() - a.y()))
    return std::nullopt;
  const auto at = [&](double part) {
    return within(part == 0 ? a : part == 1 ? b : a + part * d, inside);
  };
  return std::pair{at(first), at(last)};
}

std::vector<QPolygonF> clipped(const std::vector<QPointF>& points, const QRectF& inside) {
  std::vector<QPolygonF> parts;
  QPolygonF part;
  const auto finish = [&] {
    if (part.size() > 1) parts.push_back(part);
    part.clear();
  };
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (!finite(points[i - 1]) || !finite(points[i])) {
      finish();
      continue;
    }
    const auto piece = clipped(points[i - 1], points[i], inside);
    if (!piece) {
      finish();
      continue;
    }
    if (part.isEmpty() || part.back() != piece->first) {
      finish();
      part << piece->first;
    }
    if (piece->second != piece->first) part << piece->second;
    if (piece->second != points[i]) finish();
  }
  finish();
  return parts;
}

}  // namespace twosphere
