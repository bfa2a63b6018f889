// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace twosphere {

/// 1024 numbers in as few bytes as their common grid allows; each comes back bit for bit, at O(1).
///
/// Rounding leaves numbers that belong together on one grid: value i is (base + slope·i + r_i)·2^e
/// with whole r_i ≥ 0 of w bytes each. So times take one or two bytes, errors of some units in the
/// last place one, a conserved energy four or five, what is constant none, and 8 what has no such
/// grid (NaN, infinities, −0, very different sizes).
class Packed {
 public:
  static constexpr std::size_t count = 1024;

  explicit Packed(std::span<const double, count> values);

  double operator[](std::size_t index) const {
    std::uint64_t rest = 0;
    if (width_ > 0) std::memcpy(&rest, bytes_.data() + index * width_, sizeof rest);
    if (width_ == sizeof rest) return std::bit_cast<double>(rest);
    rest &= mask_;
    return static_cast<double>(static_cast<std::int64_t>(base_ + slope_ * index + rest)) * unit_;
  }
  /// Memory [bytes].
  std::size_t bytes() const { return sizeof *this + bytes_.size(); }

 private:
  std::vector<std::uint8_t> bytes_;                // with room to read 8 from the last number on
  std::uint64_t base_ = 0, slope_ = 0, mask_ = 0;  // modulo 2^64
  double unit_ = 1;                                // 2^e
  std::size_t width_ = 0;                          // w
};

}  // namespace twosphere
