// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <memory>
#include <string_view>

#include "core/integrators/first_order_composition.h"
#include "core/integrators/step_checks.h"
#include "core/mechanics/attitude.h"
#include "core/mechanics/first_order.h"
#include "core/mechanics/integrator.h"

namespace twosphere {

/// What explicit methods of systems of first order share that keep |q| by turning each body, with
/// nothing to remember between steps: they find the next directions, and the work.
class TurningMethod : public Integrator {
 public:
  void prepare(const System& system, const State& state) override {
    damping_ = damped(system) ? system.damping() : Eigen::VectorXd::Zero(state.q.cols());
    for (Columns* c : {&next_, &f_, &turn_}) c->setZero(3, state.q.cols());
  }

  StepReport advance(const System& system, double h, State& state) final {
    StepReport report;
    step(system, h, state, report.work);
    check_step_finite(report, next_);
    if (!std::isfinite(report.work)) report.status = StepStatus::not_finite;
    if (!report.ok()) return report;
    state.q.swap(next_);
    if (!state.has_attitude()) return report;
    for (Eigen::Index i = 0; i < state.q.cols(); ++i)
      state.x.col(2 * i) = turned(h, i, state.x.col(2 * i));
    settle_attitude(state.q, state.x);
    return report;
  }

  void complete(const System& system, State& state) final {
    complete_first_order(system, state.t, state);
  }

 protected:
  /// x as the step turns body i.
  virtual Vec3 turned(double h, Eigen::Index i, const Vec3& x) const = 0;
  /// Writes next_, and the work of f and of damping.
  virtual void step(const System& system, double h, const State& state, double& work) = 0;

  /// Σ f·v − c |v|², the power at velocities v of one body.
  double power(const System& system, Eigen::Index i, const Vec3& v) const {
    const double lost = damping_[i] * v.squaredNorm();
    return system.has_external_force() ? f_.col(i).dot(v) - lost : -lost;
  }

  Eigen::VectorXd damping_;  // zeros without damping
  Columns next_, f_, turn_;  // the next q, f and Ω of a stage
};

/// The record of such a method, of two stages and order 2.
template <class Method>
IntegratorInfo turning_record(std::string_view key, std::string_view title,
                              std::string_view description, std::string_view formula,
                              std::string_view reference) {
  return {.key = key,
          .title = title,
          .description = description,
          .formula = formula,
          .reference = reference,
          .order = 2,
          .explicit_method = true,
          .keeps_sphere = true,
          .applies = without_inertia,
          .needs = needs_first_order,
          .takes = {.first_order = true},
          .create = [](const Values&) -> std::unique_ptr<Integrator> {
            return std::make_unique<Method>();
          }};
}

}  // namespace twosphere
