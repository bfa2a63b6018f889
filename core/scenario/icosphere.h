// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <vector>

#include "core/mechanics/sphere.h"

namespace twosphere {

/// The vertices of an icosahedron after `subdivisions` divisions of each triangle into four,
/// projected onto the sphere: 10·4ᵏ + 2 directions. The vertices of each division follow those of
/// the one before.
struct Icosphere {
  Columns vertices;
  std::vector<std::array<int, 3>> faces;
};
Icosphere icosphere(int subdivisions);

}  // namespace twosphere
