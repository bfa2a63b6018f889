// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>

/// Symmetric compositions Ψ_h = Φ_{γ_s h} ∘ … ∘ Φ_{γ_1 h} of a symmetric method of order 2, with
/// γ_{s+1−i} = γ_i and Σ γ_i = 1.
namespace twosphere {

/// γ_1 … γ_s from their first half; the middle one makes the sum 1.
template <std::size_t n>
constexpr std::array<double, 2 * n + 1> symmetric(const std::array<double, n>& half) {
  std::array<double, 2 * n + 1> gamma{};
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    // Mirrored coefficients.
    gamma[i] = gamma[2 * n - i] = half[i];
    sum += half[i];
  }
  gamma[n] = 1 - 2 * sum;
  return gamma;
}

/// The method itself.
inline constexpr std::array<double, 1> single_step{1};
/// Order 4, Suzuki 1990: γ = 1/(4 − 4^{1/3}).
inline constexpr auto suzuki4 = symmetric<2>({0.41449077179437573714, 0.41449077179437573714});
/// Orders 6 and 8, Kahan and Li 1997.
inline constexpr auto kahan_li6 = symmetric<4>({0.39216144400731413928, 0.33259913678935943860,
                                                -0.70624617255763935981, 0.08221359629355080023});
inline constexpr auto kahan_li8 =
    symmetric<8>({0.13020248308889008088, 0.56116298177510838456, -0.38947496264484728641,
                  0.15884190655515560090, -0.39590389413323757734, 0.18453964097831570709,
                  0.25837438768632204729, 0.29501172360931029887});

}  // namespace twosphere
