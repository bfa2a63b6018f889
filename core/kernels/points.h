// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

/// What CompressedBlock does with every number of a block, several at a time. The results are the
/// same bits at every instruction set level. Counts are multiples of 64.
namespace twosphere::points_kernel {

/// The smallest of what the last bit set of each number stands for, a power of two; infinity if
/// all are 0 or none is finite.
double lowest_bit(const double* values, std::size_t count);

/// Point of a number: how often |value|·per_unit counts from 0 on, where doubles from 2^53 on count
/// one by one: their bit patterns are larger by `doubles`. ~ of that for what is negative.
std::int64_t point(double value, double per_unit, std::uint64_t doubles);

/// The least and largest of points, and of what they are above a line through 0.
struct Bounds {
  std::int64_t low, high, low_above, high_above;
};

/// The points of the numbers, which go to `out`.
Bounds points(const double* values, std::size_t count, double per_unit, std::uint64_t doubles,
              std::int64_t slope, std::int64_t* out);

/// The numbers of points at[i] + base + slope·i modulo 2^64, i < count, of which those below
/// 2^whole_bits from 0 are counted in units of 2^e, doubles = (e + 1074)·2^52. Any count; `at` has
/// room for 64 bytes more.
void numbers(const std::uint64_t* at, std::size_t count, std::uint64_t base, std::uint64_t slope,
             std::uint64_t doubles, int whole_bits, double* out);

}  // namespace twosphere::points_kernel
