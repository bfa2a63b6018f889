// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/point_stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "tests/outcome.h"
#include "tests/page_stream.h"

namespace twosphere::point_stream_test {
namespace {

using test::error_of, test::says, test::unpacked, test::value_of;

/// Points that go round on circles, each `turns` times.
PointRows circles(std::size_t points, std::size_t rows, double turns) {
  PointRows out{.center = Vec3(10, -20, 30),
                .radius = 5,
                .points = points,
                .times = {},
                .starts = {0},
                .positions = {}};
  for (std::size_t row = 0; row < rows; ++row) {
    out.times.push_back(2 + 0.01 * static_cast<double>(row));
    for (std::size_t p = 0; p < points; ++p) {
      const double share = static_cast<double>(row) / static_cast<double>(rows);
      const double angle = 6.283185307179586 * turns * share + static_cast<double>(p);
      for (const double x : {std::cos(angle), std::sin(angle), 0.5})
        out.positions.push_back(static_cast<float>(x));
    }
  }
  return out;
}

/// The largest distance of a point at any row from where a reader of the stream finds it [radius].
double worst_error(const PointRows& rows, const PointStream& stream) {
  const std::vector<std::uint16_t> numbers =
      unpacked(stream.text, stream.rows.size(), stream.order);
  EXPECT_EQ(numbers.size(), 3 * rows.points * stream.rows.size());
  std::vector<double> times;
  for (const std::size_t row : stream.rows) times.push_back(rows.times[row]);
  double worst = 0;
  for (std::size_t row = 0; row < rows.times.size(); ++row) {
    const std::size_t before = static_cast<std::size_t>(
        std::upper_bound(stream.rows.begin(), stream.rows.end(), row) - stream.rows.begin() - 1);
    const auto next = std::upper_bound(stream.starts.begin(), stream.starts.end(), before);
    const std::size_t from = *(next - 1), to = next == stream.starts.end() ? times.size() : *next;
    const FrameWeights at = interpolate(times, from, to, before, rows.times[row]);
    for (std::size_t p = 0; p < rows.points; ++p) {
      Vec3 away;
      for (std::size_t a = 0; a < 3; ++a) {
        double u = 0;
        for (std::size_t i = 0; i < at.count; ++i)
          u += at.values[i] * numbers[(3 * p + a) * times.size() + at.first + i];
        away(static_cast<Eigen::Index>(a)) =
            stream.half / rows.radius * (2 * u / 65535 - 1) -
            static_cast<double>(rows.positions[3 * (row * rows.points + p) + a]);
      }
      worst = std::max(worst, away.norm());
    }
  }
  return worst;
}

TEST(PointStream, PacksAnyNumbers) {
  std::vector<std::uint16_t> numbers;
  for (unsigned i = 0; i < 600; ++i)
    numbers.push_back(static_cast<std::uint16_t>(i * i * 977 + (i % 3) * 65535));
  for (const std::size_t frames : {1, 2, 3, 4, 100, 600}) {
    int order = 0;
    const std::string text = pack_numbers(numbers, frames, order);
    EXPECT_TRUE(order >= 1 && order <= 3) << order;
    EXPECT_EQ(unpacked(text, frames, order), numbers) << frames;
  }
}

TEST(PointStream, KeepsEveryRowWithinTheLimit) {
  const PointRows rows = circles(4, 2001, 12);
  const PointStream stream = value_of(pack_points(rows));
  EXPECT_LE(stream.error, 1e-4);
  EXPECT_LT(stream.rows.size(), 1000u) << "smooth motion needs few frames";
  EXPECT_GT(stream.rows.size(), 100u);
  EXPECT_EQ(stream.rows.front(), 0u);
  EXPECT_EQ(stream.rows.back(), 2000u);
  const double rounding = std::sqrt(3) * stream.half / rows.radius / 65535;
  const double worst = worst_error(rows, stream);
  EXPECT_LE(worst, std::max(stream.error, rounding) + 1e-6);
  EXPECT_LE(rounding, 2.7e-5);
  EXPECT_LT(stream.text.size(), 3 * 4 * stream.rows.size() * 2);
}

TEST(PointStream, ASegmentBeginsWhereTheMotionJumps) {
  PointRows rows = circles(1, 400, 2);
  for (std::size_t i = 3 * 200; i < rows.positions.size(); i += 3) rows.positions[i] *= -1;
  const PointStream across = value_of(pack_points(rows));
  rows.starts = {0, 200};
  const PointStream apart = value_of(pack_points(rows));
  EXPECT_LT(apart.rows.size(), across.rows.size()) << "nothing is interpolated across a jump";
  ASSERT_EQ(apart.starts.size(), 2u);
  EXPECT_EQ(apart.rows[apart.starts[1]], 200u);
  EXPECT_EQ(apart.rows[apart.starts[1] - 1], 199u);
  EXPECT_LE(worst_error(rows, apart), 1e-4);
}

TEST(PointStream, HoldsOneAndTwoRows) {
  for (const std::size_t count : {1, 2, 3}) {
    const PointRows rows = circles(2, count, 0.1);
    const PointStream stream = value_of(pack_points(rows));
    EXPECT_LE(stream.rows.size(), count);
    EXPECT_LE(worst_error(rows, stream), 1e-4) << count;
  }
}

TEST(PointStream, HoldsPointsFarOutside) {
  PointRows rows = circles(2, 50, 1);
  rows.positions[7] = 40;
  const PointStream stream = value_of(pack_points(rows));
  EXPECT_NEAR(stream.half, 200, 1e-9) << "40 radii of 5 m";
  EXPECT_LE(worst_error(rows, stream), 40 * 2.7e-5);
  EXPECT_NEAR(stream.error, 40 * std::sqrt(3) / 65535, 1e-9) << "rounding is an error, too";
}

TEST(PointStream, RefusesPointsThatAreNowhere) {
  for (const float x : {std::numeric_limits<float>::infinity(), std::nanf("")}) {
    PointRows rows = circles(2, 50, 1);
    rows.positions[6 * 7 + 4] = x;
    const Error error = error_of(pack_points(rows));
    EXPECT_EQ(error.kind, ErrorKind::numerical);
    EXPECT_TRUE(says(error.message, "not finite at t = 2.07 s")) << error.message;
  }
}

TEST(PointStream, BecomesCoarserWhereItWouldBeTooLong) {
  const PointRows rows = circles(20, 2000, 300);
  const PointStream full = value_of(pack_points(rows));
  const PointStream few =
      value_of(pack_points(rows, {.frames = 100, .bytes = 1000000, .error = 1e-4}));
  EXPECT_LE(few.rows.size(), 102u);
  EXPECT_GT(few.error, 1e-4);
  const PointStream small =
      value_of(pack_points(rows, {.frames = 4000, .bytes = full.text.size() / 4, .error = 1e-4}));
  EXPECT_LE(small.text.size(), full.text.size() / 4);
  EXPECT_GT(small.error, full.error);
}

TEST(PointStream, RefusesTwoFramesThatAreTooLong) {
  const PointRows rows = circles(1000, 20, 3);
  const Error error = error_of(pack_points(rows, {.frames = 4000, .bytes = 1000, .error = 1e-4}));
  EXPECT_EQ(error.kind, ErrorKind::usage);
  EXPECT_TRUE(says(error.message, "2 frames of 1000 points"));
  EXPECT_TRUE(says(error.message, "has room for about"));
}

TEST(PointStream, InterpolatesCubicsExactly) {
  const std::vector<double> times{0, 1, 1.5, 4, 5, 9};
  const auto cubic = [](double t) { return 2 - t + 3 * t * t - 0.25 * t * t * t; };
  for (const double t : {0.5, 1.2, 3.0, 4.5, 8.9}) {
    const auto before = static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), t) -
                                                 times.begin() - 1);
    const FrameWeights at = interpolate(times, 0, times.size(), before, t);
    ASSERT_EQ(at.count, 4u);
    double value = 0;
    for (std::size_t i = 0; i < 4; ++i) value += at.values[i] * cubic(times[at.first + i]);
    EXPECT_NEAR(value, cubic(t), 1e-11) << t;
  }
  EXPECT_EQ(interpolate(times, 0, 6, 2, 1.5).count, 1u) << "a frame is itself";
  EXPECT_EQ(interpolate(times, 0, 3, 2, 3).count, 1u) << "the last frame of a segment rests";
}

TEST(PointStream, PacksFloatsBitForBit) {
  const std::vector<float> numbers{0, 1.5f, -2e-30f, 3e38f, 1, 1.0000001f};
  const auto back = test::unpacked_floats(pack_floats(numbers, 3), 3);
  EXPECT_EQ(back, numbers);
  std::vector<float> slow;
  for (int i = 0; i < 3000; ++i) slow.push_back(static_cast<float>(std::sin(0.001 * i)));
  EXPECT_EQ(test::unpacked_floats(pack_floats(slow, 1000), 1000), slow);
  EXPECT_LT(pack_floats(slow, 1000).size(), 3.6 * 3000) << "3.4 of them; one after another 4.7";
}

}  // namespace
}  // namespace twosphere::point_stream_test
