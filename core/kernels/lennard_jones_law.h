// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <limits>

#include "core/kernels/aligned.h"
#include "core/kernels/neighbour_lists.h"
#include "core/mechanics/sphere.h"

namespace twosphere::lennard_jones_kernel {

/// The notation is that of core/kernels/lennard_jones.h.
struct Law {
  double depth;                                            ///< D
  double sigma_squared;                                    ///< σ²
  double reach = std::numeric_limits<double>::infinity();  ///< r_c²
  double shift = 0;                                        ///< u(r_c), 0 without cutoff

  /// Whether there is a cutoff.
  bool limited() const { return reach < std::numeric_limits<double>::infinity(); }
  /// r² at which a force is zero: ∛2 σ².
  double zero_force_squared() const { return 1.2599210498948731648 * sigma_squared; }
  /// 3 D/(∛2 σ²): with v = ∛2 σ²/r², g_i is this times Σ_{j≠i, r<r_c} v⁴ (1 − v³) Δ. Finite even if
  /// σ is so small that there are no forces.
  double force_unit() const {
    return std::min(3 * depth / zero_force_squared(), std::numeric_limits<double>::max());
  }
};

/// Scratch memory of gradient() and the others, reused from call to call; results do not depend on
/// it. With a short cutoff it saves most of the work if q has moved little since the last call.
struct Workspace {
  Aligned<double> x, y, z;     ///< q by components
  Aligned<double> gx, gy, gz;  ///< g or h by components
  Aligned<double> vx, vy, vz;  ///< v by components
  NeighbourLists lists;        ///< for a short cutoff
  Aligned<double> velocities;  ///< v or ω by the slots of the lists, in fours
  Aligned<double> torques;     ///< τ by the slots, in fours
  Columns q, w;                ///< q, ω and τ between two orders of slots
  Eigen::MatrixX3d torque;
  Aligned<double> energies;  ///< by molecule or by tile
};

}  // namespace twosphere::lennard_jones_kernel
