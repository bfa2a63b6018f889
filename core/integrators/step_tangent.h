// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>

#include "core/mechanics/integrator.h"

namespace twosphere {

/// The derivative of a step of the variational integrator, [P1] (3.10)-(3.13), by its initial
/// state, at a step that was taken: all forms in which the step is solved are the same map and have
/// the same derivative.
///
/// Notation: kicks over a time κ, h/2 or 0, before and after a drift over h, as in
/// VariationalMethod; v_i = q̇_i, Δq = q_{k+1} − q_k, d = Δq − h v_k, w = v_{k+1} − v_k − d/h, G =
/// ∂V/∂q − f, K δq the derivative of G along δq. For a constant M, with λ and μ such that
///
///   M d + h κ G_k = λ∘q_k,  M w + κ G_{k+1} = μ∘q_{k+1}
///
/// the derivative is
///
///   M δd + h κ K_k δq_k − λ∘δq_k ∥ q_k,  δq_{k+1} = δq_k + h δv_k + δd ⟂ q_{k+1}
///
///   M δw + κ K_{k+1} δq_{k+1} − μ∘δq_{k+1} ∥ q_{k+1},  δv_{k+1} = δv_k + δd/h + δw,
///   q_{k+1}·δv_{k+1} + v_{k+1}·δq_{k+1} = 0
///
/// With δh = s h, s the stretch of a vector, and δκ = s κ in proportion, these are added to the
/// left of the two first equations and to the right of the others:
///
///   2 s h κ G_k,   s h v_k,   s κ G_{k+1},   −s d/h
///
/// and with a parameter θ of the system that changes by δθ = 1, with the slope of a vector, to the
/// left of the first and the third
///
///   (∂_θM) d + h κ ∂_θG_k,   (∂_θM) w + κ ∂_θG_{k+1}
///
/// In axes that rotate v is the inertial velocity q̇ + Ω × q, and q_{k+1} and v_k + d/h turn by R =
/// exp(−h Ω̂) between the two equations, see FrameTurn, as do δq_{k+1} and δv_k + δd/h. To these
/// δR of both is added: −s h Ω̂ R, and ∂_θR with a slope, with which Ω may change.
///
/// For m(q), and with terms Σ A_i(q)·q̇_i of the Lagrangian, it is that of the two discrete Legendre
/// transforms of the step, whose Jacobian by q_{k+1} is that of its Newton iteration; second
/// derivatives of m and A occur contracted. There is no stretch and no slope with A. Cost: a
/// gradient, and per vector two products with the Hessian and two solutions of a linear system,
/// with a slope also eight gradients, O(n) for uncoupled bodies, chains and rods. Matrices: O(n³)
/// once, then O(n²) per vector. The vectors of chains with a constant gradient go together
/// (core/kernels/chain_tangent.h).
class StepTangent {
 public:
  virtual ~StepTangent() = default;
  /// Replaces each vector at `from` by its image at `to`, the end of the step from there.
  virtual void carry(const System& system, double h, double kick, const State& from,
                     const State& to, std::span<TangentVector> vectors) = 0;
};
std::unique_ptr<StepTangent> make_step_tangent(const System& system);

/// The same for a kick of uncoupled bodies over a time s: ω ← ω − (s/M) T, T = q × G, or the exact
/// flow with damping, see DampedMode. δT = δq × G + q × K δq. Without damping δs T is added for δs
/// = s times the stretch of a vector, and s ∂_θ(T/M) for the slope of one.
class KickTangent {
 public:
  explicit KickTangent(int n) : slope_(3, n), force_(3, n), beside_(3, n) {}
  /// `g` is G at (t, q).
  void carry(const System& system, double t, const Columns& q, const Columns& g, double s,
             std::span<TangentVector> vectors);

 private:
  Columns slope_, force_, beside_;
};

}  // namespace twosphere
