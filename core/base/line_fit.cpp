// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/line_fit.h"

#include <cmath>

namespace twosphere {

std::optional<LineFit> fit_line(std::span<const std::pair<double, double>> points) {
  if (points.size() < 2) return {};
  const auto n = static_cast<double>(points.size());
  double mx = 0, my = 0, xx = 0, xy = 0, rest = 0;
  for (const auto& [x, y] : points) {
    mx += x / n;
    my += y / n;
  }
  for (const auto& [x, y] : points) {
    xx += (x - mx) * (x - mx);
    xy += (x - mx) * (y - my);
  }
  if (xx == 0) return {};
  const double slope = xy / xx;
  for (const auto& [x, y] : points) rest += std::pow(y - my - slope * (x - mx), 2);
  return LineFit{slope, n > 2 ? std::sqrt(rest / (n - 2) / xx) : 0};
}

}  // namespace twosphere
