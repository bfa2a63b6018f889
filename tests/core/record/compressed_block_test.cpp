// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/compressed_block.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <string_view>
#include <vector>

#include "core/base/simd_level.h"

namespace twosphere::compressed_block_test {
namespace {

using Numbers = std::vector<double>;

Numbers numbers(const std::function<double(std::size_t)>& at) {
  Numbers all(CompressedBlock::count);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = at(i);
  return all;
}

/// Bits per number; every one of them comes back bit for bit.
double cost(const Numbers& all) {
  const CompressedBlock packed{std::span<const double, CompressedBlock::count>(all)}, copy = packed;
  Numbers some(all.size());
  packed.read(0, 100, some.data());
  copy.read(100, all.size(), some.data() + 100);
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const double got : {packed[i], copy[i], some[i]})
      EXPECT_EQ(std::bit_cast<std::uint64_t>(got), std::bit_cast<std::uint64_t>(all[i]))
          << i << ": " << got << ", not " << all[i];
  return 8 * static_cast<double>(packed.bytes() - sizeof packed) / CompressedBlock::count;
}

constexpr double room = 0.06;  // of the few bytes behind the last number

TEST(CompressedBlock, TakesFewBitsForWhatHasACommonGrid) {
  EXPECT_EQ(cost(numbers([](auto) { return 0.0; })), 0);
  EXPECT_EQ(cost(numbers([](auto) { return -9.81; })), 0);
  EXPECT_EQ(cost(numbers([](auto i) { return 7.0 * static_cast<double>(i) - 1e6; })), 0);
  for (const double origin : {33.0, 1e5, -27.5})
    EXPECT_LE(cost(numbers([&](auto i) { return origin + static_cast<double>(i) * 0.01; })),
              10 + room)
        << "times, from " << origin << " on";
  std::mt19937 random(1);
  const auto below = [&](unsigned n) { return static_cast<double>(random() % n); };
  EXPECT_LE(cost(numbers([&](auto) { return below(9) * 0x1p-53; })), 4 + room) << "lengths";
  EXPECT_LE(cost(numbers([&](auto) { return 12.5 + 1e-8 * below(1000); })), 36 + room)
      << "energies";
  EXPECT_LE(cost(numbers([&](auto) { return (12.5 + 1e-8 * below(1000)) - 12.5; })), 36 + room)
      << "their errors";
}

// Sums of terms of about 1 are on the grid of those, however small; of both signs.
TEST(CompressedBlock, TakesLessThanItsBitPatternForWhatChangesItsSizeAndSign) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto sum = [&](auto) { return (1 + uniform(random)) - (1 + uniform(random)); };
  EXPECT_LE(cost(numbers(sum)), 55 + room);
  EXPECT_LE(cost(numbers([&](auto) { return std::abs(uniform(random)) + 1; })), 52 + room);
  EXPECT_LE(cost(numbers([&](auto) { return 1 + 15 * std::abs(uniform(random)); })), 54 + room)
      << "four times as large as the smallest, twice";
  EXPECT_LE(cost(numbers([&](auto i) { return i == 0 ? 1e-300 : uniform(random); })), 64 + room);
}

TEST(CompressedBlock, KeepsWhateverThereIs) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 200; ++round)
    EXPECT_LE(cost(numbers([&](auto) { return std::bit_cast<double>(random()); })), 64 + room);
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
  // Bit patterns in ranges of every width.
  for (int bits = 1; bits < 64; ++bits)
    for (const std::uint64_t from : {0ull, 1ull, 0x3ff0000000000000ull, 0x7fe0000000000000ull})
      EXPECT_LE(cost(numbers([&](auto) {
                  const std::uint64_t pattern = from + (random() >> (64 - bits));
                  return std::bit_cast<double>(pattern ^ (random() % 2 << 63));
                })),
                64 + room);
  // About where the grid goes over to doubles.
  for (const int exponent : {-960, 0, 900})
    for (const double middle : {0x1p51, 0x1p52, 0x1p53, 0x1p54, 0x1p60})
      (void)cost(numbers([&](auto i) {
        const double value = i == 0 ? 1 : middle + static_cast<double>(i) - 512;
        return std::ldexp(i % 3 == 0 ? -value : value, exponent);
      }));
  // Slopes as steep as they come.
  for (const double slope : {1.0, -1.0, 0x1p49, -0x1p49, 0x1p50, 0.1, 1e300})
    for (const double origin : {0.0, 1.0, 0x1p52, -0x1p59})
      (void)cost(numbers([&](auto i) { return origin + slope * static_cast<double>(i); }));
}

TEST(CompressedBlock, IsTheSameAtEveryInstructionSetLevel) {
  std::mt19937_64 random(5);
  const auto odd = numbers([&](auto i) {
    return i % 5 == 0 ? std::ldexp(static_cast<double>(random() % 1000), -40)
                      : std::bit_cast<double>((random() >> 12) + 0x3ff0000000000000);
  });
  const auto any = numbers([&](auto) { return std::bit_cast<double>(random()); });
  for (const Numbers& all : {odd, any, numbers([](auto i) { return 0.1 * double(i) - 3; })}) {
    const double usual = cost(all);
    for (const std::string_view level : isa_levels()) {
      ASSERT_TRUE(force_isa_level(level));
      EXPECT_EQ(cost(all), usual) << level;
    }
    ASSERT_TRUE(force_isa_level(""));
  }
}

}  // namespace
}  // namespace twosphere::compressed_block_test
