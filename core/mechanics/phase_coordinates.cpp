// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/phase_coordinates.h"

#include <cmath>

#include "core/mechanics/dynamics.h"
#include "core/mechanics/first_order.h"
#include "core/mechanics/linear_terms.h"
#include "core/mechanics/phase_tangent.h"

namespace twosphere {

PhaseCoordinates::PhaseCoordinates(const System& system, const State& state)
    : system_(&system),
      first_order_(twosphere::first_order(system)),
      state_(state),
      rate_(std::sqrt(tangent_norm(system, state).square)) {}

TangentVector PhaseCoordinates::vector(const Eigen::VectorXd& x) const {
  const Eigen::Index n = state_.q.cols();
  TangentVector out{Columns(3, n), Columns::Zero(3, n)};
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto basis = tangent_basis(state_.q.col(i));
    const Vec3 dq = basis * x.segment<2>(2 * i);
    out.q.col(i) = dq;
    if (first_order_) continue;
    out.w.col(i) =
        rate_ * (basis * x.segment<2>(2 * (n + i))) - state_.w.col(i).dot(dq) * state_.q.col(i);
  }
  return out;
}

Eigen::VectorXd PhaseCoordinates::coordinates(const Columns& dq, const Columns& dw) const {
  const Eigen::Index n = state_.q.cols();
  Eigen::VectorXd x(size());
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto basis = tangent_basis(state_.q.col(i));
    x.segment<2>(2 * i) = basis.transpose() * dq.col(i);
    if (!first_order_) x.segment<2>(2 * (n + i)) = basis.transpose() * dw.col(i) / rate_;
  }
  return x;
}

double PhaseCoordinates::distance(const State& to) const {
  const Eigen::RowVectorXd along = state_.q.cwiseProduct(to.q - state_.q).colwise().sum();
  return std::sqrt(difference(to).squaredNorm() + along.squaredNorm());
}

State PhaseCoordinates::moved(const Eigen::VectorXd& x) const {
  const TangentVector by = vector(x);
  State out = state_;
  for (Eigen::Index i = 0; i < out.q.cols(); ++i) {
    out.q.col(i) = (state_.q.col(i) + by.q.col(i)).normalized();
    out.w.col(i) = tangent(out.q.col(i), state_.w.col(i) + by.w.col(i));
  }
  if (first_order_) complete_first_order(*system_, out.t, out);
  return out;
}

Eigen::MatrixXd PhaseCoordinates::form(const System& system) const {
  const Eigen::Index n = state_.q.cols();
  if (first_order_) {
    Eigen::MatrixXd out = Eigen::MatrixXd::Zero(size(), size());
    for (Eigen::Index i = 0; i < n; ++i) {
      const auto basis = tangent_basis(state_.q.col(i));
      const Vec3 q = state_.q.col(i);
      out(2 * i, 2 * i + 1) =
          system.strength()[i] * q.dot(Vec3(basis.col(0)).cross(Vec3(basis.col(1))));
      out(2 * i + 1, 2 * i) = -out(2 * i, 2 * i + 1);
    }
    return out;
  }
  PhaseTangent phase(system);
  phase.at(system, state_);
  Eigen::MatrixXd q(3 * n, size()), p(3 * n, size());
  Columns dp(3, n);
  for (Eigen::Index k = 0; k < size(); ++k) {
    const TangentVector one = vector(Eigen::VectorXd::Unit(size(), k));
    phase.to_momentum(system, one, dp);
    add_to_form(system, state_.q, one.q, dp);
    q.col(k) = one.q.reshaped();
    p.col(k) = dp.reshaped();
  }
  const Eigen::MatrixXd half = q.transpose() * p;
  return half - half.transpose();
}

Eigen::VectorXd PhaseCoordinates::flow(const System& system) const {
  Columns qdot(3, state_.q.cols()), wdot = Columns::Zero(3, state_.q.cols());
  if (first_order_) {
    Columns turn;
    first_order_velocity(system, state_.t, state_.q, turn);
    for (Eigen::Index i = 0; i < qdot.cols(); ++i) qdot.col(i) = turn.col(i).cross(state_.q.col(i));
    return coordinates(qdot, wdot);
  }
  EquationsOfMotion equations(system, Formulation::omega);
  equations.evaluate(system, state_.t, state_.q, state_.w, qdot, wdot);
  return coordinates(qdot, wdot);
}

Eigen::VectorXd PhaseCoordinates::rotation(const Vec3& axis) const {
  const Mat3 turn = hat(axis);
  return coordinates(turn * state_.q, turn * state_.w);
}

}  // namespace twosphere
