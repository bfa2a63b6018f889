// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace twosphere {

/// Philox 4×32-10: four random words as a function of a counter and a key, without a state. Salmon,
/// Moraes, Dror, Shaw, Parallel random numbers: as easy as 1, 2, 3 (2011).
using PhiloxCounter = std::array<std::uint32_t, 4>;
constexpr PhiloxCounter philox(PhiloxCounter c, std::uint64_t seed) {
  auto low = static_cast<std::uint32_t>(seed), high = static_cast<std::uint32_t>(seed >> 32);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = 0xd2511f53ULL * c[0], b = 0xcd9e8d57ULL * c[2];
    c = {static_cast<std::uint32_t>(b >> 32) ^ c[1] ^ low, static_cast<std::uint32_t>(b),
         static_cast<std::uint32_t>(a >> 32) ^ c[3] ^ high, static_cast<std::uint32_t>(a)};
    low += 0x9e3779b9U;
    high += 0xbb67ae85U;
  }
  return c;
}

/// Numbers drawn uniformly from [0, 1), of 53 bits each: the pairs of words of one counter.
constexpr std::array<double, 2> uniform_numbers(const PhiloxCounter& counter, std::uint64_t seed) {
  const PhiloxCounter words = philox(counter, seed);
  std::array<double, 2> out{};
  for (std::size_t k = 0; k < 2; ++k) {
    const std::uint64_t bits = std::uint64_t{words[2 * k]} << 32 | words[2 * k + 1];
    out[k] = static_cast<double>(bits >> 11) * 0x1p-53;
  }
  return out;
}

/// Numbers drawn from a standard normal distribution, by Box and Muller: the pairs of words of one
/// counter.
inline std::array<double, 4> normal_numbers(const PhiloxCounter& counter, std::uint64_t seed) {
  const PhiloxCounter words = philox(counter, seed);
  std::array<double, 4> out{};
  for (std::size_t k = 0; k < 4; k += 2) {
    // (0, 1], so that the logarithm is finite.
    const double u = (static_cast<double>(words[k]) + 1) * 0x1p-32;
    const double angle = 2 * std::numbers::pi * static_cast<double>(words[k + 1]) * 0x1p-32;
    const double radius = std::sqrt(-2 * std::log(u));
    out[k] = radius * std::cos(angle);
    out[k + 1] = radius * std::sin(angle);
  }
  return out;
}

}  // namespace twosphere
