// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>

#include "core/kernels/aligned.h"
#include "core/kernels/neighbour_lists.h"
#include "core/mechanics/ensemble.h"
#include "core/mechanics/sphere.h"

/// Lennard-Jones potential and forces of the chords between molecules.
///
/// Notation: D = 4ε [J], σ [m], r_c cutoff [m], Δ = q_i − q_j, r = |Δ|. Differences of positions
/// keep this accurate off the sphere and for small σ.
///   V   = Σ_{i<j, r<r_c} [u(r) − u(r_c)],  u(r) = D [(σ/r)¹² − (σ/r)⁶]
///   g_i = D Σ_{j≠i, r<r_c} [6 (σ/r)⁶ − 12 (σ/r)¹²] Δ/r²
///   h_i = D Σ_{j≠i, r<r_c} {[6 (σ/r)⁶ − 12 (σ/r)¹²] δ/r² + [168 (σ/r)¹² − 48 (σ/r)⁶] (Δ·δ) Δ/r⁴},
///         the derivative of g_i along v, δ = v_i − v_j
namespace twosphere::lennard_jones_kernel {

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

/// u(r) of r².
double pair_potential(const Law& law, double r2);

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

/// For a short r_c each molecule sums over its neighbours in the order of their numbers, see
/// lennard_jones_near.h; otherwise every pair is computed once, in tiles of 512 by 512. In both
/// cases the order of summation depends neither on earlier calls nor on the level. The sum over all
/// pairs is not finite if the calling thread is interrupted.
void gradient(const Law& law, const Columns& q, Columns& g, Workspace& work);
double potential(const Law& law, const Columns& q, Workspace& work);
/// More molecules nearly fill the vectors of gradient() themselves.
inline constexpr Eigen::Index max_together = 16;
/// gradient() for the members of an ensemble, see ensemble_members, one in each element of a
/// vector, in the order of the sum over all pairs. At most max_together molecules, r_c ≥ 1.
void gradient_together(const Law& law, Eigen::Index n, const double* q, double* g);
/// The jump of the force at r_c is not part of h.
void hessian_times(const Law& law, const Columns& q, const Columns& v, Columns& h, Workspace& work);

/// Scalar versions: loops over all j for every i.
void plain_gradient(const Law& law, const Columns& q, Columns& g);
double plain_potential(const Law& law, const Columns& q);
void plain_hessian_times(const Law& law, const Columns& q, const Columns& v, Columns& h);

}  // namespace twosphere::lennard_jones_kernel
