// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

#include "core/system.h"

namespace twosphere {

/// The continuous equations of motion in the form (q, ω), for Runge-Kutta methods.
///
/// Notation: g_i = ∂V/∂q_i, f_i external force on q_i, G_i = g_i − f_i.
///   M_ii ω̇_i − Σ_{j≠i} M_ij q_i × (q_j × ω̇_j) = Σ_{j≠i} M_ij |ω_j|² q_i × q_j − q_i × G_i    [P1]
///   (2.11) q̇_i = ω_i × q_i [P1] (2.10)
/// solved as printed, also where |q| ≠ 1: how a Runge-Kutta method leaves the sphere depends on it.
///
/// Diagonal M: explicit. Chain: every term of (2.11) but the first is q_i × something, so ω̇_i ⟂
/// q_i; with a_i = ω̇_i × q_i it says
///   q_i × [Σ_j M_ij (a_j − |ω_j|² q_j) + D_i a_i + G_i] = 0,  a_i ⟂ q_i,  D_i = (1/|q_i|² − 1)
///   M_ii,
/// which a recursion from tip to base with one symmetric 3×3 matrix per mass and one 2×2 solve per
/// link answers in O(n).
class EquationsOfMotion {
 public:
  /// Allocates for systems of n bodies.
  explicit EquationsOfMotion(int n);

  /// Sets q̇ and ω̇ at time t; returns the power of the external forces Σ f_i·q̇_i [W].
  double evaluate(const System& system, double t, const Columns& q, const Columns& w, Columns& qdot,
                  Columns& wdot);

 private:
  void solve(const DiagonalInertia& inertia, const Columns& q, const Columns& w,
             Columns& wdot) const;
  void solve(const ChainInertia& inertia, const Columns& q, const Columns& w, Columns& wdot);

  Columns g_, f_;
  struct Node {
    Mat3 a;  ///< force above a mass = a X + b, X its acceleration
    Vec3 b;
    Eigen::Matrix<double, 3, 2> basis;  ///< of the tangent plane at q
    Eigen::Matrix2d inverse;            ///< of the 2×2 system of the link
  };
  std::vector<Node> nodes_;
};

}  // namespace twosphere
