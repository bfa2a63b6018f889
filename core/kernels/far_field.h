// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

#include "core/base/workspace_pool.h"
#include "core/kernels/far_field_kernels.h"
#include "core/mechanics/sphere.h"

/// Sums over all pairs of bodies on the sphere to a tolerance, at a cost that grows with their
/// number: the adaptive fast multipole method by interpolation on a cube's faces (Chen, Krasny,
/// arXiv:2508.13550; Fong, Darve, J. Comput. Phys. 228 (2009) 8712).
///
/// Notation: s² = |q_i × q_j|², d = q_i − q_j, Γ circulation [m²/s].
///   Σ_{j≠i} q_j/s³ and Σ_{j≠i} c/s of n_body, the former of close pairs by its tangent part;
///   Σ_{j≠i} 2 Γ_j (q_j − q_i)/|d|² and Σ_{j≠i} Γ_j ln ½|d|² of vortices
/// A cell (CellTree) has the p² Chebyshev points of its ξ and η as nodes. With L_a the Lagrange
/// polynomials of t = (ξ − middle)/half and M, F numbers of the nodes
///   M_ab += m_j L_a(t_j) L_b(t'_j) of leaves, m_j = q_j, 1 or Γ_j times these,
///   M_parent from M_child, F_child from F_parent by interpolation, axis by axis,
///   F_ab = Σ w(x_ab, x_cd) M_cd over the nodes of the cells that are far,
///   the sum of body i: Σ F_ab L_a(t_i) L_b(t'_i), and that over the bodies of near leaves.
/// The kernels w of n_body are, up to a sign, the same for q_j and −q_j, and large only where these
/// are close to q_i: so its cells are those of the projective sphere. Their s² is |d|² (1 − |d|²/4)
/// with d = r_i ∓ r_j, the shorter one. Of vortices that are far from i, the part of the sum along
/// q_i is left out; it has no effect.
///
/// The error of q_i × Σ, as the root of the mean square over the bodies relative to the median of
/// its length, is below the tolerance. Newton's third law holds to rounding, because the nodes of
/// two cells serve both ways. The sums depend only on q, for any number of threads. Not finite if
/// two bodies meet, or if the calling thread is interrupted.
namespace twosphere::far_field {

/// Sums over fewer bodies are quicker pair by pair.
inline constexpr Eigen::Index min_bodies = 4000;
/// Below it rounding begins.
inline constexpr double min_tolerance = 1e-10;

/// Whether these sums take the place of those over all pairs: for at least min_bodies bodies, all
/// of which are on the sphere to rounding. Stages of Runge-Kutta methods are beside it.
bool applies(const Columns& q);

/// About how many pairs of bodies or nodes there are for each body.
double pairs_per_body(double tolerance);

/// As those of n_body_kernel, core/kernels/n_body.h, where these sums apply.
double attraction_potential(double tolerance, double gamma, const Columns& q,
                            Pool<Workspace>& pool);
void attraction_gradient(double tolerance, double gamma, const Columns& q, Columns& g,
                         Pool<Workspace>& pool, const Columns* q_low = nullptr);

/// −(1/4π) Σ_{i<j} Γ_iΓ_j ln ½|d|², and its derivatives g_i without their part along q_i.
double vortex_potential(double tolerance, const Eigen::VectorXd& circulations, const Columns& q,
                        Pool<Workspace>& pool);
void vortex_gradient(double tolerance, const Eigen::VectorXd& circulations, const Columns& q,
                     Columns& g, Pool<Workspace>& pool);

}  // namespace twosphere::far_field
