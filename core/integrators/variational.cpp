// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/integrators/variational.h"

namespace twosphere {

namespace {

/// The variational integrator in the form that the structure of M asks for.
class Variational final : public Integrator {
 public:
  void prepare(const System& system, const State& state) override {
    method_ =
        std::visit([](const auto& inertia) { return make_variational(inertia); }, system.inertia());
    method_->prepare(system, state);
  }
  StepReport advance(const System& system, double h, State& state) override {
    return method_->advance(system, h, state);
  }
  void complete(const System& system, State& state) override { method_->complete(system, state); }
  Memory memory() const override { return method_->memory(); }
  bool restore(const Memory& memory) override { return method_->restore(memory); }

 private:
  std::unique_ptr<Integrator> method_;
};

}  // namespace

const IntegratorInfo& variational() {
  static const IntegratorInfo info{
      .key = "variational",
      .title = "Variational (VI)",
      .description =
          "The papers' Lie group variational integrator: symplectic, reversible, on the "
          "sphere to rounding.",
      .formula = "Σⱼ Mᵢⱼ Δqⱼ = h pᵢ − ½h² ∂V/∂qᵢ + λᵢ qᵢ,  |qᵢ + Δqᵢ| = 1",
      .reference = "Lee, Leok, McClamroch 2009, (3.10)-(3.18)",
      .order = 2,
      .explicit_method = false,
      .symplectic = true,
      .reversible = true,
      .keeps_sphere = true,
      .create = [](const Values&) -> std::unique_ptr<Integrator> {
        return std::make_unique<Variational>();
      }};
  return info;
}

}  // namespace twosphere
