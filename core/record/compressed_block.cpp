// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/compressed_block.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/kernels/points.h"

namespace twosphere {

namespace {

static_assert(std::endian::native == std::endian::little, "bits are cut off at the high end");

constexpr int digits = 52;
constexpr int smallest_exponent = -1074;  // of the smallest double
constexpr int lowest_exponent = -960,
              highest_exponent = 900;  // of the grid, such that 2^±e are normal numbers

int width_of(std::int64_t low, std::int64_t high) {
  return static_cast<int>(
      std::bit_width(static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low)));
}

/// The slope between the first and the last index; 0 where a difference could overflow.
std::int64_t slope_of(std::int64_t first, std::int64_t last) {
  constexpr std::int64_t far = std::int64_t{1} << 61;
  if (first < -far || first > far || last < -far || last > far) return 0;
  return (last - first) / static_cast<std::int64_t>(CompressedBlock::count - 1);
}

}  // namespace

CompressedBlock::CompressedBlock(std::span<const double, count> values) {
  // Without a grid, the index is the bit pattern.
  double per_unit = std::numeric_limits<double>::infinity();
  const bool constant =
      std::memcmp(values.data(), values.data() + 1, (count - 1) * sizeof(double)) == 0;
  const double last = constant ? 0 : points_kernel::lowest_bit(values.data(), count);
  if (last >= std::ldexp(1, lowest_exponent)) {
    const int exponent = std::isinf(last) ? 0 : std::min(std::ilogb(last), highest_exponent);
    whole_bits_ = digits + 1;
    grid_ = static_cast<std::uint16_t>(exponent - smallest_exponent);
    per_unit = std::ldexp(1, -exponent);
  }
  const std::uint64_t doubles = std::uint64_t{grid_} << digits;
  const auto point = [&](double value) { return points_kernel::point(value, per_unit, doubles); };
  const std::int64_t first = point(values.front());
  if (constant) {
    base_ = static_cast<std::uint64_t>(first);
    return;
  }

  // Indices, and the smaller of the widths with slope 0 and with that of the end points.
  alignas(64) std::array<std::int64_t, count> points;
  const std::int64_t slope = slope_of(first, point(values.back()));
  const points_kernel::Bounds bounds =
      points_kernel::points(values.data(), count, per_unit, doubles, slope, points.data());
  const int level = width_of(bounds.low, bounds.high),
            inclined = width_of(bounds.low_above, bounds.high_above);
  const bool flat = level <= inclined;
  base_ = static_cast<std::uint64_t>(flat ? bounds.low : bounds.low_above);
  slope_ = flat ? 0 : static_cast<std::uint64_t>(slope);
  auto width = static_cast<unsigned>(flat ? level : inclined);
  if (width > long_word) width = 64;
  width_ = static_cast<std::uint8_t>(width);
  if (width == 0) return;
  // Pack the residuals, w bits each.
  auto bits = std::make_shared_for_overwrite<std::uint8_t[]>(bytes_of(width));
  std::uint8_t* out = bits.get();
  bits_ = std::move(bits);
  std::uint64_t waiting = 0, start = base_;
  unsigned filled = 0;  // number of bits in `waiting`; below 8 between two numbers
  for (std::size_t i = 0; i < count; ++i) {
    waiting |= (static_cast<std::uint64_t>(points[i]) - start) << filled;
    start += slope_;
    std::memcpy(out, &waiting, sizeof waiting);
    filled += width;
    const unsigned whole = filled / 8;
    out += whole;
    waiting = whole == sizeof waiting ? 0 : waiting >> 8 * whole;
    filled %= 8;
  }
}

void CompressedBlock::read(std::size_t first, std::size_t last, double* out) const {
  constexpr std::size_t room = 64 / sizeof(std::uint64_t);
  std::array<std::uint64_t, count + room> residual;
  for (std::size_t i = first; i < last; ++i) residual[i - first] = this->residual(i);
  std::fill_n(residual.begin() + static_cast<std::ptrdiff_t>(last - first), room, 0);
  points_kernel::numbers(residual.data(), last - first, base_ + slope_ * first, slope_,
                         std::uint64_t{grid_} << digits, whole_bits_, out);
}

}  // namespace twosphere
