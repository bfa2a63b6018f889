// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

#include "core/mechanics/integrator.h"
#include "core/mechanics/tangent_solver.h"

namespace twosphere {

/// The norm at a state, with ω₀² as in Exponents: 1 where nothing moves or is about to.
TangentNorm tangent_norm(const System& system, const State& state);

/// Converts tangent vectors of the phase space at one state between (δq, δω) and (δq, δp), with the
/// conjugate momentum p_i = Π_i P_i, P_i = Σ_j m_ij q̇_j.
///
/// Notation: v_i = ω_i × q_i = q̇_i, δm the derivative of m(q) along δq, zero for a constant
/// inertia.
///   δv_i = δω_i × q_i + ω_i × δq_i,  δω_i = δq_i × v_i + q_i × δv_i
///   δp_i = Π_i Σ_j (m_ij δv_j + δm_ij v_j) − (q_i·P_i) δq_i − (δq_i·P_i) q_i
/// Cost per vector: O(n), for a matrix O(n²) and once O(n³). Allocates memory in the constructor.
class PhaseTangent {
 public:
  explicit PhaseTangent(const System& system);

  /// Sets the state at which vectors are converted.
  void at(const System& system, const State& state);
  /// v and P there.
  const Columns& velocity() const { return v_; }
  const Columns& momentum() const { return p_; }

  /// Writes δp of (δq, δω).
  void to_momentum(const System& system, const TangentVector& vector, Columns& dp);
  /// Writes δω of (δq, δp), for which it solves Σ_j (m_ij δv_j + δm_ij v_j) − δp_i − (q_i·P_i) δq_i
  /// ∥ q_i with q_i·δv_i + v_i·δq_i = 0.
  void to_omega(const System& system, const Columns& dq, const Columns& dp, Columns& dw);

 private:
  TangentSolver solver_;
  bool solved_ = false;  // whether the solver has the matrix of this state
  Columns q_, w_, v_, p_, dv_, rest_;
  Eigen::VectorXd normal_;
  Eigen::MatrixXd rate_;  // δm
};

}  // namespace twosphere
