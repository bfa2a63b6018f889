// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "core/integrators/variational.h"

namespace twosphere {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// Implicit variational integrator for a chain, in its n multipliers. Order 2, symplectic,
/// reversible; the same map as [P1] (3.10)-(3.13).
///
/// Notation: p_i conjugate momentum of q_i, p_i ⟂ q_i; λ_i multiplier of |q_i| = 1; G = ∂V/∂q − f;
/// M inertia, M⁻¹ tridiagonal.
///   q_{k+1} = q_k + Δq,  Δq = M⁻¹ (h p_k − (h²/2) G_k + λ∘q_k)
///   r_i     = q_{i,k}·Δq_i + ½ |Δq_i|² + ½ (|q_{i,k}|² − 1) = ½ (|q_{i,k+1}|² − 1) = 0   solved
///   for λ by Newton,
///             ∂r_i/∂λ_j = (M⁻¹)_ij q_{i,k+1}·q_{j,k}                                  tridiagonal
///   p_{k+1} = Π_{k+1} [p_k + λ∘q_k / h − (h/2)(G_k + G_{k+1})]
/// Velocity: q̇ = M⁻¹(p + μ∘q) with q_i·q̇_i = 0, a symmetric tridiagonal system for μ.
/// Newton starts from the last λ times h/h_last (from λ = h μ the first time, and again if the
/// first try fails). O(n) per step. Fails with step_too_large if a body would turn a quarter turn
/// or more, not_converged if Newton does not end. Tests: the paper's dense Cayley form (3.16),
/// order, reversibility, exact restart, unit length over 10⁵ steps, momentum map.
class Chain final : public Integrator {
 public:
  void prepare(const System& system, const State& state) override {
    const auto n = state.q.cols();
    for (Columns* a : {&p_, &g_, &g_next_, &b_, &dq_, &q_, &work_}) a->resize(3, n);
    f_.setZero(3, n);
    f_next_.setZero(3, n);
    for (Eigen::VectorXd* a : {&lambda_, &start_, &residual_, &turn_, &drift_, &diagonal_, &right_})
      a->setZero(n);
    upper_.resize(n);
    lower_.resize(n);
    for (Eigen::Index i = 0; i < n; ++i) work_.col(i) = state.w.col(i).cross(state.q.col(i));
    multiply(system.inertia(), work_, p_);
    for (Eigen::Index i = 0; i < n; ++i) p_.col(i) = tangent(state.q.col(i), p_.col(i));
    last_step_ = 0;
    generalised_gradient(system, state.t, state.q, g_, f_);
  }

  StepReport advance(const System& system, double h, State& state) override {
    const auto& inertia = std::get<ChainInertia>(system.inertia());
    const auto n = state.q.cols();
    b_ = h * p_ - (h * h / 2) * g_;
    for (Eigen::Index i = 0; i < n; ++i) drift_[i] = (state.q.col(i).squaredNorm() - 1) / 2;

    StepReport report;
    bool solved = false;
    if (last_step_ != 0) {
      start_ = lambda_ * (h / last_step_);
      solved = solve(inertia, state.q, report);
    }
    if (!solved) {
      velocity_multipliers(inertia, state.q, start_);
      start_ *= h;
      const int spent = report.iterations;
      solved = solve(inertia, state.q, report);
      report.iterations += spent;
    }
    if (!solved) return report;

    generalised_gradient(system, state.t + h, q_, g_next_, f_next_);
    if (!g_next_.allFinite()) {
      report.status = StepStatus::not_finite;
      return report;
    }
    if (system.driven()) report.work = ((f_ + f_next_).array() * dq_.array()).sum() / 2;
    for (Eigen::Index i = 0; i < n; ++i) {
      const Vec3 p =
          p_.col(i) + (start_[i] / h) * state.q.col(i) - (h / 2) * (g_.col(i) + g_next_.col(i));
      p_.col(i) = tangent(q_.col(i), p);
    }
    lambda_.swap(start_);
    last_step_ = h;
    state.q.swap(q_);
    g_.swap(g_next_);
    f_.swap(f_next_);
    return report;
  }

  void complete(const System& system, State& state) override {
    const auto& inertia = std::get<ChainInertia>(system.inertia());
    velocity_multipliers(inertia, state.q, right_);
    work_ = p_ + state.q * right_.asDiagonal();
    inertia.apply_inverse(work_, dq_);
    for (Eigen::Index i = 0; i < state.q.cols(); ++i)
      state.w.col(i) = state.q.col(i).cross(dq_.col(i));
  }

  Memory memory() const override {
    return {{"momentum", {p_.data(), p_.data() + p_.size()}},
            {"multipliers", {lambda_.data(), lambda_.data() + lambda_.size()}},
            {"last_step", {last_step_}}};
  }

  bool restore(const Memory& memory) override {
    if (memory.size() != 3 || memory[0].first != "momentum" || memory[1].first != "multipliers" ||
        memory[2].first != "last_step")
      return false;
    const auto& [p, lambda, h] = std::tie(memory[0].second, memory[1].second, memory[2].second);
    if (static_cast<Eigen::Index>(p.size()) != p_.size() ||
        static_cast<Eigen::Index>(lambda.size()) != lambda_.size() || h.size() != 1)
      return false;
    std::copy(p.begin(), p.end(), p_.data());
    std::copy(lambda.begin(), lambda.end(), lambda_.data());
    last_step_ = h[0];
    return true;
  }

 private:
  static constexpr int max_iterations = 8;

  /// Newton's iteration for λ from start_; the solution stays in start_, dq_ and q_.
  bool solve(const ChainInertia& inertia, const Columns& q, StepReport& report) {
    const auto n = q.cols();
    double before = std::numeric_limits<double>::infinity();
    for (int iteration = 0;; ++iteration) {
      work_ = b_ + q * start_.asDiagonal();
      inertia.apply_inverse(work_, dq_);
      double worst = 0, turned = 0, scale = 1;
      Eigen::Index worst_body = 0, turned_body = 0;
      for (Eigen::Index i = 0; i < n; ++i) {
        turn_[i] = q.col(i).dot(dq_.col(i));
        residual_[i] = turn_[i] + dq_.col(i).squaredNorm() / 2 + drift_[i];
        const double magnitude = std::abs(residual_[i]);
        if (!(magnitude <= worst)) worst = magnitude, worst_body = i;
        if (turn_[i] < turned) turned = turn_[i], turned_body = i;
        scale = std::max(scale, inertia.inverse_diagonal[i] * work_.col(i).norm());
      }
      // From below this on, another iterate only moves the residual about in the rounding: that of
      // q, or of the larger momenta and tensions of a long chain whose difference Δq is.
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

  /// μ from (M⁻¹ ∘ Gram(q)) μ = −q_i·[M⁻¹ p]_i.
  void velocity_multipliers(const ChainInertia& inertia, const Columns& q, Eigen::VectorXd& mu) {
    const auto n = q.cols();
    inertia.apply_inverse(p_, work_);
    for (Eigen::Index i = 0; i < n; ++i) {
      right_[i] = -q.col(i).dot(work_.col(i));
      diagonal_[i] = inertia.inverse_diagonal[i] * q.col(i).squaredNorm();
      if (i + 1 == n) break;
      upper_[i] = lower_[i] = inertia.inverse_off_diagonal[i] * q.col(i).dot(q.col(i + 1));
    }
    eliminate();
    mu = right_;
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

  Columns p_;               // momentum p_k, tangent at q_k
  Eigen::VectorXd lambda_;  // multipliers of the last step
  double last_step_ = 0;    // its h; 0 before the first
  Columns g_, f_;           // G and f at q_k
  // Scratch.
  Columns g_next_, f_next_, b_, dq_, q_, work_;
  Eigen::VectorXd start_, residual_, turn_, drift_, diagonal_, upper_, lower_, right_;
};

}  // namespace

std::unique_ptr<Integrator> make_variational(const ChainInertia&) {
  return std::make_unique<Chain>();
}

}  // namespace twosphere
