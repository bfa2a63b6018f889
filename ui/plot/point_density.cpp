// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/point_density.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace twosphere::ui {

namespace {

/// The strength lost per factor of ten of the largest density, and the least that is left.
constexpr double lost_per_decade = 0.22, min_strength = 0.3;

/// The cell of a value, or −1.
int cell_of(double value, const Interval& range, int cells) {
  if (!(value >= range.low && value <= range.high)) return -1;
  return std::min(static_cast<int>((value - range.low) / range.span() * cells), cells - 1);
}

}  // namespace

bool PointDensity::count(const DensityGrid& grid, const SectionPoints& points,
                         std::size_t max_points) {
  if (grid != grid_ || version_ != points.version() || points.size() < counted_) {
    grid_ = grid;
    counts_.assign(static_cast<std::size_t>(grid.columns) * static_cast<std::size_t>(grid.rows), 0);
    largest_ = 0;
    counted_ = inside_ = 0;
    version_ = points.version();
  }
  const std::size_t end = counted_ + std::min(max_points, points.size() - counted_);
  for (; counted_ < end; ++counted_) {
    const auto values = points.values(counted_);
    const int column = cell_of(values[grid.coordinates[0]], grid.x, grid.columns);
    const int above = cell_of(values[grid.coordinates[1]], grid.y, grid.rows);
    if (column < 0 || above < 0) continue;
    const auto row = static_cast<std::size_t>(grid.rows - 1 - above);
    std::uint32_t& cell =
        counts_[row * static_cast<std::size_t>(grid.columns) + static_cast<std::size_t>(column)];
    largest_ = std::max(largest_, ++cell);
    ++inside_;
  }
  return counted_ == points.size();
}

double PointDensity::strength(std::uint32_t points) const {
  if (points == 0) return 0;
  if (largest_ <= 1) return 1;
  const double decades = std::log10(static_cast<double>(largest_));
  const double weakest = std::max(1 - lost_per_decade * decades, min_strength);
  return std::lerp(weakest, 1.0, std::log10(static_cast<double>(points)) / decades);
}

std::vector<std::uint32_t> shaded(std::span<const PointDensity* const> densities,
                                  std::span<const Color> colors, int radius) {
  if (densities.empty()) return {};
  const int columns = densities[0]->grid().columns, rows = densities[0]->grid().rows;
  const std::size_t size = static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows);
  struct Mixed {
    float strongest = 0, sum = 0, red = 0, green = 0, blue = 0;
  };
  std::vector<Mixed> mixed(size);
  std::vector<float> strengths;
  std::vector<std::pair<int, int>> dot;
  for (int y = -radius; y <= radius; ++y)
    for (int x = -radius; x <= radius; ++x)
      if (x * x + y * y <= radius * radius) dot.emplace_back(x, y);
  for (std::size_t k = 0; k < densities.size(); ++k) {
    const PointDensity& density = *densities[k];
    if (density.inside() == 0) continue;
    strengths.assign(size, 0);
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column) {
        const std::uint32_t points = density.at(column, row);
        if (points == 0) continue;
        const auto own = static_cast<float>(density.strength(points));
        for (const auto& [x, y] : dot) {
          if (column + x < 0 || column + x >= columns || row + y < 0 || row + y >= rows) continue;
          float& to =
              strengths[static_cast<std::size_t>(row + y) * static_cast<std::size_t>(columns) +
                        static_cast<std::size_t>(column + x)];
          to = std::max(to, own);
        }
      }
    const std::uint32_t rgb = colors[k].rgb;
    const auto part = [rgb](int shift) { return static_cast<float>((rgb >> shift) & 0xff); };
    for (std::size_t i = 0; i < size; ++i) {
      const float s = strengths[i];
      if (s == 0) continue;
      Mixed& to = mixed[i];
      to.strongest = std::max(to.strongest, s);
      to.sum += s;
      to.red += s * part(16);
      to.green += s * part(8);
      to.blue += s * part(0);
    }
  }
  std::vector<std::uint32_t> pixels(size, 0);
  for (std::size_t i = 0; i < size; ++i) {
    const Mixed& m = mixed[i];
    if (m.sum == 0) continue;
    const auto channel = [&](float sum) {
      return static_cast<std::uint32_t>(std::lround(sum / m.sum * m.strongest));
    };
    pixels[i] = static_cast<std::uint32_t>(std::lround(255 * m.strongest)) << 24 |
                channel(m.red) << 16 | channel(m.green) << 8 | channel(m.blue);
  }
  return pixels;
}

}  // namespace twosphere::ui
