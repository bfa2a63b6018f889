// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/mechanics/sphere.h"

namespace twosphere {

/// A cell list: points in cubes of side twice the reach, for finding neighbours. Insertion takes
/// O(1), a query O(1) plus the number of points nearby.
class Cells {
 public:
  /// `max_points`: capacity in points.
  Cells(double reach, std::size_t max_points)
      : reach_(reach),
        mask_(std::bit_ceil(2 * std::max<std::size_t>(max_points, 1)) - 1),
        heads_(mask_ + 1, none) {
    points_.reserve(max_points);
  }

  void insert(const Vec3& position, Eigen::Index index) {
    const Cell at = cell(position);
    std::int32_t& head = heads_[bucket(at)];
    points_.push_back({at, index, head});
    head = static_cast<std::int32_t>(points_.size() - 1);
  }

  /// Calls visit(index) once for every point within the reach of `position`, and possibly for some
  /// that are farther away.
  template <class Visit>
  void near(const Vec3& position, const Visit& visit) const {
    const Cell low = cell(position.array() - reach_), high = cell(position.array() + reach_);
    for (std::int64_t x = low[0]; x <= high[0]; ++x)
      for (std::int64_t y = low[1]; y <= high[1]; ++y)
        for (std::int64_t z = low[2]; z <= high[2]; ++z)
          for (std::int32_t k = heads_[bucket({x, y, z})]; k != none;) {
            const Point& point = points_[static_cast<std::size_t>(k)];
            if (point.cell == Cell{x, y, z}) visit(point.index);
            k = point.next;
          }
  }

 private:
  using Cell = std::array<std::int64_t, 3>;
  struct Point {
    Cell cell;
    Eigen::Index index;
    std::int32_t next;  // in the same bucket
  };
  static constexpr std::int32_t none = -1;

  Cell cell(const Vec3& position) const {
    Cell out{};
    for (int k = 0; k < 3; ++k)
      out[static_cast<std::size_t>(k)] = static_cast<std::int64_t>(
          std::clamp(std::floor(position[k] / (2 * reach_)), -1e18, 1e18));
    return out;
  }
  std::size_t bucket(const Cell& cell) const {
    std::uint64_t hash = 0;
    for (const std::int64_t k : cell) {
      hash = (hash ^ static_cast<std::uint64_t>(k)) * 0x9e3779b97f4a7c15U;
      hash ^= hash >> 29;
    }
    return static_cast<std::size_t>(hash) & mask_;
  }

  double reach_;
  std::size_t mask_;
  std::vector<std::int32_t> heads_;  // by bucket
  std::vector<Point> points_;
};

}  // namespace twosphere
