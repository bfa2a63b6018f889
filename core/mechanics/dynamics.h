// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>
#include <array>
#include <string_view>

#include "core/mechanics/linear_terms.h"
#include "core/mechanics/state.h"
#include "core/mechanics/system.h"
#include "core/mechanics/tangent_solver.h"

namespace twosphere {

/// The variables in which the equations of motion are written: y = (q, x).
enum class Formulation {
  omega,             ///< x_i = ω_i, angular velocity [rad/s]
  velocity,          ///< x_i = q̇_i [1/s]
  momentum,          ///< x_i = μ_i = Π_i P_i, P_i = Σ_j M_ij q̇_j [J s]
  angular_momentum,  ///< x_i = π_i = q_i × P_i [J s]
};
/// In the order of the enumeration: "omega", "velocity", "momentum", "angular_momentum".
inline constexpr std::string_view formulation_names[] = {"omega", "velocity", "momentum",
                                                         "angular_momentum"};

/// The continuous equations of motion, for Runge-Kutta methods.
///
/// Notation: m_ij(q) inertia, g_i = ∂V/∂q_i, f_i external force on q_i, also that of
/// velocities and damping −c_i q̇_i, and those of strengths and of the rotation of the frame, see
/// core/mechanics/linear_terms.h;
/// P_i = Σ_j m_ij q̇_j, Π_i = I − q_i q_iᵀ, not normalised; F_i = f_i − g_i + ½ Σ_jk (q̇_j·q̇_k)
/// ∂m_jk/∂q_i.
///
///   (q, q̇): m_ii q̈_i + (|q_i|² I − q_i q_iᵀ) [Σ_{j≠i} m_ij q̈_j + Σ_j ṁ_ij q̇_j − F_i]
///           = −m_ii |q̇_i|² q_i                                           [P1] (2.8), [P2] (12)
///
///   (q, ω): m_ii ω̇_i − Σ_{j≠i} m_ij q_i × (q_j × ω̇_j)
///           = Σ_{j≠i} m_ij |ω_j|² q_i × q_j + q_i × (F_i − Σ_j ṁ_ij q̇_j),
///           q̇_i = ω_i × q_i                                      [P1] (2.10)-(2.11), [P2] (18)
///
///   (q, μ): μ̇_i = Π_i F_i − (q_i·P_i) q̇_i − (μ_i·q̇_i) q_i                          [P2] (26)
///
///   (q, π): π̇_i = q̇_i × P_i + q_i × F_i, μ_i = π_i × q_i                           [P2] (36)
///
/// In the last two, m q̇ = μ + ν∘q with q_i·q̇_i = 0. The equations are solved as printed, even
/// where |q| ≠ 1, because the drift of a Runge-Kutta method from the sphere depends on it. The
/// first two are equivalent, with a_i ⟂ q_i, q̈_i (or ω̇_i × q_i − |ω_i|² q_i) = a_i − s_i q_i and
/// s_i = |q̇_i|² (or |ω_i|²), to
///   Σ_j m_ij (a_j − s_j q_j) + (1/|q_i|² − 1) m_ii a_i + Σ_j ṁ_ij q̇_j − F_i ∥ q_i.
///
/// Systems of first order have one form, in which x is not used:
///
///   (q): q̇_i = (κ_i g_i + c_i g_i × q_i)/(κ_i² + c_i²) × q_i, ẋ = 0, g_i = ∂V/∂q_i − f_i
///
/// also literally beside the sphere, see core/mechanics/first_order.h.
///
/// Of a base that flies (FreeBase) q has the column X, and x the column Ẋ, after those of the
/// bodies: Ẍ = g + F/m_t, and F_i has −a_i F. An attitude (core/mechanics/attitude.h) has columns
/// of q likewise, and of x that are not used.
class EquationsOfMotion {
 public:
  EquationsOfMotion(const System& system, Formulation formulation);

  /// Computes q̇ and ẋ at time t; returns the power of external forces and damping [W]. A system of
  /// first order takes Formulation::omega.
  double evaluate(const System& system, double t, const Columns& q, const Columns& x, Columns& qdot,
                  Columns& xdot);

  /// x of a state.
  void from_state(const System& system, const State& state, Columns& x);
  /// ω_i = q_i × q̇_i of (t, q, x), with t for systems of first order; ω itself if that is x.
  void to_omega(const System& system, double t, const Columns& q, const Columns& x, Columns& w);
  /// Gives a state the ω and ẋ of x.
  void set_velocities(const System& system, const Columns& x, State& state);
  /// Gives a state the q of copy_positions(); what q has then is of no use.
  static void set_positions(Columns& q, State& state);

  Formulation formulation() const { return formulation_; }

 private:
  double evaluate_bodies(const System& system, double t, const Columns& q, const Columns& x,
                         Columns& qdot, Columns& xdot);
  double evaluate_flying(const System& system, double t, const Columns& q, const Columns& x,
                         Columns& qdot, Columns& xdot);
  double evaluate_attitude(const System& system, double t, const Columns& q, Columns& qdot,
                           Columns& xdot);
  void from_bodies(const System& system, const State& state, Columns& x);
  double evaluate_first_order(const System& system, double t, const Columns& q, Columns& qdot);
  void velocity(const System& system, const Columns& q, const Columns& x, Columns& qdot);
  void add_curvature(const InertiaField& field, const Columns& q, const Columns& v, bool rate);

  /// The centre of mass of a base that flies, at the present evaluation.
  struct Flight {
    const FreeBase& base;
    Vec3 x, v, control;
  };

  Formulation formulation_;
  bool has_linear_terms_;
  Flight* flight_ = nullptr;          // during an evaluation
  std::array<Columns, 4> of_bodies_;  // q, x, q̇ and ẋ without the further columns
  TangentSolver solver_;
  LinearTermsWorkspace linear_;
  Columns g_, f_, p_, v_, a_, w_;
  Eigen::VectorXd normal_, extra_, inverse_;  // ν, d, 1/|q|²
  Eigen::MatrixXd products_, rate_;           // q̇_j·q̇_k and ṁ, for a variable inertia
};

}  // namespace twosphere
