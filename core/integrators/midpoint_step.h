// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <vector>

#include "core/base/decompositions.h"
#include "core/mechanics/integrator.h"
#include "core/mechanics/system.h"

namespace twosphere {

/// A step of the spherical midpoint method (McLachlan, Modin, Verdier, Phys. Rev. E 89 (2014)
/// 061301) for systems of first order, solved to rounding: of every body
///
///   Q − q = h ω × m,  m = (q + Q)/s,  s = |q + Q|,  ω = Π_m (κ g + c g × m)/(κ² + c²)
///
/// with g = ∂V/∂q − f at m and at the middle of the step, see core/mechanics/first_order.h. It is
/// also Q = Cay(a) q with a = h ω/s and
///
///   Cay(a) q = (x + a × x + a (a·x))/(1 + a·a),  x = q + a × q.
///
/// Sweeps from Q = q take the Cayley form with the present s and keep |Q| = 1. Where they would be
/// many, Newton's method, unless there is a force_tolerance(): with u = Π_m δQ/s ⟂ m, K the
/// derivative of g and ω not projected,
///
///   z(u) = h [(Dω u) × m + ω × u],  Dω u = (κ K u + c (K u × m + g × u))/(κ² + c²),
///   F = Q − q − h ω × m,  A u = s u − Π_m z(u) = −Π_m F,  δQ = z(u) − F
///
/// by elimination for up to 32 bodies, else by GMRES, preconditioned by the blocks of A without K.
/// The derivative of the step is A u = 2 Π_m δq, δQ = δq + z(u); with the stretch s of a vector h s
/// ω × m is added to both right-hand sides.
///
/// The change h ω × m is added to q + e, see core/integrators/compensated_direction.h, so that Σ κ
/// q is kept where the forces keep it. The work of f and of damping over a step is f·Δq − h c |ω ×
/// m|² at m. Cost: a gradient for each sweep, 10 to 20 while h times the fastest rate is below 0.2.
/// Fails with not_converged, with step_too_large where a body turns by a quarter turn or more, and
/// with not_finite. More than twenty members: the arrays that no step may allocate.
class MidpointStep {
 public:
  static constexpr bool differentiable = true, stretches = true;

  /// Allocates the memory of steps, unless it is there. That of Newton's method, about 41 vectors
  /// of 2n numbers, comes with it for up to 4096 bodies; of more, where it is first needed, once.
  void prepare(const System& system);
  /// A step h from time t. On failure q, e and the vectors are undefined.
  StepReport take(const System& system, double t, double h, Columns& q, Columns& e,
                  std::span<TangentVector> vectors);
  /// Cay(h Ω/s) x, the rotation that took q to Q, with Ω = (κ g + c g × m)/(κ² + c²) not projected.
  Vec3 turned(double h, Eigen::Index i, const Vec3& x) const;

 private:
  static constexpr Eigen::Index max_dense = 32, max_prepared = 4096;
  /// GMRES in coordinates of the tangent planes at m.
  struct Krylov {
    std::vector<Eigen::VectorXd> basis;
    Eigen::MatrixXd hessenberg;
    Eigen::VectorXd cosine, sine, rest, image;
  };

  void allocate_newton(Eigen::Index n);
  void evaluate(const System& system, double t, const Columns& q);
  StepStatus solve(const System& system, double t, double h, const Columns& q, StepReport& report);
  bool newton(const System& system, double t, double h, const Columns& q, StepReport& report);
  void derivative(const System& system, double t, double h, const Columns& u, Columns& z);
  void begin_linear(const System& system, double t, double h);
  /// A y = r in coordinates; u_ and z_ belong to the solution then. False if it is not finite.
  bool solve_linear(const System& system, double t, double h, double tolerance);
  void apply(const System& system, double t, double h, const Eigen::VectorXd& y,
             Eigen::VectorXd& out);
  void precondition(Eigen::VectorXd& y) const;
  bool gmres(const System& system, double t, double h, double tolerance);

  Eigen::VectorXd damping_;                 // c_i, zeros without damping
  Eigen::VectorXd along_, across_;          // κ/(κ² + c²), c/(κ² + c²)
  Columns next_, kept_, m_, g_, f_, turn_;  // Q, that before Newton's method, m, g, f, ω
  Eigen::VectorXd length_;                  // s_i
  // The linear problem.
  bool factored_ = false;
  Columns u_, z_, k_, slope_, residual_;
  std::vector<Eigen::Matrix<double, 3, 2>> frames_;
  std::vector<Eigen::Matrix2d> blocks_;  // inverses
  Eigen::VectorXd right_, y_;
  Eigen::MatrixXd matrix_;
  std::optional<LuFactors> lu_;
  Krylov krylov_;
};

}  // namespace twosphere
