// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>
#include <cmath>
#include <optional>
#include <span>

#include "core/base/interrupt.h"
#include "core/integrators/frame_turn.h"
#include "core/integrators/variational.h"
#include "core/kernels/uncoupled.h"
#include "core/kernels/uncoupled_ensemble.h"
#include "core/mechanics/ensemble.h"

namespace twosphere {

namespace {

/// Explicit variational integrator for uncoupled bodies, trapezoidal discrete Lagrangian. Order 2,
/// symplectic, reversible.
///
/// Notation: q_k ∈ S² direction, ω_k ⟂ q_k angular velocity [rad/s], M inertia [kg m²], h step [s],
/// G = ∂V/∂q − f. Per body:
///
///   a = h ω_k − (h²/2M) q_k × G_k
///
///   q_{k+1} = a × q_k + √(1/(q_k·q_k) − a·a) q_k                     (1)  [P1] (3.17)
///
///   ω_{k+1} = ω_k − (h/2M) (q_k × G_k + q_{k+1} × G_{k+1})           (2)  [P1] (3.18)
///
/// (1) solves |q_{k+1}| = 1 for the stored q_k, so that rounding errors do not accumulate; for
/// |q_k| = 1 it is the printed form. In (2) the component of ω along q, of rounding size, is
/// removed. In axes that rotate ω + Π Ω is in place of ω, and everything turns with them before the
/// second kick, see FrameTurn. Cost: one new gradient per step. Fails with step_too_large if |a| ≥
/// 1 (a quarter turn in one step). Tests: order, reversibility, great circle, spherical pendulum's
/// exact frequencies.
class DiagonalStep final : public Copied<DiagonalStep> {
 public:
  void prepare(const System& system, const State& state) override {
    const auto n = state.q.cols();
    for (Columns* c : {&q_, &w_, &g_, &v_}) c->resize(3, n);
    f_.setZero(3, n);
    f_next_.setZero(3, n);
    none_.setZero(n, 3);
    torque_.resize(n, 3);
    torque_next_.resize(n, 3);
    turned_.resize(n, 3);
    frame_ = FrameTurn::of(system);
    refresh(system, state);
  }

  void refresh(const System& system, const State& state) override {
    generalised_gradient(system, state.t, state.q, g_, f_);
    uncoupled_kernel::torque(state.q, g_, torque_);
  }

  StepStatus flow(const System& system, Damping& damping, double s, State& state,
                  double& work) override {
    // With general forces by quadrature: ω ← ω + q × Δq̇.
    if (system.has_velocity_force()) {
      for (Eigen::Index i = 0; i < v_.cols(); ++i) v_.col(i) = state.w.col(i).cross(state.q.col(i));
      const StepStatus status = damping.apply(system, state.t, state.q, g_, s, v_, work);
      if (status != StepStatus::ok) return status;
      for (Eigen::Index i = 0; i < v_.cols(); ++i)
        state.w.col(i) += state.q.col(i).cross(damping.change().col(i));
      return StepStatus::ok;
    }
    const auto& m = std::get<DiagonalInertia>(system.inertia()).m;
    const Eigen::VectorXd& c = system.damping();
    if (!sound(m, c, s)) return StepStatus::damping_too_strong;
    // ω⁺ by the exact flow of M ω̇ = −c ω − q × G
    for (Eigen::Index i = 0; i < state.q.cols(); ++i) {
      Vec3 w = state.w.col(i);
      work += DampedMode(m[i], c[i], s).flow(torque_.row(i).transpose(), w);
      state.w.col(i) = w;
    }
    return state.w.allFinite() ? StepStatus::ok : StepStatus::not_finite;
  }

  std::int64_t advance_many(const System& system, double h, std::int64_t count,
                            State& state) override {
    if (system.has_external_force() || frame_) return 0;
    return system.advance_uncoupled(h, count, state.q, state.w, torque_);
  }

  std::size_t width(const System& system) const override {
    const bool suits = system.has_gradient_together() && !system.has_external_force() && !frame_;
    return suits ? ensemble_members : 1;
  }

  std::int64_t advance_together(const System& system, std::span<const double> gamma, double h,
                                std::int64_t count, std::span<const Member> members) override {
    thread_local Together workspace;
    const Eigen::VectorXd& m = std::get<DiagonalInertia>(system.inertia()).m;
    const uncoupled_kernel::Composition composition(gamma, h, m);
    return workspace.advance(system, composition, count, members);
  }

 private:
  /// Members of an ensemble on their way through a step.
  class Together {
   public:
    std::int64_t advance(const System& system, const uncoupled_kernel::Composition& composition,
                         std::int64_t count, std::span<const Member> members) {
      const auto n = composition.drift.rows();
      // Three points: the beginning of the step and two for its stages.
      for (uncoupled_kernel::Members& at : at_) at.resize(n);
      g_.resize(3 * static_cast<std::size_t>(n) * ensemble_members);
      for_each_number(members, at_[0], [](double& here, double& there) { there = here; });
      std::size_t begun = 0;
      std::int64_t taken = 0;
      for (; taken < count && !(taken > 0 && interrupted()); ++taken) {
        // The beginning of the step is kept, the stages alternate between the two others.
        std::size_t now = begun, k = 0;
        // Stages γ_k h.
        for (; k < composition.step.size(); ++k) {
          const std::size_t next = now == begun ? (begun + 1) % 3 : 3 - begun - now;
          if (!stage(system, composition, k, at_[now], at_[next])) break;
          now = next;
        }
        // A stage that fails: the steps end before this one.
        if (k < composition.step.size()) break;
        begun = now;
      }
      for_each_number(members, at_[begun], [](double& here, double& there) { here = there; });
      return taken;
    }

   private:
    /// A drift between kicks of half its length. Whether all members have taken it.
    bool stage(const System& system, const uncoupled_kernel::Composition& composition,
               std::size_t k, const uncoupled_kernel::Members& from,
               uncoupled_kernel::Members& to) {
      if (!uncoupled_kernel::drift(composition, k, from, to)) return false;
      system.gradient_together(to.q.data(), g_.data());
      return uncoupled_kernel::kick(composition, k, from, g_.data(), to);
    }

    /// Calls copy(number of a member, its index in `all`).
    template <class Copy>
    static void for_each_number(std::span<const Member> members, uncoupled_kernel::Members& all,
                                Copy copy) {
      for_each_slot(members, ensemble_members, [&](const Member& member, std::size_t index) {
        State& state = *member.state;
        auto& torque = static_cast<DiagonalStep&>(*member.method).torque_;
        for (Eigen::Index i = 0; i < state.q.cols(); ++i)
          for (Eigen::Index c = 0; c < 3; ++c, index += ensemble_members) {
            copy(state.q(c, i), all.q[index]);
            copy(state.w(c, i), all.w[index]);
            copy(torque(i, c), all.torque[index]);
          }
      });
    }

    std::array<uncoupled_kernel::Members, 3> at_;
    Aligned<double> g_;
  };

  StepReport move(const System& system, double h, double kick, State& state) override {
    if (frame_) return move_in_frame(system, h, kick, state);
    const auto& m = std::get<DiagonalInertia>(system.inertia()).m;
    const auto& torque = kick == 0 ? none_ : torque_;
    StepReport report;
    if (!drift(h, m, state.q, state.w, torque, report)) return report;
    generalised_gradient(system, state.t + h, q_, g_, f_next_);
    if (!kick_at_end(2 * kick, m, state.w, torque_, report)) return report;
    accept(system, state, report);
    return report;
  }

  /// The same in axes that rotate: ω + Π Ω is moved and turned.
  StepReport move_in_frame(const System& system, double h, double kick, State& state) {
    const auto& m = std::get<DiagonalInertia>(system.inertia()).m;
    StepReport report;
    Columns& w = frame_->inertial_turns(state.q, state.w);
    if (!drift(h, m, state.q, w, kick == 0 ? none_ : torque_, report)) return report;
    frame_->set_step(h);
    turned_ = torque_;
    frame_->turn(turned_);
    frame_->turn(w);
    frame_->turn(q_);
    generalised_gradient(system, state.t + h, q_, g_, f_next_);
    if (!kick_at_end(2 * kick, m, w, turned_, report)) return report;
    for (Eigen::Index i = 0; i < w_.cols(); ++i) w_.col(i) -= tangent(q_.col(i), frame_->rate());
    accept(system, state, report);
    return report;
  }

  /// (1); a body that turns too far has |a| ≥ 1.
  bool drift(double h, const Eigen::VectorXd& m, const Columns& q, const Columns& w,
             const uncoupled_kernel::Torques& torque, StepReport& report) {
    const auto i = uncoupled_kernel::drift(h, m, q, w, torque, q_);
    if (i == q.cols()) return true;
    const double square = uncoupled_kernel::drift_square(h, m, q, w, torque, i);
    report.status = std::isfinite(square) ? StepStatus::step_too_large : StepStatus::not_finite;
    report.body = static_cast<int>(i);
    return false;
  }

  /// (2), with G at the end of the step.
  bool kick_at_end(double h, const Eigen::VectorXd& m, const Columns& w,
                   const uncoupled_kernel::Torques& torque, StepReport& report) {
    const auto i = uncoupled_kernel::kick(h, m, q_, g_, w, torque, torque_next_, w_);
    if (i == q_.cols()) return true;
    report.status = StepStatus::not_finite;
    report.body = static_cast<int>(i);
    return false;
  }

  void accept(const System& system, State& state, StepReport& report) {
    // Work ½ Σ (f_k + f_{k+1})·Δq.
    if (system.has_external_force())
      report.work = ((f_ + f_next_).array() * (q_ - state.q).array()).sum() / 2;
    // Accept the step.
    state.q.swap(q_);
    state.w.swap(w_);
    torque_.swap(torque_next_);
    f_.swap(f_next_);
  }

  std::optional<FrameTurn> frame_;
  Columns q_, w_, g_, f_, f_next_, v_;
  uncoupled_kernel::Torques torque_, torque_next_, none_, turned_;
};

}  // namespace

std::unique_ptr<VariationalMethod> make_variational(const DiagonalInertia&) {
  return std::make_unique<DiagonalStep>();
}

}  // namespace twosphere
