// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <utility>

namespace twosphere {

/// The slope of a line through points.
struct LineFit {
  double slope = 0;
  double deviation = 0;  ///< its standard error, by the residuals; 0 for two points
};
/// By least squares over points (x, y); none for fewer than two, and if all x are equal.
std::optional<LineFit> fit_line(std::span<const std::pair<double, double>> points);

}  // namespace twosphere
