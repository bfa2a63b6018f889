// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

/// Vectorised loops of CompressedBlock over the numbers of a block. Results are identical to the
/// bit at every instruction set level. Counts are multiples of 64.
namespace twosphere::points_kernel {

/// The smallest value of the last set bit of any number, a power of two; infinity if every number
/// is 0 or not finite.
double lowest_bit(const double* values, std::size_t count);

/// The index of a number: |value|·per_unit below 2^53; above that each double has its own index,
/// its bit pattern minus `doubles`. For a negative number the bitwise complement of this.
std::int64_t point(double value, double per_unit, std::uint64_t doubles);

/// The smallest and largest index, and the smallest and largest residual above a line through 0.
struct Bounds {
  std::int64_t low, high, low_above, high_above;
};

/// Writes the indices of the numbers to `out`; returns their bounds.
Bounds points(const double* values, std::size_t count, double per_unit, std::uint64_t doubles,
              std::int64_t slope, std::int64_t* out);

/// The numbers with indices at[i] + base + slope·i modulo 2^64, i < count. Indices whose magnitude
/// is below 2^whole_bits count units of 2^e, doubles = (e + 1074)·2^52. Any count; `at` must be
/// readable 64 bytes past its end.
void numbers(const std::uint64_t* at, std::size_t count, std::uint64_t base, std::uint64_t slope,
             std::uint64_t doubles, int whole_bits, double* out);

}  // namespace twosphere::points_kernel
