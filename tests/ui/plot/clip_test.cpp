// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/clip.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/outcome.h"

namespace twosphere::ui::clip_test {
namespace {

using test::value_of;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(Clip, KeepsWhatIsInsideOfASegment) {
  const Box box{{0, 0}, {10, 5}};
  const auto inner = value_of(clipped(Point{1, 1}, Point{9, 4}, box));
  EXPECT_EQ(inner.first, (Point{1, 1}));
  EXPECT_EQ(inner.second, (Point{9, 4}));
  const auto through = value_of(clipped(Point{-10, -10}, Point{20, 20}, box));
  EXPECT_EQ(through.first, (Point{0, 0}));
  EXPECT_EQ(through.second, (Point{5, 5}));
  const auto backwards = value_of(clipped(Point{20, 1}, Point{-20, 1}, box));
  EXPECT_EQ(backwards.first, (Point{10, 1}));
  EXPECT_EQ(backwards.second, (Point{0, 1}));
  const auto edge = clipped(Point{-3, 5}, Point{4, 5}, box);
  ASSERT_TRUE(edge) << "an edge belongs to the rectangle";
  EXPECT_EQ(edge->second, (Point{4, 5}));
  EXPECT_FALSE(clipped(Point{-1, 0}, Point{-1, 5}, box));
  EXPECT_FALSE(clipped(Point{-4, 0}, Point{3, 9}, box)) << "past a corner";
  EXPECT_EQ(value_of(clipped(Point{3, 1}, Point{3, 1e12}, box)).second, (Point{3, 5}));
}

TEST(Clip, CutsALineIntoItsVisibleParts) {
  const Box box{{0, 0}, {10, 10}};
  const auto parts =
      clipped(std::vector<Point>{{1, 5}, {3, 15}, {5, 5}, {6, 5}, {nan, 5}, {7, 5}, {8, 5}}, box);
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[0], (std::vector<Point>{{1, 5}, {2, 10}}));
  EXPECT_EQ(parts[1], (std::vector<Point>{{4, 10}, {5, 5}, {6, 5}}));
  EXPECT_EQ(parts[2], (std::vector<Point>{{7, 5}, {8, 5}}));
}

}  // namespace
}  // namespace twosphere::ui::clip_test
