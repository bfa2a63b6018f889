// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/points.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/points.cpp"
#endif
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace twosphere::points_kernel {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<double>;
using I = hn::RebindToSigned<D>;

double lowest_bit(const double* values, std::size_t count) {
  const D d;
  const I whole;
  const auto one = hn::Set(whole, 1), fraction = hn::Set(whole, (std::int64_t{1} << 52) - 1);
  auto lowest = hn::Inf(d);
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto size = hn::Abs(hn::LoadU(d, values + i));
    const auto bits = hn::BitCast(whole, size), digits = hn::And(bits, fraction);
    // The value with its last set bit cleared; unchanged if only the hidden bit is set.
    const auto without =
        hn::BitCast(d, hn::Or(hn::AndNot(fraction, bits), hn::And(digits, hn::Sub(digits, one))));
    // Value of the last set bit; zeros and values that are not finite are skipped.
    const auto left = hn::Sub(size, without),
               last = hn::IfThenElse(hn::Eq(left, hn::Zero(d)), size, left);
    const auto counts = hn::And(hn::Gt(last, hn::Zero(d)), hn::Lt(last, lowest));
    lowest = hn::IfThenElse(counts, last, lowest);
  }
  return hn::GetLane(hn::MinOfLanes(d, lowest));
}

Bounds points(const double* values, std::size_t count, double per_unit, std::uint64_t doubles,
              std::int64_t slope, std::int64_t* out) {
  const D d;
  const I whole;
  const auto lanes = hn::Lanes(d);
  const auto unit = hn::Set(d, per_unit), all_doubles = hn::Set(d, 0x1p53);
  const auto beyond = hn::Set(whole, static_cast<std::int64_t>(doubles));
  // Line slope·i of the first vector, and its increment per vector.
  auto rise = hn::Zero(whole);
  {
    HWY_ALIGN std::int64_t first[hn::MaxLanes(I())];
    for (std::size_t i = 0; i < lanes; ++i)
      first[i] = static_cast<std::int64_t>(static_cast<std::uint64_t>(slope) * i);
    rise = hn::Load(whole, first);
  }
  const auto step =
      hn::Set(whole, static_cast<std::int64_t>(static_cast<std::uint64_t>(slope) * lanes));
  auto low = hn::Set(whole, std::numeric_limits<std::int64_t>::max()),
       high = hn::Set(whole, std::numeric_limits<std::int64_t>::min()), low_above = low,
       high_above = high;
  for (std::size_t i = 0; i < count; i += lanes) {
    const auto value = hn::LoadU(d, values + i), size = hn::Abs(value),
               scaled = hn::Mul(size, unit);
    // Quantised index of |value|, its bit pattern beyond 2^53, with the sign as complement.
    const auto near = hn::RebindMask(whole, hn::Lt(scaled, all_doubles));
    const auto away = hn::IfThenElse(near, hn::ConvertTo(whole, scaled),
                                     hn::Sub(hn::BitCast(whole, size), beyond));
    const auto point = hn::Xor(away, hn::BroadcastSignBit(hn::BitCast(whole, value)));
    hn::StoreU(point, whole, out + i);
    low = hn::Min(low, point);
    high = hn::Max(high, point);
    // Bounds of the residual above the line.
    const auto above = hn::Sub(point, rise);
    rise = hn::Add(rise, step);
    low_above = hn::Min(low_above, above);
    high_above = hn::Max(high_above, above);
  }
  // Reduction over the lanes.
  HWY_ALIGN std::int64_t ends[4][hn::MaxLanes(I())];
  hn::Store(low, whole, ends[0]);
  hn::Store(high, whole, ends[1]);
  hn::Store(low_above, whole, ends[2]);
  hn::Store(high_above, whole, ends[3]);
  return {*std::min_element(ends[0], ends[0] + lanes), *std::max_element(ends[1], ends[1] + lanes),
          *std::min_element(ends[2], ends[2] + lanes), *std::max_element(ends[3], ends[3] + lanes)};
}

void numbers(const std::uint64_t* at, std::size_t count, std::uint64_t base, std::uint64_t slope,
             std::uint64_t doubles, int whole_bits, double* out) {
  const D d;
  const I whole;
  const hn::RebindToUnsigned<D> bits;
  const auto lanes = hn::Lanes(d);
  HWY_ALIGN std::uint64_t first[hn::MaxLanes(I())];
  for (std::size_t i = 0; i < lanes; ++i) first[i] = base + slope * i;
  auto line = hn::Load(bits, first);
  const auto step = hn::Set(bits, slope * lanes), beyond = hn::Set(bits, doubles);
  const auto unit = hn::BitCast(d, beyond), scale = hn::Set(d, 0x1p-51);
  const auto end = hn::Set(whole, std::int64_t{1} << whole_bits);
  for (std::size_t i = 0; i < count; i += lanes) {
    // Index = stored residual + base + slope·i.
    const auto point = hn::BitCast(whole, hn::Add(hn::LoadU(bits, at + i), line));
    line = hn::Add(line, step);
    const auto below = hn::BroadcastSignBit(point), away = hn::Xor(point, below);
    // |value| in units of 2^e, or from its bit pattern.
    const auto grid = hn::Mul(hn::Mul(hn::ConvertTo(d, away), scale), unit);
    const auto number = hn::BitCast(d, hn::Add(hn::BitCast(bits, away), beyond));
    const auto size = hn::IfThenElse(hn::RebindMask(d, hn::Lt(away, end)), grid, number);
    // Sign from the complement.
    const auto value = hn::Or(size, hn::And(hn::SignBit(d), hn::BitCast(d, below)));
    // A partial last vector.
    if (i + lanes <= count) {
      hn::StoreU(value, d, out + i);
    } else {
      HWY_ALIGN double last[hn::MaxLanes(D())];
      hn::Store(value, d, last);
      std::copy(last, last + (count - i), out + i);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace twosphere::points_kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twosphere::points_kernel {

HWY_EXPORT(lowest_bit);
HWY_EXPORT(points);
HWY_EXPORT(numbers);

double lowest_bit(const double* values, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(lowest_bit)(values, count);
}

std::int64_t point(double value, double per_unit, std::uint64_t doubles) {
  const double scaled = std::abs(value) * per_unit;
  const std::uint64_t away = scaled < 0x1p53
                                 ? static_cast<std::uint64_t>(scaled)
                                 : std::bit_cast<std::uint64_t>(std::abs(value)) - doubles;
  return static_cast<std::int64_t>(away) ^ (std::bit_cast<std::int64_t>(value) >> 63);
}

Bounds points(const double* values, std::size_t count, double per_unit, std::uint64_t doubles,
              std::int64_t slope, std::int64_t* out) {
  return HWY_DYNAMIC_DISPATCH(points)(values, count, per_unit, doubles, slope, out);
}

void numbers(const std::uint64_t* at, std::size_t count, std::uint64_t base, std::uint64_t slope,
             std::uint64_t doubles, int whole_bits, double* out) {
  HWY_DYNAMIC_DISPATCH(numbers)(at, count, base, slope, doubles, whole_bits, out);
}

}  // namespace twosphere::points_kernel
#endif
