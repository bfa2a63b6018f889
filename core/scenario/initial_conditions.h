// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <vector>

#include "core/base/document.h"
#include "core/mechanics/sphere.h"

namespace twosphere {

/// Directions and angular velocities at the start of a run.
struct Start {
  Columns q, omega;
};

/// Reads a list of 3 numbers. Throws an Error with the place.
Vec3 read_vector(const document::Value& entry);
/// Reads a direction and puts it on the sphere, as read_start() does. Likewise.
Vec3 read_direction(const document::Value& entry);

/// Reads "initial": lists, or generators. A start written by hand is put on the sphere and made
/// tangent, silently below 1e-12, with a warning up to 1e-3, refused beyond; with `bit_for_bit` it
/// is taken as it is. Throws an Error with the place.
Start read_start(const document::Value& initial, bool bit_for_bit);

/// Vertices of the icosahedron, its triangles divided in four so many times and projected: 10·4ᵏ +
/// 2 directions. Those of a division stand behind those of the one before.
struct Icosphere {
  Columns vertices;
  std::vector<std::array<int, 3>> faces;
};
Icosphere icosphere(int subdivisions);

/// Angular velocities of two vortices in opposite directions about c_1, c_2 = (cos δ/2, ∓sin δ/2,
/// 0):
///   v_i = A Σ_k s_k (c_k × q_i) exp(−(1 − c_k·q_i)/(1 − cos w)),  s = (+1, −1),  ω_i = q_i × v_i
/// with amplitude A [rad/s], separation δ and width w [rad].
Columns two_vortices(const Columns& q, double amplitude, double separation, double width);

}  // namespace twosphere
