// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/packed.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <vector>

namespace twosphere {
namespace {

using Numbers = std::vector<double>;

Numbers numbers(const std::function<double(std::size_t)>& at) {
  Numbers all(Packed::count);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = at(i);
  return all;
}

/// Bytes per number; every one of them comes back bit for bit.
double cost(const Numbers& all) {
  const Packed packed{std::span<const double, Packed::count>(all)};
  for (std::size_t i = 0; i < all.size(); ++i)
    EXPECT_EQ(std::bit_cast<std::uint64_t>(packed[i]), std::bit_cast<std::uint64_t>(all[i]))
        << i << ": " << packed[i] << ", not " << all[i];
  return static_cast<double>(packed.bytes() - sizeof packed) / Packed::count;
}

constexpr double room = 0.01;  // of the few bytes behind the last number

TEST(Packed, TakesFewBytesForWhatHasACommonGrid) {
  EXPECT_EQ(cost(numbers([](auto) { return 0.0; })), 0);
  EXPECT_EQ(cost(numbers([](auto) { return -9.81; })), 0);
  EXPECT_EQ(cost(numbers([](auto i) { return 7.0 * static_cast<double>(i) - 1e6; })), 0);
  for (const double origin : {0.37, 1e5, -30.0})
    EXPECT_LE(cost(numbers([&](auto i) { return origin + static_cast<double>(i) * 0.01; })),
              2 + room)
        << "times, from " << origin << " on";
  std::mt19937 random(1);
  const auto below = [&](unsigned n) { return static_cast<double>(random() % n); };
  EXPECT_LE(cost(numbers([&](auto) { return below(9) * 0x1p-53; })), 1 + room) << "lengths";
  EXPECT_LE(cost(numbers([&](auto) { return 12.5 + 1e-7 * below(1000); })), 5 + room) << "energies";
  EXPECT_LE(cost(numbers([&](auto) { return (12.5 + 1e-7 * below(1000)) - 12.5; })), 5 + room)
      << "their errors";
}

TEST(Packed, KeepsWhateverThereIs) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 200; ++round)
    EXPECT_LE(cost(numbers([&](auto) { return std::bit_cast<double>(random()); })), 8 + room);
  constexpr double infinity = std::numeric_limits<double>::infinity(),
                   tiny = std::numeric_limits<double>::denorm_min(),
                   huge = std::numeric_limits<double>::max(),
                   nan = std::numeric_limits<double>::quiet_NaN();
  for (const double odd : {0.0, -0.0, infinity, -infinity, nan, -nan, tiny, -tiny, 1e-310, huge,
                           -huge, 1e300, 1e-300, 0x1p60, 0x1p-900, 1.0, -0.1})
    for (const double usual : {0.0, 1.0, 0.1, -3e8, 1e-300, huge, tiny})
      for (const std::size_t place : {0u, 1u, 511u, 1022u, 1023u}) {
        (void)cost(numbers([&](auto i) { return i == place ? odd : usual; }));
        (void)cost(numbers([&](auto i) { return i <= place ? odd : usual; }));
      }
  // Grids of every width, at either end of what is kept of a sum.
  for (int bits = 0; bits < 64; ++bits)
    for (const int exponent : {-1070, -960, -700, 0, 700, 900, 960})
      (void)cost(numbers([&](auto) {
        const auto whole = static_cast<std::int64_t>(bits == 0 ? 0 : random() >> (64 - bits));
        return std::ldexp(static_cast<double>(random() % 2 ? whole : -whole), exponent);
      }));
  // Slopes as steep as they come.
  for (const double slope : {1.0, -1.0, 0x1p49, -0x1p49, 0x1p50, 0.1, 1e300})
    for (const double origin : {0.0, 1.0, 0x1p52, -0x1p59})
      (void)cost(numbers([&](auto i) { return origin + slope * static_cast<double>(i); }));
}

}  // namespace
}  // namespace twosphere
