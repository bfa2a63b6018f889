// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>

namespace twosphere {

/// 1/(2k + first)!, the coefficients of (−x)^k in sin √x/√x with first = 1 and in (1 − cos √x)/x
/// with first = 2, to rounding of the sum: for x < ¼ with a count of 8, for x < 1 with 9.
template <std::size_t count>
constexpr std::array<double, count> turn_series(int first) {
  std::array<double, count> series{};
  double factorial = 1;
  int last = 1;
  for (std::size_t k = 0; k < count; ++k) {
    while (last < 2 * static_cast<int>(k) + first) factorial *= ++last;
    series[k] = 1 / factorial;
  }
  return series;
}

}  // namespace twosphere
