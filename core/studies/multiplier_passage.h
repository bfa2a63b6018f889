// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

#include "core/studies/orbit_multipliers.h"

/// How the multipliers of an orbit have become those of its neighbour in a family.
namespace twosphere {

/// The largest distance by which a multiplier has moved, each being compared with the nearest.
double multiplier_motion(const OrbitMultipliers& from, const OrbitMultipliers& to);

/// How many pairs have passed 1, or −1, whichever are more, of those that a symmetry makes equal
/// one. Where pairs have left the real axis in between it is not known: 0. Of single multipliers,
/// how many complex pairs the unit circle.
int passed_pairs(const OrbitMultipliers& from, const OrbitMultipliers& to);

/// ±(μ + 1/μ) − 2 of the pairs that are not complex, the largest first: above 0 those beyond ±1.
std::vector<double> trace_excess(const OrbitMultipliers& multipliers, int sign);

/// Pairs that pass 1, or −1, together: places in trace_excess().
struct PairsTogether {
  int sign = 1;
  std::size_t first = 0, last = 0;

  std::size_t count() const { return last - first; }
  /// Changes its sign where they pass; 0 if there are none.
  double test(const OrbitMultipliers& multipliers) const;
};
/// None where pairs have left the real axis in between.
PairsTogether passed_together(const OrbitMultipliers& from, const OrbitMultipliers& to, int sign);

}  // namespace twosphere
