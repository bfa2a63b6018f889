// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>

namespace twosphere {

/// 1024 numbers, compressed without loss; access to any of them costs O(1).
///
/// Because of rounding, the values of one quantity are multiples of a common power of two 2^e. Each
/// number is replaced by its index on this grid, counted from 0; −0 has index −1 and the first
/// negative number −2. Where the grid is finer than the spacing of the doubles, the index counts
/// doubles. Number i has the index base + slope·i + r_i with integer residuals r_i ≥ 0 of w bits
/// each. Typical w: times 10, errors of some units in the last place 4, a conserved energy 36, a
/// constant 0; numbers that change size and sign 56; numbers without a common grid (NaN,
/// infinities, very different magnitudes) 64. Copies share the bits, which never change: each
/// thread may read its own copy.
class CompressedBlock {
 public:
  static constexpr std::size_t count = 1024;

  explicit CompressedBlock(std::span<const double, count> values);

  double operator[](std::size_t index) const {
    const std::uint64_t point = base_ + slope_ * index + residual(index);
    const std::uint64_t sign = point >> 63 << 63;
    // The index of the magnitude.
    const std::uint64_t away = point ^ (std::uint64_t{0} - (point >> 63));
    const std::uint64_t doubles = std::uint64_t{grid_} << 52;
    const std::uint64_t magnitude =
        away >> whole_bits_ == 0
            ? std::bit_cast<std::uint64_t>(static_cast<double>(static_cast<std::int64_t>(away)) *
                                           0x1p-51 * std::bit_cast<double>(doubles))
            : away + doubles;
    return std::bit_cast<double>(magnitude | sign);
  }
  /// Reads numbers [first, last), faster than one at a time.
  void read(std::size_t first, std::size_t last, double* out) const;
  /// Memory [bytes]; shared bits are counted in full.
  std::size_t bytes() const { return sizeof *this + bytes_of(width_); }

 private:
  static constexpr unsigned long_word =
      57;  // largest w < 64 that one read of 8 bytes contains at any bit offset

  /// Memory for the residuals [bytes], including the 8 bytes read at the last one.
  static std::size_t bytes_of(std::size_t width) {
    return width == 0 ? 0 : ((count - 1) * width) / 8 + sizeof(std::uint64_t);
  }
  /// r_i.
  std::uint64_t residual(std::size_t index) const {
    if (width_ == 0) return 0;
    const std::size_t at = index * width_;
    std::uint64_t residual;
    std::memcpy(&residual, bits_.get() + at / 8, sizeof residual);
    return residual >> at % 8 & ~std::uint64_t{0} >> (64 - width_);
  }

  std::shared_ptr<const std::uint8_t[]> bits_;
  std::uint64_t base_ = 0, slope_ = 0;  // modulo 2^64
  std::uint16_t grid_ = 0;              // e + 1074
  std::uint8_t whole_bits_ =
      0;  // indices below 2^whole_bits_ count grid points, those above count doubles
  std::uint8_t width_ = 0;  // w
};

}  // namespace twosphere
