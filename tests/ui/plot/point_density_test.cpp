// SPDX-License-Identifier: GPL-3.0-or-later
// Very many points as a picture of their density.
#include "ui/plot/point_density.h"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace twosphere::ui::point_density_test {
namespace {

constexpr std::size_t all = std::numeric_limits<std::size_t>::max();
const DensityGrid grid{40, 30, {-1, 1}, {0, 3}, {0, 1}};

SectionPoints scattered(int count, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::normal_distribution<double> x(0, 0.5), y(1.5, 0.7);
  SectionPoints points(2);
  for (int k = 0; k < count; ++k) points.add(k, k, 1, std::array{x(random), y(random)});
  return points;
}

/// The counts cell by cell, one way or another.
std::vector<std::uint32_t> counts(const PointDensity& density) {
  std::vector<std::uint32_t> out;
  for (int row = 0; row < density.grid().rows; ++row)
    for (int column = 0; column < density.grid().columns; ++column)
      out.push_back(density.at(column, row));
  return out;
}

TEST(PointDensity, EveryPointIsInItsCell) {
  const SectionPoints points = scattered(5000);
  PointDensity density;
  EXPECT_TRUE(density.count(grid, points, all));
  std::size_t inside = 0;
  std::uint32_t largest = 0;
  for (int row = 0; row < grid.rows; ++row)
    for (int column = 0; column < grid.columns; ++column) {
      // The ends of the cell.
      const double left = -1 + 0.05 * column, low = 3 - 0.1 * (row + 1);
      std::uint32_t expected = 0;
      for (std::size_t k = 0; k < points.size(); ++k) {
        const auto v = points.values(k);
        const double across = (v[0] - left) / 0.05, up = (v[1] - low) / 0.1;
        expected += across >= 0 && across < 1 && up >= 0 && up < 1;
      }
      EXPECT_EQ(density.at(column, row), expected) << column << ' ' << row;
      inside += expected;
      largest = std::max(largest, expected);
    }
  EXPECT_EQ(density.inside(), inside);
  EXPECT_EQ(density.largest(), largest);
  EXPECT_LT(inside, 5000U) << "some lie outside";
}

TEST(PointDensity, EndsOfTheGridAndNumbersThatAreNone) {
  SectionPoints points(2);
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(),
                   infinity = std::numeric_limits<double>::infinity();
  for (const auto& at : {std::array{-1.0, 0.0}, std::array{1.0, 3.0}, std::array{nan, 1.0},
                         std::array{0.0, infinity}, std::array{0.0, -infinity},
                         std::array{std::nextafter(1.0, 2), 1.0}})
    points.add(0, 0, 1, at);
  PointDensity density;
  density.count(grid, points, all);
  EXPECT_EQ(density.inside(), 2U);
  EXPECT_EQ(density.at(0, 29), 1U) << "lower left";
  EXPECT_EQ(density.at(39, 0), 1U) << "upper right";
}

TEST(PointDensity, PartsGiveTheSameAsAllAtOnce) {
  SectionPoints points = scattered(5000);
  PointDensity parts, whole;
  int calls = 1;
  while (!parts.count(grid, points, 700)) ++calls;
  EXPECT_EQ(calls, 8);
  whole.count(grid, points, all);
  EXPECT_EQ(counts(parts), counts(whole));

  // More points are added to those there are.
  points.add(0, 0, 1, std::array{0.0, 1.0});
  EXPECT_TRUE(parts.count(grid, points, 1));
  EXPECT_EQ(parts.inside(), whole.inside() + 1);

  // Others in place of the last begin anew.
  points.cut(4000);
  for (int k = 0; k < 1500; ++k) points.add(0, 0, 1, std::array{0.5, 0.5});
  EXPECT_FALSE(parts.count(grid, points, 1));
  EXPECT_LE(parts.inside(), 1U);
  EXPECT_TRUE(parts.count(grid, points, all));
  whole = {};
  whole.count(grid, points, all);
  EXPECT_EQ(counts(parts), counts(whole));

  // So does another grid, or a view without the first points.
  DensityGrid other = grid;
  other.x.high = 2;
  parts.count(other, points, all);
  EXPECT_EQ(parts.grid(), other);
  parts.count(other, points.since(4000), all);
  EXPECT_EQ(parts.inside(), 1500U);
}

TEST(PointDensity, TakesTheCoordinatesOfTheGrid) {
  SectionPoints points(3);
  points.add(0, 0, 1, std::array{9.0, 2.0, 0.5});
  PointDensity density;
  density.count({10, 10, {0, 1}, {0, 3}, {2, 1}}, points, all);
  EXPECT_EQ(density.at(5, 3), 1U);
}

TEST(PointDensity, DenserCellsAreStrongerAndSinglePointsStayVisible) {
  SectionPoints points(2);
  points.add(0, 0, 1, std::array{0.9, 2.9});
  PointDensity density;
  density.count(grid, points, all);
  EXPECT_EQ(density.strength(1), 1) << "where points are rare";
  EXPECT_EQ(density.strength(0), 0);
  for (int k = 0; k < 1'000'000; ++k) points.add(0, 0, 1, std::array{0.0, 1.0});
  density.count(grid, points, all);
  EXPECT_EQ(density.largest(), 1'000'000U);
  EXPECT_EQ(density.strength(1'000'000), 1);
  double last = 0.25;
  for (std::uint32_t k = 1; k <= 1'000'000; k *= 10) {
    EXPECT_GT(density.strength(k), last);
    last = density.strength(k);
  }
}

TEST(PointDensity, SeriesMixWhereTheyMeetInWhicheverOrder) {
  SectionPoints left(2), right(2);
  left.add(0, 0, 1, std::array{-0.5, 1.5});
  right.add(0, 0, 1, std::array{0.5, 1.5});
  for (SectionPoints* both : {&left, &right}) both->add(0, 0, 1, std::array{0.01, 1.55});
  PointDensity a, b;
  a.count(grid, left, all);
  b.count(grid, right, all);
  const std::array<const PointDensity*, 2> one{&a, &b}, two{&b, &a};
  const Color red{0xff0000}, blue{0x0000ff};
  const auto pixels = shaded(one, std::array{red, blue}, 0);
  ASSERT_EQ(pixels.size(), 1200U);
  const auto at = [&](int column, int row) {
    return pixels[static_cast<std::size_t>(row * 40 + column)];
  };
  EXPECT_EQ(at(10, 14), 0xffff0000U);
  EXPECT_EQ(at(30, 14), 0xff0000ffU);
  EXPECT_EQ(at(20, 14), 0xff800080U);
  EXPECT_EQ(at(0, 0), 0U);
  EXPECT_EQ(shaded(two, std::array{blue, red}, 0), pixels);

  // A dot of radius 1 is a plus.
  const auto dots = shaded(std::array<const PointDensity*, 1>{&a}, std::array{red}, 1);
  int colored = 0;
  for (const std::uint32_t pixel : dots) colored += pixel != 0;
  EXPECT_EQ(colored, 10);
}

TEST(PointDensity, TenMillionPointsAreCountedInPartsOfMilliseconds) {
  const SectionPoints some = scattered(100'000);
  SectionPoints points(2);
  for (int k = 0; k < 10'000'000; ++k)
    points.add(k, k, 1, some.values(static_cast<std::size_t>(k % 100'000)));
  PointDensity density;
  DensityGrid fine = grid;
  fine.columns = 900;
  fine.rows = 600;
  const auto begun = std::chrono::steady_clock::now();
  int parts = 1;
  while (!density.count(fine, points, 400'000)) ++parts;
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  EXPECT_EQ(parts, 25);
  RecordProperty("ms_per_part", std::to_string(1e3 * seconds / parts));
  EXPECT_LT(seconds / parts, 0.2);
}

}  // namespace
}  // namespace twosphere::ui::point_density_test
