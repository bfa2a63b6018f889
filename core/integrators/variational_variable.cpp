// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/decompositions.h"
#include "core/base/interrupt.h"
#include "core/integrators/variational.h"
#include "core/mechanics/linear_terms.h"

namespace twosphere {

namespace {

/// a + b; the rounding error is added to `lost`.
double sum(double a, double b, double& lost) {
  const double s = a + b, part = s - a;
  lost += (a - (s - part)) + (b - part);
  return s;
}

/// |q|² − 1 of a vector of unit length to rounding, in twice the precision.
double excess(const Vec3& q) {
  const Vec3 square = q.cwiseAbs2();
  double rest = 0;
  for (int k = 0; k < 3; ++k) rest += std::fma(q[k], q[k], -square[k]);
  const double whole = sum(sum(square[0], square[1], rest), square[2], rest);
  return (whole - 1) + rest;
}

/// Implicit variational integrator for an inertia m_ij(q), and for any inertia with terms Σ
/// A_i(q)·q̇_i of the Lagrangian. Order 2, symplectic, reversible.
///
/// Notation: m̄ = ½ [m(q_k) + m(q_{k+1})], G = ∂V/∂q − f, p_i ⟂ q_i the kinetic momentum
/// Π_i Σ_j m_ij q̇_j, the conjugate one without Π_i A_i. Discrete Lagrangian (1/2h) Σ m̄_ij Δq_i·Δq_j
/// + ½ Σ [A_i(q_k) + A_i(q_{k+1})]·Δq_i − (h/2)(V_k + V_{k+1}), whose discrete Legendre transforms
/// give
///
///   h p_{i,k} = Π_{i,k} { Σ_j m̄_ij Δq_j − ¼ Σ_jl (Δq_j·Δq_l) ∂m_jl/∂q_i(q_k) + (h²/2) G_{i,k}
///                         + (h/2) [A_{i,k+1} − A_{i,k} − Σ_j (∂A_j/∂q_i(q_k))ᵀ Δq_j] }
///
///   h p_{i,k+1} = Π_{i,k+1} { Σ_j m̄_ij Δq_j + ¼ Σ_jl (Δq_j·Δq_l) ∂m_jl/∂q_i(q_{k+1})
///                             − (h²/2) G_{i,k+1}
///                             + (h/2) [A_{i,k} − A_{i,k+1} + Σ_j (∂A_j/∂q_i(q_{k+1}))ᵀ Δq_j] }
///
/// The first is solved for a_i ⟂ q_{i,k}, q_{k+1} = a + s q_k with |q_{k+1}| = 1, by Newton in the
/// 2n tangent coordinates; its Jacobian needs first derivatives of m and A only. It is computed at
/// the first guess a = h q̇_k, whose error is O(h²), so that corrections with it reduce the residual
/// by O(h²), and again where they do not. O(n³) per step. Fails with step_too_large if a body would
/// turn by a quarter turn or more, not_converged if Newton's iteration does not converge. Tests:
/// order, reversibility, symplecticity, constant m against the other forms, exact restart; A
/// against axes that rotate. More than twenty members: the arrays that no step may allocate.
class Variable final : public Copied<Variable> {
 public:
  explicit Variable(const Inertia& inertia) : solver_(inertia), lu_(2 * size(inertia)) {}

  void prepare(const System& system, const State& state) override {
    const auto n = state.q.cols();
    for (Columns* c : {&p_, &v_, &g_, &f_, &g_next_, &f_next_, &a_, &dq_, &q_, &r_, &minus_p_,
                       &moved_, &change_})
      c->setZero(3, n);
    if (has_gyroscopic(system))
      for (Columns* c : {&terms_, &terms_next_, &slope_}) c->setZero(3, n);
    for (Eigen::MatrixXd* m : {&m_, &m_next_, &mean_, &rate_, &products_}) m->setZero(n, n);
    if (!std::holds_alternative<VariableInertia>(system.inertia()))
      m_ = m_next_ = dense(system.inertia(), state.q);
    jacobian_.setZero(2 * n, 2 * n);
    right_.setZero(2 * n);
    excess_.setZero(n);
    step_.setZero(2 * n);
    basis_.setZero(3, 2 * n);
    for (Eigen::Index i = 0; i < n; ++i) v_.col(i) = state.w.col(i).cross(state.q.col(i));
    set_velocity(system, state.q);
    refresh(system, state);
  }

  void refresh(const System& system, const State& state) override {
    generalised_gradient(system, state.t, state.q, g_, f_);
  }

  StepStatus flow(const System& system, Damping& damping, double s, State& state,
                  double& work) override {
    velocity(system, state.q);
    const StepStatus status = damping.apply(system, state.t, state.q, g_, s, v_, work);
    if (status != StepStatus::ok) return status;
    // Π_i Σ_j m_ij Δv_j
    multiply(system.inertia(), state.q, damping.change(), r_);
    for (Eigen::Index i = 0; i < state.q.cols(); ++i)
      p_.col(i) += tangent(state.q.col(i), r_.col(i));
    return StepStatus::ok;
  }

  void complete(const System& system, State& state) override {
    velocity(system, state.q);
    for (Eigen::Index i = 0; i < state.q.cols(); ++i)
      state.w.col(i) = state.q.col(i).cross(v_.col(i));
  }

  void save_state(IntegratorState& memory) const override {
    write_entry(memory, 0, "momentum", flat(p_));
  }
  bool load_state(const IntegratorState& memory) override {
    return read_entries(memory, {{"momentum", flat(p_)}});
  }

 private:
  static constexpr int max_iterations = 20;
  static constexpr double slow = 1.0 / 32;  // of a correction: the Jacobian is computed anew

  StepReport move(const System& system, double h, double kick, State& state) override {
    const auto* variable = std::get_if<VariableInertia>(&system.inertia());
    const InertiaField* field = variable ? variable->field : nullptr;
    const GyroscopicField* terms = system.gyroscopic();
    const Columns& q = state.q;
    const auto n = q.cols();
    // m(q_k), A(q_k), tangent bases, and the first guess a = h q̇_k.
    if (field) field->evaluate(q, m_);
    if (terms) terms->evaluate(q, terms_);
    for (Eigen::Index i = 0; i < n; ++i) {
      basis_.middleCols<2>(2 * i) = tangent_basis(q.col(i));
      excess_[i] = excess(q.col(i));
    }
    velocity(system, q);
    a_ = h * v_;

    StepReport report;
    double before = std::numeric_limits<double>::infinity();
    bool last = false;
    for (int iteration = 0;; ++iteration) {
      report.iterations = iteration;
      if (interrupted()) {
        report.status = StepStatus::interrupted;
        return report;
      }
      if (!turn(q, report)) return report;
      // Residual of the first equation in tangent coordinates.
      if (field) field->evaluate(q_, m_next_);
      mean_ = (m_ + m_next_) / 2;
      multiply(mean_, dq_, r_);
      if (field) subtract_slopes(*field, q, 0.25);
      if (terms) {
        terms->evaluate(q_, terms_next_);
        add_terms(*terms, q, h / 2);
      }
      double worst = 0, scale = 0;
      for (Eigen::Index i = 0; i < n; ++i) {
        const Vec3 rest = r_.col(i) + (h * kick) * g_.col(i) - h * p_.col(i);
        right_.segment<2>(2 * i) = -basis_.middleCols<2>(2 * i).transpose() * rest;
        worst = std::max(worst, right_.segment<2>(2 * i).norm() / m_(i, i));
        scale = std::max(scale, dq_.col(i).norm());
        // A_{k+1} − A_k is rounded by parts of A.
        if (terms) scale = std::max(scale, std::abs(h) * terms_.col(i).norm() / m_(i, i));
        if (!std::isfinite(worst)) break;
      }
      report.residual = worst;
      if (!std::isfinite(worst)) {
        report.status = StepStatus::not_finite;
        return report;
      }
      // Once the next correction reduces the residual to rounding, which has no preferred sign, it
      // is the last. Stopping earlier would leave a systematic error of constant sign.
      constexpr double epsilon = std::numeric_limits<double>::epsilon();
      const double floor = 8 * epsilon * std::max(scale, epsilon), enough = 1e3 * floor;
      if (last && worst <= enough) break;
      const double rate = iteration > 0 ? worst / before : 1;
      if (iteration == max_iterations || (iteration > 1 && worst > enough && rate > 2)) {
        report.status = StepStatus::not_converged;
        return report;
      }
      last = worst * rate <= floor / 16 || (worst <= enough && iteration > 0 && rate > 0.1);
      before = worst;
      // Newton correction of a.
      if (iteration == 0 || (rate > slow && worst > enough)) {
        differentiate(field, terms, q, h);
        lu_.compute(jacobian_);
      }
      lu_.solve(right_, step_);
      for (Eigen::Index i = 0; i < n; ++i)
        a_.col(i) += basis_.middleCols<2>(2 * i) * step_.segment<2>(2 * i);
    }

    // p_{k+1} from the second equation.
    generalised_gradient(system, state.t + h, q_, g_next_, f_next_);
    multiply(mean_, dq_, r_);
    if (field) subtract_slopes(*field, q_, -0.25);
    if (terms) add_terms(*terms, q_, -h / 2);
    for (Eigen::Index i = 0; i < n; ++i) {
      // Π_{i,k+1} of the second equation, divided by h.
      const Vec3 full = r_.col(i) / h - kick * g_next_.col(i);
      if (!full.allFinite()) {
        report.status = StepStatus::not_finite;
        report.body = static_cast<int>(i);
        return report;
      }
      r_.col(i) = tangent(q_.col(i), full);
    }
    // Work ½ Σ (f_k + f_{k+1})·Δq.
    if (system.has_external_force()) report.work = ((f_ + f_next_).array() * dq_.array()).sum() / 2;
    // Accept the step.
    p_.swap(r_);
    state.q.swap(q_);
    g_.swap(g_next_);
    f_.swap(f_next_);
    return report;
  }

  /// v = q̇ of p: m v − p ∥ q, v ⟂ q.
  void velocity(const System& system, const Columns& q) {
    minus_p_ = -p_;
    solver_.solve(system.inertia(), q, {.left = q, .right = q, .rest = minus_p_}, v_);
  }
  /// p of v.
  void set_velocity(const System& system, const Columns& q) {
    multiply(system.inertia(), q, v_, p_);
    for (Eigen::Index i = 0; i < q.cols(); ++i) p_.col(i) = tangent(q.col(i), p_.col(i));
  }

  /// q_ and dq_ from a_; false if a body would turn a quarter turn or more.
  bool turn(const Columns& q, StepReport& report) {
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      // |a + (1 + e) q|² = 1, e without cancellation.
      const double square = q.col(i).squaredNorm(), along = q.col(i).dot(a_.col(i));
      // Rounded to double, |q|² − 1 would be −ε/2, 0 or ε, whose mean would act on coupled bodies
      // as a kick.
      const double rest = excess_[i] + 2 * along + a_.col(i).squaredNorm();
      const double root = (square + along) * (square + along) - square * rest;
      // No solution: the body would turn by a quarter turn or more.
      if (!(root > 0)) {
        report.status = std::isfinite(root) ? StepStatus::step_too_large : StepStatus::not_finite;
        report.body = static_cast<int>(i);
        return false;
      }
      dq_.col(i) = a_.col(i) - (rest / (square + along + std::sqrt(root))) * q.col(i);
    }
    q_ = q + dq_;
    return true;
  }

  /// r_i −= weight Σ_jl (Δq_j·Δq_l) ∂m_jl/∂q_i.
  void subtract_slopes(const InertiaField& field, const Columns& q, double weight) {
    for (Eigen::Index i = 0; i < q.cols(); ++i)
      for (Eigen::Index j = 0; j <= i; ++j)
        products_(i, j) = products_(j, i) = -weight * dq_.col(i).dot(dq_.col(j));
    field.slopes(q, products_, r_);
  }

  /// r_i += weight [A_{i,k+1} − A_{i,k} − Σ_j (∂A_j/∂q_i)ᵀ Δq_j] with the derivative at q, of the
  /// first equation with h/2, of the second with −h/2.
  void add_terms(const GyroscopicField& terms, const Columns& q, double weight) {
    slope_.setZero();
    terms.slopes(q, dq_, slope_);
    r_ += weight * ((terms_next_ - terms_) - slope_);
  }

  /// The derivative of the residual by the tangent coordinates of a, column by column: with B_i
  /// their basis at q_i and d = ∂q_{k+1}, which moves one body only,
  /// B_iᵀ {Σ_j m̄_ij d_j + ½ Σ_j ṁ_ij Δq_j − ¼ Σ_jl (Δq_j·d_l + d_j·Δq_l) ∂m_jl/∂q_i(q_k)
  ///       + (h/2) Σ_j [∂A_i/∂q_j(q_{k+1}) − (∂A_j/∂q_i(q_k))ᵀ] d_j},
  /// ṁ the derivative of m along d at q_{k+1}.
  void differentiate(const InertiaField* field, const GyroscopicField* terms, const Columns& q,
                     double h) {
    const auto n = q.cols();
    moved_.setZero();
    products_.setZero();
    for (Eigen::Index l = 0; l < n; ++l) {
      // ∂q_{l,k+1}/∂a_l = I − q_l q_{l,k+1}ᵀ / (q_l·q_{l,k+1}), as |q_{k+1}| = 1 holds.
      const Vec3 ql = q.col(l);
      const Eigen::Matrix<double, 3, 2> moved =
          basis_.middleCols<2>(2 * l) -
          ql * (q_.col(l).transpose() * basis_.middleCols<2>(2 * l)) / ql.dot(q_.col(l));
      for (Eigen::Index b = 0; b < 2; ++b) {
        moved_.col(l) = moved.col(b);
        change_.setZero();
        if (field) {
          field->derivative_along(q_, moved_, rate_);
          rate_ /= 2;
          multiply(rate_, dq_, change_);
        }
        for (Eigen::Index j = 0; j < n; ++j) change_.col(j) += mean_(j, l) * moved.col(b);
        if (field) {
          for (Eigen::Index j = 0; j < n; ++j)
            products_(l, j) = products_(j, l) = -moved.col(b).dot(dq_.col(j)) / 4;
          products_(l, l) *= 2;
          field->slopes(q, products_, change_);
        }
        if (terms) {
          terms->derivative_along(q_, moved_, slope_);
          change_ += (h / 2) * slope_;
          slope_.setZero();
          terms->slopes(q, moved_, slope_);
          change_ -= (h / 2) * slope_;
        }
        for (Eigen::Index i = 0; i < n; ++i)
          jacobian_.block<2, 1>(2 * i, 2 * l + b) =
              basis_.middleCols<2>(2 * i).transpose() * change_.col(i);
      }
      moved_.col(l).setZero();
      products_.row(l).setZero();
      products_.col(l).setZero();
    }
  }

  Columns p_;      // kinetic momentum at q_k
  Columns g_, f_;  // G and f at q_k
  TangentSolver solver_;
  // Scratch.
  Columns v_, minus_p_, g_next_, f_next_, a_, dq_, q_, r_, moved_, change_;
  Columns terms_, terms_next_, slope_;  // A at q_k and q_{k+1}
  Eigen::MatrixXd m_, m_next_, mean_, rate_, products_, jacobian_;
  Eigen::Matrix3Xd basis_;
  Eigen::VectorXd right_, step_, excess_;  // excess_: |q_k|² − 1
  LuFactors lu_;
};

}  // namespace

std::unique_ptr<VariationalMethod> make_variational(const VariableInertia& inertia) {
  return std::make_unique<Variable>(inertia);
}
std::unique_ptr<VariationalMethod> make_gyroscopic_variational(const Inertia& inertia) {
  return std::make_unique<Variable>(inertia);
}

}  // namespace twosphere
