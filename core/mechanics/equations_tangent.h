// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mechanics/dynamics.h"
#include "core/mechanics/integrator.h"
#include "core/mechanics/phase_tangent.h"

namespace twosphere {

/// The derivative of the equations of motion (q̇, ẋ) = F(t, q, x), see EquationsOfMotion, along (δq,
/// δx), in closed form, for any q ≠ 0 and any δq.
///
/// Notation: v = q̇, P = M v, G = ∂V/∂q − f + damping and curvature, τ_i the part of an unknown
/// along q_i. With Σ_j m_ij v_j + r_i = λ_i q_i, q_i·v_i = 0, r = −μ or q × π:
///   Σ_j (m_ij δv_j + δm_ij v_j) + δr_i − λ_i δq_i ∥ q_i,  q_i·δv_i = −v_i·δq_i
/// With Σ_j m_ij y_j + d_i a_i + G_i = λ_i q_i, y_i = a_i + ν_i q_i, q_i·a_i = 0, for a constant M:
///   Σ_j m_ij δy_j + δd_i a_i + d_i δa_i + δG_i − λ_i δq_i ∥ q_i,  q_i·δa_i = −a_i·δq_i
/// In systems of first order δq̇ = δΩ × q + Ω × δq and δẋ = 0, with Ω not projected and its
/// derivative δΩ, see core/mechanics/first_order.h.
/// Cost: that of evaluate() with a product with the Hessian; for a matrix O(n³) once and O(n²) per
/// vector. Allocates memory in the constructor, hence more than twenty members.
class EquationsTangent {
 public:
  /// Whether it is known: not with forces that depend on velocities otherwise than by damping, nor
  /// with strengths beside an inertia or in axes that rotate, nor, in (q, ω) and (q, q̇), for an
  /// inertia that depends on q.
  static bool exists(const System& system, Formulation formulation);

  EquationsTangent(const System& system, Formulation formulation);

  /// Sets the state, on the sphere, at which from_state() takes vectors.
  void start(const System& system, const State& state);
  /// Writes δx of a vector at that state.
  void from_state(const System& system, const State& state, const TangentVector& vector,
                  Columns& dx);
  /// Sets the point at which vectors are taken, and writes F.
  void at(const System& system, double t, const Columns& q, const Columns& x, Columns& qdot,
          Columns& xdot);
  /// Writes the derivative of F along (δq, δx) there.
  void along(const System& system, const Columns& dq, const Columns& dx, Columns& dqdot,
             Columns& dxdot);
  /// Writes δω of (δq, δx) there; 0 of a system of first order, whose vectors are δq alone.
  void to_omega(const System& system, const Columns& dq, const Columns& dx, Columns& dw);

  EquationsOfMotion& equations() { return equations_; }

 private:
  bool second_order() const;
  void velocity(const System& system, const Columns& dq, const Columns& dx, Columns& dv);
  void force(const System& system, const Columns& dq, const Columns& dv);
  void along_first_order(const System& system, const Columns& dq, Columns& dqdot);

  EquationsOfMotion equations_;
  TangentSolver solver_;
  PhaseTangent begin_;
  bool solved_ = false;  // whether the solver has the matrix of this point
  double t_ = 0;
  Columns q_, x_, v_, g_, p_, a_;                // of the point; a is Ω in a system of first order
  Columns dv_, dg_, dp_, part_, rest_, f_;       // of a vector
  Eigen::VectorXd lambda_, normal_, extra_, m_;  // λ, ν, d and m_ii
  Eigen::VectorXd inverse_, along_;              // 1/|q_i|² and τ
  Eigen::MatrixXd products_, changes_, rate_;    // −½ v_j·v_k, its derivative, and δm
};

}  // namespace twosphere
