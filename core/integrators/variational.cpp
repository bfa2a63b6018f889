// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/integrators/variational.h"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "core/base/interrupt.h"
#include "core/integrators/compositions.h"
#include "core/integrators/reversible_steps.h"
#include "core/integrators/step_tangent.h"
#include "core/mechanics/linear_terms.h"

namespace twosphere {

namespace {

/// The variational integrator, in the form that suits the structure of M, and its symmetric
/// compositions
///
///   Ψ_h = Φ_{γ_s h} ∘ … ∘ Φ_{γ_1 h},  γ_{s+1−i} = γ_i,  Σ γ_i = 1
///
/// Without damping Φ_h is the VI: kick, drift, kick. With damping −c_i q̇_i the kicks, which are
/// the flow of p' = −Π G at fixed q, are replaced by the exact flow A of p' = −Π (C q̇ + G), see
/// Damping:
///
///   Φ_h = A_{h/2} ∘ D_h ∘ A_{h/2},  D_h: (q, p) → (q', p') with
///   Σ_j M_ij Δq_j = h p_i + λ_i q_i,  p_i' = Π_i' [p_i + λ_i q_i/h]
///
/// where adjacent flows are combined into one. For c → 0 this is the VI. If s c/M is large, A leads
/// to the terminal velocity −ΠG/c, so that overdamped motion is correct for any step in which the
/// displacement is small: its relative error is h/2τ, with the relaxation time τ = c/|∂²V|.
/// Splitting off the damping alone would move the bodies by (h²/2M) G in every step instead of h
/// G/c. Forces that depend on velocities in other ways belong to A, too, see VelocityFlow.
///
/// Symmetric and, without damping, symplectic; in axes that rotate, too, see FrameTurn. If a stage
/// fails, the whole step is undone. Terms Σ A_i(q)·q̇_i of the Lagrangian belong to D, in the form
/// for m(q). The tangent map is that of the stages, see StepTangent; with damping only for
/// uncoupled bodies, and none with other forces that depend on velocities.
class Variational final : public InnerMethod, private TangentMap {
 public:
  /// Makes the steps Φ of a system with this inertia.
  using Maker = std::unique_ptr<VariationalMethod> (*)(const Inertia&);
  static std::unique_ptr<VariationalMethod> by_structure(const Inertia& inertia) {
    return std::visit([](const auto& of_kind) { return make_variational(of_kind); }, inertia);
  }

  explicit Variational(std::span<const double> gamma, Maker make = by_structure)
      : gamma_(gamma), make_(make) {}

  void prepare(const System& system, const State& state) override {
    // The form for this inertia, and its copy at the beginning of a step.
    method_ = (has_gyroscopic(system) ? make_gyroscopic_variational : make_)(system.inertia());
    method_->prepare(system, state);
    start_ = method_->clone();
    damping_.emplace(system);
    tangent_.reset();
    begun_ = state;
  }

  StepReport advance(const System& system, double h, State& state) override {
    if (system.time_dependent()) method_->refresh(system, state);
    // A single stage without flows undoes itself if it fails.
    if (gamma_.size() == 1 && !velocity_dependent(system))
      return method_->advance(system, h, state);
    return stages(system, h, state, {});
  }

  std::int64_t advance_many(const System& system, double h, std::int64_t count,
                            State& state) override {
    if (gamma_.size() > 1 || system.time_dependent() || velocity_dependent(system)) return 0;
    return method_->advance_many(system, h, count, state);
  }

  std::size_t width(const System& system) const override {
    return velocity_dependent(system) ? 1 : method_->width(system);
  }
  std::int64_t advance_together(const System& system, double h, std::int64_t count,
                                std::span<const Integrator::Member> members) override {
    std::vector<VariationalMethod::Member> methods;
    for (const Integrator::Member& member : members)
      methods.push_back({method_of(*member.integrator), member.state});
    return method_->advance_together(system, gamma_, h, count, methods);
  }

  TangentMap* tangent_map(const System& system) override {
    if (system.has_velocity_force() || system.free_base() || system.force_tolerance() > 0)
      return nullptr;
    const bool uncoupled = std::holds_alternative<DiagonalInertia>(system.inertia());
    return uncoupled || !damped(system) ? this : nullptr;
  }

  void complete(const System& system, State& state) override { method_->complete(system, state); }
  void save_state(IntegratorState& memory) const override { method_->save_state(memory); }
  bool load_state(const IntegratorState& memory) override { return method_->load_state(memory); }
  void assign(const InnerMethod& other) override {
    method_->assign(*static_cast<const Variational&>(other).method_);
  }

 private:
  /// The derivatives of the parts of a step.
  struct Tangent {
    explicit Tangent(const System& system)
        : step(make_step_tangent(system)), kick(system.size()), g(3, system.size()), f(g) {}
    std::unique_ptr<StepTangent> step;
    KickTangent kick;
    Columns g, f;
    State from, to;  // with ω completed
  };

  StepReport advance(const System& system, double h, State& state,
                     std::span<TangentVector> vectors) override {
    if (system.time_dependent()) method_->refresh(system, state);
    if (!tangent_) tangent_.emplace(system);
    // The vectors at the beginning, for a step that fails.
    kept_.assign(vectors.begin(), vectors.end());
    const StepReport report = stages(system, h, state, vectors);
    if (report.ok())
      method_->complete(system, state);
    else
      std::copy(kept_.begin(), kept_.end(), vectors.begin());
    return report;
  }

  bool stretches(const System& system) const override {
    return !velocity_dependent(system) && !system.time_dependent() && !has_gyroscopic(system);
  }
  std::size_t followed_width(const System& system) const override {
    return velocity_dependent(system) ? 1 : method_->followed_width(system);
  }
  std::int64_t advance_followed(const System& system, double h, std::int64_t count,
                                std::span<const FollowedMember> members) override {
    std::vector<VariationalMethod::Member> methods;
    for (const FollowedMember& member : members)
      methods.push_back({method_of(*member.integrator), member.state, &member});
    const std::int64_t taken = method_->advance_together(system, gamma_, h, count, methods);
    if (taken == 0) return 0;
    for (const FollowedMember& member : members)
      method_of(*member.integrator)->complete(system, *member.state);
    return taken;
  }
  static VariationalMethod* method_of(Integrator& of) {
    return static_cast<Variational&>(of).method_.get();
  }

  /// The stages of a step, which carry tangent vectors along, if there are any.
  StepReport stages(const System& system, double h, State& state,
                    std::span<TangentVector> vectors) {
    const bool flows = velocity_dependent(system);
    const double begun = state.t;
    // Checkpoint for a failed stage.
    start_->assign(*method_);
    begun_ = state;
    StepReport total;
    double passed = 0, before = 0;
    for (std::size_t i = 0; i < gamma_.size(); ++i) {
      // Stage γ_i h.
      const double part = gamma_[i] * h;
      state.t = begun + passed * h;
      StepReport stage;
      if (flows) {
        // Adjacent flows A_{γ_{i−1}h/2} and A_{γ_i h/2} combined into one.
        carry_flow(system, (before + part) / 2, state, vectors);
        stage.status = method_->flow(system, *damping_, (before + part) / 2, state, total.work);
        // Drift D_{γ_i h}.
        begin_stage(system, state, vectors);
        if (stage.ok()) stage = method_->drift(system, part, state);
        if (stage.ok()) end_stage(system, part, 0, state, vectors);
        // Last flow A_{γ_s h/2}.
        if (stage.ok() && i + 1 == gamma_.size()) {
          state.t = begun + h;
          carry_flow(system, part / 2, state, vectors);
          stage.status = method_->flow(system, *damping_, part / 2, state, total.work);
        }
        before = part;
      } else {
        // Kick, drift and kick.
        begin_stage(system, state, vectors);
        stage = method_->advance(system, part, state);
        if (stage.ok()) end_stage(system, part, part / 2, state, vectors);
      }
      // Totals over the stages.
      total.status = stage.status;
      total.iterations += stage.iterations;
      total.residual = std::max(total.residual, stage.residual);
      total.body = stage.body;
      total.work += stage.work;
      if (!stage.ok()) {
        // A failed stage undoes the whole step.
        method_->assign(*start_);
        state = begun_;
        total.residual = stage.residual;
        total.work = 0;
        break;
      }
      passed += gamma_[i];
    }
    state.t = begun;
    return total;
  }

  /// The state before a kick, drift and kick, or a drift alone.
  void begin_stage(const System& system, const State& state, std::span<TangentVector> vectors) {
    if (vectors.empty()) return;
    tangent_->from = state;
    method_->complete(system, tangent_->from);
  }
  /// Carries the vectors over the stage from there.
  void end_stage(const System& system, double h, double kick, const State& state,
                 std::span<TangentVector> vectors) {
    if (vectors.empty()) return;
    tangent_->to = state;
    tangent_->to.t = tangent_->from.t + h;
    method_->complete(system, tangent_->to);
    tangent_->step->carry(system, h, kick, tangent_->from, tangent_->to, vectors);
  }
  /// Carries the vectors over a flow of damping, potential and forces that begins here.
  void carry_flow(const System& system, double s, const State& state,
                  std::span<TangentVector> vectors) {
    if (vectors.empty()) return;
    generalised_gradient(system, state.t, state.q, tangent_->g, tangent_->f);
    tangent_->kick.carry(system, state.t, state.q, tangent_->g, s, vectors);
  }

  std::span<const double> gamma_;
  Maker make_;
  std::unique_ptr<VariationalMethod> method_, start_;
  std::optional<Damping> damping_;
  std::optional<Tangent> tangent_;
  std::vector<TangentVector> kept_;  // at the beginning of the step
  State begun_;                      // at the beginning of the step
};

std::unique_ptr<Integrator> make_single_step() {
  return std::make_unique<Variational>(single_step);
}

template <auto& gamma>
std::unique_ptr<Integrator> composition_of(const Values& /*values*/) {
  return std::make_unique<Variational>(gamma);
}

/// The record of the composition with the stages γ.
template <auto& gamma>
IntegratorInfo composition_info(std::string_view key, std::string_view title,
                                std::string_view description, std::string_view formula,
                                std::string_view reference, int order, const Look& look = {}) {
  return {.key = key,
          .title = title,
          .description = description,
          .formula = formula,
          .reference = reference,
          .order = order,
          .explicit_method = false,
          .symplectic = true,
          .reversible = true,
          .keeps_sphere = true,
          .modified_energy = gamma.size() == 1 ? ModifiedForm::variational : ModifiedForm::none,
          .action = order <= 4 ? DiscreteAction{gamma, {}, make_single_step} : DiscreteAction{},
          .takes = {.frame_rotation = true, .free_base = true, .gyroscopic = true},
          .look = look,
          .create = composition_of<gamma>};
}

constexpr std::string_view composed = "Ψ_h = Φ_{γₛh} ∘ … ∘ Φ_{γ₁h}";

}  // namespace

std::unique_ptr<VariationalMethod> make_variational(const NoInertia&) { return nullptr; }

const IntegratorInfo& variational() {
  static const IntegratorInfo record = composition_info<single_step>(
      "variational", "Variational (VI)",
      "The papers' Lie group variational integrator: symplectic, reversible, on the sphere to "
      "rounding.",
      "Σⱼ Mᵢⱼ Δqⱼ = h pᵢ − ½h² ∂V/∂qᵢ + λᵢ qᵢ,  |qᵢ + Δqᵢ| = 1",
      "Lee, Leok, McClamroch 2009, (3.10)-(3.18)", 2,
      {{0x56b4e9}, {0x0072b2}, {0xff6b61}, {0xd62017}, Dash::solid, Marker::circle});
  return record;
}

const IntegratorInfo& variational4() {
  static const IntegratorInfo record = composition_info<suzuki4>(
      "variational4", "Variational, order 4",
      "Suzuki's composition of five steps of the VI: symplectic, reversible, on the sphere.",
      composed, "Suzuki 1990; Hairer, Lubich, Wanner, Geometric Numerical Integration, V.3.2", 4,
      {{0x86caf0}, {0x005a8e}, {0xff9a8f}, {0xa8130c}, Dash::solid, Marker::square});
  return record;
}

const IntegratorInfo& variational6() {
  static const IntegratorInfo record = composition_info<kahan_li6>(
      "variational6", "Variational, order 6",
      "Kahan and Li's composition of nine steps of the VI: symplectic, reversible, on the sphere.",
      composed, "Kahan, Li 1997; Hairer, Lubich, Wanner, Geometric Numerical Integration, V.3.2", 6,
      {{0xaddcf5}, {0x00446b}, {0xffbdb4}, {0x7f0b06}, Dash::solid, Marker::triangle});
  return record;
}

const IntegratorInfo& variational8() {
  static const IntegratorInfo record = composition_info<kahan_li8>(
      "variational8", "Variational, order 8",
      "Kahan and Li's composition of seventeen steps of the VI: symplectic, reversible, on the "
      "sphere.",
      composed, "Kahan, Li 1997; Hairer, Lubich, Wanner, Geometric Numerical Integration, V.3.2", 8,
      {{0xd0ebfa}, {0x003050}, {0xffdcd6}, {0x570502}, Dash::solid, Marker::diamond});
  return record;
}

const IntegratorInfo& rattle() {
  static const IntegratorInfo record = [] {
    IntegratorInfo made = composition_info<single_step>(
        "rattle", "RATTLE",
        "The VI as codes of molecular dynamics solve it, with multipliers of |q| = 1 in Cartesian "
        "coordinates and no projection: the same map as `variational`.",
        "Σⱼ Mᵢⱼ (uⱼ − vⱼ) = λᵢ qᵢ − ½h ∂V/∂qᵢ,  |qᵢ + h uᵢ| = 1,  then vᵢ ⟂ qᵢ",
        "Ryckaert, Ciccotti, Berendsen 1977; Andersen 1983", 2);
    made.create = [](const Values&) -> std::unique_ptr<Integrator> {
      return std::make_unique<Variational>(single_step, make_rattle);
    };
    made.applies = [](const Inertia& inertia) {
      return !std::holds_alternative<VariableInertia>(inertia);
    };
    made.needs = "a constant inertia";
    made.takes.free_base = made.takes.gyroscopic = false;
    return made;
  }();
  return record;
}

const IntegratorInfo& variational_adaptive() {
  static const IntegratorInfo record{
      .key = "variational_adaptive",
      .title = "Variational, adaptive",
      .description =
          "The VI with inner steps whose length follows the motion: reversible, on the sphere, not "
          "symplectic.",
      .formula = ReversibleSteps::formula,
      .reference = "Hairer, Söderlind 2005; Lee, Leok, McClamroch 2009, (3.10)-(3.18)",
      .order = 2,
      .explicit_method = false,
      .adaptive = true,
      .reversible = true,
      .keeps_sphere = true,
      .parameters = {ReversibleSteps::first_step()},
      .look = {{0x7fd6e8}, {0x006b80}, {0xff8f7a}, {0xb8321f}, Dash::long_dash, Marker::circle},
      .create = [](const Values& values) -> std::unique_ptr<Integrator> {
        return std::make_unique<ReversibleSteps>(values, []() -> std::unique_ptr<InnerMethod> {
          return std::make_unique<Variational>(single_step);
        });
      }};
  return record;
}

bool LengthIteration::ends(double scale, StepReport& report) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const double floor = 16 * epsilon * scale, worst = std::bit_cast<double>(worst_);
  // Largest residual and its body.
  report.iterations = iteration_;
  report.residual = worst;
  report.body = static_cast<int>(worst_body_);
  // No number, or interrupted.
  if (!std::isfinite(worst) || interrupted()) {
    report.status = interrupted() ? StepStatus::interrupted : StepStatus::not_finite;
    return true;
  }
  // Converged: below ε, or twice in a row below 16 ε times the scale.
  const bool found =
      iteration_ >= min_ && (worst <= epsilon || (before_ <= floor && worst <= floor));
  if (found || iteration_ == max_ || (iteration_ > min_ && worst > 2 * before_)) {
    report.status = found ? StepStatus::ok : StepStatus::not_converged;
    // A quarter turn or more: the root found may be a wrong one.
    if (turned_ <= -1) {
      report.status = StepStatus::step_too_large;
      report.body = static_cast<int>(turned_body_);
    }
    return true;
  }
  // Next iterate.
  ++iteration_;
  before_ = worst;
  worst_ = 0;
  turned_ = 0;
  return false;
}

}  // namespace twosphere
