// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/integrators/variational.h"

namespace twosphere {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// Implicit variational integrator for a chain, in its n multipliers. Order 2, symplectic,
/// reversible; the same map as [P1] (3.10)-(3.13).
///
/// Notation: v_i = q̇_i ⟂ q_i, the velocity whose momentum Σ_j M_ij v_j is, along the sphere, the
/// conjugate one; λ_i multiplier of |q_i| = 1; G = ∂V/∂q − f; M inertia, M⁻¹ tridiagonal.
///
///   q_{k+1} = q_k + Δq,  Δq = h v_k − (h²/2) M⁻¹ G_k + M⁻¹ (λ∘q_k)
///
///   r_i = q_{i,k}·Δq_i + ½ |Δq_i|² + ½ (|q_{i,k}|² − 1) = ½ (|q_{i,k+1}|² − 1) = 0,
///   ∂r_i/∂λ_j = (M⁻¹)_ij q_{i,k+1}·q_{j,k}: tridiagonal, solved for λ by Newton
///
///   v_{k+1} = v_k − (h/2) M⁻¹ (G_k + G_{k+1}) + M⁻¹ (λ∘q_k) / h + M⁻¹ (μ∘q_{k+1}),
///   μ from q_{i,k+1}·v_{i,k+1} = 0: symmetric tridiagonal
///
/// Velocities of links, not momenta, which in a long chain are sums over all the masses below: so
/// Δq is no difference of large numbers, and |q| = 1 to rounding for any n.
/// Newton starts from the last λ times (h/h_last)², from λ = 0 the first time and if that fails.
/// O(n) per step. Fails with step_too_large if a body would turn a quarter turn or more,
/// not_converged if Newton does not end. Tests: the paper's dense Cayley form (3.16), order,
/// reversibility, exact restart, unit length over 10⁵ steps, momentum map.
class Chain final : public Copied<Chain> {
 public:
  void prepare(const System& system, const State& state) override {
    const auto n = state.q.cols();
    for (Columns* a : {&v_, &a_, &g_, &a_next_, &drift_, &pull_, &dq_, &q_, &work_})
      a->resize(3, n);
    f_.setZero(3, n);
    f_next_.setZero(3, n);
    for (Eigen::VectorXd* a : {&lambda_, &start_, &residual_, &excess_, &diagonal_, &right_})
      a->setZero(n);
    upper_.resize(n);
    lower_.resize(n);
    for (Eigen::Index i = 0; i < n; ++i)
      v_.col(i) = tangent(state.q.col(i), state.w.col(i).cross(state.q.col(i)));
    last_step_ = 0;
    damping_.emplace(system.inertia());
    generalised_gradient(system, state.t, state.q, g_, f_);
    std::get<ChainInertia>(system.inertia()).apply_inverse(g_, a_);
  }

  StepReport advance(const System& system, double h, State& state) override {
    const auto& inertia = std::get<ChainInertia>(system.inertia());
    const auto n = state.q.cols();
    drift_ = h * v_ - (h * h / 2) * a_;
    for (Eigen::Index i = 0; i < n; ++i) excess_[i] = (state.q.col(i).squaredNorm() - 1) / 2;

    StepReport report;
    bool solved = false;
    if (last_step_ != 0) {
      start_ = lambda_ * (h / last_step_ * (h / last_step_));
      solved = solve(inertia, state.q, report);
    }
    if (!solved) {
      start_.setZero();
      const int spent = report.iterations;
      solved = solve(inertia, state.q, report);
      report.iterations += spent;
    }
    if (!solved) return report;

    generalised_gradient(system, state.t + h, q_, g_, f_next_);
    if (!g_.allFinite()) {
      report.status = StepStatus::not_finite;
      return report;
    }
    if (system.driven()) report.work = ((f_ + f_next_).array() * dq_.array()).sum() / 2;
    inertia.apply_inverse(g_, a_next_);
    v_ += pull_ / h - (h / 2) * (a_ + a_next_);
    for (Eigen::Index i = 0; i < n; ++i) {
      right_[i] = -q_.col(i).dot(v_.col(i));
      diagonal_[i] = inertia.inverse_diagonal[i] * q_.col(i).squaredNorm();
      if (i + 1 == n) break;
      upper_[i] = lower_[i] = inertia.inverse_off_diagonal[i] * q_.col(i).dot(q_.col(i + 1));
    }
    eliminate();
    work_ = q_ * right_.asDiagonal();
    inertia.apply_inverse(work_, pull_);
    v_ += pull_;
    lambda_.swap(start_);
    last_step_ = h;
    state.q.swap(q_);
    a_.swap(a_next_);
    f_.swap(f_next_);
    return report;
  }

  void complete(const System& /*system*/, State& state) override {
    for (Eigen::Index i = 0; i < state.q.cols(); ++i)
      state.w.col(i) = state.q.col(i).cross(v_.col(i));
  }

  void remember(Memory& memory) const override {
    write_entry(memory, 0, "velocity", flat(v_));
    write_entry(memory, 1, "multipliers", flat(lambda_));
    write_entry(memory, 2, "last_step", {&last_step_, 1});
  }

  bool restore(const Memory& memory) override {
    return read_entries(
        memory,
        {{"velocity", flat(v_)}, {"multipliers", flat(lambda_)}, {"last_step", {&last_step_, 1}}});
  }

  bool damp(const System& system, double c, double s, State& state, double& work) override {
    return damping_->apply(system.inertia(), state.q, c, s, v_, work);
  }

 private:
  static constexpr int max_iterations = 8;

  /// Newton's iteration for λ from start_; the solution stays in start_, dq_ and q_.
  bool solve(const ChainInertia& inertia, const Columns& q, StepReport& report) {
    const auto n = q.cols();
    double before = std::numeric_limits<double>::infinity();
    for (int iteration = 0;; ++iteration) {
      work_ = q * start_.asDiagonal();
      inertia.apply_inverse(work_, pull_);
      dq_ = drift_ + pull_;
      double worst = 0, turned = 0, scale = 1;
      Eigen::Index worst_body = 0, turned_body = 0;
      for (Eigen::Index i = 0; i < n; ++i) {
        const double turn = q.col(i).dot(dq_.col(i));
        residual_[i] = turn + dq_.col(i).squaredNorm() / 2 + excess_[i];
        const double magnitude = std::abs(residual_[i]);
        if (!(magnitude <= worst)) worst = magnitude, worst_body = i;
        if (turn < turned) turned = turn, turned_body = i;
        scale = std::max(scale, inertia.inverse_diagonal[i] * std::abs(start_[i]));
      }
      // From below this on, another iterate only moves the residual about in the rounding: that of
      // q, or that of λ where tensions are large.
      const double floor = 16 * epsilon * scale;
      report.iterations = iteration;
      report.residual = worst;
      report.body = static_cast<int>(worst_body);
      if (!std::isfinite(worst)) {
        report.status = StepStatus::not_finite;
        return false;
      }
      q_ = q + dq_;
      if (worst <= epsilon || (before <= floor && worst <= floor)) {
        // q_k·q_{k+1} = |q_k|² + q_k·Δq ≤ 0: a quarter turn or more, possibly another root.
        if (turned <= -1) {
          report.status = StepStatus::step_too_large;
          report.body = static_cast<int>(turned_body);
          return false;
        }
        report.status = StepStatus::ok;
        return true;
      }
      if (iteration == max_iterations || worst > 2 * before) {
        report.status = turned <= -1 ? StepStatus::step_too_large : StepStatus::not_converged;
        if (turned <= -1) report.body = static_cast<int>(turned_body);
        return false;
      }
      before = worst;
      for (Eigen::Index i = 0; i < n; ++i) {
        diagonal_[i] = inertia.inverse_diagonal[i] * q_.col(i).dot(q.col(i));
        if (i + 1 == n) break;
        upper_[i] = inertia.inverse_off_diagonal[i] * q_.col(i).dot(q.col(i + 1));
        lower_[i] = inertia.inverse_off_diagonal[i] * q_.col(i + 1).dot(q.col(i));
      }
      right_ = -residual_;
      eliminate();
      start_ += right_;
    }
  }

  /// Solves the tridiagonal system (lower_, diagonal_, upper_) for right_, in place.
  void eliminate() {
    const auto n = diagonal_.size();
    for (Eigen::Index i = 1; i < n; ++i) {
      const double factor = lower_[i - 1] / diagonal_[i - 1];
      diagonal_[i] -= factor * upper_[i - 1];
      right_[i] -= factor * right_[i - 1];
    }
    right_[n - 1] /= diagonal_[n - 1];
    for (Eigen::Index i = n - 1; i-- > 0;)
      right_[i] = (right_[i] - upper_[i] * right_[i + 1]) / diagonal_[i];
  }

  Columns v_;               // q̇_k, tangent at q_k
  Eigen::VectorXd lambda_;  // multipliers of the last step
  double last_step_ = 0;    // its h; 0 before the first
  Columns a_, f_;           // M⁻¹ G and f at q_k
  std::optional<Damping> damping_;
  // Scratch.
  Columns g_, a_next_, f_next_, drift_, pull_, dq_, q_, work_;
  Eigen::VectorXd start_, residual_, excess_, diagonal_, upper_, lower_, right_;
};

}  // namespace

std::unique_ptr<VariationalMethod> make_variational(const ChainInertia&) {
  return std::make_unique<Chain>();
}

}  // namespace twosphere
