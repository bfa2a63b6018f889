// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "core/integrators/variational.h"

namespace twosphere {

namespace {

/// SHAKE and RATTLE for the constraints ½ (q_i·q_i − 1) = 0 in Cartesian coordinates, for any
/// constant inertia. Order 2, symplectic, reversible; the same map as [P1] (3.10)-(3.13).
///
/// Notation: v_i = q̇_i ⟂ q_i, G = ∂V/∂q − f, λ and μ multipliers [J s].
///
///   Σ_j M_ij (u_j − v_j) = −(h/2) G_i,k + λ_i q_i,k,  q_{k+1} = q_k + h u,  |q_i,k+1| = 1 (SHAKE)
///
///   Σ_j M_ij (v_j,k+1 − u_j) = −(h/2) G_i,k+1 + μ_i q_i,k+1,  q_i,k+1·v_i,k+1 = 0         (RATTLE)
///
/// Uncoupled bodies have multipliers in closed form. With a = h v − (h²/2M) G_k and its part a⟂
/// orthogonal to q,
///
///   Δq = a⟂ + s q,  |a⟂ + (1 + s) q| = 1,  λ = M (s − a·q/|q|²)/h
///
/// Coupled bodies: λ by Newton from λ = 0, with r_i = ½ (|q_i,k+1|² − 1) and the solver of
/// accelerations. The unknown is d = h (u − v); its correction is −r along q_{k+1} and a tangential
/// part there, such that M d + (h²/2) G_k stays parallel to q_k. Nothing is projected: both
/// conditions are equations of the step. Cost: one gradient, for coupled bodies four or five
/// TangentSolver::solve(), O(n) for chains and rods. Fails with step_too_large if a body would turn
/// by a quarter turn or more, not_converged if Newton's iteration does not converge. Tests:
/// `variational`, order, reversibility, exact restart.
class Rattle final : public CopiedWithVelocity<Rattle> {
 public:
  explicit Rattle(const Inertia& inertia) : solver_(inertia) {}

  void prepare(const System& system, const State& state) override {
    const auto n = state.q.cols();
    for (Columns* c : {&g_, &f_, &d_, &dq_, &q_, &rest_, &change_, &g_next_, &f_next_})
      c->setZero(3, n);
    normal_.setZero(n);
    begin(system, state);
    refresh(system, state);
  }

  void refresh(const System& system, const State& state) override {
    generalised_gradient(system, state.t, state.q, g_, f_);
  }

  void save_state(IntegratorState& memory) const override {
    write_entry(memory, 0, "velocity", flat(v_));
  }
  bool load_state(const IntegratorState& memory) override {
    return read_entries(memory, {{"velocity", flat(v_)}});
  }

 private:
  static constexpr int max_iterations = 10;

  StepReport move(const System& system, double h, double kick, State& state) override {
    const Inertia& inertia = system.inertia();
    const auto n = state.q.cols();
    StepReport report;
    const Columns& v = moved_velocity(state);
    const auto* uncoupled = std::get_if<DiagonalInertia>(&inertia);
    if (uncoupled)
      shake(uncoupled->m, h, kick, state.q, v, report);
    else
      shake(inertia, h, kick, state.q, v, report);
    if (!report.ok()) return report;
    // RATTLE: v_{k+1} = u + w, whose part along q_{k+1} is ν = −q·u/|q|².
    change_ = v + d_ / h;
    if (frame_) {
      frame_->set_step(h);
      frame_->turn(q_, dq_);
      frame_->turn(change_);
    }
    generalised_gradient(system, state.t + h, q_, g_next_, f_next_);
    for (Eigen::Index i = 0; i < n; ++i)
      normal_[i] = -q_.col(i).dot(change_.col(i)) / q_.col(i).squaredNorm();
    rest_ = kick * g_next_;
    solver_.solve(inertia, q_, {.left = q_, .right = q_, .rest = rest_, .normal = &normal_}, d_);
    for (Eigen::Index i = 0; i < n; ++i) change_.col(i) += normal_[i] * q_.col(i) + d_.col(i);
    for (Eigen::Index i = 0; i < n; ++i) {
      if (change_.col(i).allFinite()) continue;
      report.status = StepStatus::not_finite;
      report.body = static_cast<int>(i);
      return report;
    }
    // Work ½ Σ (f_k + f_{k+1})·Δq.
    if (system.has_external_force()) report.work = ((f_ + f_next_).array() * dq_.array()).sum() / 2;
    if (frame_) frame_->to_frame(q_, change_);
    // Accept the step.
    v_.swap(change_);
    state.q.swap(q_);
    g_.swap(g_next_);
    f_.swap(f_next_);
    return report;
  }

  /// SHAKE of uncoupled bodies: d_, dq_ and q_.
  void shake(const Eigen::VectorXd& m, double h, double kick, const Columns& q, const Columns& v,
             StepReport& report) {
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      const Vec3 here = q.col(i), way = h * v.col(i), free = way - (h * kick / m[i]) * g_.col(i);
      const double square = here.squaredNorm();
      const Vec3 across = free - here * (here.dot(free) / square);
      // |across + (1 + s) q|² = 1, s without cancellation.
      const double rest = square - 1 + across.squaredNorm(), root = square * (square - rest);
      if (!(root > 0)) {
        report.status = std::isfinite(root) ? StepStatus::step_too_large : StepStatus::not_finite;
        report.body = static_cast<int>(i);
        return;
      }
      dq_.col(i) = across - (rest / (square + std::sqrt(root))) * here;
      d_.col(i) = dq_.col(i) - way;
      q_.col(i) = here + dq_.col(i);
    }
  }

  /// SHAKE of coupled bodies.
  void shake(const Inertia& inertia, double h, double kick, const Columns& q, const Columns& v,
             StepReport& report) {
    d_.setZero();
    // The first guess satisfies neither equation, so at least one correction is needed.
    for (LengthIteration newton(1, max_iterations);;) {
      dq_ = h * v + d_;
      q_ = q + dq_;
      for (Eigen::Index i = 0; i < q.cols(); ++i) {
        // r_i = q_k·Δq + ½ |Δq|² + ½ (|q_k|² − 1), without cancellation.
        const double turn = q.col(i).dot(dq_.col(i));
        const double residual =
            turn + dq_.col(i).squaredNorm() / 2 + (q.col(i).squaredNorm() - 1) / 2;
        normal_[i] = -residual / q_.col(i).squaredNorm();
        newton.check(i, residual, turn);
      }
      if (newton.ends(1, report)) return;
      multiply(inertia, q, d_, rest_);
      rest_ += (h * kick) * g_;
      solver_.solve(inertia, q, {.left = q, .right = q_, .rest = rest_, .normal = &normal_},
                    change_);
      for (Eigen::Index i = 0; i < q.cols(); ++i)
        d_.col(i) += normal_[i] * q_.col(i) + change_.col(i);
    }
  }

  Columns f_;  // at q_k
  TangentSolver solver_;
  // Scratch.
  Columns d_, dq_, q_, rest_, change_, g_next_, f_next_;
  Eigen::VectorXd normal_;
};

}  // namespace

std::unique_ptr<VariationalMethod> make_rattle(const Inertia& inertia) {
  return std::make_unique<Rattle>(inertia);
}

}  // namespace twosphere
