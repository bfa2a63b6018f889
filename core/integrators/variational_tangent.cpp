// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/integrators/variational.h"

namespace twosphere {

namespace {

/// Implicit variational integrator for any constant inertia, in the increments of the directions.
/// Order 2, symplectic, reversible; the same map as [P1] (3.10)-(3.13).
///
/// Notation: v_i = q̇_i ⟂ q_i the conjugate velocity, d_i = Δq_i − h v_i, G = ∂V/∂q − f.
///
///   Σ_j M_ij d_j + (h²/2) G_i,k = λ_i q_i,k,  |q_i,k + h v_i + d_i| = 1
///
/// by Newton: with r_i = q_i,k·Δq_i + ½ |Δq_i|² + ½ (|q_i,k|² − 1) the correction of d is −r_i
/// along q_{i,k+1} and a tangential part there, by TangentSolver; no multiplier is formed.
///
///   v_{k+1} = v_k + d/h + w,  Σ_j M_ij w_j + (h/2) G_{i,k+1} ∥ q_{i,k+1},  q_{i,k+1}·v_{i,k+1} = 0
///
/// The rounding error of q_{k+1} is stored and added to the next Δq; it matters most for stiff
/// rods. Newton's iteration starts from the last d times (h/h_last)², and from 0 in the first step
/// and if that fails. Cost: three or four TangentSolver::solve(), O(n) for rods. Fails with
/// step_too_large if a body would turn by a quarter turn or more, not_converged if Newton's
/// iteration does not converge. Tests: the paper's Cayley form, the chain's multiplier form for D =
/// 0, order, reversibility, exact restart.
class Tangent final : public CopiedWithVelocity<Tangent> {
 public:
  explicit Tangent(const Inertia& inertia) : solver_(inertia) {}

  void prepare(const System& system, const State& state) override {
    const auto n = state.q.cols();
    for (Columns* c : {&d_, &g_, &f_, &rounding_, &g_next_, &f_next_, &trial_, &dq_, &q_, &rest_,
                       &change_, &work_})
      c->setZero(3, n);
    residual_.setZero(n);
    normal_.setZero(n);
    begin(system, state);
    last_step_ = 0;
    refresh(system, state);
  }

  void refresh(const System& system, const State& state) override {
    generalised_gradient(system, state.t, state.q, g_, f_);
  }

  void save_state(IntegratorState& memory) const override {
    write_entry(memory, 0, "velocity", flat(v_));
    write_entry(memory, 1, "increment", flat(d_));
    write_entry(memory, 2, "compensation", flat(rounding_));
    write_entry(memory, 3, "last_step", {&last_step_, 1});
  }

  bool load_state(const IntegratorState& memory) override {
    return read_entries(memory, {{"velocity", flat(v_)},
                                 {"increment", flat(d_)},
                                 {"compensation", flat(rounding_)},
                                 {"last_step", {&last_step_, 1}}});
  }

 private:
  static constexpr int max_iterations = 10;

  StepReport move(const System& system, double h, double kick, State& state) override {
    const Inertia& inertia = system.inertia();
    const Columns& v = moved_velocity(state);
    StepReport report;
    bool solved = false;
    if (last_step_ != 0) {
      // First guess: the last d times (h/h_last)².
      trial_ = d_ * (h / last_step_ * (h / last_step_));
      solved = solve(inertia, h, kick, state.q, v, report);
    }
    if (!solved) {
      // Second guess: d = 0.
      trial_.setZero();
      const int spent = report.iterations;
      solved = solve(inertia, h, kick, state.q, v, report);
      report.iterations += spent;
    }
    if (!solved) return report;

    // v_{k+1} = v_k + d/h + w; its part along q_{k+1} is ν = −q·(v_k + d/h)/|q|².
    change_ = v + trial_ / h;
    if (frame_) {
      frame_->set_step(h);
      frame_->turn(q_, dq_);
      frame_->turn(change_);
    }
    generalised_gradient(system, state.t + h, q_, g_next_, f_next_);
    for (Eigen::Index i = 0; i < q_.cols(); ++i)
      normal_[i] = -q_.col(i).dot(change_.col(i)) / q_.col(i).squaredNorm();
    rest_ = kick * g_next_;
    solver_.solve(inertia, q_, {.left = q_, .right = q_, .rest = rest_, .normal = &normal_}, work_);
    for (Eigen::Index i = 0; i < q_.cols(); ++i)
      change_.col(i) += normal_[i] * q_.col(i) + work_.col(i);
    // First body with a value that is not finite.
    if (!change_.allFinite()) {
      report.status = StepStatus::not_finite;
      for (Eigen::Index i = q_.cols(); i-- > 0;)
        if (!change_.col(i).allFinite()) report.body = static_cast<int>(i);
      return report;
    }
    if (system.has_external_force()) report.work = ((f_ + f_next_).array() * dq_.array()).sum() / 2;
    if (frame_) frame_->to_frame(q_, change_);
    // Accept the step.
    v_.swap(change_);
    d_.swap(trial_);
    last_step_ = h;
    // Rounding error of q_{k+1}, carried to the next step.
    rounding_ = (state.q - q_) + (rounding_ + dq_);
    state.q.swap(q_);
    g_.swap(g_next_);
    f_.swap(f_next_);
    return report;
  }

  /// Newton's iteration for d from trial_; the solution stays in trial_, dq_ and q_.
  bool solve(const Inertia& inertia, double h, double kick, const Columns& q, const Columns& v,
             StepReport& report) {
    const auto n = q.cols();
    // The first guess satisfies neither equation, so at least one correction is needed.
    for (LengthIteration newton(1, max_iterations);;) {
      for (Eigen::Index i = 0; i < n; ++i) {
        // r_i = ½ (|q_{k+1}|² − 1), without cancellation.
        const Vec3 here = q.col(i), lost = rounding_.col(i), dq = h * v.col(i) + trial_.col(i);
        const double turn = here.dot(dq), excess = (here.squaredNorm() - 1) / 2 + here.dot(lost);
        dq_.col(i) = dq;
        q_.col(i) = here + (lost + dq);
        residual_[i] = turn + dq.squaredNorm() / 2 + excess;
        newton.check(i, residual_[i], turn);
      }
      if (newton.ends(1, report)) return report.ok();
      // Correction −r_i along q_{k+1}, and a tangential part that keeps M d + (h²/2) G ∥ q_k.
      multiply(inertia, q, trial_, rest_);
      rest_ += (h * kick) * g_;
      for (Eigen::Index i = 0; i < n; ++i) normal_[i] = -residual_[i] / q_.col(i).squaredNorm();
      solver_.solve(inertia, q, {.left = q, .right = q_, .rest = rest_, .normal = &normal_},
                    change_);
      for (Eigen::Index i = 0; i < n; ++i) trial_.col(i) += normal_[i] * q_.col(i) + change_.col(i);
    }
  }

  Columns d_;             // of the last step
  double last_step_ = 0;  // its h; 0 before the first
  Columns rounding_;      // what q_k is too small by
  Columns f_;             // at q_k
  TangentSolver solver_;
  // Scratch.
  Columns g_next_, f_next_, trial_, dq_, q_, rest_, change_, work_;
  Eigen::VectorXd residual_, normal_;
};

}  // namespace

std::unique_ptr<VariationalMethod> make_variational(const RodInertia& inertia) {
  return std::make_unique<Tangent>(inertia);
}
std::unique_ptr<VariationalMethod> make_variational(const DenseInertia& inertia) {
  return std::make_unique<Tangent>(inertia);
}

}  // namespace twosphere
