// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/sweep_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace twosphere::test::sweep_order_test {
namespace {

using Lengths = std::vector<std::size_t>;

std::size_t product(const Lengths& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

Lengths point_of(const Lengths& shape, std::size_t number) {
  Lengths at(shape.size());
  for (std::size_t k = shape.size(); k-- > 0; number /= shape[k]) at[k] = number % shape[k];
  return at;
}

TEST(SweepOrder, HasEveryPointOnce) {
  for (const Lengths& shape :
       {Lengths{}, Lengths{1}, Lengths{7}, Lengths{8}, Lengths{1, 5}, Lengths{6, 1}, Lengths{5, 9},
        Lengths{3, 4, 5}, Lengths{33, 2}, Lengths{2, 3, 2, 3}, Lengths{200, 300}}) {
    Lengths order = coarse_to_fine(shape);
    ASSERT_EQ(order.size(), product(shape));
    EXPECT_EQ(order.front(), 0U);
    std::sort(order.begin(), order.end());
    for (std::size_t k = 0; k < order.size(); ++k) ASSERT_EQ(order[k], k);
  }
  EXPECT_TRUE(coarse_to_fine({3, 0}).empty());
}

TEST(SweepOrder, IsOneGridWithinTheOther) {
  EXPECT_EQ(coarse_to_fine({8}), (Lengths{0, 4, 2, 6, 1, 5, 3, 7}));
  const Lengths shape{16, 32}, order = coarse_to_fine(shape);
  // The first 4^k points have every (16/2^k)-th index of the first axis, (32/2^k)-th of the second.
  for (std::size_t parts = 1; parts <= 16; parts *= 2)
    for (std::size_t k = 0; k < parts * parts; ++k) {
      const Lengths at = point_of(shape, order[k]);
      EXPECT_EQ(at[0] % (16 / parts), 0U);
      EXPECT_EQ(at[1] % (32 / parts), 0U);
    }
}

/// Paints the first `points` points one after the other; for each cell, the point that it shows.
std::vector<std::size_t> painted(const Lengths& shape, const Lengths& order, std::size_t points) {
  std::vector<std::size_t> cells(product(shape), product(shape));
  for (std::size_t k = 0; k < points; ++k) {
    const Lengths at = point_of(shape, order[k]), block = block_of(shape, at);
    for (std::size_t i = at[0]; i < std::min(shape[0], at[0] + block[0]); ++i)
      for (std::size_t j = at[1]; j < std::min(shape[1], at[1] + block[1]); ++j)
        cells[i * shape[1] + j] = order[k];
  }
  return cells;
}

TEST(SweepOrder, AnyPrefixCoversTheMapEvenly) {
  const Lengths shape{16, 64}, order = coarse_to_fine(shape);
  const double all = static_cast<double>(order.size());
  for (std::size_t points = 1; points <= order.size(); ++points) {
    std::map<std::size_t, double> area;
    for (const std::size_t point : painted(shape, order, points)) ++area[point];
    ASSERT_EQ(area.size(), points) << "every point is seen, and no cell is empty";
    for (const auto& [point, cells] : area) {
      EXPECT_GT(cells, all / static_cast<double>(points) / 2);
      EXPECT_LT(cells, all / static_cast<double>(points) * 2);
    }
  }
}

TEST(SweepOrder, BlocksLeaveNoGapInAnyShape) {
  for (const Lengths& shape : {Lengths{5, 9}, Lengths{13, 1}, Lengths{1, 6}, Lengths{17, 12}}) {
    const Lengths order = coarse_to_fine(shape);
    for (std::size_t points = 1; points <= order.size(); ++points) {
      const auto cells = painted(shape, order, points);
      EXPECT_EQ(std::count(cells.begin(), cells.end(), product(shape)), 0);
    }
    // At the end every cell shows its own point.
    const auto cells = painted(shape, order, order.size());
    for (std::size_t k = 0; k < cells.size(); ++k) EXPECT_EQ(cells[k], k);
  }
}

}  // namespace
}  // namespace twosphere::test::sweep_order_test
