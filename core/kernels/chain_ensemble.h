// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/kernels/aligned.h"
#include "core/mechanics/inertia.h"

/// Steps of the variational integrator of several members of an ensemble together, one in each
/// element of a vector: chains with the same inertia and a constant gradient.
///
/// The map, and the order of its operations, are those of variational_chain.cpp for one member, and
/// its derivative those of step_tangent.cpp, so that each does what it does alone, bit for bit, at
/// every level. Newton's iteration goes on until the last member has converged; those that have are
/// frozen.
namespace twosphere::chain_kernel {

inline constexpr Eigen::Index max_links = 16;

/// The number of members at the present level; 1: none go together.
std::size_t width();

/// Structure of arrays: member m has component c of link i at (3 i + c) · width + m, and λ_i at
/// i · width + m.
struct Members {
  void resize(Eigen::Index links);

  Aligned<double> q, v;       ///< q_i and q̇_i at the beginning of a step
  Aligned<double> lambda;     ///< multipliers of the last step
  Aligned<double> last_step;  ///< its h [s]; 0 before the first
};

/// A tangent vector of each member, in the same order, and the norm ‖δ‖² = Σ_i m_i (ω₀² |δq_i|² +
/// |δω_i|²) in which its growth is measured.
struct Tangents {
  void resize(Eigen::Index links, std::int64_t steps);

  Aligned<double> q, w;            ///< δq_i and δω_i
  Aligned<double> weight, square;  ///< m_i and ω₀²
  Aligned<double> norms;           ///< ‖δ‖² of member m after step k at k · width + m
};

/// Takes up to `count` steps, each of the stages γ_i h, and stops before the first that fails in
/// any member, and where this thread is interrupted. `g`: G = ∂V/∂q, `a`: M⁻¹ G. Returns the number
/// of steps. `tangents`: if not null, vectors that are carried along by the tangent map of
/// step_tangent.cpp, with room for the norms of `count` steps. Requires at most max_links links
/// and width() > 1.
std::int64_t advance(const ChainInertia& chain, const Columns& g, const Columns& a, double h,
                     std::span<const double> gamma, std::int64_t count, Members& members,
                     Tangents* tangents);

}  // namespace twosphere::chain_kernel
