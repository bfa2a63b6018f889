// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/integrators/explicit_runge_kutta.h"

#include <iterator>

#include "core/base/interrupt.h"
#include "core/integrators/stage_derivative.h"
#include "core/mechanics/attitude.h"

namespace twosphere {

ExplicitRungeKutta::ExplicitRungeKutta(const Tableau& tableau, const Values& values, bool project)
    : tableau_(tableau), formulation_(twosphere::formulation(values)), project_(project) {}

void ExplicitRungeKutta::prepare(const System& system, const State& state) {
  const auto n = state.q.cols() + state.x.cols();
  equations_ = std::make_unique<EquationsOfMotion>(system, formulation_);
  for (Columns* c : {&x_, &q_next_, &x_next_}) c->resize(3, n);
  dq_.assign(tableau_.b.size(), Columns(3, n));
  dx_.assign(tableau_.b.size(), Columns(3, n));
  // Variables x of the formulation from (q, ω).
  equations_->from_state(system, state, x_);
}

StepReport ExplicitRungeKutta::advance(const System& system, double h, State& state) {
  StepReport report;
  double work = 0;
  for (std::size_t i = 0; i < dq_.size(); ++i) {
    if (i > 0 && interrupted()) {
      report.status = StepStatus::interrupted;
      return report;
    }
    copy_positions(state, q_next_);
    x_next_ = x_;
    // Stage argument y + h Σ_{j<i} a_ij k_j.
    for (std::size_t j = 0; j < i; ++j) {
      if (tableau_.a[i][j] == 0) continue;
      q_next_ += (h * tableau_.a[i][j]) * dq_[j];
      x_next_ += (h * tableau_.a[i][j]) * dx_[j];
    }
    // Stage k_i, and its share of the work b_i h (f·q̇).
    work +=
        h * tableau_.b[i] *
        equations_->evaluate(system, state.t + tableau_.c[i] * h, q_next_, x_next_, dq_[i], dx_[i]);
  }
  copy_positions(state, q_next_);
  x_next_ = x_;
  for (std::size_t i = 0; i < dq_.size(); ++i) {
    // y ← y + h Σ b_i k_i
    q_next_ += (h * tableau_.b[i]) * dq_[i];
    x_next_ += (h * tableau_.b[i]) * dx_[i];
  }
  for (Eigen::Index i = 0; i < q_next_.cols(); ++i) {
    // Overflow fails the step; then the optional projection.
    if (!q_next_.col(i).allFinite() || !x_next_.col(i).allFinite()) {
      report.status = StepStatus::not_finite;
      // A base that flies is no body: its first link stands for it.
      report.body = i < state.q.cols() ? static_cast<int>(i) : 0;
      return report;
    }
    if (project_ && i < state.q.cols()) q_next_.col(i).normalize();
  }
  report.work = work;
  EquationsOfMotion::set_positions(q_next_, state);
  if (project_ && state.has_attitude()) settle_attitude(state.q, state.x);
  x_.swap(x_next_);
  return report;
}

void ExplicitRungeKutta::complete(const System& system, State& state) {
  equations_->set_velocities(system, x_, state);
}

TangentMap* ExplicitRungeKutta::stage_derivative(const System& system) {
  return EquationsTangent::exists(system, formulation_) ? this : nullptr;
}

StepReport ExplicitRungeKutta::advance(const System& system, double h, State& state,
                                       std::span<TangentVector> vectors) {
  StageDerivative derivative(system, formulation_, tableau_.b.size());
  derivative.begin(system, state, vectors);
  const StepReport report = advance(system, h, state);
  if (!report.ok()) return report;
  complete(system, state);
  derivative.step(system, tableau_, tableau_.b, state.t, h);
  if (project_) derivative.normalise();
  derivative.end(system, state.t + h, vectors);
  return report;
}

void ExplicitRungeKutta::save_state(IntegratorState& memory) const {
  // ω is in the state itself.
  if (formulation_ != Formulation::omega)
    write_entry(memory, 0, formulation_names[static_cast<std::size_t>(formulation_)], flat(x_));
}

bool ExplicitRungeKutta::load_state(const IntegratorState& memory) {
  if (memory.empty()) return true;
  return formulation_ != Formulation::omega &&
         read_entries(memory,
                      {{formulation_names[static_cast<std::size_t>(formulation_)], flat(x_)}});
}

const Tableau& midpoint() {
  static const Tableau tableau{{0, 0.5}, {{}, {0.5}}, {0, 1}};
  return tableau;
}

const Tableau& trapezoid() {
  static const Tableau tableau{{0, 1}, {{}, {1}}, {0.5, 0.5}};
  return tableau;
}

ParameterInfo formulation_parameter() {
  return {.key = "formulation",
          .symbol = "",
          .label = "formulation",
          .unit = "1",
          .help = "Variables of the equations of motion: (q, ω), (q, q̇), (q, μ) or (q, π).",
          .shape = Shape::choice,
          .choices = {std::begin(formulation_names), std::end(formulation_names)}};
}

Formulation formulation(const Values& values) {
  return static_cast<Formulation>(static_cast<int>(numbers_of(values, "formulation").at(0)));
}

}  // namespace twosphere
