// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <vector>

#include "core/base/workspace_pool.h"
#include "core/kernels/aligned.h"
#include "core/mechanics/sphere.h"

/// The cotangent potential between all pairs.
///
/// Notation: γ strength [J], c = q_i·q_j, s² = 1 − c² [1].
///   V   = −γ Σ_{i<j} c/s
///   g_i = −γ Σ_{j≠i} q_j/s³
///   s²  = |q_i × q_j|² − N_i − N_j − N_i N_j,  N = |q|² − 1: 1 − c² for any |q|, without
///         cancellation where bodies on the sphere are close or nearly antipodal
/// Both depend only on q, for any number of threads. Not finite if s² ≤ 0 for a pair or if the
/// calling thread is interrupted.
namespace twosphere::n_body_kernel {

struct Workspace {
  Aligned<double> x, y, z, excess;  ///< components of q, and N
  /// Components of the sums Σ q_j/s³ over the pairs of one stripe of rows i.
  struct Stripe {
    Aligned<double> x, y, z;
    double potential;  ///< Σ c/s
  };
  std::vector<Stripe> stripes;
  const std::atomic<bool>* stop = nullptr;  ///< the caller's Interruptible, or null
};

double potential(double gamma, const Columns& q, Pool<Workspace>& pool);
void gradient(double gamma, const Columns& q, Columns& g, Pool<Workspace>& pool);

/// Scalar versions; potential() and gradient() use them for fewer than five bodies.
double plain_potential(double gamma, const Columns& q);
void plain_gradient(double gamma, const Columns& q, Columns& g);

}  // namespace twosphere::n_body_kernel
