// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace twosphere {

/// sin x for |x| ≤ ½ to 0.7 ulp, if every rounding is the worst one: its series to x¹⁵, here the
/// coefficients of x³, x⁵, …; the rest is less than 10⁻³ ulp.
inline constexpr double small_sine_series[]{
    -1.0 / 6,        1.0 / 120,         -1.0 / 5040,          1.0 / 362880,
    -1.0 / 39916800, 1.0 / 6227020800., -1.0 / 1307674368000.};

/// The operations of a member in rotation_ensemble.cpp and their order, none of them fused.
inline double small_sine(double x) {
  const auto& c = small_sine_series;
  const double square = x * x, fourth = square * square;
  const double low = (c[0] + c[1] * square) + fourth * (c[2] + c[3] * square);
  const double high = (c[4] + c[5] * square) + fourth * c[6];
  return x + (x * square) * (low + (fourth * fourth) * high);
}

}  // namespace twosphere
