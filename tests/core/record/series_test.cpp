// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/series.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace twosphere::series_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

/// Everything that a series says is that of another.
void expect_same(const Series& got, const Series& want) {
  ASSERT_EQ(got.size(), want.size());
  std::vector<double> read(got.size());
  got.read(0, got.size() / 3, read.data());
  got.read(got.size() / 3, got.size(), read.data() + got.size() / 3);
  for (std::size_t i = 0; i < want.size(); ++i) {
    ASSERT_EQ(bits(got[i]), bits(want[i])) << i;
    ASSERT_EQ(bits(read[i]), bits(want[i])) << i;
  }
  EXPECT_EQ(bits(got.mean_magnitude()), bits(want.mean_magnitude()));
  EXPECT_EQ(bits(got.worst_magnitude()), bits(want.worst_magnitude()));
  for (std::size_t first = 0; first < want.size(); first += 1 + first / 3)
    for (std::size_t last = first + 1; last <= want.size(); last += 1 + (last - first)) {
      EXPECT_EQ(bits(got.range(first, last).low), bits(want.range(first, last).low));
      EXPECT_EQ(bits(got.range(first, last).high), bits(want.range(first, last).high));
    }
}

Series one_by_one(const std::vector<double>& values) {
  Series series;
  for (const double value : values) series.append(value);
  return series;
}

/// A random walk with some of every odd number in it.
std::vector<double> walk(std::size_t count, bool odd, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> values(count);
  double sum = 0;
  for (double& value : values) {
    value = sum += normal(random);
    if (!odd || random() % 500 != 0) continue;
    const double list[] = {0.0, -0.0, infinity, -infinity, nan, -nan, 5e-324, -1e-310, 1e300};
    value = list[random() % std::size(list)];
  }
  return values;
}

TEST(Series, AppendsManyAsOneByOne) {
  constexpr std::size_t pitch = 3;
  for (const bool odd : {false, true}) {
    const std::vector<double> values = walk(20'000, odd, 1);
    std::vector<double> spread(pitch * values.size(), nan);
    for (std::size_t i = 0; i < values.size(); ++i) spread[pitch * i] = values[i];
    for (const std::size_t most : {1u, 7u, 300u, 5000u}) {
      std::mt19937 random(2);
      Series many;
      while (many.size() < values.size()) {
        const std::size_t count = std::min(values.size() - many.size(), random() % (most + 1));
        many.append(spread.data() + pitch * many.size(), count, pitch);
      }
      expect_same(many, one_by_one(values));
    }
  }
}

// What is not counted yet, of a few numbers, too.
TEST(Series, TellsMeanAndWorstAfterEveryNumber) {
  Series series;
  CompensatedSum sum;
  double worst = 0;
  for (const double value : walk(3000, false, 3)) {
    series.append(value);
    sum.add(std::abs(value));
    worst = std::max(worst, std::abs(value));
    ASSERT_EQ(series.worst_magnitude(), worst);
    ASSERT_EQ(bits(series.mean_magnitude()),
              bits(sum.value() / static_cast<double>(series.size())));
  }
  for (const double value : {infinity, 1.0, nan, 2.0}) series.append(value);
  EXPECT_EQ(series.worst_magnitude(), infinity);
}

TEST(Series, TakesAnEighthOfAByteForExtremes) {
  Series series;
  constexpr std::size_t count = 64 * CompressedBlock::count;
  for (std::size_t i = 0; i < count; ++i) series.append(2);
  const std::size_t blocks = 63 * sizeof(CompressedBlock) + CompressedBlock::count * sizeof(double);
  EXPECT_LE(static_cast<double>(series.bytes() - blocks), count * 0.134);
}

/// a, b and what follows them: (a_i − origin) − b_i, as rounded.
struct Followed {
  std::vector<double> a, b, c;
  Series first, second, series;

  Followed(std::vector<double> of_a, std::vector<double> of_b, double origin)
      : a(std::move(of_a)), b(std::move(of_b)) {
    for (std::size_t i = 0; i < a.size(); ++i) c.push_back((a[i] - origin) - b[i]);
  }
  void fill(bool origin) {
    series.follow(first, second, origin);
    for (std::size_t i = 0; i < a.size(); ++i) {
      series.append(c[i]);
      first.append(a[i]);
      second.append(b[i]);
    }
  }
  double bits_each() const {
    const std::size_t packed = (c.size() - 1) / CompressedBlock::count;
    // Without what is left in the tail and the pyramid.
    const std::size_t rest = CompressedBlock::count * sizeof(double) +
                             packed * sizeof(CompressedBlock) +
                             c.size() / 128 * sizeof(Range) * 16 / 15 + 64;
    return 8 * (static_cast<double>(series.bytes()) - static_cast<double>(rest)) /
           static_cast<double>(packed * CompressedBlock::count);
  }
};

TEST(Series, WhatFollowsOthersTakesHardlyAnything) {
  const std::vector<double> none(50'000, 0.0), energy(50'000, 41.7);
  std::vector<double> total = walk(50'000, false, 4), kinetic = walk(50'000, false, 5);
  for (double& x : total) x = 100 + 1e-5 * x;
  for (double& x : kinetic) x = 60 + 0.1 * x;

  Followed error(total, none, 100);
  error.fill(true);
  expect_same(error.series, one_by_one(error.c));
  EXPECT_LT(error.bits_each(), 0.2);

  Followed potential(total, kinetic, 0);
  for (std::size_t i = 0; i < total.size(); ++i)  // E was computed from T and V
    potential.a[i] = kinetic[i] + (potential.c[i] *= 1 + 1e-16 * static_cast<double>(i % 9));
  potential.fill(false);
  expect_same(potential.series, one_by_one(potential.c));
  EXPECT_LT(potential.bits_each(), 6);
}

TEST(Series, WhatFollowsOthersComesBackWhateverItIs) {
  for (const bool origin : {false, true})
    for (const bool odd : {false, true}) {
      Followed any(walk(10'000, odd, 6), walk(10'000, odd, 7), 3);
      const std::vector<double> other = walk(10'000, odd, 8);
      for (std::size_t i = 0; i < any.c.size(); ++i) {
        if (i > 3000) any.c[i] += 17;       // another origin from there on
        if (i > 5000) any.c[i] = other[i];  // nothing in common any more
        if (i > 8000) any.c[i] = i % 2 ? -0.0 : nan;
      }
      any.fill(origin);
      expect_same(any.series, one_by_one(any.c));
      any.series.clear();
      any.first.clear();
      any.second.clear();
      any.fill(origin);
      expect_same(any.series, one_by_one(any.c));
    }
}

}  // namespace
}  // namespace twosphere::series_test
