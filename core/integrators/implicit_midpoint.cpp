// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/base/interrupt.h"
#include "core/integrators/exact_turn.h"
#include "core/integrators/first_order_composition.h"
#include "core/integrators/sweeps.h"
#include "core/mechanics/integrator.h"

namespace twosphere {

namespace {

/// A step of the implicit midpoint rule for systems of first order, of every body
///
///   (Q − q)/h = v,  κ v = g × m − c m × v,  that is  v = Ω × m,
///   Ω = (κ g + c g × m)/(κ² + c² |m|²),  m = (q + Q)/2,
///
/// with g = ∂V/∂q − f at m, inside the sphere, and at the middle of the step. Solved to rounding by
/// sweeps of Q = Cay(½ h Ω) q, |Q| = 1.
///
/// Order 2, symmetric; keeps |q|, Σ κ q where the forces keep it, and V if it is quadratic: for any
/// damping V changes by −h c |v|² + f·Δq to rounding, the work of the step. Not symplectic. The
/// change h v is added to q + e, see add_compensated(). Cost: a gradient per sweep. Fails with
/// not_converged after 60 sweeps, with step_too_large where a body turns by a quarter turn or more,
/// and with not_finite.
class ImplicitMidpointStep {
 public:
  static constexpr bool differentiable = false, stretches = false;

  void prepare(const System& system) {
    const Eigen::Index n = system.size();
    strength_ = system.strength();
    damping_ = damped(system) ? system.damping() : Eigen::VectorXd::Zero(n);
    for (Columns* c : {&next_, &m_, &g_, &f_, &turn_, &v_}) c->setZero(3, n);
  }

  StepReport take(const System& system, double t, double h, Columns& q, Columns& e,
                  std::span<TangentVector> /*vectors*/) {
    StepReport report;
    report.status = solve(system, t + h / 2, h, q, report.sweeps);
    report.iterations = report.sweeps;
    check_midpoint_step(report, q, next_, v_);
    if (report.ok()) finish_midpoint_step(system, h, v_, f_, damping_, q, e, report.work);
    return report;
  }
  /// Cay(½ h Ω) x
  Vec3 turned(double h, Eigen::Index i, const Vec3& x) const {
    return cayley_turned(h / 2 * turn_.col(i), x);
  }

 private:
  /// Finds Q, and v at the m that it was found from; `sweeps` counts from 0.
  StepStatus solve(const System& system, double t, double h, const Columns& q, int& sweeps) {
    next_ = q;
    double before = std::numeric_limits<double>::infinity(), small = near_rounding;
    while (sweeps < max_sweeps) {
      if (interrupted()) return StepStatus::interrupted;
      ++sweeps;
      m_ = (q + next_) / 2;
      generalised_gradient(system, t, m_, g_, f_);
      double change = 0;
      for (Eigen::Index i = 0; i < q.cols(); ++i) {
        const Vec3 m = m_.col(i), g = g_.col(i);
        const double kappa = strength_[i], c = damping_[i], square = m.squaredNorm();
        const Vec3 turn =
            c == 0 ? Vec3(g / kappa)
                   : Vec3((kappa * g + c * g.cross(m)) / (kappa * kappa + c * c * square));
        turn_.col(i) = turn;
        v_.col(i) = turn.cross(m);
        // Without its part along m, which has no effect.
        const Vec3 across = turn - m * (m.dot(turn) / square);
        const Vec3 to = corrected(cayley_turned(h / 2 * across, q.col(i)));
        const double step = (to - next_.col(i)).norm();
        if (!std::isfinite(step)) return StepStatus::not_finite;
        change = std::max(change, step);
        next_.col(i) = to;
      }
      // Forces to a tolerance may jump by it, as in MidpointStep.
      if (sweeps == 1) small = std::max(small, system.force_tolerance() * change);
      if (ended(change, before, small)) return StepStatus::ok;
      before = change;
    }
    return StepStatus::not_converged;
  }

  Eigen::VectorXd strength_, damping_;   // zeros without damping
  Columns next_, m_, g_, f_, turn_, v_;  // Q, m, g, f, Ω and v
};

}  // namespace

const IntegratorInfo& implicit_midpoint() {
  static const IntegratorInfo record{
      .key = "implicit_midpoint",
      .title = "Implicit midpoint",
      .description =
          "The implicit midpoint rule with the midpoint inside the sphere, for systems of first "
          "order: keeps |q|, Σ κ q and an energy that is quadratic to rounding, but not the "
          "symplectic form.",
      .formula = "q₊ − q = h ω(m) × m,  m = (q + q₊)/2",
      .reference = "d'Aquino, Serpico, Miano, J. Comput. Phys. 209 (2005) 730",
      .order = 2,
      .reversible = true,
      .keeps_sphere = true,
      .applies = without_inertia,
      .needs = needs_first_order,
      .takes = {.first_order = true},
      .create = composition_of<ImplicitMidpointStep>};
  return record;
}

}  // namespace twosphere
