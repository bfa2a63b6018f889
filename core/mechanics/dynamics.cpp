// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/dynamics.h"

#include "core/mechanics/first_order.h"

namespace twosphere {

EquationsOfMotion::EquationsOfMotion(const System& system, Formulation formulation)
    : formulation_(formulation),
      has_linear_terms_(has_linear_terms(system)),
      solver_(system.inertia()) {
  const int n = system.size();
  if (has_linear_terms_)
    for (Columns* c : {&linear_.rate, &linear_.product}) c->setZero(3, n);
  for (Columns* c : {&g_, &f_, &p_, &v_, &a_, &w_}) c->setZero(3, n);
  for (Eigen::VectorXd* v : {&normal_, &extra_, &inverse_}) v->setZero(n);
  if (std::holds_alternative<VariableInertia>(system.inertia()))
    for (Eigen::MatrixXd* m : {&products_, &rate_}) m->setZero(n, n);
}

double EquationsOfMotion::evaluate(const System& system, double t, const Columns& q,
                                   const Columns& x, Columns& qdot, Columns& xdot) {
  if (q.cols() == g_.cols()) return evaluate_bodies(system, t, q, x, qdot, xdot);
  return system.follows_attitude() ? evaluate_attitude(system, t, q, qdot, xdot)
                                   : evaluate_flying(system, t, q, x, qdot, xdot);
}

double EquationsOfMotion::evaluate_attitude(const System& system, double t, const Columns& q,
                                            Columns& qdot, Columns& xdot) {
  const Eigen::Index n = system.size();
  Columns &own_q = of_bodies_[0], &own_qdot = of_bodies_[2];
  own_q = q.leftCols(n);
  own_qdot.resize(3, n);
  xdot.setZero();
  const double power = evaluate_first_order(system, t, own_q, own_qdot);
  qdot.leftCols(n) = own_qdot;
  for (Eigen::Index k = n; k < q.cols(); ++k) qdot.col(k) = a_.col((k - n) / 2).cross(q.col(k));
  return power;
}

double EquationsOfMotion::evaluate_flying(const System& system, double t, const Columns& q,
                                          const Columns& x, Columns& qdot, Columns& xdot) {
  const Eigen::Index n = system.size();
  auto& [own_q, own_x, own_qdot, own_xdot] = of_bodies_;
  own_q = q.leftCols(n);
  own_x = x.leftCols(n);
  own_qdot.resize(3, n);
  own_xdot.resize(3, n);
  Flight flight{*system.free_base(), q.col(n), x.col(n), Vec3::Zero()};
  flight_ = &flight;
  const double power = evaluate_bodies(system, t, own_q, own_x, own_qdot, own_xdot);
  flight_ = nullptr;
  qdot.leftCols(n) = own_qdot;
  xdot.leftCols(n) = own_xdot;
  // Ẍ = g + F/m_t
  qdot.col(n) = flight.v;
  xdot.col(n) = flight.base.acceleration(flight.control);
  return power;
}

double EquationsOfMotion::evaluate_bodies(const System& system, double t, const Columns& q,
                                          const Columns& x, Columns& qdot, Columns& xdot) {
  const Inertia& inertia = system.inertia();
  if (std::holds_alternative<NoInertia>(inertia)) {
    xdot.setZero();
    return evaluate_first_order(system, t, q, qdot);
  }
  const auto* variable = std::get_if<VariableInertia>(&inertia);
  // q̇ from x, then g − f and the power f·q̇ of the external forces.
  velocity(system, q, x, qdot);
  generalised_gradient(system, t, q, g_, f_);
  double power = system.has_external_force() ? (f_.array() * qdot.array()).sum() : 0;
  if (system.has_velocity_force()) {
    for (Eigen::Index i = 0; i < q.cols(); ++i) w_.col(i) = q.col(i).cross(qdot.col(i));
    system.velocity_force(t, q, w_, f_);
    g_ -= f_;
    power += (f_.array() * qdot.array()).sum();
  }
  // The control F_0 − k ẋ_0 of a base that flies: of it the forces above have −k (ẋ_0 − Ẋ).
  if (flight_) {
    const FreeBase& base = flight_->base;
    const Vec3 about = base.from_centre(qdot), speed = flight_->v + about;
    const Vec3 further = base.control_at(t, flight_->x, q) - base.drag * flight_->v;
    f_.setZero();
    base.add_force(further, f_);
    g_ -= f_;
    flight_->control = further - base.drag * about;
    // F·ẋ_0, less what is counted.
    power += further.dot(speed) + (base.steady - base.drag * about).dot(flight_->v);
  }
  // Strengths and the rotation of the frame, whose forces have an energy or no power.
  if (has_linear_terms_) add_linear_terms(system, q, qdot, g_, linear_);
  // Damping force −c_i q̇_i and its power −c_i |q̇_i|².
  if (damped(system)) {
    const Eigen::VectorXd& c = system.damping();
    for (Eigen::Index i = 0; i < qdot.cols(); ++i) {
      g_.col(i) += c[i] * qdot.col(i);
      power -= c[i] * qdot.col(i).squaredNorm();
    }
  }
  const bool second_order =
      formulation_ == Formulation::omega || formulation_ == Formulation::velocity;
  // Derivatives of a variable inertia.
  if (variable) add_curvature(*variable->field, q, qdot, second_order);

  // (q, q̇), [P1] (2.8), and (q, ω), [P1] (2.10): solve for the tangential part of the
  // acceleration.
  if (second_order) {
    // ν_i = −|q̇_i|² (or −|ω_i|²) and d_i = (1/|q_i|² − 1) m_ii
    diagonal(inertia, q, extra_);
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      normal_[i] = -x.col(i).squaredNorm();
      inverse_[i] = 1 / q.col(i).squaredNorm();
      extra_[i] *= inverse_[i] - 1;
    }
    // Tangential part a_i of the acceleration.
    solver_.solve(inertia, q,
                  {.left = q, .right = q, .rest = g_, .normal = &normal_, .extra = &extra_}, a_);
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      const Vec3 qi = q.col(i), ai = a_.col(i);
      if (formulation_ == Formulation::velocity)
        // q̈_i = a_i − |q̇_i|² q_i, or ω̇_i = q_i × a_i/|q_i|²
        xdot.col(i) = ai + normal_[i] * qi;
      else
        xdot.col(i) = inverse_[i] * qi.cross(ai);
    }
    return power;
  }
  // Momentum forms, [P2] (26) and (36): P_i = Σ_j m_ij q̇_j
  multiply(inertia, q, qdot, p_);
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    const Vec3 qi = q.col(i), vi = qdot.col(i), xi = x.col(i), force = -g_.col(i), pi = p_.col(i);
    // μ̇_i = Π_i F_i − (q_i·P_i) q̇_i − (μ_i·q̇_i) q_i, or π̇_i = q̇_i × P_i + q_i × F_i
    if (formulation_ == Formulation::momentum)
      xdot.col(i) = tangent(qi, force) - qi.dot(pi) * vi - xi.dot(vi) * qi;
    else
      xdot.col(i) = vi.cross(pi) + qi.cross(force);
  }
  return power;
}

/// Writes q̇; returns the power f·q̇ − c |q̇|².
double EquationsOfMotion::evaluate_first_order(const System& system, double t, const Columns& q,
                                               Columns& qdot) {
  first_order_turns(system, t, q, f_, a_);
  const Eigen::VectorXd& c = system.damping();
  const bool forced = system.has_external_force();
  double power = 0;
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    const Vec3 v = a_.col(i).cross(q.col(i));
    if (forced) power += f_.col(i).dot(v);
    if (c.size() > 0) power -= c[i] * v.squaredNorm();
    qdot.col(i) = v;
  }
  return power;
}

void EquationsOfMotion::velocity(const System& system, const Columns& q, const Columns& x,
                                 Columns& qdot) {
  switch (formulation_) {
    case Formulation::omega:
      // q̇_i = ω_i × q_i, [P1] (2.11)
      for (Eigen::Index i = 0; i < q.cols(); ++i) qdot.col(i) = x.col(i).cross(q.col(i));
      return;
    case Formulation::velocity:
      qdot = x;
      return;
    case Formulation::momentum:
      // m q̇ − μ ∥ q
      p_ = -x;
      break;
    case Formulation::angular_momentum:
      // −μ_i = q_i × π_i
      for (Eigen::Index i = 0; i < q.cols(); ++i) p_.col(i) = q.col(i).cross(x.col(i));
      break;
  }
  solver_.solve(system.inertia(), q, {.left = q, .right = q, .rest = p_}, qdot);
}

/// g −= ½ Σ_jk (v_j·v_k) ∂m_jk/∂q_i, and with `rate` g += Σ_j ṁ_ij v_j, ṁ_ij = Σ_k ∂m_ij/∂q_k·v_k.
void EquationsOfMotion::add_curvature(const InertiaField& field, const Columns& q, const Columns& v,
                                      bool rate) {
  products_.noalias() = v.transpose() * v;
  products_ *= -0.5;
  field.slopes(q, products_, g_);
  if (!rate) return;
  field.derivative_along(q, v, rate_);
  // Σ_j ṁ_ij v_j
  for (Eigen::Index i = 0; i < q.cols(); ++i)
    for (Eigen::Index j = 0; j < q.cols(); ++j) g_.col(i) += rate_(j, i) * v.col(j);
}

void EquationsOfMotion::set_positions(Columns& q, State& state) {
  if (state.x.cols() == 0) {
    state.q.swap(q);
    return;
  }
  state.x = q.rightCols(state.x.cols());
  state.q = q.leftCols(state.q.cols());
}

void EquationsOfMotion::from_state(const System& system, const State& state, Columns& x) {
  if (state.v.cols() == 0) {
    from_bodies(system, state, x);
    return;
  }
  from_bodies(system, state, of_bodies_[1]);
  x.resize(3, state.w.cols() + state.v.cols());
  x << of_bodies_[1], state.v;
}

void EquationsOfMotion::from_bodies(const System& system, const State& state, Columns& x) {
  if (formulation_ == Formulation::omega) {
    x = state.w;
    return;
  }
  // q̇_i = ω_i × q_i
  for (Eigen::Index i = 0; i < v_.cols(); ++i) v_.col(i) = state.w.col(i).cross(state.q.col(i));
  if (formulation_ == Formulation::velocity) {
    x = v_;
    return;
  }
  // μ_i = Π_i P_i or π_i = q_i × P_i
  x.resize(3, v_.cols());
  multiply(system.inertia(), state.q, v_, p_);
  for (Eigen::Index i = 0; i < v_.cols(); ++i) {
    const Vec3 q = state.q.col(i), p = p_.col(i);
    x.col(i) = formulation_ == Formulation::momentum ? tangent(q, p) : Vec3(q.cross(p));
  }
}

void EquationsOfMotion::to_omega(const System& system, double t, const Columns& q, const Columns& x,
                                 Columns& w) {
  if (first_order(system)) {
    first_order_velocity(system, t, q, w);
    return;
  }
  if (formulation_ == Formulation::omega) {
    w = x;
    return;
  }
  // ω_i = q_i × q̇_i
  velocity(system, q, x, v_);
  for (Eigen::Index i = 0; i < q.cols(); ++i) w.col(i) = q.col(i).cross(v_.col(i));
}

void EquationsOfMotion::set_velocities(const System& system, const Columns& x, State& state) {
  if (state.v.cols() == 0) {
    to_omega(system, state.t, state.q, x, state.w);
    return;
  }
  if (state.has_attitude()) {
    complete_first_order(system, state.t, state);
    return;
  }
  state.v = x.rightCols<1>();
  of_bodies_[1] = x.leftCols(state.q.cols());
  to_omega(system, state.t, state.q, of_bodies_[1], state.w);
}

}  // namespace twosphere
