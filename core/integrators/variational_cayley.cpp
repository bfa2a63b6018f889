// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/base/decompositions.h"
#include "core/base/interrupt.h"
#include "core/integrators/step_tangent.h"
#include "core/integrators/variational.h"

namespace twosphere {

namespace {

/// Solves A x = b by Gaussian elimination with partial pivoting; large matrices in blocks of
/// columns, so that it can be interrupted.
class DenseSolver {
 public:
  explicit DenseSolver(Eigen::Index size) : lu_(size), pivots_(static_cast<std::size_t>(size)) {}

  /// Overwrites A. False if interrupted.
  bool factorise(Eigen::MatrixXd& a) {
    // Small matrices at once.
    whole_ = a.rows() <= 4 * width;
    if (whole_) {
      lu_.compute(a);
      return !interrupted();
    }
    const Eigen::Index n = a.rows();
    for (Eigen::Index k = 0; k < n; k += width) {
      if (interrupted()) return false;
      // Factorise a panel of columns with partial pivoting.
      const Eigen::Index wide = std::min(width, n - k), rest = n - k - wide;
      for (Eigen::Index c = k; c < k + wide; ++c) {
        Eigen::Index pivot = 0;
        a.col(c).tail(n - c).cwiseAbs().maxCoeff(&pivot);
        pivots_[static_cast<std::size_t>(c)] = pivot += c;
        if (pivot != c) a.row(c).swap(a.row(pivot));
        const Eigen::Index below = n - c - 1, right = k + wide - c - 1;
        a.col(c).tail(below) /= a(c, c);
        a.block(c + 1, c + 1, below, right).noalias() -=
            a.col(c).tail(below) * a.row(c).segment(c + 1, right);
      }
      // Apply the panel to the columns on its right.
      for (Eigen::Index j = k + wide; j < n; j += 4 * width) {
        if (interrupted()) return false;
        auto upper = a.block(k, j, wide, std::min(4 * width, n - j));
        a.block(k, k, wide, wide).triangularView<Eigen::UnitLower>().solveInPlace(upper);
        a.block(k + wide, j, rest, upper.cols()).noalias() -=
            a.block(k + wide, k, rest, wide) * upper;
      }
    }
    return true;
  }

  /// `a` as factorise() left it.
  void solve(const Eigen::MatrixXd& a, const Eigen::VectorXd& b, Eigen::VectorXd& x) const {
    if (whole_) {
      lu_.solve(b, x);
      return;
    }
    // Row exchanges, then both triangular systems.
    x = b;
    for (Eigen::Index c = 0; c < x.size(); ++c)
      std::swap(x[c], x[pivots_[static_cast<std::size_t>(c)]]);
    a.triangularView<Eigen::UnitLower>().solveInPlace(x);
    a.triangularView<Eigen::Upper>().solveInPlace(x);
  }

 private:
  static constexpr Eigen::Index width = 128;  // of a block

  LuFactors lu_;
  std::vector<Eigen::Index> pivots_;
  bool whole_ = true;
};

/// The variational integrator as solved in [P1], with 3n Cayley coordinates and dense matrices. The
/// same map as `variational`, for which it serves as a reference. Order 2, symplectic, reversible.
///
/// Notation: f_i ⟂ q_i Cayley coordinates of the rotation F_i, q_{k+1} = F q_k; π_i = q_i × Σ_j
/// M_ij q̇_j; G = ∂V/∂q − f.
///
///   F_i q_i − q_i = 2/(1 + |f_i|²) (f_i × q_i − |f_i|² q_i)                              (3.15)
///
///   q_i × Σ_j M_ij (F_j − I) q_j = h π_i − (h²/2) q_i × G_i                        (3.14), (3.16)
///
/// by Newton with the exact Jacobian, then ω_{k+1} from
///
///   q_{i,k+1} × Σ_j M_ij q̇_{j,k+1} = (1/h) q_{i,k+1} × Σ_j M_ij Δq_j − (h/2) q_{i,k+1} × G_{i,k+1}
///                                                                                        (3.13)
/// With b = 2 f/(1 + |f|²), (3.15) is F q = b × q + √(1 − b·b) q, evaluated so that |q| holds.
/// Cost: O(n³), 27 times that of n multipliers. Fails with step_too_large if |f| ≥ 1 (a quarter
/// turn), not_converged if Newton's iteration does not converge. Tests: `variational`, order,
/// reversibility.
class Cayley final : public Integrator, private TangentMap {
 public:
  void prepare(const System& system, const State& state) override {
    const int n = state.size();
    // M, which is constant.
    m_ = dense(system.inertia(), state.q);
    for (Columns* c : {&g_, &g_next_, &v_, &p_, &dq_, &q_}) c->resize(3, n);
    force_.setZero(3, n);
    force_next_.setZero(3, n);
    for (Eigen::VectorXd* v : {&f_, &pi_, &r_, &change_}) v->resize(3 * n);
    a_.resize(3 * n, 3 * n);
    solver_.emplace(3 * n);
    damping_.emplace(system);
    tangent_.reset();
    w_ = state.w;
    generalised_gradient(system, state.t, state.q, g_, force_);
  }

  StepReport advance(const System& system, double h, State& state) override {
    // The stored values belong to the previous t + h, which may differ from this t in the last
    // digit.
    if (system.time_dependent()) generalised_gradient(system, state.t, state.q, g_, force_);
    // Kick, drift and kick; with forces that depend on velocities flow, drift and flow.
    if (!velocity_dependent(system)) return move(system, h, h / 2, state);
    w_ = state.w;
    StepReport report;
    double work = 0;
    report.status = flow(system, state.t, h / 2, state, work);
    if (report.ok()) {
      report = move(system, h, 0, state);
      if (report.ok() &&
          (report.status = flow(system, state.t + h, h / 2, state, work)) != StepStatus::ok) {
        state.q.swap(q_);
        g_.swap(g_next_);
        force_.swap(force_next_);
      }
    }
    report.work += work;
    if (!report.ok()) state.w = w_;
    return report;
  }

  TangentMap* tangent_map(const System& system) override {
    return velocity_dependent(system) || system.force_tolerance() > 0 ? nullptr : this;
  }

 private:
  StepReport advance(const System& system, double h, State& state,
                     std::span<TangentVector> vectors) override {
    if (!tangent_) tangent_ = make_step_tangent(system);
    // The step, then the derivative between its ends.
    from_ = state;
    const StepReport report = advance(system, h, state);
    if (!report.ok()) return report;
    to_ = state;
    to_.t += h;
    tangent_->carry(system, h, h / 2, from_, to_, vectors);
    return report;
  }

  bool stretches(const System& system) const override {
    return !velocity_dependent(system) && !system.time_dependent();
  }

  static constexpr int max_iterations = 20;

  /// Flow of damping, potential and forces before or after a drift. On failure nothing changes.
  StepStatus flow(const System& system, double t, double s, State& state, double& work) {
    for (Eigen::Index i = 0; i < v_.cols(); ++i) v_.col(i) = state.w.col(i).cross(state.q.col(i));
    const StepStatus status = damping_->apply(system, t, state.q, g_, s, v_, work);
    if (status != StepStatus::ok) return status;
    for (Eigen::Index i = 0; i < v_.cols(); ++i)
      state.w.col(i) += state.q.col(i).cross(damping_->change().col(i));
    return StepStatus::ok;
  }

  /// A drift over h with kicks over a time `kick`, h/2 or 0, before and after.
  StepReport move(const System& system, double h, double kick, State& state) {
    const int n = state.size();
    const Columns& q = state.q;
    for (int i = 0; i < n; ++i) v_.col(i) = state.w.col(i).cross(q.col(i));
    // π_i = q_i × Σ_j M_ij q̇_j, and the first guess f_i = ½ h ω_i.
    p_.noalias() = v_ * m_;
    for (int i = 0; i < n; ++i) {
      pi_.segment<3>(3 * i) = q.col(i).cross(p_.col(i));
      f_.segment<3>(3 * i) = h / 2 * state.w.col(i);
    }
    StepReport report;
    for (;; ++report.iterations) {
      // Newton correction of f.
      linearise(q, h, kick);
      if (!solver_->factorise(a_)) {
        report.status = StepStatus::interrupted;
        return report;
      }
      solver_->solve(a_, r_, change_);
      f_ -= change_;
      report.residual = change_.cwiseAbs().maxCoeff<Eigen::PropagateNaN>();
      if (!std::isfinite(report.residual)) {
        report.status = StepStatus::not_finite;
        return report;
      }
      // Converged to rounding.
      if (report.residual <= 4e-16) break;
      if (report.iterations == max_iterations) {
        if (report.residual <= 1e-14) break;
        report.status = StepStatus::not_converged;
        return report;
      }
    }
    for (int i = 0; i < n; ++i) {
      const Vec3 qi = q.col(i), f = f_.segment<3>(3 * i);
      // q_{k+1} from (3.15), with |q_{k+1}| = 1 for the stored q_k.
      const Vec3 b = 2 / (1 + f.squaredNorm()) * f;
      if (!(f.squaredNorm() < 1)) {
        report.status = StepStatus::step_too_large;
        report.body = i;
        return report;
      }
      q_.col(i) = b.cross(qi) + std::sqrt(1 / qi.squaredNorm() - b.squaredNorm()) * qi;
      dq_.col(i) = 2 / (1 + f.squaredNorm()) * (f.cross(qi) - f.squaredNorm() * qi);
    }
    // G_{k+1}
    generalised_gradient(system, state.t + h, q_, g_next_, force_next_);
    if (!g_next_.allFinite()) {
      report.status = StepStatus::not_finite;
      return report;
    }
    // Work ½ Σ (f_k + f_{k+1})·Δq.
    if (system.has_external_force())
      report.work = ((force_ + force_next_).array() * dq_.array()).sum() / 2;
    // (3.13), with q̇_j = −q_j × ω_j: a linear system for ω_{k+1}.
    p_.noalias() = dq_ * m_;
    for (int i = 0; i < n; ++i) {
      const Vec3 qi = q_.col(i);
      r_.segment<3>(3 * i) = qi.cross(Vec3(p_.col(i) / h - kick * g_next_.col(i)));
      for (int j = 0; j < n; ++j)
        a_.block<3, 3>(3 * i, 3 * j) =
            i == j ? Mat3(m_(i, i) * Mat3::Identity()) : Mat3(-m_(i, j) * hat(qi) * hat(q_.col(j)));
    }
    if (!solver_->factorise(a_)) {
      report.status = StepStatus::interrupted;
      return report;
    }
    solver_->solve(a_, r_, change_);
    for (int i = 0; i < n; ++i) {
      // Remove the rounding error along q_i.
      const Vec3 qi = q_.col(i), w = change_.segment<3>(3 * i);
      state.w.col(i) = w - qi * (qi.dot(w) / qi.squaredNorm());
    }
    state.q.swap(q_);
    g_.swap(g_next_);
    force_.swap(force_next_);
    return report;
  }

  /// Residual of (3.16) in r_ and its Jacobian in a_, at f_; incomplete if interrupted.
  void linearise(const Columns& q, double h, double kick) {
    const int n = static_cast<int>(q.cols());
    for (int i = 0; i < n && !interrupted(); ++i) {
      const Vec3 qi = q.col(i), fi = f_.segment<3>(3 * i);
      Vec3 sum = Vec3::Zero();
      for (int j = 0; j < n; ++j) {
        const Vec3 qj = q.col(j), fj = f_.segment<3>(3 * j);
        // (F_j − I) q_j and its derivative with respect to f_j.
        const double c = 2 / (1 + fj.squaredNorm());
        const Vec3 moved = fj.cross(qj) - fj.squaredNorm() * qj;
        sum += m_(i, j) * c * moved;
        const Mat3 derivative =
            c * (-hat(qj) - 2 * qj * fj.transpose()) - c * c * moved * fj.transpose();
        a_.block<3, 3>(3 * i, 3 * j) = m_(i, j) * hat(qi) * derivative;
      }
      // q_i × annihilates the direction q_i; the condition f_i·q_i = 0 replaces it.
      r_.segment<3>(3 * i) = qi.cross(sum) - h * pi_.segment<3>(3 * i) +
                             h * kick * qi.cross(g_.col(i)) + m_(i, i) * qi * qi.dot(fi);
      a_.block<3, 3>(3 * i, 3 * i) += m_(i, i) * qi * qi.transpose();
    }
  }

  Eigen::MatrixXd m_;
  Columns g_, force_;  // G and f at q_k
  std::optional<Damping> damping_;
  // Scratch.
  Columns g_next_, force_next_, v_, p_, dq_, q_, w_;
  Eigen::VectorXd f_, pi_, r_, change_;
  Eigen::MatrixXd a_;
  std::optional<DenseSolver> solver_;
  std::unique_ptr<StepTangent> tangent_;
  State from_, to_;  // of a step with its tangent map
};

}  // namespace

const IntegratorInfo& variational_cayley() {
  static const IntegratorInfo info{
      .key = "variational_cayley",
      .title = "Variational, Cayley form",
      .description =
          "The VI solved as printed in the paper, in 3n Cayley coordinates with dense matrices: a "
          "reference for `variational`.",
      .formula = "qᵢ × Σⱼ Mᵢⱼ (Fⱼ − I) qⱼ = h πᵢ − ½h² qᵢ × ∂V/∂qᵢ,  Fᵢ = cay(fᵢ)",
      .reference = "Lee, Leok, McClamroch 2009, (3.13)-(3.16)",
      .order = 2,
      .explicit_method = false,
      .symplectic = true,
      .reversible = true,
      .keeps_sphere = true,
      .modified_energy = ModifiedForm::variational,
      .applies =
          [](const Inertia& inertia) { return !std::holds_alternative<VariableInertia>(inertia); },
      .needs = "a constant inertia",
      .max_bodies = 2048,
      .look = {{0x3c93c8}, {0x3f8fc4}, {0xe8514a}, {0xe8564e}, Dash::solid, Marker::cross},
      .create = [](const Values&) -> std::unique_ptr<Integrator> {
        return std::make_unique<Cayley>();
      }};
  return info;
}

}  // namespace twosphere
