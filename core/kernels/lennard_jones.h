// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/lennard_jones_law.h"
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

/// u(r) of r².
double pair_potential(const Law& law, double r2);

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
