// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/point_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "core/base/json.h"
#include "core/base/packing.h"
#include "core/base/text.h"

namespace twosphere {

namespace {

constexpr double largest_number = 65535;

/// The positions as fixed-point numbers.
struct FixedPoint {
  double half = 1;  // [radius]
  std::vector<std::uint16_t> numbers;

  explicit FixedPoint(const PointRows& rows) {
    for (const float x : rows.positions) half = std::max(half, std::abs(static_cast<double>(x)));
    numbers.reserve(rows.positions.size());
    for (const float x : rows.positions)
      numbers.push_back(static_cast<std::uint16_t>(std::lround(exact(x))));
  }
  double exact(float x) const {
    return std::clamp((x / half + 1) / 2 * largest_number, 0.0, largest_number);
  }
};

/// The end of the segment that begins at starts[k].
std::size_t end_of_segment(const std::vector<std::size_t>& starts, std::size_t k,
                           std::size_t rows) {
  return k + 1 < starts.size() ? starts[k + 1] : rows;
}

/// The largest error at the rows between frames [radius]; stops above `enough`.
double error_between(const PointRows& rows, const FixedPoint& fixed, const FrameRows& frames,
                     double enough) {
  const std::size_t n = 3 * rows.points;
  const double unit = 2 * fixed.half / largest_number;  // [radius]
  std::vector<double> times;
  for (const std::size_t row : frames.rows) times.push_back(rows.times[row]);
  double worst = 0;
  for (std::size_t k = 0; k < frames.starts.size(); ++k) {
    const std::size_t from = frames.starts[k],
                      to = end_of_segment(frames.starts, k, frames.rows.size());
    for (std::size_t f = from; f + 1 < to; ++f)
      for (std::size_t row = frames.rows[f] + 1; row < frames.rows[f + 1]; ++row) {
        const FrameWeights at = interpolate(times, from, to, f, rows.times[row]);
        std::array<const std::uint16_t*, 4> numbers{};
        for (std::size_t i = 0; i < at.count; ++i)
          numbers[i] = fixed.numbers.data() + frames.rows[at.first + i] * n;
        const float* exact = rows.positions.data() + row * n;
        double distance2 = 0;
        for (std::size_t i = 0; i < n; ++i) {
          double u = 0;
          for (std::size_t w = 0; w < at.count; ++w) u += at.values[w] * numbers[w][i];
          const double away = u - fixed.exact(exact[i]);
          distance2 = (i % 3 == 0 ? 0 : distance2) + away * away;
          if (i % 3 == 2) worst = std::max(worst, unit * unit * distance2);
        }
        if (worst > enough * enough) return std::sqrt(worst);
      }
  }
  return std::sqrt(worst);
}

std::string packed(const PointRows& rows, const FixedPoint& fixed, PointStream& out) {
  const std::size_t n = 3 * rows.points;
  std::vector<std::uint16_t> lists;
  lists.reserve(n * out.rows.size());
  for (std::size_t i = 0; i < n; ++i)
    for (const std::size_t row : out.rows) lists.push_back(fixed.numbers[row * n + i]);
  return pack_numbers(lists, out.rows.size(), out.order);
}

}  // namespace

FrameRows frame_rows(const PointRows& rows, std::size_t stride) {
  FrameRows out;
  for (std::size_t k = 0; k < rows.starts.size(); ++k) {
    const std::size_t last = end_of_segment(rows.starts, k, rows.times.size()) - 1;
    out.starts.push_back(out.rows.size());
    for (std::size_t row = rows.starts[k]; row < last; row += stride) out.rows.push_back(row);
    out.rows.push_back(last);
  }
  return out;
}

FrameWeights interpolate(std::span<const double> times, std::size_t from, std::size_t to,
                         std::size_t before, double t) {
  FrameWeights out{.first = before};
  if (t <= times[before] || before + 1 >= to) return out;
  out.count = std::min<std::size_t>(4, to - from);
  out.first = std::max(from, std::min(before == 0 ? 0 : before - 1, to - out.count));
  for (std::size_t i = 0; i < out.count; ++i) {
    const double at = times[out.first + i];
    out.values[i] = 1;
    for (std::size_t k = 0; k < out.count; ++k)
      if (k != i) out.values[i] *= (t - times[out.first + k]) / (at - times[out.first + k]);
  }
  return out;
}

std::string pack_numbers(std::span<const std::uint16_t> numbers, std::size_t frames, int& order) {
  const std::size_t n = numbers.size();
  std::vector<std::uint16_t> differences(numbers.begin(), numbers.end());
  std::string bytes(2 * n, '\0'), best;
  for (int tried = 1; tried <= 3; ++tried) {
    const auto done = static_cast<std::size_t>(tried - 1);
    for (std::size_t list = 0; list < n; list += frames)
      for (std::size_t f = frames - 1; f > done; --f)
        differences[list + f] =
            static_cast<std::uint16_t>(differences[list + f] - differences[list + f - 1]);
    for (std::size_t i = 0; i < n; ++i) {
      const unsigned d = differences[i], z = d >> 15 != 0 ? ~(d << 1) : d << 1;
      bytes[i] = static_cast<char>(z & 255);
      bytes[n + i] = static_cast<char>(z >> 8 & 255);
    }
    std::string shorter = deflated(bytes);
    if (tried > 1 && shorter.size() >= best.size()) continue;
    best = std::move(shorter);
    order = tried;
  }
  return base64(best);
}

std::string pack_floats(std::span<const float> numbers, std::size_t list) {
  std::string bytes;
  bytes.reserve(numbers.size_bytes());
  for (std::size_t first = 0; first < numbers.size(); first += list)
    for (unsigned byte = 0; byte < sizeof(float); ++byte)
      for (const float x : numbers.subspan(first, list))
        bytes += static_cast<char>(std::bit_cast<std::uint32_t>(x) >> 8 * byte & 255);
  return base64(deflated(bytes));
}

Result<void> check_finite(const PointRows& rows) {
  const auto found = std::find_if(rows.positions.begin(), rows.positions.end(),
                                  [](float x) { return !std::isfinite(x); });
  if (found == rows.positions.end()) return {};
  const auto row = static_cast<std::size_t>(found - rows.positions.begin()) / (3 * rows.points);
  return Error{ErrorKind::numerical, "",
               fmt::format("a point of the scene is not finite at t = {} s",
                           json::shortest(rows.times[row]))};
}

Result<PointStream> pack_points(const PointRows& rows, const PointLimits& limits) {
  if (auto finite = check_finite(rows); !finite) return finite.error();
  const FixedPoint fixed(rows);
  const std::size_t all = rows.times.size();
  PointStream out;
  out.half = fixed.half * rows.radius;
  const auto error = [&](std::size_t stride, double enough) {
    return error_between(rows, fixed, frame_rows(rows, stride), enough);
  };
  // The largest stride with a small error, or the least that there may be.
  std::size_t stride = std::max<std::size_t>(1, (all + limits.frames - 1) / limits.frames);
  if (error(stride, limits.error) <= limits.error) {
    std::size_t larger = 2 * stride;
    while (stride < all && error(larger, limits.error) <= limits.error) {
      stride = larger;
      larger = 2 * stride;
    }
    while (stride < all && larger - stride > 1) {
      const std::size_t middle = stride + (larger - stride) / 2;
      (error(middle, limits.error) <= limits.error ? stride : larger) = middle;
    }
  }
  for (;;) {
    static_cast<FrameRows&>(out) = frame_rows(rows, stride);
    out.text = packed(rows, fixed, out);
    if (out.text.size() <= limits.bytes) break;
    if (stride >= all)
      return Error{
          ErrorKind::usage, "",
          fmt::format(
              "{} of {} take {:.0f} MB, more than the {:.0f} MB of a page, which has room "
              "for about {}",
              counted(static_cast<std::int64_t>(out.rows.size()), "frame"),
              counted(static_cast<std::int64_t>(rows.points), "point"),
              std::ceil(1e-6 * static_cast<double>(out.text.size())),
              1e-6 * static_cast<double>(limits.bytes),
              counted(static_cast<std::int64_t>(rows.points * limits.bytes / out.text.size()),
                      "point"))};
    stride = std::max(stride + 1, stride * (out.text.size() / limits.bytes + 1));
  }
  out.error = std::max(error_between(rows, fixed, out, std::numeric_limits<double>::infinity()),
                       std::numbers::sqrt3 * fixed.half / largest_number);
  return out;
}

}  // namespace twosphere
