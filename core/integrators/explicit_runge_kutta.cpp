// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/integrators/explicit_runge_kutta.h"

namespace twosphere {

void ExplicitRungeKutta::prepare(const System&, const State& state) {
  const auto n = state.q.cols();
  equations_ = std::make_unique<EquationsOfMotion>(state.size());
  q_.resize(3, n);
  w_.resize(3, n);
  dq_.assign(tableau_.b.size(), Columns(3, n));
  dw_.assign(tableau_.b.size(), Columns(3, n));
}

StepReport ExplicitRungeKutta::advance(const System& system, double h, State& state) {
  StepReport report;
  double work = 0;
  for (std::size_t i = 0; i < dq_.size(); ++i) {
    q_ = state.q;
    w_ = state.w;
    for (std::size_t j = 0; j < i; ++j) {
      if (tableau_.a[i][j] == 0) continue;
      q_ += (h * tableau_.a[i][j]) * dq_[j];
      w_ += (h * tableau_.a[i][j]) * dw_[j];
    }
    work += h * tableau_.b[i] *
            equations_->evaluate(system, state.t + tableau_.c[i] * h, q_, w_, dq_[i], dw_[i]);
  }
  q_ = state.q;
  w_ = state.w;
  for (std::size_t i = 0; i < dq_.size(); ++i) {
    q_ += (h * tableau_.b[i]) * dq_[i];
    w_ += (h * tableau_.b[i]) * dw_[i];
  }
  for (Eigen::Index i = 0; i < q_.cols(); ++i) {
    if (!q_.col(i).allFinite() || !w_.col(i).allFinite()) {
      report.status = StepStatus::not_finite;
      report.body = static_cast<int>(i);
      return report;
    }
    if (project_) q_.col(i).normalize();
  }
  report.work = work;
  state.q.swap(q_);
  state.w.swap(w_);
  return report;
}

}  // namespace twosphere
