// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/equations_tangent.h"

#include <variant>

#include "core/mechanics/first_order.h"
#include "core/mechanics/linear_terms.h"

namespace twosphere {

namespace {

double damping_of(const System& system, Eigen::Index i) {
  return damped(system) ? system.damping()[i] : 0;
}

}  // namespace

bool EquationsTangent::exists(const System& system, Formulation formulation) {
  if (system.has_velocity_force() || has_linear_terms(system) || system.free_base()) return false;
  if (first_order(system)) return formulation == Formulation::omega;
  return formulation == Formulation::momentum || formulation == Formulation::angular_momentum ||
         !std::holds_alternative<VariableInertia>(system.inertia());
}

EquationsTangent::EquationsTangent(const System& system, Formulation formulation)
    : equations_(system, formulation), solver_(system.inertia()), begin_(system) {
  const int n = system.size();
  for (Columns* c : {&q_, &x_, &v_, &g_, &p_, &a_, &dv_, &dg_, &dp_, &part_, &rest_, &f_})
    c->setZero(3, n);
  for (Eigen::VectorXd* v : {&lambda_, &normal_, &extra_, &m_, &inverse_, &along_}) v->setZero(n);
  if (std::holds_alternative<VariableInertia>(system.inertia()))
    for (Eigen::MatrixXd* m : {&products_, &changes_, &rate_}) m->setZero(n, n);
}

bool EquationsTangent::second_order() const {
  return equations_.formulation() == Formulation::omega ||
         equations_.formulation() == Formulation::velocity;
}

void EquationsTangent::start(const System& system, const State& state) {
  if (!second_order()) begin_.at(system, state);
}

void EquationsTangent::from_state(const System& system, const State& state,
                                  const TangentVector& vector, Columns& dx) {
  switch (equations_.formulation()) {
    case Formulation::omega:
      dx = vector.w;
      return;
    case Formulation::velocity:
      // δω × q + ω × δq
      for (Eigen::Index i = 0; i < dx.cols(); ++i)
        dx.col(i) = vector.w.col(i).cross(state.q.col(i)) + state.w.col(i).cross(vector.q.col(i));
      return;
    case Formulation::momentum:
      begin_.to_momentum(system, vector, dx);
      return;
    case Formulation::angular_momentum:
      // π = q × p
      begin_.to_momentum(system, vector, dp_);
      for (Eigen::Index i = 0; i < dx.cols(); ++i) {
        const Vec3 q = state.q.col(i), p = tangent(q, begin_.momentum().col(i));
        dx.col(i) = vector.q.col(i).cross(p) + q.cross(Vec3(dp_.col(i)));
      }
      return;
  }
}

void EquationsTangent::at(const System& system, double t, const Columns& q, const Columns& x,
                          Columns& qdot, Columns& xdot) {
  const Inertia& inertia = system.inertia();
  equations_.evaluate(system, t, q, x, qdot, xdot);
  t_ = t;
  q_ = q;
  x_ = x;
  v_ = qdot;
  solved_ = false;
  for (Eigen::Index i = 0; i < q.cols(); ++i) inverse_[i] = 1 / q.col(i).squaredNorm();
  if (first_order(system)) {
    generalised_gradient(system, t, q, g_, f_);
    for (Eigen::Index i = 0; i < q.cols(); ++i)
      a_.col(i) =
          first_order_turn(system.strength()[i], damping_of(system, i), g_.col(i), q.col(i));
    return;
  }
  // G with damping and, for a variable inertia, −½ Σ_jk (v_j·v_k) ∂m_jk/∂q_i.
  generalised_gradient(system, t, q, g_, f_);
  if (damped(system)) g_ += v_ * system.damping().asDiagonal();
  if (const auto* variable = std::get_if<VariableInertia>(&inertia)) {
    products_.noalias() = v_.transpose() * v_;
    products_ *= -0.5;
    variable->field->slopes(q, products_, g_);
  }
  if (second_order()) {
    // ν, d and a as in evaluate(), and λ_i = q_i·(Σ_j m_ij y_j + d_i a_i + G_i)/|q_i|².
    diagonal(inertia, q, m_);
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      normal_[i] = -x.col(i).squaredNorm();
      extra_[i] = (inverse_[i] - 1) * m_[i];
      const Vec3 qi = q.col(i), rate = xdot.col(i);
      a_.col(i) = equations_.formulation() == Formulation::velocity ? Vec3(rate - normal_[i] * qi)
                                                                    : Vec3(rate.cross(qi));
      part_.col(i) = a_.col(i) + normal_[i] * qi;
    }
    multiply(inertia, q, part_, p_);
    for (Eigen::Index i = 0; i < q.cols(); ++i)
      lambda_[i] = q.col(i).dot(p_.col(i) + extra_[i] * a_.col(i) + g_.col(i)) * inverse_[i];
    return;
  }
  // P, and λ_i = q_i·(P_i + r_i)/|q_i|².
  multiply(inertia, q, v_, p_);
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    lambda_[i] = q.col(i).dot(p_.col(i)) * inverse_[i];
    if (equations_.formulation() == Formulation::momentum)
      lambda_[i] -= q.col(i).dot(x.col(i)) * inverse_[i];
  }
}

/// dv = δq̇, and for momenta rate_ = δm.
void EquationsTangent::velocity(const System& system, const Columns& dq, const Columns& dx,
                                Columns& dv) {
  const Eigen::Index n = dq.cols();
  switch (equations_.formulation()) {
    case Formulation::omega:
      for (Eigen::Index i = 0; i < n; ++i)
        dv.col(i) = dx.col(i).cross(q_.col(i)) + x_.col(i).cross(dq.col(i));
      return;
    case Formulation::velocity:
      dv = dx;
      return;
    case Formulation::momentum:
      rest_ = -dx;
      break;
    case Formulation::angular_momentum:
      for (Eigen::Index i = 0; i < n; ++i)
        rest_.col(i) = dq.col(i).cross(x_.col(i)) + q_.col(i).cross(dx.col(i));
      break;
  }
  rest_ -= dq * lambda_.asDiagonal();
  if (const auto* variable = std::get_if<VariableInertia>(&system.inertia())) {
    variable->field->derivative_along(q_, dq, rate_);
    rest_ += v_ * rate_;
  }
  for (Eigen::Index i = 0; i < n; ++i) along_[i] = -dq.col(i).dot(v_.col(i)) * inverse_[i];
  solver_.solve(system.inertia(), q_, {.left = q_, .right = q_, .rest = rest_, .normal = &along_},
                dv, solved_);
  solved_ = true;
  dv += q_ * along_.asDiagonal();
}

/// dg_ = δG.
void EquationsTangent::force(const System& system, const Columns& dq, const Columns& dv) {
  system.hessian_times(q_, dq, dg_);
  if (system.has_external_force()) {
    system.force_slope(t_, q_, dq, f_);
    dg_ -= f_;
  }
  // Of first order damping is in Ω.
  if (damped(system) && !first_order(system)) dg_ += dv * system.damping().asDiagonal();
  if (const auto* variable = std::get_if<VariableInertia>(&system.inertia())) {
    // −½ Σ_jk [(δv_j·v_k + v_j·δv_k) ∂m_jk/∂q_i + (v_j·v_k) δ(∂m_jk/∂q_i)]
    changes_.noalias() = dv.transpose() * v_;
    changes_.noalias() += v_.transpose() * dv;
    changes_ *= -0.5;
    variable->field->slopes(q_, changes_, dg_);
    variable->field->slopes_along(q_, products_, dq, dg_);
  }
}

/// δ(Ω × q)
void EquationsTangent::along_first_order(const System& system, const Columns& dq, Columns& dqdot) {
  force(system, dq, dqdot);
  for (Eigen::Index i = 0; i < dq.cols(); ++i) {
    const Vec3 q = q_.col(i), change = dq.col(i), turn = a_.col(i);
    const Vec3 rate = first_order_turn_rate(system.strength()[i], damping_of(system, i), g_.col(i),
                                            q, dg_.col(i), change);
    dqdot.col(i) = rate.cross(q) + turn.cross(change);
  }
}

void EquationsTangent::along(const System& system, const Columns& dq, const Columns& dx,
                             Columns& dqdot, Columns& dxdot) {
  const Inertia& inertia = system.inertia();
  const Eigen::Index n = dq.cols();
  if (first_order(system)) {
    along_first_order(system, dq, dqdot);
    dxdot.setZero();
    return;
  }
  velocity(system, dq, dx, dqdot);
  force(system, dq, dqdot);
  if (second_order()) {
    // δy without the part of δa across q, M times it, and the rest of the equation.
    for (Eigen::Index i = 0; i < n; ++i) {
      along_[i] = -dq.col(i).dot(a_.col(i)) * inverse_[i];
      const double change = -2 * x_.col(i).dot(dx.col(i));
      part_.col(i) = normal_[i] * dq.col(i) + (change + along_[i]) * q_.col(i);
    }
    multiply(inertia, q_, part_, rest_);
    for (Eigen::Index i = 0; i < n; ++i) {
      // δd_i = m_ii δ(1/|q_i|²)
      const double inverse = -2 * q_.col(i).dot(dq.col(i)) * inverse_[i] * inverse_[i];
      rest_.col(i) += dg_.col(i) + (m_[i] * inverse) * a_.col(i) - lambda_[i] * dq.col(i);
    }
    solver_.solve(inertia, q_, {.left = q_, .right = q_, .rest = rest_, .extra = &extra_}, dv_,
                  solved_);
    solved_ = true;
    for (Eigen::Index i = 0; i < n; ++i) {
      const Vec3 q = q_.col(i), change = dq.col(i), a = a_.col(i);
      const Vec3 da = dv_.col(i) + along_[i] * q;
      if (equations_.formulation() == Formulation::velocity) {
        // δq̈ = δa + δν q + ν δq
        dxdot.col(i) = da - 2 * x_.col(i).dot(dx.col(i)) * q + normal_[i] * change;
      } else {
        // δω̇ = δ(q × a/|q|²)
        dxdot.col(i) = inverse_[i] * (change.cross(a) + q.cross(da) -
                                      2 * q.dot(change) * inverse_[i] * q.cross(a));
      }
    }
    return;
  }
  // δP = M δv + δm v
  multiply(inertia, q_, dqdot, dp_);
  if (std::holds_alternative<VariableInertia>(inertia)) dp_ += v_ * rate_;
  for (Eigen::Index i = 0; i < n; ++i) {
    const Vec3 q = q_.col(i), v = v_.col(i), p = p_.col(i), f = -g_.col(i);
    const Vec3 dqi = dq.col(i), dv = dqdot.col(i), dp = dp_.col(i), df = -dg_.col(i);
    if (equations_.formulation() == Formulation::angular_momentum) {
      // δ(q̇ × P + q × F)
      dxdot.col(i) = dv.cross(p) + v.cross(dp) + dqi.cross(f) + q.cross(df);
      continue;
    }
    // δ(F − (q·F) q − (q·P) q̇ − (μ·q̇) q)
    const Vec3 x = x_.col(i), dxi = dx.col(i);
    dxdot.col(i) = df - (dqi.dot(f) + q.dot(df)) * q - q.dot(f) * dqi -
                   (dqi.dot(p) + q.dot(dp)) * v - q.dot(p) * dv - (dxi.dot(v) + x.dot(dv)) * q -
                   x.dot(v) * dqi;
  }
}

void EquationsTangent::to_omega(const System& system, const Columns& dq, const Columns& dx,
                                Columns& dw) {
  if (first_order(system)) {
    dw.setZero();
    return;
  }
  if (equations_.formulation() == Formulation::omega) {
    dw = dx;
    return;
  }
  // δω = δq × q̇ + q × δq̇
  velocity(system, dq, dx, dv_);
  for (Eigen::Index i = 0; i < dq.cols(); ++i)
    dw.col(i) = dq.col(i).cross(v_.col(i)) + q_.col(i).cross(dv_.col(i));
}

}  // namespace twosphere
