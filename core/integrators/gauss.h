// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace twosphere {

/// The coefficients of Gauss collocation on [0, 1] with s stages, of order 2s: c_i are the zeros of
/// the shifted Legendre polynomial P_s, and
///   b_i = ∫_0^1 ℓ_i,  a_ij = ∫_0^{c_i} ℓ_j,  ℓ_j(τ) = Π_{k≠j} (τ − c_k)/(c_j − c_k)
template <std::size_t stages>
struct GaussCoefficients {
  std::array<double, stages> c{}, b{};
  std::array<std::array<double, stages>, stages> a{};

  GaussCoefficients() {
    constexpr int degree = static_cast<int>(stages);
    std::array<long double, stages> zeros{}, weights{};
    for (std::size_t i = 0; i < stages; ++i) {
      // Newton's method for P_s(x) = 0 on [−1, 1], by the recurrence of P_k.
      long double x = -std::cos(3.14159265358979323846L * (static_cast<long double>(i) + 0.75L) /
                                (degree + 0.5L));
      long double slope = 1;
      for (int round = 0; round < 8; ++round) {
        long double before = 1, value = x;
        for (int k = 2; k <= degree; ++k) {
          const long double next = ((2 * k - 1) * x * value - (k - 1) * before) / k;
          before = value;
          value = next;
        }
        slope = degree * (x * value - before) / (x * x - 1);
        x -= value / slope;
      }
      zeros[i] = (1 + x) / 2;
      weights[i] = 1 / ((1 - x * x) * slope * slope);
    }
    const auto basis = [&](std::size_t j, long double at) {
      long double product = 1;
      for (std::size_t k = 0; k < stages; ++k)
        if (k != j) product *= (at - zeros[k]) / (zeros[j] - zeros[k]);
      return product;
    };
    for (std::size_t i = 0; i < stages; ++i) {
      c[i] = static_cast<double>(zeros[i]);
      b[i] = static_cast<double>(weights[i]);
      for (std::size_t j = 0; j < stages; ++j) {
        // The rule itself is exact for ℓ_j on [0, c_i].
        long double integral = 0;
        for (std::size_t k = 0; k < stages; ++k)
          integral += zeros[i] * weights[k] * basis(j, zeros[i] * zeros[k]);
        a[i][j] = static_cast<double>(integral);
      }
    }
  }
};

}  // namespace twosphere
