// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/phase_tangent.h"

#include <cmath>
#include <variant>

#include "core/mechanics/first_order.h"

namespace twosphere {

TangentNorm tangent_norm(const System& system, const State& state) {
  TangentNorm norm;
  // Weights of the norm: the diagonal of M.
  const int n = state.size();
  norm.weight.resize(n);
  diagonal(system.inertia(), state.q, norm.weight);
  const bool has_momenta = !first_order(system);
  if (!has_momenta) norm.weight = first_order_weights(system);
  // Square of the rate of the motion, (Σ M_ii |ω_i|² + |q_i × G_i|)/Σ M_ii; 1 at rest.
  Columns g(3, n), f = Columns::Zero(3, n);
  generalised_gradient(system, state.t, state.q, g, f);
  double rate = 0;
  for (Eigen::Index i = 0; i < n; ++i)
    rate += (has_momenta ? norm.weight[i] * state.w.col(i).squaredNorm() : 0) +
            state.q.col(i).cross(g.col(i)).norm();
  rate /= norm.weight.sum();
  if (!has_momenta) rate *= rate;
  norm.square = rate > 0 && std::isfinite(rate) ? rate : 1;
  return norm;
}

PhaseTangent::PhaseTangent(const System& system) : solver_(system.inertia()) {
  const int n = system.size();
  for (Columns* c : {&q_, &w_, &v_, &p_, &dv_, &rest_}) c->setZero(3, n);
  normal_.setZero(n);
  if (std::holds_alternative<VariableInertia>(system.inertia())) rate_.setZero(n, n);
}

void PhaseTangent::at(const System& system, const State& state) {
  q_ = state.q;
  w_ = state.w;
  // q̇ and P = M q̇ at the state.
  for (Eigen::Index i = 0; i < q_.cols(); ++i) v_.col(i) = w_.col(i).cross(q_.col(i));
  multiply(system.inertia(), q_, v_, p_);
  solved_ = false;
}

void PhaseTangent::to_momentum(const System& system, const TangentVector& vector, Columns& dp) {
  // δv_i = δω_i × q_i + ω_i × δq_i
  for (Eigen::Index i = 0; i < q_.cols(); ++i)
    dv_.col(i) = vector.w.col(i).cross(q_.col(i)) + w_.col(i).cross(vector.q.col(i));
  // δP_i = Σ_j (m_ij δv_j + δm_ij v_j)
  multiply(system.inertia(), q_, dv_, dp);
  if (const auto* variable = std::get_if<VariableInertia>(&system.inertia())) {
    variable->field->derivative_along(q_, vector.q, rate_);
    dp.noalias() += v_ * rate_;
  }
  // δp_i of the tangent part p_i = P_i − (q_i·P_i) q_i.
  for (Eigen::Index i = 0; i < q_.cols(); ++i) {
    const Vec3 q = q_.col(i), dq = vector.q.col(i), p = p_.col(i);
    dp.col(i) = tangent(q, dp.col(i)) - q.dot(p) * dq - dq.dot(p) * q;
  }
}

void PhaseTangent::to_omega(const System& system, const Columns& dq, const Columns& dp,
                            Columns& dw) {
  // Right-hand sides for δv, and its part along q from q·δv + v·δq = 0.
  rest_ = -dp;
  if (const auto* variable = std::get_if<VariableInertia>(&system.inertia())) {
    variable->field->derivative_along(q_, dq, rate_);
    rest_.noalias() += v_ * rate_;
  }
  for (Eigen::Index i = 0; i < q_.cols(); ++i) {
    const Vec3 q = q_.col(i);
    rest_.col(i) -= q.dot(p_.col(i)) * dq.col(i);
    normal_[i] = -v_.col(i).dot(dq.col(i)) / q.squaredNorm();
  }
  solver_.solve(system.inertia(), q_, {.left = q_, .right = q_, .rest = rest_, .normal = &normal_},
                dv_, solved_);
  solved_ = true;
  for (Eigen::Index i = 0; i < q_.cols(); ++i) {
    // δω_i = δq_i × v_i + q_i × δv_i
    const Vec3 q = q_.col(i), dv = dv_.col(i) + normal_[i] * q;
    dw.col(i) = dq.col(i).cross(v_.col(i)) + q.cross(dv);
  }
}

}  // namespace twosphere
