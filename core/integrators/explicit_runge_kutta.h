// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/integrators/tableau.h"
#include "core/mechanics/dynamics.h"
#include "core/mechanics/integrator.h"

namespace twosphere {

/// A Runge-Kutta method with fixed step on y = (q, x) in one of the four formulations of the
/// equations of motion. It does not preserve the sphere: |q| drifts from 1 unless `project` is set,
/// which adds q ← q/|q| after each step. Neither symplectic nor reversible.
///
/// The work of external forces and damping is the same quadrature of their power. Cost: s
/// evaluations per step. Fails with not_finite if a value overflows; the state is then unchanged.
class ExplicitRungeKutta final : public Integrator, private TangentMap {
 public:
  ExplicitRungeKutta(const Tableau& tableau, const Values& values, bool project = false);

  void prepare(const System& system, const State& state) override;
  StepReport advance(const System& system, double h, State& state) override;
  void complete(const System& system, State& state) override;
  void save_state(IntegratorState& memory) const override;
  bool load_state(const IntegratorState& memory) override;
  TangentMap* stage_derivative(const System& system) override;

 private:
  StepReport advance(const System& system, double h, State& state,
                     std::span<TangentVector> vectors) override;

  const Tableau& tableau_;
  Formulation formulation_;
  bool project_;
  std::unique_ptr<EquationsOfMotion> equations_;
  Columns x_;  // of the present state
  Columns q_next_, x_next_;
  std::vector<Columns> dq_, dx_;
};

/// The explicit midpoint and trapezoidal rules, of order 2.
const Tableau& midpoint();
const Tableau& trapezoid();

/// The parameter "formulation" of every Runge-Kutta method.
ParameterInfo formulation_parameter();
Formulation formulation(const Values& values);

}  // namespace twosphere
