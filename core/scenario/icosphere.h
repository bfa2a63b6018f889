// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mechanics/sphere_mesh.h"

namespace twosphere {

/// An icosahedron after `subdivisions` divisions of each triangle into four, with the new vertices
/// projected onto the sphere: 10·4ᵏ + 2 vertices. The vertices of each division follow those of the
/// one before.
SphereMesh icosphere(int subdivisions);

}  // namespace twosphere
