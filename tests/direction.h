// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>

#include "core/mechanics/sphere.h"

namespace twosphere::test {

/// The direction with this angle from e3 and this azimuth from e1.
inline Vec3 direction(double colatitude, double azimuth) {
  return {std::sin(colatitude) * std::cos(azimuth), std::sin(colatitude) * std::sin(azimuth),
          std::cos(colatitude)};
}

}  // namespace twosphere::test
