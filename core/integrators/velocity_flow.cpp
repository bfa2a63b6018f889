// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/integrators/velocity_flow.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/interrupt.h"
#include "core/integrators/gauss.h"

namespace twosphere {

VelocityFlow::VelocityFlow(const System& system) : solver_(system.inertia()) {
  const int n = system.size();
  for (Columns& slope : slopes_) slope.setZero(3, n);
  for (Columns* c : {&now_, &stage_, &w_, &f_, &next_, &change_, &path_}) c->setZero(3, n);
  for (Eigen::VectorXd* v : {&mass_, &growth_}) v->setZero(n);
}

StepStatus VelocityFlow::apply(const System& system, double t, const Columns& q, const Columns& g,
                               double s, Columns& v, double& work, Centre* centre) {
  diagonal(system.inertia(), q, mass_);
  solved_ = false;
  base_ = centre ? system.free_base() : nullptr;
  if (centre) control_ = centre->control;
  StepStatus status = StepStatus::force_not_resolved;
  // In 1, 2, 4, … equal parts, until each of them converges.
  for (int parts = 1; parts <= max_parts && status == StepStatus::force_not_resolved; parts *= 2) {
    now_ = v;
    change_.setZero();
    path_.setZero();
    growth_.setZero();
    if (centre) centre_now_ = centre->velocity;
    centre_change_.setZero();
    work_ = 0;
    status = StepStatus::ok;
    for (int k = 0; k < parts && status == StepStatus::ok; ++k)
      status = part(system, t, q, g, s / parts);
  }
  if (status != StepStatus::ok) return status;
  // Backwards in time damping makes |v| grow, and errors with it.
  const bool base_grows = base_ && -s * base_->drag > max_backward * base_->own_mass;
  if (s < 0 && (growth_.maxCoeff() > max_backward || base_grows))
    return StepStatus::damping_too_strong;
  v += change_;
  if (centre) centre->velocity += centre_change_;
  work += work_;
  return StepStatus::ok;
}

/// Advances now_ over a time s.
StepStatus VelocityFlow::part(const System& system, double t, const Columns& q, const Columns& g,
                              double s) {
  static const GaussCoefficients<stages> gauss;
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  constexpr double reduction = 0.125;
  constexpr int max_rounds = 60;
  // v at stage i: v + s Σ_j a_ij k_j.
  const auto stage = [&](std::size_t i) {
    stage_ = now_;
    for (std::size_t j = 0; j < stages; ++j) stage_ += (s * gauss.a[i][j]) * slopes_[j];
    if (!base_) return;
    centre_stage_ = centre_now_;
    for (std::size_t j = 0; j < stages; ++j)
      centre_stage_ += (s * gauss.a[i][j]) * centre_slopes_[j];
  };
  // First guess: the slope at the beginning.
  Vec3 centre = Vec3::Zero();
  stage_ = now_;
  centre_stage_ = centre_now_;
  (void)acceleration(system, t, q, g, slopes_[0], centre);
  centre_slopes_.fill(centre);
  if (!slopes_[0].allFinite()) return StepStatus::not_finite;
  for (std::size_t i = 1; i < stages; ++i) slopes_[i] = slopes_[0];
  // Ẋ and its changes count as velocities of the links: divided by this.
  const double reach = base_ ? base_->share.maxCoeff() : 0;
  // Rounds until rounding stops them.
  double last = std::numeric_limits<double>::infinity();
  for (int round = 1;; ++round) {
    if (interrupted()) return StepStatus::interrupted;
    double change = 0, scale = now_.cwiseAbs().maxCoeff();
    if (base_) scale = std::max(scale, centre_now_.cwiseAbs().maxCoeff() / reach);
    for (std::size_t i = 0; i < stages; ++i) {
      stage(i);
      (void)acceleration(system, t, q, g, next_, centre);
      if (!next_.allFinite()) return StepStatus::force_not_resolved;
      change = std::max(change, std::abs(s) * (next_ - slopes_[i]).cwiseAbs().maxCoeff());
      scale = std::max(scale, std::abs(s) * next_.cwiseAbs().maxCoeff());
      slopes_[i] = next_;
      if (!base_) continue;
      const double factor = std::abs(s) / reach;
      change = std::max(change, factor * (centre - centre_slopes_[i]).cwiseAbs().maxCoeff());
      scale = std::max(scale, factor * centre.cwiseAbs().maxCoeff());
      centre_slopes_[i] = centre;
    }
    // Converged to rounding, or no longer falling near it; further off it must fall by a fixed
    // factor.
    if (change <= 2 * epsilon * scale) break;
    const bool rounding = change <= 64 * epsilon * scale;
    if (rounding && change >= last) break;
    if (!rounding && round > 1 && change > reduction * last) return StepStatus::force_not_resolved;
    if (round == max_rounds) return StepStatus::force_not_resolved;
    last = change;
  }
  // Quadrature of the power, of v and of the growth of each |v_i|.
  for (std::size_t i = 0; i < stages; ++i) {
    stage(i);
    work_ += s * gauss.b[i] * acceleration(system, t, q, g, next_, centre);
    path_ += (s * gauss.b[i]) * stage_;
    for (Eigen::Index b = 0; b < q.cols(); ++b) {
      const double square = stage_.col(b).squaredNorm();
      // What acts through the base is no damping of the bodies: it is bounded in apply().
      if (base_)
        growth_[b] -= damped(system) ? s * gauss.b[i] * system.damping()[b] / mass_[b] : 0;
      else if (square > 0)
        growth_[b] += s * gauss.b[i] * f_.col(b).dot(stage_.col(b)) / (mass_[b] * square);
    }
  }
  // v at the end: v + s Σ_i b_i k_i.
  for (std::size_t i = 0; i < stages; ++i) {
    now_ += (s * gauss.b[i]) * slopes_[i];
    change_ += (s * gauss.b[i]) * slopes_[i];
    if (!base_) continue;
    centre_now_ += (s * gauss.b[i]) * centre_slopes_[i];
    centre_change_ += (s * gauss.b[i]) * centre_slopes_[i];
  }
  return now_.allFinite() && centre_now_.allFinite() ? StepStatus::ok : StepStatus::not_finite;
}

/// The accelerations at stage_, and the power of the forces there, which stay in f_.
double VelocityFlow::acceleration(const System& system, double t, const Columns& q,
                                  const Columns& g, Columns& a, Vec3& centre) {
  // ω_i = q_i × v_i, and the forces −C v + f(q, ω).
  for (Eigen::Index i = 0; i < q.cols(); ++i) w_.col(i) = q.col(i).cross(stage_.col(i));
  system.velocity_force(t, q, w_, f_);
  if (damped(system)) f_ -= stage_ * system.damping().asDiagonal();
  double power = 0;
  if (base_) {
    // −k Ẋ on the bodies, and −k ẋ_0 on all.
    const Vec3 further = -base_->drag * centre_stage_,
               drag = further - base_->drag * base_->from_centre(stage_);
    base_->add_force(further, f_);
    centre = base_->acceleration(control_ + drag);
    power = drag.dot(centre_stage_);
  }
  power += f_.cwiseProduct(stage_).sum();
  // M a = −(G − f) + λ∘q with a ⟂ q
  w_ = g - f_;
  solver_.solve(system.inertia(), q, {.left = q, .right = q, .rest = w_}, a, solved_);
  solved_ = true;
  return power;
}

}  // namespace twosphere
