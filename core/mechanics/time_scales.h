// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mechanics/state.h"
#include "core/mechanics/system.h"

namespace twosphere {

/// The rates of a motion at a state [1/s]; not finite where the potential is singular.
struct TimeScales {
  /// The largest frequency and the fastest growth of small motions about the configuration: ω and σ
  /// with ω² the largest and −σ² the least eigenvalue, if positive, of
  ///
  ///   M ξ̈ = −K ξ,  (K ξ)_i = Π_i Σ_j ∂²V/∂q_i∂q_j ξ_j − (q_i·∂V/∂q_i) ξ_i,  ξ_i ⟂ q_i.
  ///
  /// With strengths κ_i or in a frame that rotates with Ω, bounds: the frequency b + (b² + ω²)^½ +
  /// |Ω| with the largest b = |κ_i|/2m_i, and the growth (σ² − b²)^½ with the least b. In a system
  /// of first order those of ξ̇_i = Π_i D(ω_i × q_i) ξ, with λ the eigenvalues: the largest |λ|
  /// with Re λ ≤ 0, and the largest Re λ > 0. Not examined, and 0, where forces have a tolerance:
  /// products with the Hessian take far longer than steps.
  double oscillation = 0, growth = 0;
  double turn = 0;          ///< max_i |ω_i|
  double acceleration = 0;  ///< max_i |ω̇_i|^½; 0 in a system of first order
  /// |∂f/∂t|/|f| of external forces that depend on t, Ω of a sin Ωt; 0 if they are too weak to move
  /// a body by 1e-3 rad at this rate.
  double forcing = 0;
  double damping = 0;  ///< max_i c_i/M_ii, of which motion dies out; 0 without damping

  double fastest() const;  ///< the largest of them, without the damping
  bool finite() const;
};
/// By Lanczos' iteration in the inner product of M, in systems of first order by Arnoldi's, with up
/// to 40 products of the Hessian, 12 for more than 64 bodies, 4 for more than 1024: to rounding for
/// up to 20 bodies, from below for more.
TimeScales time_scales(const System& system, const State& state);

}  // namespace twosphere
