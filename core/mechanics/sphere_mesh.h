// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <vector>

#include "core/mechanics/sphere.h"

namespace twosphere {

/// The unit sphere as triangles.
struct SphereMesh {
  Columns vertices;  ///< unit vectors
  std::vector<std::array<int, 3>> faces;
};

}  // namespace twosphere
