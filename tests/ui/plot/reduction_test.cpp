// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/reduction.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <random>
#include <vector>

#include "ui/plot/lane_curves.h"

namespace twosphere::reduction_test {
namespace {

using namespace ui;

History filled(std::size_t n, double h, auto value) {
  History history;
  for (std::size_t i = 0; i < n; ++i) {
    Sample s;
    s[Quantity::time] = h * static_cast<double>(i);
    s[Quantity::energy_error] = value(i);
    history.append(static_cast<std::int64_t>(i), s);
  }
  return history;
}

TEST(Reduction, FindsTheExtremesOfEveryPart) {
  std::mt19937 random(3);
  std::normal_distribution<double> noise(0, 1);
  const History history = filled(10000, 0.01, [&](std::size_t) { return noise(random); });
  const Interval time{12.345, 67.89};
  const auto times = history.column(Quantity::time),
             values = history.column(Quantity::energy_error);
  for (const int count : {1, 7, 300}) {
    const auto signed_parts =
        reduce(Trace(history, Quantity::energy_error), {0, history.size()}, false, time, count);
    const auto sizes =
        reduce(Trace(history, Quantity::energy_error), {0, history.size()}, true, time, count);
    for (int p = 0; p < count; ++p) {
      const double from = time.low + time.span() * p / count,
                   to = time.low + time.span() * (p + 1) / count;
      double low = INFINITY, high = -INFINITY, largest = 0;
      for (std::size_t i = 0; i < times.size(); ++i) {
        if (times[i] < from || times[i] >= to) continue;
        low = std::min(low, values[i]);
        high = std::max(high, values[i]);
        largest = std::max(largest, std::abs(values[i]));
      }
      const auto at = static_cast<std::size_t>(p);
      ASSERT_FALSE(signed_parts[at].empty);
      EXPECT_EQ(signed_parts[at].low, low);
      EXPECT_EQ(signed_parts[at].high, high);
      EXPECT_EQ(sizes[at].high, largest);
      EXPECT_LE(sizes[at].low, sizes[at].high);
    }
  }
}

TEST(Reduction, MagnitudesOfOneSignAreExact) {
  const History history =
      filled(5000, 0.01, [](std::size_t i) { return -2 - std::sin(static_cast<double>(i)); });
  const auto parts =
      reduce(Trace(history, Quantity::energy_error), {0, history.size()}, true, {0, 50}, 10);
  const auto values = history.column(Quantity::energy_error);
  for (std::size_t p = 0; p < 10; ++p) {
    double low = INFINITY;
    for (std::size_t i = p * 500; i < (p + 1) * 500; ++i) low = std::min(low, std::abs(values[i]));
    EXPECT_NEAR(parts[p].low, low, 1e-5);
  }
}

TEST(Reduction, EmptyPartsAndEnds) {
  const History history = filled(100, 1, [](std::size_t) { return 1.0; });
  const auto parts =
      reduce(Trace(history, Quantity::energy_error), {0, history.size()}, true, {-50, 150}, 4);
  EXPECT_TRUE(parts[0].empty);
  EXPECT_FALSE(parts[1].empty);
  EXPECT_FALSE(parts[2].empty);
  EXPECT_TRUE(parts[3].empty);
  const IndexRange all =
      visible(Trace(history, Quantity::energy_error), {0, history.size()}, {-50, 150});
  EXPECT_EQ(all.first, 0u);
  EXPECT_EQ(all.last, 100u);
  // One beyond on either side, so that lines leave the picture.
  const IndexRange some =
      visible(Trace(history, Quantity::energy_error), {0, history.size()}, {10.5, 20.5});
  EXPECT_EQ(some.first, 10u);
  EXPECT_EQ(some.last, 22u);
  // Only what belongs to it.
  const IndexRange part = visible(Trace(history, Quantity::energy_error), {15, 18}, {10.5, 20.5});
  EXPECT_EQ(part.first, 15u);
  EXPECT_EQ(part.last, 18u);
  const auto limited =
      reduce(Trace(history, Quantity::energy_error), {15, 18}, false, {10, 20}, 10);
  for (std::size_t p = 0; p < 10; ++p) EXPECT_EQ(limited[p].empty, p < 5 || p >= 8) << p;
}

// A run that was reversed passes its times twice, and each of its legs is reduced alone.
TEST(Reduction, AWayBackIsReducedLikeTheWayThere) {
  // Up to 10 s in 1000 steps and back to 4 s; the values are those of the index.
  History history;
  for (int i = 0; i <= 1600; ++i) {
    Sample s;
    s[Quantity::time] = 0.01 * (i <= 1000 ? i : 2000 - i);
    s[Quantity::energy_error] = i;
    history.append(i, s);
  }
  Scenario record;
  record.lanes = {{.type = "variational", .step = 0.01, .values = {}, .name = "variational"}};
  const std::vector<Segment> parts = segments(history, record, 0);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_FALSE(parts[0].way_back);
  EXPECT_TRUE(parts[1].way_back);
  EXPECT_EQ(parts[1].samples.first, 1001u);
  EXPECT_EQ(parts[1].samples.last, 1601u);

  const Trace trace(history, Quantity::energy_error);
  const Interval time{4.995, 6.995};
  const IndexRange there = visible(trace, parts[0].samples, time),
                   back = visible(trace, parts[1].samples, time);
  EXPECT_EQ(there.first, 499u);
  EXPECT_EQ(there.last, 701u);
  EXPECT_EQ(back.first, 1300u);
  EXPECT_EQ(back.last, 1502u);
  const auto up = reduce(trace, parts[0].samples, false, time, 2),
             down = reduce(trace, parts[1].samples, false, time, 2);
  EXPECT_EQ(up[0].low, 500);
  EXPECT_EQ(up[0].high, 599);
  EXPECT_EQ(down[0].low, 1401);
  EXPECT_EQ(down[0].high, 1500);
  EXPECT_EQ(down[1].low, 1301);
  EXPECT_EQ(down[1].high, 1400);
  // Each leg has its own value at a time, where it passes it.
  EXPECT_EQ(trace.nearest(6.003, parts[0].samples), 600u);
  EXPECT_EQ(trace.nearest(6.003, parts[1].samples), 1400u);
  EXPECT_EQ(trace.nearest(2, parts[1].samples), std::nullopt);
  EXPECT_EQ(trace.nearest(6.003), 1400u) << "the newest";
  EXPECT_EQ(trace.nearest(2), 200u);
}

}  // namespace
}  // namespace twosphere::reduction_test
