// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "core/integrators/compositions.h"
#include "core/integrators/midpoint_step.h"
#include "core/mechanics/first_order.h"
#include "core/mechanics/integrator.h"

namespace twosphere {

namespace {

/// The spherical midpoint method for systems of first order and its symmetric compositions
///
///   Ψ_h = Φ_{γ_s h} ∘ … ∘ Φ_{γ_1 h},  γ_{s+1−i} = γ_i,  Σ γ_i = 1
///
/// with Φ_h the step of MidpointStep. Symmetric; without damping symplectic for Σ κ_i q_i·(δq_i ×
/// δ'q_i); keeps |q_i| and, where the forces conserve it, Σ κ_i q_i. Directions are sums q + e of
/// two parts; State.q is q, rounded, and e is kept. If a stage fails, the whole step is undone.
class SphericalMidpoint final : public Integrator, private TangentMap {
 public:
  explicit SphericalMidpoint(std::span<const double> gamma) : gamma_(gamma) {}

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
    first_order_velocity(system, state.t, state.q, state.w);
  }

  TangentMap* tangent_map(const System& /*system*/) override { return this; }

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
      first_order_velocity(system, state.t + h, state.q, state.w);
    else
      std::copy(kept_.begin(), kept_.end(), vectors.begin());
    return report;
  }

  StepReport stages(const System& system, double h, State& state,
                    std::span<TangentVector> vectors) {
    q_ = state.q;
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
    }
    state.q.swap(q_);
    e_start_.swap(e_);
    return all;
  }

  std::span<const double> gamma_;
  MidpointStep step_;
  Columns q_, e_, e_start_;
  std::vector<TangentVector> kept_;  // at the beginning of the step
};

constexpr std::array<double, 1> once{1};

bool without_inertia(const Inertia& inertia) { return std::holds_alternative<NoInertia>(inertia); }

template <const auto& gamma>
IntegratorInfo record_of(std::string_view key, std::string_view title, std::string_view description,
                         std::string_view formula, std::string_view reference, int order) {
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
          .needs = "a system of first order (no kinetic energy)",
          .takes = {.first_order = true},
          .create = [](const Values&) -> std::unique_ptr<Integrator> {
            return std::make_unique<SphericalMidpoint>(gamma);
          }};
}

constexpr std::string_view of_stages = "Ψ_h = Φ_{γₛh} ∘ … ∘ Φ_{γ₁h}";

}  // namespace

const IntegratorInfo& spherical_midpoint() {
  static const IntegratorInfo record = record_of<once>(
      "spherical_midpoint", "Spherical midpoint",
      "The symplectic midpoint method on spheres, for systems of first order: reversible, and "
      "keeps |q| and Σ κ q to rounding.",
      "q₊ − q = h ω(m) × m,  m = (q + q₊)/|q + q₊|",
      "McLachlan, Modin, Verdier, Phys. Rev. E 89 (2014) 061301", 2);
  return record;
}

const IntegratorInfo& spherical_midpoint4() {
  static const IntegratorInfo record = record_of<suzuki4>(
      "spherical_midpoint4", "Spherical midpoint, order 4",
      "Suzuki's composition of five steps of the spherical midpoint method, for systems of first "
      "order.",
      of_stages, "Suzuki 1990; McLachlan, Modin, Verdier 2014", 4);
  return record;
}

const IntegratorInfo& spherical_midpoint6() {
  static const IntegratorInfo record = record_of<kahan_li6>(
      "spherical_midpoint6", "Spherical midpoint, order 6",
      "Kahan and Li's composition of nine steps of the spherical midpoint method, for systems of "
      "first order.",
      of_stages, "Kahan, Li 1997; McLachlan, Modin, Verdier 2014", 6);
  return record;
}

const IntegratorInfo& spherical_midpoint8() {
  static const IntegratorInfo record = record_of<kahan_li8>(
      "spherical_midpoint8", "Spherical midpoint, order 8",
      "Kahan and Li's composition of seventeen steps of the spherical midpoint method, for systems "
      "of first order.",
      of_stages, "Kahan, Li 1997; McLachlan, Modin, Verdier 2014", 8);
  return record;
}

}  // namespace twosphere
