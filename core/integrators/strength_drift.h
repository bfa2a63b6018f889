// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

#include "core/mechanics/integrator.h"
#include "core/mechanics/sphere.h"
#include "core/mechanics/system.h"

namespace twosphere {

/// The motion of uncoupled bodies with strengths κ_i, in axes that rotate with Ω, without potential
/// and forces: its exact flow over a time s, and the derivative of that.
///
/// Notation: ω relative to the axes, ϖ = ω + Π Ω the inertial one, Π = I − q qᵀ; a = ϖ + (κ/m) q,
/// the angular momentum of the body over m, about which it turns by s |a|, with α and β as in
/// core/integrators/exact_turn.h.
///
///   q ← q + α a × q + β a × (a × q),  ϖ ← a − (κ/m) q,  then  q, ϖ ← exp(−s Ω̂) (q, ϖ)
///
/// The derivative of the first is that of the product, with δa = δϖ + (κ/m) δq, and
///
///   δϖ⁺ = δa − (κ/m) δq⁺
///
/// and of a change δs what the motion adds to both, q̇ = (a − Ω) × q, ϖ̇ = −Ω × a − (κ/m) q̇ at the
/// end. Turns commute with it. Directions are sums q + e, see
/// core/integrators/compensated_direction.h; ϖ changes by −(κ/m) times what is added to q, so that
/// m ϖ + κ q is kept to rounding.
class StrengthDrift {
 public:
  /// For a system with DiagonalInertia.
  explicit StrengthDrift(const System& system);

  /// Where an angle has no significant digits q is not a number.
  void apply(double s, Columns& q, Columns& e, Columns& w) const;
  /// The derivative of apply() that went from (q, ω) to q_end; by s, too, for a vector with a
  /// stretch.
  void carry(double s, const Columns& q, const Columns& w, const Columns& q_end,
             TangentVector& vector) const;

 private:
  Eigen::VectorXd ratio_;  // κ/m [rad/s]
  Vec3 turn_;              // Ω
};

/// Adds the change with θ of the flow over a time s from (q, ω) to a vector with a slope. Nothing
/// where the systems beside have neither strengths nor axes that rotate: their flows are all the
/// same.
void add_drift_slope(double s, const Columns& q, const Columns& w, TangentVector& vector);

}  // namespace twosphere
