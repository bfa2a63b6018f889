// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/packed.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace twosphere {

namespace {

static_assert(std::endian::native == std::endian::little, "bytes are cut off at the high end");

using Whole = std::array<std::int64_t, Packed::count>;

// So far may the largest number be from the grid, that sums of a few stay below 2^63.
constexpr int most_bits = 60;
constexpr int lowest_exponent = -960, highest_exponent = 900;  // of a grid: 2^±e are normal

/// e of the coarsest grid 2^e that a finite number other than 0 is on.
int grid_exponent(double value) {
  constexpr int digits = 52;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto field = static_cast<int>(bits >> digits & 0x7ff);
  const std::uint64_t hidden = field > 0 ? std::uint64_t{1} << digits : 0;
  const std::uint64_t fraction = (bits & ((std::uint64_t{1} << digits) - 1)) | hidden;
  return std::max(field, 1) - 1023 - digits + std::countr_zero(fraction);
}

/// e of the coarsest grid that all are on; none if they have no grid that does.
std::optional<int> common_exponent(std::span<const double, Packed::count> values) {
  int lowest = highest_exponent + 1;
  double largest = 0;
  for (const double value : values) {
    if (!std::isfinite(value) || (value == 0 && std::signbit(value))) return {};
    if (value == 0) continue;
    lowest = std::min(lowest, grid_exponent(value));
    largest = std::max(largest, std::abs(value));
  }
  if (largest == 0) return 0;
  if (lowest < lowest_exponent || lowest > highest_exponent ||
      std::ilogb(largest) - lowest >= most_bits)
    return {};
  return lowest;
}

struct Line {
  std::int64_t base;
  std::uint64_t spread;  ///< the largest of what is left
};

/// What is left of the numbers above a line of that slope.
Line above(const Whole& numbers, std::int64_t slope) {
  std::int64_t low = std::numeric_limits<std::int64_t>::max(), high = -low;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::int64_t left = numbers[i] - slope * static_cast<std::int64_t>(i);
    low = std::min(low, left);
    high = std::max(high, left);
  }
  return {low, static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low)};
}

}  // namespace

Packed::Packed(std::span<const double, count> values) {
  width_ = sizeof(std::uint64_t);
  Whole numbers;
  if (const auto exponent = common_exponent(values)) {
    const double per_unit = std::ldexp(1, -*exponent);
    for (std::size_t i = 0; i < count; ++i)
      numbers[i] = static_cast<std::int64_t>(values[i] * per_unit);
    constexpr auto last = static_cast<std::int64_t>(count - 1);
    const std::int64_t slope = (numbers.back() - numbers.front()) / last;
    const Line level = above(numbers, 0), inclined = above(numbers, slope);
    const bool flat = level.spread <= inclined.spread;
    const Line& line = flat ? level : inclined;
    width_ = static_cast<std::size_t>(std::bit_width(line.spread) + 7) / 8;
    if (width_ < sizeof(std::uint64_t)) {
      base_ = static_cast<std::uint64_t>(line.base);
      slope_ = flat ? 0 : static_cast<std::uint64_t>(slope);
      mask_ = (std::uint64_t{1} << 8 * width_) - 1;
      unit_ = std::ldexp(1, *exponent);
    }
  }
  if (width_ == 0) return;
  bytes_.resize((count - 1) * width_ + sizeof(std::uint64_t));
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t rest = width_ == sizeof(std::uint64_t)
                                   ? std::bit_cast<std::uint64_t>(values[i])
                                   : static_cast<std::uint64_t>(numbers[i]) - base_ - slope_ * i;
    // Little-endian: what follows of the 8 bytes is written over.
    std::memcpy(bytes_.data() + i * width_, &rest, sizeof rest);
  }
}

}  // namespace twosphere
