// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <span>

#include "core/integrators/variational.h"
#include "core/kernels/chain_ensemble.h"
#include "core/mechanics/chain_inverse.h"
#include "core/mechanics/ensemble.h"

namespace twosphere {

namespace {

/// Implicit variational integrator for a chain, in its n multipliers. Order 2, symplectic,
/// reversible; the same map as [P1] (3.10)-(3.13).
///
/// Notation: v_i = q̇_i ⟂ q_i, the velocity whose momentum Π_i Σ_j M_ij v_j is the conjugate one;
/// λ_i multiplier of |q_i| = 1; G = ∂V/∂q − f; M inertia, M⁻¹ tridiagonal.
///
///   q_{k+1} = q_k + Δq,  Δq = h v_k − (h²/2) M⁻¹ G_k + M⁻¹ (λ∘q_k)
///
///   r_i = q_{i,k}·Δq_i + ½ |Δq_i|² + ½ (|q_{i,k}|² − 1) = ½ (|q_{i,k+1}|² − 1) = 0,
///   ∂r_i/∂λ_j = (M⁻¹)_ij q_{i,k+1}·q_{j,k}: tridiagonal, solved for λ by Newton
///
///   v_{k+1} = v_k − (h/2) M⁻¹ (G_k + G_{k+1}) + M⁻¹ (λ∘q_k) / h + M⁻¹ (μ∘q_{k+1}),
///   μ from q_{i,k+1}·v_{i,k+1} = 0: symmetric tridiagonal
///
/// The state holds velocities of links rather than momenta, which in a long chain are sums over all
/// the masses below. Δq therefore involves no cancellation, and |q| = 1 to rounding for any n.
/// Of a base that flies (FreeBase) the centre of mass is moved by the same scheme, X_{k+1} = X_k +
/// h Ẋ_k + (h²/2) Ẍ_k, Ẋ_{k+1} = Ẋ_k + (h/2) (Ẍ_k + Ẍ_{k+1}), and G has what control adds to f.
///
/// Newton's iteration starts from the FirstGuess of the last two steps, and from λ = 0 in the first
/// step and if that fails. O(n) per step. Fails with step_too_large if a body would turn by a
/// quarter turn or more, not_converged if Newton's iteration does not converge. Tests: the paper's
/// dense Cayley form (3.16), order, reversibility, exact restart, unit length over 10⁵ steps,
/// momentum map.
class Chain final : public CopiedWithVelocity<Chain> {
 public:
  void prepare(const System& system, const State& state) override {
    const auto n = state.q.cols();
    for (Columns* a : {&a_, &g_, &drift_, &pull_, &dq_, &q_}) a->resize(3, n);
    f_.setZero(3, n);
    f_next_.setZero(3, n);
    for (Eigen::VectorXd* a :
         {&lambda_, &lambda_before_, &start_, &residual_, &right_, &pivot_, &upper_})
      a->setZero(n);
    begin(system, state);
    last_step_ = step_before_ = 0;
    refresh(system, state);
  }

  void refresh(const System& system, const State& state) override {
    generalised_gradient(system, state.t, state.q, g_, f_);
    if (state.x.cols() > 0) add_control(*system.free_base(), state.t, state.x, state.q);
    apply_inverse(
        std::get<ChainInertia>(system.inertia()), [&](Eigen::Index i) -> Vec3 { return g_.col(i); },
        [&](Eigen::Index i, const Vec3& a) { a_.col(i) = a; });
  }

  std::size_t width(const System& system) const override {
    const bool suits = system.has_constant_gradient() && !system.has_external_force() && !frame_ &&
                       !std::get<ChainInertia>(system.inertia()).has_free_base() &&
                       v_.cols() <= chain_kernel::max_links;
    return suits ? chain_kernel::width() : 1;
  }
  std::size_t followed_width(const System& system) const override { return width(system); }

  std::int64_t advance_together(const System& system, std::span<const double> gamma, double h,
                                std::int64_t count, std::span<const Member> members) override {
    const auto n = v_.cols();
    const std::size_t width = chain_kernel::width();
    const bool followed = members[0].followed != nullptr;
    thread_local chain_kernel::Members all;
    thread_local chain_kernel::Tangents tangents;
    all.resize(n);
    if (followed) tangents.resize(n, count);
    for_each_slot(members, width, [&](const Member& member, std::size_t m) {
      const auto& chain = static_cast<const Chain&>(*member.method);
      for (Eigen::Index k = 0; k < 3 * n; ++k) {
        all.q[entry(k, m, width)] = member.state->q.data()[k];
        all.v[entry(k, m, width)] = chain.v_.data()[k];
      }
      for (Eigen::Index i = 0; i < n; ++i) {
        all.lambda[entry(i, m, width)] = chain.lambda_[i];
        all.lambda_before[entry(i, m, width)] = chain.lambda_before_[i];
      }
      all.last_step[entry(0, m, width)] = chain.last_step_;
      all.step_before[entry(0, m, width)] = chain.step_before_;
      if (followed) put(*member.followed, m, width, tangents);
    });
    const std::int64_t taken =
        chain_kernel::advance(std::get<ChainInertia>(system.inertia()), g_, a_, h, gamma, count,
                              all, followed ? &tangents : nullptr);
    for_each_slot(members, width, [&](const Member& member, std::size_t m) {
      auto& chain = static_cast<Chain&>(*member.method);
      for (Eigen::Index k = 0; k < 3 * n; ++k) {
        member.state->q.data()[k] = all.q[entry(k, m, width)];
        chain.v_.data()[k] = all.v[entry(k, m, width)];
      }
      for (Eigen::Index i = 0; i < n; ++i) {
        chain.lambda_[i] = all.lambda[entry(i, m, width)];
        chain.lambda_before_[i] = all.lambda_before[entry(i, m, width)];
      }
      chain.last_step_ = all.last_step[entry(0, m, width)];
      chain.step_before_ = all.step_before[entry(0, m, width)];
      if (followed) take(tangents, m, width, taken, *member.followed);
    });
    return taken;
  }

  void save_state(IntegratorState& memory) const override {
    write_entry(memory, 0, "velocity", flat(v_));
    write_entry(memory, 1, "multipliers", flat(lambda_));
    write_entry(memory, 2, "last_step", {&last_step_, 1});
    write_entry(memory, 3, "multipliers_before", flat(lambda_before_));
    write_entry(memory, 4, "step_before", {&step_before_, 1});
  }

  bool load_state(const IntegratorState& memory) override {
    const StateEntry velocity{"velocity", flat(v_)}, multipliers{"multipliers", flat(lambda_)},
        last_step{"last_step", {&last_step_, 1}};
    if (read_entries(memory, {velocity,
                              multipliers,
                              last_step,
                              {"multipliers_before", flat(lambda_before_)},
                              {"step_before", {&step_before_, 1}}}))
      return true;
    // States of former versions have the last step only.
    if (!read_entries(memory, {velocity, multipliers, last_step})) return false;
    lambda_before_.setZero();
    step_before_ = 0;
    return true;
  }

 private:
  static constexpr int max_iterations = 8;

  /// The index of number k of member m in chain_kernel::Members.
  static std::size_t entry(Eigen::Index k, std::size_t m, std::size_t width) {
    return static_cast<std::size_t>(k) * width + m;
  }
  /// The vector of member m, before and after its steps.
  static void put(const TangentMap::FollowedMember& from, std::size_t m, std::size_t width,
                  chain_kernel::Tangents& to) {
    for (Eigen::Index k = 0; k < from.vector->q.size(); ++k) {
      to.q[entry(k, m, width)] = from.vector->q.data()[k];
      to.w[entry(k, m, width)] = from.vector->w.data()[k];
    }
    for (Eigen::Index i = 0; i < from.norm->weight.size(); ++i)
      to.weight[entry(i, m, width)] = from.norm->weight[i];
    to.square[entry(0, m, width)] = from.norm->square;
  }
  static void take(const chain_kernel::Tangents& from, std::size_t m, std::size_t width,
                   std::int64_t steps, const TangentMap::FollowedMember& to) {
    for (Eigen::Index k = 0; k < to.vector->q.size(); ++k) {
      to.vector->q.data()[k] = from.q[entry(k, m, width)];
      to.vector->w.data()[k] = from.w[entry(k, m, width)];
    }
    for (std::int64_t k = 0; k < steps; ++k) to.squares[k] = from.norms[entry(k, m, width)];
  }
  StepReport move(const System& system, double h, double kick, State& state) override {
    const auto& inertia = std::get<ChainInertia>(system.inertia());
    const auto n = state.q.cols();
    // Part of Δq that does not depend on λ: h v_k − (h²/2) M⁻¹ G_k
    const Columns& v = moved_velocity(state);
    for (Eigen::Index i = 0; i < n; ++i) drift_.col(i) = h * v.col(i) - (h * kick) * a_.col(i);

    StepReport report;
    bool solved = false;
    if (last_step_ != 0) {
      const chain_kernel::FirstGuess guess(h, last_step_, step_before_);
      for (Eigen::Index i = 0; i < n; ++i)
        start_[i] = guess.last * lambda_[i] - guess.before * lambda_before_[i];
      solved = solve(inertia, state.q, report);
    }
    if (!solved) {
      // Second guess: λ = 0.
      start_.setZero();
      const int spent = report.iterations;
      solved = solve(inertia, state.q, report);
      report.iterations += spent;
    }
    if (!solved) return report;

    if (frame_) {
      frame_->set_step(h);
      frame_->turn(q_, dq_);
    }
    // G_{k+1}, and the work ½ Σ (f_k + f_{k+1})·Δq.
    generalised_gradient(system, state.t + h, q_, g_, f_next_);
    const FreeBase* const base = state.x.cols() > 0 ? system.free_base() : nullptr;
    const Vec3 control = control_;
    Vec3 way = Vec3::Zero();  // of X
    if (base) {
      way = h * state.v + (h * kick) * base->acceleration(control);
      add_control(*base, state.t + h, state.x + way, q_);
    }
    if (!g_.allFinite()) {
      control_ = control;
      report.status = StepStatus::not_finite;
      return report;
    }
    if (system.has_external_force()) report.work = ((f_ + f_next_).array() * dq_.array()).sum() / 2;
    if (base)
      report.work +=
          (control + control_).dot(way + base->from_centre(dq_)) / 2 + base->steady.dot(way);
    if (frame_) {
      v_ = v;
      for (Columns* c : {&v_, &pull_, &a_}) frame_->turn(*c);
    }
    // v_k + M⁻¹ (λ∘q_k)/h − (h/2) M⁻¹ (G_k + G_{k+1})
    const double inverse_h = 1 / h;
    apply_inverse(
        inertia, [&](Eigen::Index i) -> Vec3 { return g_.col(i); },
        [&](Eigen::Index i, const Vec3& a) {
          v_.col(i) += inverse_h * pull_.col(i) - kick * (a_.col(i) + a);
          a_.col(i) = a;
        });
    // Multipliers μ that make v_{k+1} tangent.
    Eigen::VectorXd& mu = right_;  // solve_tridiagonal() reads each entry before it is overwritten
    solve_tridiagonal(
        inertia, q_, q_, [&](Eigen::Index i) { return -q_.col(i).dot(v_.col(i)); },
        [&](Eigen::Index i, double x) { mu[i] = x; });
    apply_inverse(
        inertia, [&](Eigen::Index i) -> Vec3 { return mu[i] * q_.col(i); },
        [&](Eigen::Index i, const Vec3& change) { v_.col(i) += change; });
    if (frame_) frame_->to_frame(q_, v_);
    // Accept the step.
    if (base) {
      state.x += way;
      state.v += kick * (base->acceleration(control) + base->acceleration(control_));
    }
    lambda_before_.swap(lambda_);
    lambda_.swap(start_);
    step_before_ = last_step_;
    last_step_ = h;
    state.q.swap(q_);
    f_.swap(f_next_);
    return report;
  }

  /// F_0 of the base, and G with it.
  void add_control(const FreeBase& base, double t, const Vec3& x, const Columns& q) {
    control_ = base.control_at(t, x, q);
    g_.noalias() += control_ * base.share.transpose();
  }

  /// Calls use(i, x_i) for every i in descending order, where Σ_j (M⁻¹)_ij (to_i·from_j) x_j =
  /// value(i).
  template <class Value, class Use>
  void solve_tridiagonal(const ChainInertia& inertia, const Columns& to, const Columns& from,
                         Value value, Use use) {
    const auto n = pivot_.size();
    // Thomas algorithm: forward elimination.
    double right = value(0), pivot = 1 / (inertia.inverse_diagonal[0] * to.col(0).dot(from.col(0)));
    right_[0] = right;
    pivot_[0] = pivot;
    for (Eigen::Index i = 1; i < n; ++i) {
      const double off = inertia.inverse_off_diagonal[i - 1];
      const double upper = off * to.col(i - 1).dot(from.col(i));
      const double factor = off * to.col(i).dot(from.col(i - 1)) * pivot;
      pivot = 1 / (inertia.inverse_diagonal[i] * to.col(i).dot(from.col(i)) - factor * upper);
      right = value(i) - factor * right;
      upper_[i - 1] = upper;
      pivot_[i] = pivot;
      right_[i] = right;
    }
    // Back substitution.
    use(n - 1, right *= pivot);
    for (Eigen::Index i = n - 1; i-- > 0;)
      use(i, right = (right_[i] - upper_[i] * right) * pivot_[i]);
  }

  /// Newton's iteration for λ from start_; the solution stays in start_, dq_ and q_.
  bool solve(const ChainInertia& inertia, const Columns& q, StepReport& report) {
    for (LengthIteration newton(0, max_iterations);;) {
      double scale = 1;
      apply_inverse(
          inertia, [&](Eigen::Index i) -> Vec3 { return start_[i] * q.col(i); },
          [&](Eigen::Index i, const Vec3& pull) {
            const Vec3 here = q.col(i), dq = drift_.col(i) + pull;
            // ½ (|q_k + Δq|² − 1) = q_k·Δq + ½ |Δq|² + ½ (|q_k|² − 1)
            const double turn = here.dot(dq);
            pull_.col(i) = pull;
            dq_.col(i) = dq;
            q_.col(i) = here + dq;
            residual_[i] = turn + dq.squaredNorm() / 2 + (here.squaredNorm() - 1) / 2;
            newton.check(i, residual_[i], turn);
            scale = std::max(scale, inertia.inverse_diagonal[i] * std::abs(start_[i]));
          });
      // The rounding level is that of q or, for large tensions, that of λ.
      if (newton.ends(scale, report)) return report.ok();
      solve_tridiagonal(
          inertia, q_, q, [&](Eigen::Index i) { return -residual_[i]; },
          [&](Eigen::Index i, double x) { start_[i] += x; });
    }
  }

  Eigen::VectorXd lambda_;         // multipliers of the last step
  double last_step_ = 0;           // its h; 0 before the first
  Eigen::VectorXd lambda_before_;  // those of the step before the last
  double step_before_ = 0;         // its h; 0 if there was none
  Columns a_, f_;                  // M⁻¹ G and f at q_k
  // G at q_k, and workspace.
  Columns f_next_, drift_, pull_, dq_, q_;
  Eigen::VectorXd start_, residual_, right_, pivot_, upper_;
};

}  // namespace

std::unique_ptr<VariationalMethod> make_variational(const ChainInertia&) {
  return std::make_unique<Chain>();
}

}  // namespace twosphere
