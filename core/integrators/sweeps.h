// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// Sweeps of midpoint methods, from the last direction to the next.
namespace twosphere {

inline constexpr int max_sweeps = 60;
inline constexpr double smallest_change = 4e-16, near_rounding = 1e-13;

/// Whether an iteration has come to an end: no change, or a small one that no longer falls.
inline bool ended(double change, double before, double small = near_rounding) {
  return change <= smallest_change || (change < small && change >= before);
}

}  // namespace twosphere
