// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/pixel_mask.h"

#include <algorithm>
#include <cmath>

#include "ui/plot/clip.h"

namespace twosphere::ui {

bool PixelMask::visit(Point a, Point b, double density) {
  const double right = width - 1e-6, bottom = height - 1e-6;
  const auto inside = clipped(a, b, {{0, 0}, {right, bottom}});
  if (!inside) return false;
  const auto [from, to] = *inside;
  const double dx = to.x - from.x, dy = to.y - from.y;
  const int steps =
      std::max(1, static_cast<int>(std::ceil(density * std::max(std::abs(dx), std::abs(dy)))));
  bool fresh = false;
  for (int k = 0; k <= steps; ++k) {
    const double part = static_cast<double>(k) / steps;
    const auto column = static_cast<std::size_t>(from.x + dx * part);
    const auto row = static_cast<std::size_t>(from.y + dy * part);
    std::uint8_t& cell = cells[row * static_cast<std::size_t>(width) + column];
    fresh |= cell == 0;
    cell = 1;
  }
  return fresh;
}

}  // namespace twosphere::ui
