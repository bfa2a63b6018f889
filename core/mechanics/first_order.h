// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mechanics/sphere.h"
#include "core/mechanics/state.h"
#include "core/mechanics/system.h"

/// Systems of first order, without kinetic energy: L = Σ κ_i A(q_i)·q̇_i − V(q). With g_i = ∂V/∂q_i
/// − f_i the balance of forces on q_i is
///
///   κ_i q̇_i = g_i × q_i − c_i q_i × q̇_i,   that is   q̇_i = ω_i × q_i,
///   ω_i = Π_i (κ_i g_i + c_i g_i × q_i)/(κ_i² + c_i²),   Π_i = I − q_i q_iᵀ.
///
/// A spin of strength κ in a field, V = −B·q, precesses with the angular velocity −B/κ: κ > 0 if
/// its moment is parallel to its angular momentum, κ = −μ/γ < 0 if q is the direction of the moment
/// μ of an electron, for which the equation is Gilbert's with α = c/|κ|. κ = 0 with c > 0 is
/// overdamped motion. dV/dt = −Σ c_i |q̇_i|² + Σ f_i·q̇_i for either sign. In this order: McLachlan,
/// Modin, Verdier, Phys. Rev. E 89 (2014) 061301, with κ = −1.
namespace twosphere {

/// Ω = (κ g + c g × q)/(κ² + c²) [rad/s] of one body, not projected: q̇ = Ω × q. It is taken
/// literally where |q| ≠ 1, by Runge-Kutta methods.
inline Vec3 first_order_turn(double kappa, double c, const Vec3& g, const Vec3& q) {
  if (c == 0) return g / kappa;
  return (kappa * g + c * g.cross(q)) / (kappa * kappa + c * c);
}

/// The derivative of Ω along dq, with dg that of g.
inline Vec3 first_order_turn_rate(double kappa, double c, const Vec3& g, const Vec3& q,
                                  const Vec3& dg, const Vec3& dq) {
  if (c == 0) return dg / kappa;
  return (kappa * dg + c * (dg.cross(q) + g.cross(dq))) / (kappa * kappa + c * c);
}

/// Writes Ω_i of every body with g_i = ∂V/∂q_i − f_i at (t, q), not projected. `f` is memory for
/// the forces. Cost: one gradient.
void first_order_turns(const System& system, double t, const Columns& q, Columns& f, Columns& turn);

/// Writes ω_i = Π_i Ω_i [rad/s], the angular velocities of a system of first order at (t, q). Cost:
/// one gradient.
void first_order_velocity(const System& system, double t, const Columns& q, Columns& w);

/// Gives a state at time t its ω, and ẋ = Ω × x of an attitude. Cost: one gradient.
void complete_first_order(const System& system, double t, State& state);

/// (κ_i² + c_i²)^½ [J s]: with it |ω_i| is |q_i × g_i| over it.
Eigen::VectorXd first_order_weights(const System& system);

/// The derivative of the equations of motion at (t, q) on the sphere: ξ̇ = A ξ of tangent vectors,
///
///   A ξ = Π (Dω ξ) × q + Π (Ω × ξ),  Dω ξ = (κ K ξ + c (K ξ × q + g × ξ))/(κ² + c²)
///
/// with K the derivative of g. Cost of a product: one with the Hessian.
class FirstOrderTangent {
 public:
  FirstOrderTangent(const System& system, double t, const Columns& q);
  void apply(const System& system, const Columns& xi, Columns& out) const;

 private:
  double t_;
  Columns q_, g_, turn_;
};

}  // namespace twosphere
