// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/discrete_action.h"

#include <array>
#include <cstddef>
#include <limits>
#include <variant>

namespace twosphere {

namespace {

constexpr double no_energy = std::numeric_limits<double>::quiet_NaN();

}  // namespace

double potential_with_forces(const System& system, const State& state) {
  double potential = system.potential(state.q);
  if (!system.has_external_force()) return potential;
  Columns f(3, state.q.cols());
  system.force(state.t, state.q, f);
  return potential - f.cwiseProduct(state.q).sum();
}

DiscreteActionEnergy::DiscreteActionEnergy(const IntegratorInfo& method) : action_(method.action) {
  if (action_.stage) stage_ = action_.stage();
}

/// A step of length s of the VI; returns its discrete Lagrangian, or NaN if it fails.
double DiscreteActionEnergy::take_stage(const System& system, double s, State& state) {
  before_ = state.q;
  const double potential = potential_with_forces(system, state);
  if (!stage_->advance(system, s, state).ok()) return no_energy;
  change_ = state.q - before_;
  product_.resize(3, state.q.cols());
  // The mean of Σ m_ij Δq_i·Δq_j at both ends.
  multiply(system.inertia(), before_, change_, product_);
  double square = change_.cwiseProduct(product_).sum();
  if (std::holds_alternative<VariableInertia>(system.inertia())) {
    multiply(system.inertia(), state.q, change_, product_);
    square = (square + change_.cwiseProduct(product_).sum()) / 2;
  }
  return square / (2 * s) - s / 2 * (potential + potential_with_forces(system, state));
}

/// A step of kicks and rotations; returns its discrete Lagrangian.
double DiscreteActionEnergy::take_splitting(const System& system, double h, State& state) {
  const Eigen::VectorXd& m = std::get<DiagonalInertia>(system.inertia()).m;
  const Eigen::Index n = state.q.cols();
  double action = 0;
  g_.resize(3, n);
  f_.setZero(3, n);
  for (std::size_t k = 0; k < action_.kicks.size(); ++k) {
    const double kick = action_.kicks[k] * h;
    generalised_gradient(system, state.t, state.q, g_, f_);
    action -= kick * potential_with_forces(system, state);
    for (Eigen::Index i = 0; i < n; ++i)
      state.w.col(i) -= kick / m[i] * Vec3(state.q.col(i)).cross(Vec3(g_.col(i)));
    if (k == action_.stages.size()) break;
    const double turn = action_.stages[k] * h;
    for (Eigen::Index i = 0; i < n; ++i) {
      const Vec3 w = state.w.col(i);
      action += turn / 2 * m[i] * w.squaredNorm();
      if (w.norm() > 0)
        state.q.col(i) = (Eigen::AngleAxisd(turn * w.norm(), w.normalized()) * Vec3(state.q.col(i)))
                             .normalized();
    }
  }
  return state.q.allFinite() ? action : no_energy;
}

double DiscreteActionEnergy::value(const System& system, const State& state, double h) {
  constexpr std::array weights{4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  Columns velocity(3, state.q.cols()), momentum(3, state.q.cols());
  for (Eigen::Index i = 0; i < state.q.cols(); ++i)
    velocity.col(i) = Vec3(state.w.col(i)).cross(Vec3(state.q.col(i)));
  multiply(system.inertia(), state.q, velocity, momentum);
  double sum = 0;
  for (const double side : {1.0, -1.0}) {
    State there = state;
    if (stage_) stage_->prepare(system, there);
    double action = 0;
    for (const double weight : weights) {
      if (stage_)
        for (const double part : action_.stages)
          action += take_stage(system, side * part * h, there);
      else
        action += take_splitting(system, side * h, there);
      sum += side * weight * (momentum.cwiseProduct(there.q - state.q).sum() - action);
    }
  }
  return sum / h;
}

}  // namespace twosphere
