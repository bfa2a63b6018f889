// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>

#include "core/dynamics.h"
#include "core/integrator.h"

namespace twosphere {

namespace {

/// The classical Runge-Kutta method of order 4 on (q, ω), equations [P1] (2.10)-(2.11). A baseline:
/// it does not know the sphere, and |q| drifts from 1. Not symplectic, not reversible.
///
/// Notation: y = (q, ω), ẏ = F(t, y), h step [s].
///
///   k1 = F(t, y),                k2 = F(t + h/2, y + h k1/2),
///   k3 = F(t + h/2, y + h k2/2), k4 = F(t + h, y + h k3),
///
///   y ← y + (h/6)(k1 + 2 k2 + 2 k3 + k4)
///
/// The work of external forces is the same quadrature of their power. Cost: four evaluations per
/// step. Fails with not_finite if a value overflows. Tests: order as a slope, that it drifts, exact
/// restart.
class RungeKutta4 final : public Integrator {
 public:
  void prepare(const System&, const State& state) override {
    const int n = state.size();
    equations_ = std::make_unique<EquationsOfMotion>(n);
    for (Columns* a : {&q_, &w_, &dq_, &dw_, &sum_q_, &sum_w_}) a->resize(3, n);
  }

  StepReport advance(const System& system, double h, State& state) override {
    constexpr double node[] = {0, 0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
    StepReport report;
    double power = 0;
    for (int s = 0; s < 4; ++s) {
      if (s == 0) {
        q_ = state.q;
        w_ = state.w;
      } else {
        q_ = state.q + (h * node[s]) * dq_;
        w_ = state.w + (h * node[s]) * dw_;
      }
      power += weight[s] * equations_->evaluate(system, state.t + node[s] * h, q_, w_, dq_, dw_);
      if (s == 0) {
        sum_q_ = dq_;
        sum_w_ = dw_;
      } else {
        sum_q_ += weight[s] * dq_;
        sum_w_ += weight[s] * dw_;
      }
    }
    q_ = state.q + (h / 6) * sum_q_;
    w_ = state.w + (h / 6) * sum_w_;
    if (!q_.allFinite() || !w_.allFinite()) {
      report.status = StepStatus::not_finite;
      for (Eigen::Index i = q_.cols(); i-- > 0;)
        if (!q_.col(i).allFinite() || !w_.col(i).allFinite()) report.body = static_cast<int>(i);
      return report;
    }
    report.work = h / 6 * power;
    state.q.swap(q_);
    state.w.swap(w_);
    return report;
  }

 private:
  std::unique_ptr<EquationsOfMotion> equations_;
  Columns q_, w_, dq_, dw_, sum_q_, sum_w_;
};

}  // namespace

const IntegratorInfo& rk4() {
  static const IntegratorInfo info{
      .key = "rk4",
      .title = "Runge-Kutta 4",
      .description =
          "The classical fourth-order method on (q, ω), without projection: a baseline "
          "whose energy and unit length drift.",
      .formula = "y ← y + h/6 (k₁ + 2k₂ + 2k₃ + k₄)",
      .reference = "Kutta 1901; equations of motion Lee, Leok, McClamroch 2009, (2.10)-(2.11)",
      .order = 4,
      .explicit_method = true,
      .create = [](const Values&) -> std::unique_ptr<Integrator> {
        return std::make_unique<RungeKutta4>();
      }};
  return info;
}

}  // namespace twosphere
