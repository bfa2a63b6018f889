// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/mechanics/state.h"
#include "core/mechanics/system.h"

namespace twosphere {

/// The quantities of one body at one instant. System::geometry() must be affine in q, as it is for
/// points on links: the velocity is the position computed from q̇ minus that from zero.
struct BodyRecord {
  Vec3 q, omega;            ///< q_i [1], ω_i [rad/s]
  Vec3 momentum;            ///< p_i = Σ_j M_ij (q̇_j + Ω × q_j), q̇_i = ω_i × q_i [J s]
  double kinetic = 0;       ///< ½ q̇_i·Σ_j M_ij q̇_j [J]: the sum over all bodies is T
  Vec3 position, velocity;  ///< position [m] and velocity [m/s] of the body in space

  double speed() const { return velocity.norm(); }
};

/// The records of all bodies in order, of a state whose ω is up to date.
std::vector<BodyRecord> body_records(const System& system, const State& state);

/// The record of one body together with the energies of the whole system.
struct BodyReading : BodyRecord {
  double total = 0;      ///< T [J]
  double potential = 0;  ///< V of the whole system [J]; it has no part per body

  double energy() const { return total + potential; }  ///< E = T + V [J]
};

/// The reading of a state whose ω is up to date; 0 ≤ body < n. `potential` is V(q), which is part
/// of every sample. Cost: one product with M.
BodyReading read_body(const System& system, const State& state, double potential, int body);

/// The reading as a table separated by tabs, one line per quantity: name, unit, and one or three
/// numbers in the shortest form that reads back to the same double. The first line gives the body,
/// numbered from 1, and the time.
std::string to_table(const BodyReading& reading, int body, double t);

}  // namespace twosphere
