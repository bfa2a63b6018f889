// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/color/color.h"
#include "core/record/section_points.h"
#include "ui/plot/axis.h"

namespace twosphere::ui {

/// The part of a plane that a grid of cells covers.
struct DensityGrid {
  int columns = 0, rows = 0;
  Interval x, y;
  std::array<std::size_t, 2> coordinates{0, 1};  ///< of the points, across and up

  bool operator==(const DensityGrid&) const = default;
};

/// How many of the points of a section fall into each cell of a grid, counted by parts, so that a
/// picture of any number of points costs no more than its pixels. A cell holds its lower ends: x in
/// [low + k w, low + (k + 1) w); the last one both ends.
class PointDensity {
 public:
  /// Counts up to `max_points` points that are not counted yet; begins anew for another grid, or if
  /// the points were cut. Returns whether all are counted. Points outside the grid, and those that
  /// are not finite, fall into no cell.
  bool count(const DensityGrid& grid, const SectionPoints& points, std::size_t max_points);

  const DensityGrid& grid() const { return grid_; }
  /// Of a cell; row 0 is the upper one.
  std::uint32_t at(int column, int row) const {
    return counts_[static_cast<std::size_t>(row) * static_cast<std::size_t>(grid_.columns) +
                   static_cast<std::size_t>(column)];
  }
  std::uint32_t largest() const { return largest_; }
  std::size_t inside() const { return inside_; }  ///< points in cells
  /// From 0 for no points to 1: 1 for a single one where they are rare; less by the logarithm where
  /// others are denser.
  double strength(std::uint32_t points) const;

 private:
  DensityGrid grid_;
  std::vector<std::uint32_t> counts_;
  std::uint32_t largest_ = 0;
  std::size_t counted_ = 0, inside_ = 0;
  std::uint64_t version_ = 0;
};

/// The densities of several series over one grid as a picture, row by row from above, 0xAARRGGBB
/// premultiplied. Each point is a dot of `radius` cells beyond its own. Where series meet their
/// colours mix by their strengths, in whichever order they are given.
std::vector<std::uint32_t> shaded(std::span<const PointDensity* const> densities,
                                  std::span<const Color> colors, int radius);

}  // namespace twosphere::ui
