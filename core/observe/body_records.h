// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/mechanics/state.h"
#include "core/mechanics/system.h"

namespace twosphere {

/// What an exported frame says of a body.
struct BodyRecord {
  Vec3 position;              ///< [m]
  Vec3 velocity;              ///< [m/s]
  Vec3 q, omega;              ///< omega [rad/s]
  double kinetic_energy = 0;  ///< its share ½ q̇_i·Σ_j M_ij q̇_j [J]
};

/// Of every body, in order. The figure must be affine in q, as that of every system of points on
/// links is: what it makes of q̇, less what it makes of zero, is the velocity.
std::vector<BodyRecord> body_records(const System& system, const State& state);

}  // namespace twosphere
