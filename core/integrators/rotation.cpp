// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/rotation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/base/interrupt.h"
#include "core/integrators/compositions.h"
#include "core/integrators/damping.h"
#include "core/integrators/reversible_steps.h"
#include "core/integrators/step_checks.h"
#include "core/integrators/step_tangent.h"
#include "core/integrators/strength_drift.h"
#include "core/integrators/velocity_flow.h"
#include "core/mechanics/ensemble.h"
#include "core/mechanics/linear_terms.h"

namespace twosphere {

namespace {

/// Kicks b_1 … b_{s+1} and rotations a_1 … a_s, both symmetric with sum 1.
struct Splitting {
  std::span<const double> kicks, rotations;
};

/// Splitting of T and V for uncoupled bodies: explicit, symplectic, reversible, with no limit on
/// the turn per step.
///
/// Notation: q ∈ S², ω ⟂ q [rad/s], M inertia [kg m²], G = ∂V/∂q − f, R(θ) the rotation by |θ|
/// about θ. Per body and for each i:
///
///   kick    ω ← ω − (b_i h/M) q × G(q)
///
///   rotate  q ← R(a_i h ω) q                        the exact flow of T, a great circle
///
/// and a last kick. Directions are sums q + e of two parts, e less than the last digit of q:
///
///   Δq = sin θ (ω/|ω|) × q − 2 sin²(θ/2) q,  θ = a_i h |ω|
///
/// is added without rounding and e takes up what q cannot hold, so that the positions of close
/// bodies relative to one another are as accurate as Δq. State.q is q, rounded; e is kept. With
/// damping c_i a kick is the exact flow of M ω̇ = −c ω − q × G, see DampedMode, and with other
/// forces that depend on velocities the flow of all, see VelocityFlow. The conditions for
/// order 4 hold for any splitting, but those of a Nyström splitting for order 6 do not, so that the
/// order is then 4. The work of f is taken in the kicks, f·(∫ω ds × q), by which it has at least
/// order 4 where the motion has. |q + e| = 1 and q·ω = 0 are maintained by corrections of rounding
/// size. With strengths, or in axes that rotate, the exact flow of T with both takes the place of
/// the rotation, see StrengthDrift; V still kicks momenta by a function of q alone, so that the
/// orders stay. Not the papers' integrator. Cost: as many gradients as rotations. Fails with
/// not_finite, and with damping_too_strong for a kick backwards in time. Tests: order,
/// reversibility, free great circle exact for any step, symplecticity, creeping, close orbits.
///
/// Its tangent map consists of those of kicks, see KickTangent, and rotations: with θ = s |ω|, c =
/// cos θ, σ = sin θ/|ω|
///
///   δq⁺ = c δq + σ (δω × q + ω × δq) − (ω·δω) [s σ q + (σ − s c)/|ω|² ω × q] + δs ω × q⁺
class Rotation final : public InnerMethod, private TangentMap {
 public:
  explicit Rotation(const Splitting& splitting) : splitting_(splitting) {}

  void prepare(const System& system, const State& state) override {
    const auto n = state.q.cols();
    for (Columns* c : {&q_, &w_, &e_, &g_, &g_start_, &before_}) c->resize(3, n);
    e_start_.setZero(3, n);
    f_.setZero(3, n);
    f_start_.setZero(3, n);
    generalised_gradient(system, state.t, state.q, e_start_, g_start_, f_start_);
    restored_ = false;
    kick_tangent_.reset();
    flow_.reset();
    if (system.has_velocity_force()) flow_.emplace(system);
    drift_.reset();
    if (has_linear_terms(system)) {
      drift_.emplace(system);
      before_w_.resize(3, n);
    }
    rotation_kernel::set_inertia(std::get<DiagonalInertia>(system.inertia()).m, 1, m_);
    slots_.clear(static_cast<std::size_t>(n));
  }

  StepReport advance(const System& system, double h, State& state) override {
    return step(system, h, state, {});
  }

  TangentMap* tangent_map(const System& system) override {
    return system.has_velocity_force() || system.force_tolerance() > 0 ? nullptr : this;
  }

  std::size_t width(const System& system) const override {
    const bool suits = system.has_gradient_together() && !system.has_external_force() &&
                       !velocity_dependent(system) && !has_linear_terms(system);
    return suits ? ensemble_members : 1;
  }
  std::int64_t advance_together(const System& system, double h, std::int64_t count,
                                std::span<const Member> members) override {
    thread_local Together workspace;
    return workspace.advance(system, splitting_, h, count, members);
  }

  void save_state(IntegratorState& memory) const override {
    write_entry(memory, 0, "compensation", flat(e_start_));
  }
  bool load_state(const IntegratorState& memory) override {
    if (!read_entries(memory, {{"compensation", flat(e_start_)}})) return false;
    restored_ = true;
    return true;
  }
  void assign(const InnerMethod& other) override {
    const auto& from = static_cast<const Rotation&>(other);
    e_start_ = from.e_start_;
    g_start_ = from.g_start_;
    f_start_ = from.f_start_;
    restored_ = from.restored_;
  }

 private:
  bool stretches(const System& system) const override {
    return !velocity_dependent(system) && !system.time_dependent();
  }

  /// Members of an ensemble on their way through a step.
  class Together {
   public:
    std::int64_t advance(const System& system, const Splitting& splitting, double h,
                         std::int64_t count, std::span<const Member> members) {
      const auto& m = std::get<DiagonalInertia>(system.inertia()).m;
      rotation_kernel::set_inertia(m, ensemble_members, m_);
      count_ = static_cast<std::size_t>(m.size()) * ensemble_members;
      begun_.clear(count_);
      now_.clear(count_);
      for (const Member& member : members)
        static_cast<Rotation&>(*member.integrator).refresh(system, *member.state);
      for_each_number(members, begun_, [](double& here, double& there) { there = here; });
      std::int64_t taken = 0;
      for (; taken < count && !(taken > 0 && interrupted()); ++taken) {
        now_.assign(begun_, count_);
        if (!step(system, splitting, h)) break;
        std::swap(begun_, now_);
      }
      for_each_number(members, begun_, [](double& here, double& there) { here = there; });
      return taken;
    }

   private:
    /// Whether all members have taken it.
    bool step(const System& system, const Splitting& splitting, double h) {
      rotation_kernel::correct_lengths(count_, now_);
      for (std::size_t i = 0; i < splitting.rotations.size(); ++i) {
        if (!rotation_kernel::kick_and_rotate(splitting.kicks[i] * h, splitting.rotations[i] * h,
                                              m_, count_, now_))
          return false;
        system.gradient_together_compensated(now_.q.data(), now_.e.data(), now_.g.data());
      }
      return rotation_kernel::last_kick(splitting.kicks.back() * h, m_, count_, now_);
    }

    /// Calls copy(number of a member, its place in `all`) for every slot.
    template <class Copy>
    static void for_each_number(std::span<const Member> members, rotation_kernel::Slots& all,
                                Copy copy) {
      for_each_slot(members, ensemble_members, [&](const Member& member, std::size_t slot) {
        State& state = *member.state;
        auto& method = static_cast<Rotation&>(*member.integrator);
        std::size_t place = slot;
        for (Eigen::Index k = 0; k < state.q.size(); ++k, place += ensemble_members) {
          copy(state.q.data()[k], all.q[place]);
          copy(state.w.data()[k], all.w[place]);
          copy(method.e_start_.data()[k], all.e[place]);
          copy(method.g_start_.data()[k], all.g[place]);
        }
      });
    }

    std::size_t count_ = 0;               // slots
    rotation_kernel::Slots begun_, now_;  // at the beginning of the step, and in it
    Aligned<double> m_;
  };

  StepReport advance(const System& system, double h, State& state,
                     std::span<TangentVector> vectors) override {
    if (!kick_tangent_) kick_tangent_.emplace(state.size());
    kept_.assign(vectors.begin(), vectors.end());
    const StepReport report = step(system, h, state, vectors);
    if (!report.ok()) std::copy(kept_.begin(), kept_.end(), vectors.begin());
    return report;
  }

  /// A step that carries tangent vectors along, if there are any.
  StepReport step(const System& system, double h, State& state, std::span<TangentVector> vectors) {
    const StepReport report = attempt(system, h, state, vectors);
    // The slots after the last body, which are at rest at 0, may have become not a number.
    if (!report.ok()) slots_.clear(static_cast<std::size_t>(state.q.cols()));
    return report;
  }

  StepReport attempt(const System& system, double h, State& state,
                     std::span<TangentVector> vectors) {
    const auto& m = std::get<DiagonalInertia>(system.inertia()).m;
    const Eigen::VectorXd& c = system.damping();
    StepReport report;
    // Damping that a kick backwards in time would amplify too much.
    if (damped(system))
      for (const double part : splitting_.kicks)
        if (!sound(m, c, part * h)) report.status = StepStatus::damping_too_strong;
    if (!report.ok()) return report;
    refresh(system, state);
    // Whether kicks depend on q alone, and are done with the rotations.
    const bool fused = !flow_ && !drift_ && c.size() == 0 && !system.has_external_force();
    put(state.q, slots_.q);
    put(e_start_, slots_.e);
    if (fused) put(state.w, slots_.w);
    // The rounding of small turns is corrected here, that of large ones at once.
    rotation_kernel::correct_lengths(static_cast<std::size_t>(q_.cols()), slots_);
    if (!fused || !vectors.empty()) {
      q_ = state.q;
      take(slots_.e, e_);
      w_ = state.w;
      g_ = g_start_;
      f_ = f_start_;
    }
    // Alternate kicks and rotations.
    double passed = 0;
    const Columns* g = &g_start_;
    for (std::size_t i = 0; i < splitting_.rotations.size(); ++i) {
      const double pull = splitting_.kicks[i] * h, turn = splitting_.rotations[i] * h;
      // Kick b_i h.
      if (!vectors.empty()) {
        kick_tangent_->carry(system, state.t + passed * h, q_, *g, pull, vectors);
        before_ = q_;
      }
      if (!fused) report.status = kick(system, state.t + passed * h, pull, report.work);
      if (!report.ok()) return report;
      // Rotation a_i h.
      const bool finite = drift_ ? drift(turn, vectors)
                          : fused
                              ? rotation_kernel::kick_and_rotate(pull, turn, m_, *g, slots_, q_, e_)
                              : rotate(turn);
      if (!drift_ && !vectors.empty()) {
        if (fused) take(slots_.w, w_);
        for (TangentVector& vector : vectors) {
          rotate_tangent(turn, vector);
          add_drift_slope(turn, before_, w_, vector);
        }
      }
      passed += splitting_.rotations[i];
      if (!finite) break;
      // G after it.
      generalised_gradient(system, state.t + passed * h, q_, e_, g_, f_);
      g = &g_;
    }
    // Last kick.
    const double pull = splitting_.kicks.back() * h;
    if (!vectors.empty()) kick_tangent_->carry(system, state.t + h, q_, *g, pull, vectors);
    bool finite = false;
    if (fused) {
      finite = rotation_kernel::last_kick(pull, m_, *g, slots_);
      take(slots_.w, w_);
    } else {
      report.status = kick(system, state.t + h, pull, report.work);
    }
    if (!report.ok()) return report;
    if (!finite) check_step_finite(report, q_, w_, *g);
    if (!report.ok()) return report;
    // Accept the step.
    state.q.swap(q_);
    state.w.swap(w_);
    e_start_.swap(e_);
    g_start_.swap(g_);
    f_start_.swap(f_);
    return report;
  }

  static void put(const Columns& from, Aligned<double>& to) {
    const double* at = from.data();
    for (std::size_t k = 0; k < static_cast<std::size_t>(from.cols()); ++k, at += 3) {
      double* const slot = to.data() + rotation_kernel::place(k);
      for (std::size_t c = 0; c < 3; ++c) slot[c * ensemble_members] = at[c];
    }
  }
  static void take(const Aligned<double>& from, Columns& to) {
    double* at = to.data();
    for (std::size_t k = 0; k < static_cast<std::size_t>(to.cols()); ++k, at += 3) {
      const double* const slot = from.data() + rotation_kernel::place(k);
      for (std::size_t c = 0; c < 3; ++c) at[c] = slot[c * ensemble_members];
    }
  }

  /// The rotation with strengths, or in axes that rotate. Whether q is finite.
  bool drift(double s, std::span<TangentVector> vectors) {
    before_w_ = w_;
    drift_->apply(s, q_, e_, w_);
    for (TangentVector& vector : vectors) {
      drift_->carry(s, before_, before_w_, q_, vector);
      add_drift_slope(s, before_, before_w_, vector);
    }
    return q_.allFinite();
  }

  /// G and f at the beginning of a step. The stored values belong to the previous t + h, which may
  /// differ from this t in the last digit.
  void refresh(const System& system, const State& state) {
    if (system.time_dependent() || restored_)
      generalised_gradient(system, state.t, state.q, e_start_, g_start_, f_start_);
    restored_ = false;
  }

  /// The kick in which forces depend on velocities.
  StepStatus flow(const System& system, double t, double s, double& work) {
    // q̇_i = ω_i × q_i before the flow.
    for (Eigen::Index i = 0; i < q_.cols(); ++i) before_.col(i) = w_.col(i).cross(q_.col(i));
    const StepStatus status = flow_->apply(system, t, q_, g_, s, before_, work);
    if (status != StepStatus::ok) return status;
    // Work f·∫q̇ ds.
    if (system.has_external_force()) work += f_.cwiseProduct(flow_->path()).sum();
    for (Eigen::Index i = 0; i < q_.cols(); ++i) {
      // ω ← ω + q × Δq̇, without its rounding error along q.
      const Vec3 q = q_.col(i), w = w_.col(i) + q.cross(flow_->change().col(i));
      w_.col(i) = w - q * (q.dot(w) / q.squaredNorm());
    }
    return status;
  }

  StepStatus kick(const System& system, double t, double s, double& work) {
    if (flow_) return flow(system, t, s, work);
    const auto& m = std::get<DiagonalInertia>(system.inertia()).m;
    const Eigen::VectorXd& c = system.damping();
    const bool forced = system.has_external_force();
    for (Eigen::Index i = 0; i < q_.cols(); ++i) {
      // ω ← ω − (s/M) q × G, or the exact flow with damping.
      const Vec3 q = q_.col(i), torque = q.cross(g_.col(i));
      Vec3 w = w_.col(i);
      if (forced) {
        // f·(∫ω ds × q): the work of f as exact a flow of the kick as ω.
        const DampedMode mode(m[i], c.size() == 0 ? 0 : c[i], s);
        const Vec3 turn = s * w + mode.way * (mode.c * w + torque);
        work += f_.col(i).dot(turn.cross(q));
      }
      if (c.size() == 0)
        w -= (s / m[i]) * torque;
      else
        work += DampedMode(m[i], c[i], s).flow(torque, w);
      w_.col(i) = w - q * (q.dot(w) / q.squaredNorm());
    }
    return StepStatus::ok;
  }

  /// The rotation after a kick that is not fused with it. Whether q is finite.
  bool rotate(double s) {
    put(w_, slots_.w);
    return rotation_kernel::rotate(s, slots_, q_, e_);
  }

  /// The derivative of rotate(s) at (before_, w_).
  void rotate_tangent(double s, TangentVector& vector) const {
    for (Eigen::Index i = 0; i < q_.cols(); ++i) {
      const Vec3 q = before_.col(i), w = w_.col(i), dq = vector.q.col(i), dw = vector.w.col(i);
      const double speed = w.norm(), angle = speed * s, along = w.dot(dw);
      const double sine = speed > 0 ? std::sin(angle) / speed : s;
      vector.q.col(i) = std::cos(angle) * dq + sine * (dw.cross(q) + w.cross(dq)) -
                        along * (s * sine * q + s * s * s * lag(angle) * w.cross(q));
      // δs ω × R(s ω) q
      if (vector.stretch != 0) vector.q.col(i) += (vector.stretch * s) * w.cross(Vec3(q_.col(i)));
    }
  }

  /// (sin θ/θ − cos θ)/θ²; where θ is small Σ_{k≥1} (−1)^{k+1} 2k θ^{2k−2}/(2k + 1)!.
  static double lag(double angle) {
    const double square = angle * angle;
    if (square > 0.25) return (std::sin(angle) / angle - std::cos(angle)) / square;
    double power = 1.0 / 6, sum = 2 * power;
    for (int k = 2; k < 9; ++k) {
      power *= -square / (2 * k * (2 * k + 1));
      sum += 2 * k * power;
    }
    return sum;
  }

  Splitting splitting_;
  std::optional<KickTangent> kick_tangent_;
  std::optional<VelocityFlow> flow_;
  std::optional<StrengthDrift> drift_;
  std::vector<TangentVector> kept_;      // at the beginning of the step
  Columns g_start_, f_start_, e_start_;  // G, f and e at q_k
  Columns q_, w_, e_, g_, f_, before_, before_w_;
  rotation_kernel::Slots slots_;  // q, e, ω and g in a step
  Aligned<double> m_;
  bool restored_ = false;  // e_start_ was read after G was computed
};

constexpr std::array kicks2{0.5, 0.5};
constexpr std::array rotations2{1.0};

// Blanes, Moan 2002: Runge-Kutta-Nyström splittings with 6 and 11 stages.
template <std::size_t n, std::size_t stages>
constexpr std::array<double, stages> mirrored(const std::array<double, n>& half) {
  std::array<double, stages> all{};
  for (std::size_t i = 0; i < n; ++i) all[i] = all[stages - 1 - i] = half[i];
  return all;
}
// The last entry of a half makes the sum 1: once if it stands in the middle, twice if not.
template <std::size_t n>
constexpr std::array<double, n + 1> filled(const std::array<double, n>& given, bool middle) {
  std::array<double, n + 1> half{};
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += half[i] = given[i];
  half[n] = middle ? 1 - 2 * sum : 0.5 - sum;
  return half;
}
constexpr auto kicks4 =
    mirrored<4, 7>(filled<3>({0.0829844064174052, 0.396309801498368, -0.0390563049223486}, true));
constexpr auto rotations4 =
    mirrored<3, 6>(filled<2>({0.245298957184271, 0.604872665711080}, false));
constexpr auto kicks6 =
    mirrored<6, 12>(filled<5>({0.0414649985182624, 0.198128671918067, -0.0400061921041533,
                               0.0752539843015807, -0.0115113874206879},
                              false));
constexpr auto rotations6 =
    mirrored<6, 11>(filled<5>({0.123229775946271, 0.290553797799558, -0.127049212625417,
                               -0.246331761062075, 0.357208872795928},
                              true));

// The kicks of a composition of kick-rotate-kick steps, whose rotations are γ; adjacent ones are
// one.
template <std::size_t stages>
constexpr std::array<double, stages + 1> kicks_of(const std::array<double, stages>& gamma) {
  std::array<double, stages + 1> kicks{};
  for (std::size_t i = 0; i < stages; ++i) {
    kicks[i] += gamma[i] / 2;
    kicks[i + 1] += gamma[i] / 2;
  }
  return kicks;
}
// Kahan and Li's composition.
constexpr auto rotations8 = kahan_li8;
constexpr auto kicks8 = kicks_of(rotations8);

constexpr Splitting splitting2{kicks2, rotations2}, splitting4{kicks4, rotations4},
    splitting6{kicks6, rotations6}, splitting8{kicks8, rotations8};

template <const Splitting& splitting>
std::unique_ptr<Integrator> fixed(const Values&) {
  return std::make_unique<Rotation>(splitting);
}
template <const Splitting& splitting>
std::unique_ptr<Integrator> adaptive(const Values& values) {
  return std::make_unique<ReversibleSteps>(values, []() -> std::unique_ptr<InnerMethod> {
    return std::make_unique<Rotation>(splitting);
  });
}

bool uncoupled(const Inertia& inertia) { return std::holds_alternative<DiagonalInertia>(inertia); }

/// The record of a splitting.
template <const Splitting& splitting>
IntegratorInfo splitting_info(std::string_view key, std::string_view title,
                              std::string_view description, std::string_view reference, int order,
                              const Look& look = {}) {
  const auto [kicks, rotations] = splitting;
  return {.key = key,
          .title = title,
          .description = description,
          .formula = "ω ← ω − (bᵢh/M) q × ∂V/∂q,  q ← exp(aᵢh ω̂) q",
          .reference = reference,
          .order = order,
          .explicit_method = true,
          .symplectic = true,
          .reversible = true,
          .keeps_sphere = true,
          .modified_energy = rotations.size() == 1 ? ModifiedForm::rotation : ModifiedForm::none,
          .action = order <= 4 ? DiscreteAction{rotations, kicks} : DiscreteAction{},
          .applies = uncoupled,
          .needs = "uncoupled bodies (diagonal inertia)",
          .takes = {.strength = true, .frame_rotation = true},
          .look = look,
          .create = fixed<splitting>};
}

template <const Splitting& splitting>
IntegratorInfo adaptive_info(std::string_view key, std::string_view title,
                             std::string_view description, std::string_view reference, int order,
                             const Look& look = {}) {
  IntegratorInfo record =
      splitting_info<splitting>(key, title, description, reference, order, look);
  record.create = adaptive<splitting>;
  record.formula = ReversibleSteps::formula;
  record.adaptive = true;
  record.symplectic = false;
  record.takes = {};
  record.parameters = {ReversibleSteps::first_step()};
  return record;
}

}  // namespace

const IntegratorInfo& rotation() {
  static const IntegratorInfo record = splitting_info<splitting2>(
      "rotation", "Kick-rotate-kick",
      "Symplectic splitting with exact rotations, for uncoupled bodies, with no limit on the "
      "turn per step.",
      "Hairer, Lubich, Wanner, Geometric Numerical Integration, VII.5", 2,
      {{0xf0e442}, {0x857c00}, {0x5fd38d}, {0x1a7f3c}, Dash::dotted, Marker::circle});
  return record;
}

const IntegratorInfo& rotation4() {
  static const IntegratorInfo record = splitting_info<splitting4>(
      "rotation4", "Kick-rotate-kick, order 4",
      "Six-stage Nyström splitting with exact rotations, for uncoupled bodies.",
      "Blanes, Moan 2002", 4,
      {{0xf6ef8e}, {0x645d00}, {0x93e3b3}, {0x125c2b}, Dash::dotted, Marker::square});
  return record;
}

const IntegratorInfo& rotation6() {
  static const IntegratorInfo record = splitting_info<splitting6>(
      "rotation6", "Kick-rotate-kick, order 6",
      "Eleven-stage Nyström splitting with exact rotations, for uncoupled bodies; order 4 "
      "with damping.",
      "Blanes, Moan 2002", 6,
      {{0xfbf7c9}, {0x433e00}, {0xc5f2d7}, {0x0b3d1c}, Dash::dotted, Marker::diamond});
  return record;
}

const IntegratorInfo& rotation8() {
  static const IntegratorInfo record = splitting_info<splitting8>(
      "rotation8", "Kick-rotate-kick, order 8",
      "Kahan and Li's composition of seventeen kick-rotate-kick steps, for uncoupled bodies.",
      "Kahan, Li 1997; Hairer, Lubich, Wanner, Geometric Numerical Integration, V.3.2", 8,
      {{0xe4dc5c}, {0x5a5400}, {0x7ddba2}, {0x0f5226}, Dash::dash_dot, Marker::triangle});
  return record;
}

const IntegratorInfo& rotation6_adaptive() {
  static const IntegratorInfo record = adaptive_info<splitting6>(
      "rotation6_adaptive", "Kick-rotate-kick, order 6, adaptive",
      "The splitting of order 6 with inner steps whose length follows the motion, for encounters "
      "of uncoupled bodies: reversible, not symplectic; order 4 with damping.",
      "Hairer, Söderlind 2005; Blanes, Moan 2002", 6,
      {{0xcfc52a}, {0x6f6a10}, {0x4fc17e}, {0x176b39}, Dash::long_dash, Marker::diamond});
  return record;
}

const IntegratorInfo& rotation8_adaptive() {
  static const IntegratorInfo record = adaptive_info<splitting8>(
      "rotation8_adaptive", "Kick-rotate-kick, order 8, adaptive",
      "The splitting of order 8 with inner steps whose length follows the motion, for encounters "
      "of uncoupled bodies: reversible, not symplectic.",
      "Hairer, Söderlind 2005; Kahan, Li 1997", 8,
      {{0xb9b021}, {0x4c4708}, {0xa8ecc6}, {0x0d4a25}, Dash::long_dash, Marker::triangle});
  return record;
}

}  // namespace twosphere
