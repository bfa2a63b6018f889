// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/mechanics/sphere.h"

namespace twosphere {

/// What a scenario says of its start: that the run from there closes, see Closure. It has no effect
/// on the run.
struct ClosedOrbit {
  double period = 0;         ///< T [s]
  double rotation = 0;       ///< φ about `axis` [rad]
  Vec3 axis = Vec3::Zero();  ///< of a relative orbit, else 0
  /// Where the bodies come to after the part of the period that is 1/Closure::order(); empty: each
  /// to its own place.
  std::vector<int> places{};
  int steps = 0;       ///< in the period
  std::string kind{};  ///< OrbitMultipliers::kind()

  bool operator==(const ClosedOrbit&) const = default;
};

}  // namespace twosphere
