// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <utility>
#include <vector>

namespace twosphere {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr Quantity probe = Quantity::energy_error;

Sample sample_of(double t, double value) {
  Sample s;
  for (double& x : s.values) x = -value;
  s[Quantity::time] = t;
  s[probe] = value;
  return s;
}

/// A history with these values in the probed column, one per second.
History history_of(const std::vector<double>& values) {
  History h;
  for (std::size_t i = 0; i < values.size(); ++i)
    h.append(static_cast<std::int64_t>(10 * i), sample_of(static_cast<double>(i), values[i]));
  return h;
}

Range brute_force(const std::vector<double>& values, std::size_t first, std::size_t last) {
  const auto [low, high] = std::minmax_element(values.begin() + static_cast<std::ptrdiff_t>(first),
                                               values.begin() + static_cast<std::ptrdiff_t>(last));
  return {*low, *high};
}

TEST(History, KeepsWhatIsAppended) {
  const History h = history_of({1, -2, 3});
  ASSERT_EQ(h.size(), 3u);
  EXPECT_EQ(h.column(probe)[1], -2);
  EXPECT_EQ(h.column(Quantity::work)[1], 2);
  EXPECT_EQ(h.steps()[2], 20);
  EXPECT_EQ(h.sample(2).values, sample_of(2, 3).values);
}

TEST(History, ExtremesOfEveryStretchOfAShortRun) {
  std::mt19937 generator(1);
  std::normal_distribution<double> normal;
  std::vector<double> values(16 * 16 + 40);
  for (double& v : values) v = normal(generator);
  const History h = history_of(values);
  for (std::size_t first = 0; first < values.size(); ++first)
    for (std::size_t last = first + 1; last <= values.size(); ++last) {
      const Range got = h.range(probe, first, last), want = brute_force(values, first, last);
      ASSERT_EQ(got.low, want.low) << first << " … " << last;
      ASSERT_EQ(got.high, want.high) << first << " … " << last;
    }
}

TEST(History, ExtremesOfRandomStretchesOfALongRunWhileItGrows) {
  std::mt19937 generator(2);
  std::cauchy_distribution<double> wide;
  std::vector<double> values;
  History h;
  while (values.size() < 150'000) {
    values.push_back(wide(generator));
    h.append(0, sample_of(0, values.back()));
    if (values.size() % 1500 != 7) continue;
    for (int i = 0; i < 10; ++i) {
      std::size_t first = generator() % values.size(), last = generator() % values.size();
      if (last < first) std::swap(first, last);
      ++last;
      const Range got = h.range(probe, first, last), want = brute_force(values, first, last);
      ASSERT_EQ(got.low, want.low) << first << " … " << last << " of " << values.size();
      ASSERT_EQ(got.high, want.high) << first << " … " << last << " of " << values.size();
    }
  }
}

// A spike of one sample at the edges of blocks of every level is seen by every stretch that holds
// it, and by no other.
TEST(History, OneSampleSpikeIsNeverLost) {
  constexpr std::size_t size = 16 * 16 * 16 * 16 + 16 * 16 + 5;
  std::vector<std::size_t> places{0, size - 1};
  for (std::size_t scale = 1; scale <= 65536; scale *= 16)
    for (const std::size_t multiple : {1u, 3u, 15u})
      for (const std::ptrdiff_t shift : {-1, 0, 1}) {
        const auto place = static_cast<std::ptrdiff_t>(multiple * scale) + shift;
        if (place >= 0 && place < static_cast<std::ptrdiff_t>(size))
          places.push_back(static_cast<std::size_t>(place));
      }
  std::mt19937 generator(3);
  for (const std::size_t place : places) {
    std::vector<double> values(size, 1.0);
    values[place] = 7;
    const History h = history_of(values);
    EXPECT_EQ(h.range(probe, 0, size).high, 7) << place;
    EXPECT_EQ(h.range(probe, place, place + 1).high, 7) << place;
    if (place > 0) {
      EXPECT_EQ(h.range(probe, 0, place).high, 1) << place;
    }
    if (place + 1 < size) {
      EXPECT_EQ(h.range(probe, place + 1, size).high, 1) << place;
    }
    for (int i = 0; i < 200; ++i) {
      const std::size_t first = generator() % (place + 1);
      const std::size_t last = place + 1 + generator() % (size - place);
      ASSERT_EQ(h.range(probe, first, last).high, 7) << place << ": " << first << " … " << last;
    }
  }
}

TEST(History, WhatIsNoNumberHasNoPartInARange) {
  std::vector<double> values(600, 2.0);
  for (std::size_t i = 0; i < 300; ++i) values[i] = nan;
  values[100] = -1;
  const History h = history_of(values);
  EXPECT_EQ(h.range(probe, 0, 600).low, -1);
  EXPECT_EQ(h.range(probe, 0, 600).high, 2);
  EXPECT_EQ(h.range(probe, 101, 600).low, 2);
  EXPECT_TRUE(std::isnan(h.range(probe, 101, 300).low));
  EXPECT_TRUE(std::isnan(h.range(probe, 101, 300).high));
  EXPECT_TRUE(std::isnan(h.range(probe, 5, 6).low));
}

TEST(History, WhatIsNoNumberIsNotHiddenInMeanAndWorst) {
  EXPECT_TRUE(std::isnan(history_of({1, nan, 3}).mean_magnitude(probe)));
  EXPECT_TRUE(std::isnan(history_of({1, nan, 3}).worst_magnitude(probe)));
  EXPECT_TRUE(std::isnan(history_of({infinity, nan}).worst_magnitude(probe)));
  EXPECT_EQ(history_of({1, -infinity, 3}).worst_magnitude(probe), infinity);
  EXPECT_EQ(history_of({1, -infinity, 3}).mean_magnitude(probe), infinity);
  EXPECT_EQ(history_of({-infinity, 3}).range(probe, 0, 2).low, -infinity);
}

TEST(History, MeanAndWorstAreOfMagnitudes) {
  const History h = history_of({1, -5, 3});
  EXPECT_EQ(h.mean_magnitude(probe), 3);
  EXPECT_EQ(h.worst_magnitude(probe), 5);
  EXPECT_EQ(History().mean_magnitude(probe), 0);
  EXPECT_EQ(History().worst_magnitude(probe), 0);
}

// The plain sum goes astray, which shows that the case is hard enough.
TEST(History, MeanIsCompensated) {
  History h;
  constexpr int count = 1'000'000;
  for (int i = 0; i < count; ++i) h.append(i, sample_of(i, i % 2 ? 0.1 : -0.1));
  EXPECT_NEAR(h.mean_magnitude(probe), 0.1, 2e-17);
  double plain = 0;
  for (int i = 0; i < count; ++i) plain += 0.1;
  EXPECT_GT(std::abs(plain / count - 0.1), 1e-13);
}

TEST(History, FindsTimes) {
  History h;
  for (const double t : {0.0, 1.0, 1.0, 2.0}) h.append(0, sample_of(t, 0));
  EXPECT_EQ(h.lower_bound(-1), 0u);
  EXPECT_EQ(h.lower_bound(0.5), 1u);
  EXPECT_EQ(h.lower_bound(1), 1u);
  EXPECT_EQ(h.lower_bound(1.5), 3u);
  EXPECT_EQ(h.lower_bound(3), 4u);
}

TEST(History, ClearForgetsEverything) {
  History h = history_of(std::vector<double>(1000, 9.0));
  h.clear();
  EXPECT_EQ(h.size(), 0u);
  EXPECT_EQ(h.worst_magnitude(probe), 0);
  for (int i = 0; i < 300; ++i) h.append(i, sample_of(i, i));
  EXPECT_EQ(h.range(probe, 0, 300).high, 299);
  EXPECT_EQ(h.range(probe, 0, 300).low, 0);
  EXPECT_EQ(h.mean_magnitude(probe), 149.5);
}

}  // namespace
}  // namespace twosphere
