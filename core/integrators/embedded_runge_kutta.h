// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "core/integrators/explicit_runge_kutta.h"

namespace twosphere {

/// Two Runge-Kutta methods of orders p > p̂ with the same s stages.
struct EmbeddedPair {
  Tableau tableau;            ///< b is that of order p, the solution
  std::vector<double> error;  ///< e = b − b̂
  double order;               ///< p̂ + 1, that of the error of a step
  /// b_i(θ) = Σ_k interpolant[i][k] θ^{k+1}, the solution within a step, whose last stage is then
  /// the first of the next one. Empty: a sample is a step of the missing length.
  std::vector<std::array<double, 4>> interpolant{};
};

class StageDerivative;

/// Adaptive Runge-Kutta method on y = (q, x) in one of the four formulations, with the step control
/// of MATLAB's ode45 (Shampine, Reichelt 1997). No projection, so |q| drifts.
///
/// Notation: k_i stages, η inner step [s], r and s relative and absolute tolerance, p̂ + 1 the order
/// of the error of a step. The step h of the lane only sets the output times.
///
///   err = |η| max_i |Σ_j e_j k_j,i| / max(|y_i|, |y_new,i|, s/r), accepted if err ≤ r
///
///   next η = η min(5, 0.8 (r/err)^{1/(p̂+1)}) after an accepted step, η right after a rejection;
///   η max(0.1, 0.8 (r/err)^{1/(p̂+1)}) after a first failure, η/2 after a second in a row
///
///   first η = min(h, 1/ρ), ρ = max_i |F_i| / max(|y_i|, s/r) / (0.8 r^{1/(p̂+1)})
///
///   y(t + θη) = y + η Σ b_i(θ) k_i, or a step θη without error control
///
/// The maximum step T/10 of ode45 and its shortened last step are omitted: the end is found like
/// every sample. Work is integrated with the same quadrature, outside the error control. When the
/// direction of time changes, the method restarts from the current state. Fails with step_too_small
/// if η falls below 16 roundings of t, too_many_steps after 100 000 inner steps within one h; the
/// last sample and the method are then unchanged. Tests: the papers' numbers, plain steps against
/// another implementation, exact restart, drift.
class EmbeddedRungeKutta final : public Integrator, private TangentMap {
 public:
  EmbeddedRungeKutta(const EmbeddedPair& pair, const Values& values);

  void prepare(const System& system, const State& state) override;
  StepReport advance(const System& system, double h, State& state) override;
  void complete(const System& system, State& state) override;
  void save_state(IntegratorState& memory) const override;
  bool load_state(const IntegratorState& memory) override;
  TangentMap* stage_derivative(const System& system) override;

 private:
  /// One inner step η from (t, y) to y_end, its stages, and the step proposed for the next one.
  struct Inner {
    double t = 0, eta = 0, next = 0;
    double work = 0;  // done up to t since the method began
    Columns q, x, q_end, x_end;
    std::vector<Columns> dq, dx;
    std::vector<double> power;

    double end() const { return t + eta; }
    /// Visits every array, always in the same order.
    template <class Self, class Visit>
    static void each(Self& self, Visit visit) {
      for (auto* c : {&self.q, &self.x, &self.q_end, &self.x_end}) visit(*c);
      for (auto* list : {&self.dq, &self.dx})
        for (auto& c : *list) visit(c);
    }
  };

  StepReport advance(const System& system, double h, State& state,
                     std::span<TangentVector> vectors) override;
  StepReport take(const System& system, double h, State& state, StageDerivative* along);
  std::size_t stages() const { return pair_.tableau.c.size(); }
  bool interpolates() const { return !pair_.interpolant.empty(); }
  double weight(std::size_t stage, double theta) const;
  void start(const System& system, double h, const State& state);
  double worst(const Columns& x, const Columns& from, const Columns& to) const;
  StepStatus evaluate(const System& system, double eta, Inner& inner);
  bool step(const System& system, StepReport& report);
  StepStatus sample(const System& system, double target, State& state);

  const EmbeddedPair& pair_;
  double relative_, threshold_;
  Formulation formulation_;
  std::unique_ptr<EquationsOfMotion> equations_;
  Inner now_, trial_, kept_;
  bool started_ = false;
  Columns sampled_;          // x at the last sample
  double sampled_work_ = 0;  // up to there
  Columns dq_, dx_;
};

/// The parameters of these methods, with the default tolerances.
std::vector<ParameterInfo> embedded_parameters(double relative, double absolute);

}  // namespace twosphere
