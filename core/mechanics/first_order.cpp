// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/first_order.h"

#include <cmath>

namespace twosphere {

void first_order_turns(const System& system, double t, const Columns& q, Columns& f,
                       Columns& turn) {
  generalised_gradient(system, t, q, turn, f);
  const Eigen::VectorXd &kappa = system.strength(), &c = system.damping();
  for (Eigen::Index i = 0; i < q.cols(); ++i)
    turn.col(i) = first_order_turn(kappa[i], c.size() == 0 ? 0 : c[i], turn.col(i), q.col(i));
}

namespace {

void make_turns(const System& system, double t, const Columns& q, Columns& turn) {
  // Memory for the forces, kept for the next call on this thread.
  thread_local Columns f;
  f.setZero(3, q.cols());
  turn.resize(3, q.cols());
  first_order_turns(system, t, q, f, turn);
}

/// Ω's own part along q is of no effect on q.
void make_tangent(const Columns& q, Columns& turn) {
  for (Eigen::Index i = 0; i < q.cols(); ++i) turn.col(i) = tangent(q.col(i), turn.col(i));
}

}  // namespace

void first_order_velocity(const System& system, double t, const Columns& q, Columns& w) {
  make_turns(system, t, q, w);
  make_tangent(q, w);
}

void complete_first_order(const System& system, double t, State& state) {
  make_turns(system, t, state.q, state.w);
  for (Eigen::Index k = 0; k < state.x.cols(); ++k)
    state.v.col(k) = state.w.col(k / 2).cross(state.x.col(k));
  make_tangent(state.q, state.w);
}

Eigen::VectorXd first_order_weights(const System& system) {
  Eigen::VectorXd weights = system.strength().cwiseAbs();
  if (damped(system))
    for (Eigen::Index i = 0; i < weights.size(); ++i)
      weights[i] = std::hypot(weights[i], system.damping()[i]);
  return weights;
}

FirstOrderTangent::FirstOrderTangent(const System& system, double t, const Columns& q)
    : t_(t), q_(q), g_(3, q.cols()), turn_(3, q.cols()) {
  Columns f = Columns::Zero(3, q.cols());
  generalised_gradient(system, t, q, g_, f);
  first_order_turns(system, t, q, f, turn_);
}

void FirstOrderTangent::apply(const System& system, const Columns& xi, Columns& out) const {
  const Eigen::VectorXd &kappa = system.strength(), &c = system.damping();
  Columns k(3, xi.cols()), slope(3, xi.cols());
  system.hessian_times(q_, xi, k);
  if (system.has_external_force()) {
    system.force_slope(t_, q_, xi, slope);
    k -= slope;
  }
  for (Eigen::Index i = 0; i < xi.cols(); ++i) {
    const Vec3 q = q_.col(i), x = xi.col(i), turn = turn_.col(i);
    const Vec3 rate =
        first_order_turn_rate(kappa[i], c.size() == 0 ? 0 : c[i], g_.col(i), q, k.col(i), x);
    out.col(i) = tangent(q, rate.cross(q) + turn.cross(x));
  }
}

}  // namespace twosphere
