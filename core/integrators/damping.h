// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>

#include "core/integrators/base_drag.h"
#include "core/integrators/damped_mode.h"
#include "core/integrators/velocity_flow.h"
#include "core/mechanics/inertia.h"
#include "core/mechanics/integrator.h"
#include "core/mechanics/sphere.h"
#include "core/mechanics/system.h"
#include "core/mechanics/tangent_solver.h"

namespace twosphere {

/// The flow of damping and constant forces on a chain of two links at a fixed configuration, in
/// closed form.
///
/// With e ⟂ q_1, q_2 and t_i = e × q_i the motion along e and that along the t_i do not act on one
/// another, and each is one of two numbers v = (v_1, v_2):
///
///   K v̇ = −C v − g,  K = (M_11 κ; κ M_22),  C = diag(c_1, c_2),  κ = M_12 or M_12 q_1·q_2
///
/// The modes are those of K u = θ (K + αC) u, of mass θ and damping σ/α, θ + σ = 1. Both θ and
/// both σ are quotients of sums of positive numbers, so that neither weak nor strong damping, nor
/// one beside the other, loses digits. Tests: the same chain as a matrix.
class LinkPairDamping {
 public:
  /// Finds the modes at q for a flow over s, unless they are those of the last call.
  void prepare(const ChainInertia& chain, const Columns& q, const Eigen::VectorXd& c, double s);
  /// Whether no mode is amplified more than max_enlarged times.
  bool sound() const { return s_ >= 0 || rate_ < max_backward; }
  /// Writes v_i⁺ − v_i at the same q and returns the work −∫ Σ c_i |v_i|² dt.
  double flow(const Columns& q, const Columns& v, const Columns& g, Columns& change) const;

 private:
  /// The motion along e or along the t_i. With K + αC = L Lᵀ and the rotation R the columns of L⁻ᵀR
  /// are the modes.
  struct Part {
    /// Returns the largest |s| λ of a mode, λ its rate of decay.
    double prepare(double mass1, double mass2, double coupling, double determinant, double p,
                   double q, double s);
    /// v⁺ − v in place of v, and returns the work.
    double flow(double c1, double c2, double s, double g1, double g2, double& v1, double& v2) const;

    double m1, m2, kappa;
    double corner, below, rest;  // of L⁻¹: 1/√a, κ/a and √(a/det), a = (K + αC)_11
    double cosine, sine;         // of R
    double change[2], way[2];    // (e^{−x} − 1)/c and its integral, as in DampedMode
  };

  std::array<double, 13> key_{};  // all that the modes depend on: q, c, m, l, s
  double c1_ = 0, c2_ = 0, s_ = 0;
  double rate_ = 0;  // |s| λ of the most strongly damped mode
  Vec3 e_ = Vec3::Zero(), t1_ = e_, t2_ = e_;
  Part across_{}, along_{};
};

/// The same flow for all bodies, each with its own c_i ≥ 0, at a fixed configuration:
///
///   Π_i Σ_j M_ij v̇_j = −c_i v_i − Π_i G_i,  v_i ⟂ q_i
///
/// Uncoupled bodies: closed form, for a chain of two links LinkPairDamping, for one whose flying
/// base alone is damped BaseDrag. Others: with K the matrix of M on the tangent space, C = diag(c),
/// α = |s|/16 and φ(x) = (1 − e^{−x})/x
///
///   v⁺ = v + F(A) w,  w = (K + αC)⁻¹ (C v + ΠG),  A = K⁻¹C,  F(λ) = −s φ(sλ) (1 + αλ)
///
/// where w and F remain bounded for any strength of damping: F(0) = −s is the kick of an undamped
/// mode, F(∞) = −α brings a mode to rest. F(A) w is computed by Lanczos' method on (K + αC)⁻¹K = (1
/// + αA)⁻¹ with vectors orthogonal to rounding in the inner product of K. Cost: a few
/// TangentSolver::solve() if sλ ≪ 1 for every eigenvalue λ of A or if few bodies are damped; at
/// most the number of degrees of freedom or about 40 if damping is strong.
class Damping {
 public:
  /// Allocates memory if forces depend on velocities; apply() never does.
  explicit Damping(const System& system);

  /// Replaces v = q̇ by q̇⁺ and adds the work −∫ Σ c_i |v_i|² dt. Fails with damping_too_strong
  /// where s < 0 and |s| λ > max_backward, and with not_finite; v is then unchanged. Where forces
  /// depend on velocities in other ways, this is VelocityFlow::apply().
  /// `centre`: that of a base that flies, whose Ẋ is replaced, too; null: there is none, which a
  /// base with drag does not allow.
  StepStatus apply(const System& system, double t, const Columns& q, const Columns& g, double s,
                   Columns& v, double& work, VelocityFlow::Centre* centre = nullptr);

  /// q̇⁺ − q̇ of the last apply().
  const Columns& change() const { return change_; }

 private:
  static constexpr int max_vectors = 64;
  using Row = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, max_vectors, 1>;

  StepStatus coupled(const Inertia& inertia, const Columns& q, const Columns& g,
                     const Eigen::VectorXd& c, double s, const Columns& v, double& work);
  /// Ritz values and vectors of the current tridiagonal matrix, and F(A) applied to the first
  /// Lanczos vector.
  void evaluate(double s, double shift);

  std::optional<VelocityFlow> nonlinear_;
  std::optional<BaseDrag> base_drag_;
  std::optional<LinkPairDamping> pair_;
  std::optional<TangentSolver> solver_;
  Columns g_, change_, next_, weighted_, part_;
  Eigen::VectorXd extra_, diagonal_inertia_;
  Eigen::MatrixXd vectors_, momenta_;  // Lanczos vectors u, and K u: 3n rows
  Row diagonal_, off_diagonal_, value_, way_, along_;
};

/// Whether the flow of uncoupled bodies over s is allowed, see max_enlarged; c may be empty.
inline bool sound(const Eigen::VectorXd& m, const Eigen::VectorXd& c, double s) {
  return s >= 0 || c.size() == 0 || (-s * c.array() <= max_backward * m.array()).all();
}

}  // namespace twosphere
