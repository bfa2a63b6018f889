// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

#include "core/kernels/lennard_jones_law.h"
#include "core/kernels/uncoupled.h"

/// The sums of lennard_jones.h over the molecules within a short cutoff, found by lists.
///
/// With u = ∛2 σ², Δ = q_i − q_j and ε = 1e-42 u, for each i and component
///   r² = fma(Δz, Δz, fma(Δy, Δy, fma(Δx, Δx, ε)))
///   g_i = (3D/u) Σ_j w(r²) Δ,  g ← fma(w, Δ, g) for j = 0 … n−1 in ascending order, those with
///         r² < r_c², and j = i, for which ε makes w finite, so that it adds 0
///   V   = (D/2) Σ_i Σ_{j≠i} [u(r) − u(r_c)]/D,  both sums in ascending order
/// and h_i as g_i. That is what loops over all j compute; so the bits depend neither on the lists,
/// nor on earlier calls, the threads, or the width of vectors. Levels without fused multiply-add
/// round otherwise.
namespace twosphere::lennard_jones_near {

using lennard_jones_kernel::Law;
using lennard_jones_kernel::Workspace;
using uncoupled_kernel::Torques;

/// Whether lists are of use: for 256 molecules or more, a cutoff below 0.765 and σ < 5000.
bool applies(const Law& law, Eigen::Index n);
/// False, with g as it was, if it does not apply or NeighbourLists has no lists for q.
bool gradient(const Law& law, const Columns& q, Columns& g, Workspace& work);
/// None in the same cases.
std::optional<double> potential(const Law& law, const Columns& q, Workspace& work);
/// False, with h as it was, in the same cases.
bool hessian_times(const Law& law, const Columns& q, const Columns& v, Columns& h, Workspace& work);

/// Takes up to `count` steps of length h: uncoupled_kernel::drift(), gradient() and
/// uncoupled_kernel::kick(), bit for bit, with the torques τ = q × G [J]. Between the steps q, ω
/// and τ stay in the order of the lists, and each step is one pass. Stops before a step that fails,
/// and after one if the calling thread is interrupted; returns the number of steps. 0, with nothing
/// changed, if gradient() would return false, for fewer than four steps, or if a value is not
/// finite.
std::int64_t advance(const Law& law, const Eigen::VectorXd& m, double h, std::int64_t count,
                     Columns& q, Columns& w, Torques& torque, Workspace& work);

/// By slot of the lists, in fours: ω and the mass, and τ and 1, or 0 in an empty slot.
struct Moving {
  double *w, *torque;
};
/// What advance() has to know of a pass over some molecules.
struct PassReport {
  bool finite;  ///< ω at the end of the step
  bool turned;  ///< a molecule cannot take the next step
  bool far;     ///< one is then too far away for the lists
};

}  // namespace twosphere::lennard_jones_near
