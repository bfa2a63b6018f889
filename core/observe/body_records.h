// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/mechanics/state.h"
#include "core/mechanics/system.h"

namespace twosphere {

/// The values of a body in an exported frame.
struct BodyRecord {
  Vec3 position;              ///< [m]
  Vec3 velocity;              ///< [m/s]
  Vec3 q, omega;              ///< omega [rad/s]
  double kinetic_energy = 0;  ///< its share ½ q̇_i·Σ_j M_ij q̇_j [J]
};

/// The records of all bodies in order. System::geometry() must be affine in q, as it is for points
/// on links: the velocity is computed as the position from q̇ minus that from zero.
std::vector<BodyRecord> body_records(const System& system, const State& state);

}  // namespace twosphere
