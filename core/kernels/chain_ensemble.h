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
/// The map, and the order of its operations, are those of variational_chain.cpp for one member, so
/// that each does what it does alone, to the bit, at every level. Newton's iteration goes on until
/// the last member has converged; those that have are frozen.
namespace twosphere::chain_kernel {

inline constexpr Eigen::Index most_links = 16;

/// The number of members at the present level; 1: none go together.
std::size_t width();

/// Structure of arrays: member m has component c of link i at (3 i + c) · width + m, and λ_i at
/// i · width + m.
struct Members {
  explicit Members(Eigen::Index links);

  Aligned<double> q, v;       ///< q_i and q̇_i at the beginning of a step
  Aligned<double> lambda;     ///< multipliers of the last step
  Aligned<double> last_step;  ///< its h [s]; 0 before the first
};

/// Takes up to `count` steps, each of the stages γ_i h, and stops before the first that fails in
/// any member, and where this thread is interrupted. `a`: M⁻¹ ∂V/∂q. Returns the number of steps.
/// Requires at most most_links links and width() > 1.
std::int64_t advance(const ChainInertia& chain, const Columns& a, double h,
                     std::span<const double> gamma, std::int64_t count, Members& members);

}  // namespace twosphere::chain_kernel
