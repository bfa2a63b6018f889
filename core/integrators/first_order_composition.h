// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "core/integrators/compositions.h"
#include "core/mechanics/attitude.h"
#include "core/mechanics/first_order.h"
#include "core/mechanics/integrator.h"

namespace twosphere {

/// A symmetric composition of steps of a system of first order,
///
///   Ψ_h = Φ_{γ_s h} ∘ … ∘ Φ_{γ_1 h},  γ_{s+1−i} = γ_i,  Σ γ_i = 1,
///
/// of directions that are sums q + e of two parts, see core/integrators/compensated_direction.h.
/// State.q is q, rounded, and e is kept. If a stage fails, the whole step is undone.
///
/// A Step has prepare(system), which allocates its memory, and take(system, t, h, q, e, vectors),
/// which takes Φ_h and, if it is `differentiable`, its derivative of the vectors' δq, if it
/// `stretches` that by h, too; δω stays as it is. After a step that fails q, e and vectors are
/// undefined. One that can carry an attitude has turned(h, i, x): x as Φ_h, taken last, turned body
/// i.
template <class Step>
class FirstOrderComposition final : public Integrator, private TangentMap {
 public:
  explicit FirstOrderComposition(std::span<const double> gamma) : gamma_(gamma) {}

  void prepare(const System& system, const State& state) override {
    q_.resize(3, state.q.cols());
    e_.resize(3, state.q.cols());
    e_start_.setZero(3, state.q.cols());
    step_.prepare(system);
  }

  StepReport advance(const System& system, double h, State& state) override {
    return stages(system, h, state, {});
  }

  void complete(const System& system, State& state) override {
    complete_first_order(system, state.t, state);
  }

  TangentMap* tangent_map(const System& system) override {
    const bool exists =
        Step::differentiable && system.force_tolerance() == 0 && !system.heat_bath();
    return exists ? this : nullptr;
  }

  void save_state(IntegratorState& memory) const override {
    write_entry(memory, 0, "compensation", flat(e_start_));
  }
  bool load_state(const IntegratorState& memory) override {
    return read_entries(memory, {{"compensation", flat(e_start_)}});
  }

 private:
  StepReport advance(const System& system, double h, State& state,
                     std::span<TangentVector> vectors) override {
    kept_.assign(vectors.begin(), vectors.end());
    const StepReport report = stages(system, h, state, vectors);
    if (report.ok())
      complete_first_order(system, state.t + h, state);
    else
      std::copy(kept_.begin(), kept_.end(), vectors.begin());
    return report;
  }

  bool stretches(const System& system) const override {
    return Step::stretches && !system.time_dependent();
  }

  StepReport stages(const System& system, double h, State& state,
                    std::span<TangentVector> vectors) {
    q_ = state.q;
    x_ = state.x;
    e_ = e_start_;
    StepReport all;
    double passed = 0;
    for (const double gamma : gamma_) {
      const StepReport one = step_.take(system, state.t + passed * h, gamma * h, q_, e_, vectors);
      all.iterations = std::max(all.iterations, one.iterations);
      all.sweeps = std::max(all.sweeps, one.sweeps);
      all.status = one.status;
      all.body = one.body;
      if (!one.ok()) return all;
      all.work += one.work;
      passed += gamma;
      carry(gamma * h);
    }
    state.q.swap(q_);
    state.x.swap(x_);
    e_start_.swap(e_);
    return all;
  }

  /// Turns an attitude with the bodies.
  void carry(double h) {
    if constexpr (requires(Vec3 a) { step_.turned(h, 0, a); }) {
      if (x_.cols() == 0) return;
      for (Eigen::Index i = 0; i < q_.cols(); ++i)
        x_.col(2 * i) = step_.turned(h, i, x_.col(2 * i));
      settle_attitude(q_, x_);
    }
  }

  std::span<const double> gamma_;
  Step step_;
  Columns q_, x_, e_, e_start_;
  std::vector<TangentVector> kept_;  // at the beginning of the step
};

/// Systems of first order, for IntegratorInfo::applies.
inline bool without_inertia(const Inertia& inertia) {
  return std::holds_alternative<NoInertia>(inertia);
}
inline constexpr std::string_view needs_first_order = "a system of first order (no kinetic energy)";

/// For IntegratorInfo::create.
template <class Step, const auto& gamma = single_step>
std::unique_ptr<Integrator> composition_of(const Values& /*values*/) {
  return std::make_unique<FirstOrderComposition<Step>>(gamma);
}

/// The record of a symplectic step and of its compositions.
template <class Step, const auto& gamma>
IntegratorInfo composition_record(std::string_view key, std::string_view title,
                                  std::string_view description, std::string_view formula,
                                  std::string_view reference, int order) {
  return {.key = key,
          .title = title,
          .description = description,
          .formula = formula,
          .reference = reference,
          .order = order,
          .symplectic = true,
          .reversible = true,
          .keeps_sphere = true,
          .applies = without_inertia,
          .needs = needs_first_order,
          .takes = {.first_order = true},
          .create = composition_of<Step, gamma>};
}

}  // namespace twosphere
