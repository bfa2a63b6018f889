// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>

#include "core/base/workspace_pool.h"
#include "core/kernels/aligned.h"
#include "core/mechanics/sphere.h"

/// The derivative of the gradient of the cotangent potential, see core/kernels/n_body.h.
///
/// Notation: c = q_i·q_j, s² = 1 − c², σ = ±1 the sign of c, d = q_j − σ q_i, N = |q|² − 1.
///   h_i = −γ Σ_{j≠i} [v_j/s³ + 3 c δc q_j/s⁵]
///   s²  = |q_i × d|²,  δc = q_i·v_j + v_i·q_j = −σ d·(v_j − σ v_i)  for |q_i| = 1, v_i ⟂ q_i
///   s²  = ½ (|d|² − N_i − N_j) (1 + |c|),  δc = σ (q_i·v_i + q_j·v_j − d·(v_j − σ v_i))  otherwise
/// The differences keep s² and δc accurate where bodies are close or nearly antipodal. The gradient
/// of close pairs on the sphere contains q_j − c q_i = d + κ q_i in place of q_j, κ = σ |d|²/2, and
/// h_i its derivative (v_j − σ v_i) + κ v_i − δc q_i in place of v_j. All pairs twice, O(n²).
namespace twosphere::n_body_kernel {

struct HessianWorkspace {
  Aligned<double> x, y, z;                  ///< q by components
  Aligned<double> vx, vy, vz;               ///< v by components
  Aligned<double> hx, hy, hz;               ///< the sums
  bool on_sphere = false;                   ///< as for the gradient
  const std::atomic<bool>* stop = nullptr;  ///< the caller's Interruptible, or null
};

/// Depends only on q and v, for any number of threads. Not finite if s² = 0 for a pair or if the
/// calling thread is interrupted.
void hessian_times(double gamma, const Columns& q, const Columns& v, Columns& h,
                   Pool<HessianWorkspace>& pool);

/// Scalar version; hessian_times() uses it for fewer than five bodies.
void plain_hessian_times(double gamma, const Columns& q, const Columns& v, Columns& h);

}  // namespace twosphere::n_body_kernel
