// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>

namespace twosphere {

/// The shortest time that is a multiple of both periods [s], where it is at most 1000 of each; 0 if
/// there is none. A period of 0 is that of what does not change.
inline double common_period(double one, double other) {
  constexpr int most = 1000;
  constexpr double rounding = 1e-12;
  if (one == 0 || other == 0) return one + other;
  for (int k = 1; k <= most; ++k) {
    const double multiple = k * one / other, whole = std::round(multiple);
    if (whole >= 1 && whole <= most && std::abs(multiple - whole) <= rounding * multiple)
      return k * one;
  }
  return 0;
}

}  // namespace twosphere
