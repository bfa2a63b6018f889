// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <atomic>
#include <vector>

#include "core/base/workspace_pool.h"
#include "core/kernels/aligned.h"
#include "core/mechanics/sphere.h"

/// The cotangent potential between all pairs.
///
/// Notation: γ strength [J], c = q_i·q_j, x = q_i × q_j.
///   V   = −γ Σ_{i<j} c/|x|, which is −γ Σ c/√(1 − c²) on the sphere
///   T_i = −γ Σ_{j≠i} |q_i|² |q_j|² x/|x|³, the torque q_i × g_i [J]
///   g_i = T_i × q_i/|q_i|²
/// V depends on directions alone, so g_i ⟂ q_i: the torque is not the small rest of a large radial
/// force where bodies are close. There and where they are nearly antipodal x is computed from the
/// difference d = q_j ∓ q_i, as q_i × d, which has no cancellation: torques are accurate to 1e-15
/// as long as the directions are exact.
/// Both depend only on q, for any number of threads. Not finite where two bodies are parallel or
/// if the calling thread is interrupted.
namespace twosphere::n_body_kernel {

struct Workspace {
  using Components = std::array<Aligned<double>, 3>;
  Components unit;          ///< q/|q|
  Components q;             ///< as given
  Aligned<double> inverse;  ///< 1/|q|
  /// The sums of the pairs of one stripe of rows i.
  struct Stripe {
    Components torque;  ///< Σ x/|x|³ of unit vectors
    double potential;   ///< Σ c/|x|
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
