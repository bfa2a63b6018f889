// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "core/dynamics.h"
#include "core/integrator.h"

namespace twosphere {

/// The coefficients of an explicit method with s stages: k_i = F(t + c_i h, y + h Σ_{j<i} a_ij
/// k_j), y ← y + h Σ b_i k_i.
struct Tableau {
  std::vector<double> c;
  std::vector<std::vector<double>> a;  ///< row i holds a_i1 … a_i,i−1
  std::vector<double> b;
};

/// A Runge-Kutta method of fixed step on y = (q, ω), equations [P1] (2.10)-(2.11). It does not know
/// the sphere: |q| drifts from 1, unless it is told to project, q ← q/|q| after each step. Not
/// symplectic, not reversible.
///
/// The work of external forces is the same quadrature of their power. Cost: s evaluations per step.
/// Fails with not_finite if a value overflows; the state is then unchanged.
class ExplicitRungeKutta final : public Integrator {
 public:
  explicit ExplicitRungeKutta(const Tableau& tableau, bool project = false)
      : tableau_(tableau), project_(project) {}

  void prepare(const System& system, const State& state) override;
  StepReport advance(const System& system, double h, State& state) override;

 private:
  const Tableau& tableau_;
  bool project_;
  std::unique_ptr<EquationsOfMotion> equations_;
  Columns q_, w_;
  std::vector<Columns> dq_, dw_;
};

}  // namespace twosphere
