// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>

namespace twosphere {

/// 1024 numbers in as few bits as their common grid allows; each comes back bit for bit, at O(1).
///
/// Rounding leaves numbers that belong together on one grid 2^e. Its points are counted from 0 on,
/// −1 being −0 and −2 the first that is negative; where it is shorter, only the doubles among them.
/// Number i is point base + slope·i + r_i with whole r_i ≥ 0 of w bits each. So times take some 10
/// bits, errors of some units in the last place 4, a conserved energy 36, what is constant none;
/// what changes its size and sign takes some 56, and what has no grid at all (NaN, infinities, very
/// different sizes) 64. Copies share the bits, which never change: any thread may read its own.
class CompressedBlock {
 public:
  static constexpr std::size_t count = 1024;

  explicit CompressedBlock(std::span<const double, count> values);

  double operator[](std::size_t index) const {
    const std::uint64_t point = base_ + slope_ * index + rest(index);
    const std::uint64_t sign = point >> 63 << 63;
    // Counted from 0 on, whatever the sign.
    const std::uint64_t away = point ^ (std::uint64_t{0} - (point >> 63));
    const std::uint64_t doubles = std::uint64_t{grid_} << 52;
    const std::uint64_t magnitude =
        away >> whole_bits_ == 0
            ? std::bit_cast<std::uint64_t>(static_cast<double>(static_cast<std::int64_t>(away)) *
                                           0x1p-51 * std::bit_cast<double>(doubles))
            : away + doubles;
    return std::bit_cast<double>(magnitude | sign);
  }
  /// Numbers [first, last), in less time than one by one.
  void read(std::size_t first, std::size_t last, double* out) const;
  /// Memory [bytes], of which bits that are shared are all counted.
  std::size_t bytes() const { return sizeof *this + bytes_of(width_); }

 private:
  static constexpr unsigned long_word = 57;  // w of what one read of 8 bytes holds, unless w = 64

  /// With room to read 8 from the last number on.
  static std::size_t bytes_of(std::size_t width) {
    return width == 0 ? 0 : ((count - 1) * width) / 8 + sizeof(std::uint64_t);
  }
  /// r_i.
  std::uint64_t rest(std::size_t index) const {
    if (width_ == 0) return 0;
    const std::size_t at = index * width_;
    std::uint64_t rest;
    std::memcpy(&rest, bits_.get() + at / 8, sizeof rest);
    return rest >> at % 8 & ~std::uint64_t{0} >> (64 - width_);
  }

  std::shared_ptr<const std::uint8_t[]> bits_;
  std::uint64_t base_ = 0, slope_ = 0;  // modulo 2^64
  std::uint16_t grid_ = 0;              // e + 1074
  std::uint8_t whole_bits_ = 0;         // every point below 2^that is counted, then doubles alone
  std::uint8_t width_ = 0;              // w
};

}  // namespace twosphere
