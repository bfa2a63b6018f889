// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/integrators/step_tangent.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <type_traits>
#include <variant>

#include "core/base/decompositions.h"
#include "core/integrators/damping.h"
#include "core/integrators/frame_turn.h"
#include "core/kernels/chain_tangent.h"
#include "core/mechanics/chain_inverse.h"
#include "core/mechanics/linear_terms.h"
#include "core/mechanics/parameter_slope.h"
#include "core/mechanics/phase_tangent.h"

namespace twosphere {

namespace {

/// out = K v, the derivative of G = ∂V/∂q − f along v.
void slope_of_gradient(const System& system, double t, const Columns& q, const Columns& v,
                       Columns& out, Columns& force) {
  system.hessian_times(q, v, out);
  if (!system.has_external_force()) return;
  system.force_slope(t, q, v, force);
  out -= force;
}

/// Whether the system changes along one of these vectors.
bool sloped(std::span<const TangentVector> vectors) {
  return std::any_of(vectors.begin(), vectors.end(),
                     [](const TangentVector& v) { return v.slope != nullptr; });
}

/// Whether axes rotate in systems beside, also where those of this one are at rest.
bool sloped_rotation(std::span<const TangentVector> vectors) {
  return std::any_of(vectors.begin(), vectors.end(), [](const TangentVector& v) {
    if (!v.slope) return false;
    const auto& beside = v.slope->beside();
    return std::any_of(beside.begin(), beside.end(), [](const ParameterSlope::Beside& one) {
      return has_frame_rotation(*one.system);
    });
  });
}

/// Solves the linear systems of a step with a constant M: x with Σ_j M_ij x_j + r_i ∥ c_i and
/// e_i·x_i = τ_i. `again`: only r and τ differ from the last problem.
class AnySolver {
 public:
  explicit AnySolver(const Inertia& inertia) : solver_(inertia), normal_(size(inertia)) {}

  void solve(const Inertia& inertia, const Columns& left, const Columns& right, const Columns& rest,
             const Eigen::VectorXd& along, Columns& x, bool again) {
    // x_i is τ_i e_i/|e_i|² and a part across e_i.
    for (Eigen::Index i = 0; i < x.cols(); ++i) normal_[i] = along[i] / right.col(i).squaredNorm();
    solver_.solve(inertia, left, {.left = left, .right = right, .rest = rest, .normal = &normal_},
                  x, again);
    for (Eigen::Index i = 0; i < x.cols(); ++i) x.col(i) += normal_[i] * right.col(i);
  }

 private:
  TangentSolver solver_;
  Eigen::VectorXd normal_;
};

/// For chains, whose M⁻¹ is tridiagonal: x = M⁻¹ (λ∘c − r), Σ_j (M⁻¹)_ij (e_i·c_j) λ_j = τ_i +
/// e_i·(M⁻¹ r)_i. The factors of the matrix are those of the Thomas algorithm.
class ChainSolver {
 public:
  explicit ChainSolver(const Inertia& inertia) : factors_(size(inertia)), lambda_(size(inertia)) {}

  const chain_kernel::Factors& factorise(const Inertia& inertia, const Columns& left,
                                         const Columns& right) {
    factors_.compute(std::get<ChainInertia>(inertia), left, right);
    return factors_;
  }

  void solve(const Inertia& inertia, const Columns& left, const Columns& right, const Columns& rest,
             const Eigen::VectorXd& along, Columns& x, bool again) {
    const auto& chain = std::get<ChainInertia>(inertia);
    const auto n = x.cols();
    if (!again) factors_.compute(chain, left, right);
    const Eigen::VectorXd &pivot = factors_.pivot, &lower = factors_.lower, &upper = factors_.upper;
    // −M⁻¹ r, and forward elimination.
    apply_inverse(
        chain, [&](Eigen::Index i) -> Vec3 { return rest.col(i); },
        [&](Eigen::Index i, const Vec3& a) {
          x.col(i) = -a;
          lambda_[i] = along[i] + right.col(i).dot(a) - (i > 0 ? lower[i] * lambda_[i - 1] : 0);
        });
    // Back substitution for λ.
    lambda_[n - 1] *= pivot[n - 1];
    for (Eigen::Index i = n - 1; i-- > 0;)
      lambda_[i] = (lambda_[i] - upper[i] * lambda_[i + 1]) * pivot[i];
    apply_inverse(
        chain, [&](Eigen::Index i) -> Vec3 { return lambda_[i] * left.col(i); },
        [&](Eigen::Index i, const Vec3& a) { x.col(i) += a; });
  }

 private:
  chain_kernel::Factors factors_;
  Eigen::VectorXd lambda_;
};

/// Of a constant inertia. More than twenty members: the arrays that no step may allocate.
template <class Solver>
class ConstantStep final : public StepTangent {
 public:
  explicit ConstantStep(const System& system)
      : to_end_(system.inertia()), at_end_(to_end_), frame_(FrameTurn::of(system)) {
    const int n = system.size();
    for (Columns* c : {&v_, &v_next_, &g_, &g_next_, &f_, &q_, &d_, &w_, &moved_, &dv_, &dq_,
                       &rest_, &slope_, &beside_})
      c->setZero(3, n);
    for (Eigen::VectorXd* v : {&lambda_, &mu_, &along_}) v->setZero(n);
  }

  void carry(const System& system, double h, double kick, const State& from, const State& to,
             std::span<TangentVector> vectors) override {
    const Inertia& inertia = system.inertia();
    const Columns &q = from.q, &q_next = to.q;
    const auto n = q.cols();
    if (!frame_ && sloped_rotation(vectors)) frame_.emplace(system);
    multipliers(system, h, kick, from, to);
    // q_{k+1} before the axes turn.
    const Columns& q_end = frame_ ? q_end_ : q_next;
    if constexpr (std::is_same_v<Solver, ChainSolver>) {
      const auto& chain = std::get<ChainInertia>(inertia);
      if (system.has_constant_gradient() && !system.has_external_force() &&
          !chain.has_free_base() && !frame_ && !sloped(vectors)) {
        return chain_kernel::carry({chain,
                                    h,
                                    q,
                                    q_next,
                                    from.w,
                                    v_next_,
                                    lambda_,
                                    mu_,
                                    to_end_.factorise(inertia, q, q_next),
                                    at_end_.factorise(inertia, q_next, q_next),
                                    {kick, v_, d_, g_}},
                                   vectors, workspace_);
      }
    }
    bool again = false;
    for (TangentVector& vector : vectors) {
      // δv_k, and the first equation for δd.
      for (Eigen::Index i = 0; i < n; ++i)
        dv_.col(i) = vector.w.col(i).cross(q.col(i)) + from.w.col(i).cross(vector.q.col(i));
      // How Ω changes with θ.
      const Vec3 turning = vector.slope ? rotation_slope(*vector.slope) : Vec3(Vec3::Zero());
      if (frame_) {
        add_frame_velocity(frame_->rate(), vector.q, dv_);
        add_frame_velocity(turning, q, dv_);
      }
      dq_ = vector.q + h * dv_;
      weigh(system, from, vector.q, h * kick, lambda_);
      const double stretch = vector.stretch;
      if (stretch != 0) {
        dq_ += (stretch * h) * v_;
        rest_ += (2 * stretch * h * kick) * g_;
      }
      if (vector.slope) add_slope(*vector.slope, from, d_, h * kick);
      // δq_{k+1} ⟂ q_{k+1}
      for (Eigen::Index i = 0; i < n; ++i) along_[i] = -q_end.col(i).dot(dq_.col(i));
      to_end_.solve(inertia, q, q_end, rest_, along_, moved_, again);
      dq_ += moved_;
      dv_ += moved_ / h;
      if (stretch != 0) dv_ -= (stretch / h) * d_;
      if (frame_) turn(vector, h, q_next);
      // The second for δw.
      weigh(system, to, dq_, kick, mu_);
      if (stretch != 0) rest_ += (stretch * kick) * g_next_;
      if (vector.slope) add_slope(*vector.slope, to, w_, kick);
      // q_{k+1}·δv + v_{k+1}·δq = 0
      for (Eigen::Index i = 0; i < n; ++i)
        along_[i] = -(v_next_.col(i).dot(dq_.col(i)) + q_next.col(i).dot(dv_.col(i)));
      at_end_.solve(inertia, q_next, q_next, rest_, along_, moved_, again);
      again = true;
      if (frame_) {
        // Of the velocities in the axes.
        add_frame_velocity(-frame_->rate(), dq_, moved_);
        add_frame_velocity(-turning, q_next, moved_);
      }
      // δω_{k+1} = δq × v + q × δv
      const Columns& v_next = frame_ ? relative_ : v_next_;
      for (Eigen::Index i = 0; i < n; ++i) {
        vector.w.col(i) =
            dq_.col(i).cross(v_next.col(i)) + q_next.col(i).cross(Vec3(dv_.col(i) + moved_.col(i)));
      }
      vector.q = dq_;
    }
  }

 private:
  /// λ and μ of the step.
  void multipliers(const System& system, double h, double kick, const State& from,
                   const State& to) {
    const auto n = from.q.cols();
    for (Eigen::Index i = 0; i < n; ++i) {
      v_.col(i) = from.w.col(i).cross(from.q.col(i));
      v_next_.col(i) = to.w.col(i).cross(to.q.col(i));
    }
    const Columns* q_end = &to.q;
    if (frame_) {
      // Inertial velocities, and the end before the axes turn.
      relative_ = v_next_;
      add_frame_velocity(frame_->rate(), from.q, v_);
      add_frame_velocity(frame_->rate(), to.q, v_next_);
      frame_->set_step(-h);
      q_end_ = to.q;
      frame_->turn(q_end_);
      frame_->set_step(h);
      q_end = &q_end_;
    }
    // G at both ends; at the first it is known after the step before.
    if (kick != 0) {
      if (system.time_dependent() || from.q != q_)
        generalised_gradient(system, from.t, from.q, g_, f_);
      else
        g_.swap(g_next_);
      generalised_gradient(system, to.t, to.q, g_next_, f_);
      q_ = to.q;
    }
    // λ_i = q_i·(M d + h κ G)_i
    for (Eigen::Index i = 0; i < n; ++i)
      d_.col(i) = (q_end->col(i) - from.q.col(i)) - h * v_.col(i);
    project(system, from.q, d_, h * kick, g_, lambda_);
    // μ_i = q_i·(M w + κ G)_i
    if (frame_) {
      v_end_ = v_ + d_ / h;
      frame_->turn(v_end_);
      w_ = v_next_ - v_end_;
    } else {
      for (Eigen::Index i = 0; i < n; ++i) w_.col(i) = (v_next_.col(i) - v_.col(i)) - d_.col(i) / h;
    }
    project(system, to.q, w_, kick, g_next_, mu_);
  }

  /// ∂_θΩ
  static Vec3 rotation_slope(const ParameterSlope& slope) {
    Vec3 sum = Vec3::Zero();
    for (const auto& [system, weight] : slope.beside()) sum += weight * system->frame_rotation();
    return sum;
  }

  /// Turns dq_ and dv_ into the axes at the end of the step, with what the turn itself changes by.
  void turn(const TangentVector& vector, double h, const Columns& q_next) {
    frame_->turn(dq_);
    frame_->turn(dv_);
    if (vector.stretch != 0) {
      add_frame_velocity(-vector.stretch * h * frame_->rate(), q_next, dq_);
      add_frame_velocity(-vector.stretch * h * frame_->rate(), v_end_, dv_);
    }
    if (!vector.slope) return;
    // ∂_θ exp(−h Ω̂) of what the turn has made of both.
    Mat3 change = Mat3::Zero();
    for (const auto& [system, weight] : vector.slope->beside())
      change += weight * turn_change(system->frame_rotation(), h);
    change *= (Mat3::Identity() + turn_change(frame_->rate(), h)).transpose().eval();
    dq_ += change * q_next;
    dv_ += change * v_end_;
  }

  /// q_i·(M x + s G)_i / |q_i|²
  void project(const System& system, const Columns& q, const Columns& x, double s, const Columns& g,
               Eigen::VectorXd& out) {
    multiply(system.inertia(), q, x, rest_);
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      if (s != 0) rest_.col(i) += s * g.col(i);
      out[i] = q.col(i).dot(rest_.col(i)) / q.col(i).squaredNorm();
    }
  }

  /// rest_ = s K δq − λ∘δq
  void weigh(const System& system, const State& at, const Columns& dq, double s,
             const Eigen::VectorXd& multiplier) {
    rest_.noalias() = -dq * multiplier.asDiagonal();
    if (s == 0) return;
    slope_of_gradient(system, at.t, at.q, dq, slope_, f_);
    rest_ += s * slope_;
  }

  /// rest_ += ∂_θ(M x + s G)
  void add_slope(const ParameterSlope& slope, const State& at, const Columns& x, double s) {
    for (const auto& [system, weight] : slope.beside()) {
      multiply(system->inertia(), at.q, x, slope_);
      if (s != 0) {
        generalised_gradient(*system, at.t, at.q, beside_, f_);
        slope_ += s * beside_;
      }
      rest_ += weight * slope_;
    }
  }

  Solver to_end_, at_end_;  // of the two equations
  std::optional<FrameTurn> frame_;
  // In axes that rotate: q_{k+1} before they turn, v_k + d/h after that, and q̇_{k+1} in them.
  Columns q_end_, v_end_, relative_;
  Columns q_;  // at which g_next_ is G
  Columns v_, v_next_, g_, g_next_, f_, d_, w_, moved_, dv_, dq_, rest_, slope_, beside_;
  Eigen::VectorXd lambda_, mu_, along_;
  Aligned<double> workspace_;
};

/// Of an inertia that depends on q, or of any with terms Σ A_i(q)·q̇_i. More than twenty members:
/// the arrays that no step may allocate.
class VariableStep final : public StepTangent {
 public:
  explicit VariableStep(const System& system)
      : begin_(system), end_(system), lu_(2 * system.size()) {
    const int n = system.size();
    for (Columns* c : {&g_, &g_begin_, &f_, &delta_, &legendre_, &dp_, &dq_, &change_, &none_,
                       &one_, &slope_, &beside_, &terms_, &of_terms_})
      c->setZero(3, n);
    for (Eigen::MatrixXd* m : {&mean_, &m_, &squares_, &products_, &rate_, &rate_next_})
      m->setZero(n, n);
    jacobian_.setZero(2 * n, 2 * n);
    right_.setZero(2 * n);
    solution_.setZero(2 * n);
    for (Columns* c : {&basis_, &moved_}) c->setZero(3, 2 * n);
    lambda_.setZero(n);
  }

  void carry(const System& system, double h, double kick, const State& from, const State& to,
             std::span<TangentVector> vectors) override {
    const auto n = from.q.cols();
    linearise(system, h, kick, from, to);
    for (TangentVector& vector : vectors) {
      // δp_k
      begin_.to_momentum(system, vector, dp_);
      // A vector along q_k that is tangent at q_{k+1}.
      for (Eigen::Index i = 0; i < n; ++i) {
        const Vec3 q = from.q.col(i), next = to.q.col(i);
        dq_.col(i) = vector.q.col(i) - q * (next.dot(vector.q.col(i)) / q.dot(next));
      }
      // The first transform, δ{…} − h δp − λ∘δq ∥ q_k, for δq_{k+1}.
      differentiate(system, h, from.q, to.q, vector.q, dq_, Side::begin);
      if (kick != 0) {
        slope_of_gradient(system, from.t, from.q, vector.q, slope_, f_);
        change_ += (h * kick) * slope_;
      }
      change_ -= h * dp_;
      change_.noalias() -= vector.q * lambda_.asDiagonal();
      if (vector.stretch != 0)
        change_ += (vector.stretch * h) * (2 * kick * g_begin_ - begin_.momentum());
      if (vector.slope) add_slope(*vector.slope, from, to, kick, h, Side::begin);
      // Its part across q_k vanishes: a linear system for δq_{k+1} in the tangent planes.
      for (Eigen::Index i = 0; i < n; ++i)
        right_.segment<2>(2 * i) = -basis_.middleCols<2>(2 * i).transpose() * change_.col(i);
      lu_.solve(right_, solution_);
      for (Eigen::Index i = 0; i < n; ++i)
        dq_.col(i) += moved_.middleCols<2>(2 * i) * solution_.segment<2>(2 * i);
      // The second for δp_{k+1}.
      differentiate(system, h, from.q, to.q, vector.q, dq_, Side::end);
      // δ{…}/h − κ K δq_{k+1}, then the tangent part at q_{k+1}.
      change_ /= h;
      if (kick != 0) {
        slope_of_gradient(system, to.t, to.q, dq_, slope_, f_);
        change_ -= kick * slope_;
      }
      if (vector.stretch != 0) change_ -= vector.stretch * (legendre_ + 2 * kick * g_);
      if (vector.slope) add_slope(*vector.slope, from, to, kick, h, Side::end);
      for (Eigen::Index i = 0; i < n; ++i) {
        const Vec3 q = to.q.col(i), dq = dq_.col(i), full = legendre_.col(i);
        dp_.col(i) = tangent(q, change_.col(i)) - q.dot(full) * dq - dq.dot(full) * q;
      }
      // δω_{k+1}
      end_.to_omega(system, dq_, dp_, vector.w);
      vector.q = dq_;
    }
  }

 private:
  enum class Side { begin, end };

  /// m(q) of an inertia that depends on q; else null.
  static const InertiaField* field_of(const System& system) {
    const auto* variable = std::get_if<VariableInertia>(&system.inertia());
    return variable ? variable->field : nullptr;
  }

  /// m̄, Δq, λ, and the Jacobian of the first transform by q_{k+1}.
  void linearise(const System& system, double h, double kick, const State& from, const State& to) {
    const InertiaField* field = field_of(system);
    const GyroscopicField* terms = system.gyroscopic();
    const auto n = from.q.cols();
    // Δq, and m̄ as the mean of m at both ends.
    begin_.at(system, from);
    end_.at(system, to);
    delta_ = to.q - from.q;
    if (field) {
      field->evaluate(from.q, mean_);
      field->evaluate(to.q, m_);
      mean_ += m_;
      mean_ /= 2;
    } else {
      mean_ = dense(system.inertia(), from.q);
    }
    squares_.noalias() = delta_.transpose() * delta_;
    // λ_i = q_i·{Σ_j m̄_ij Δq_j − ¼ Σ_jl (Δq_j·Δq_l) ∂m_jl/∂q_i + h κ G_i} at q_k
    legendre_.noalias() = delta_ * mean_;
    products_ = -0.25 * squares_;
    change_ = legendre_;
    if (field) field->slopes(from.q, products_, change_);
    if (terms) {
      // + (h/2) [A_{k+1} − A_k ∓ (∂A)ᵀ Δq], at the end with the opposite sign.
      terms->evaluate(to.q, terms_);
      terms->evaluate(from.q, of_terms_);
      terms_ -= of_terms_;
      for (const auto& [at, sum, weight] :
           {std::tuple{&from.q, &change_, h / 2}, {&to.q, &legendre_, -h / 2}}) {
        of_terms_.setZero();
        terms->slopes(*at, delta_, of_terms_);
        *sum += weight * (terms_ - of_terms_);
      }
    }
    if (kick != 0) {
      generalised_gradient(system, from.t, from.q, g_begin_, f_);
      change_ += (h * kick) * g_begin_;
    }
    for (Eigen::Index i = 0; i < n; ++i)
      lambda_[i] = from.q.col(i).dot(change_.col(i)) / from.q.col(i).squaredNorm();
    // p_{k+1} before its projection.
    products_ = 0.25 * squares_;
    if (field) field->slopes(to.q, products_, legendre_);
    legendre_ /= h;
    if (kick != 0) {
      generalised_gradient(system, to.t, to.q, g_, f_);
      legendre_ -= kick * g_;
    }
    // Columns of the Jacobian: q_{k+1} of one body moves, along q_k and in its tangent plane.
    for (Eigen::Index l = 0; l < n; ++l) {
      const Vec3 q = from.q.col(l), next = to.q.col(l);
      const Eigen::Matrix<double, 3, 2> plane = tangent_basis(q);
      basis_.middleCols<2>(2 * l) = plane;
      moved_.middleCols<2>(2 * l) = plane - q * (next.transpose() * plane) / q.dot(next);
    }
    for (Eigen::Index k = 0; k < 2 * n; ++k) {
      one_.setZero();
      one_.col(k / 2) = moved_.col(k);
      differentiate(system, h, from.q, to.q, none_, one_, Side::begin);
      for (Eigen::Index i = 0; i < n; ++i)
        jacobian_.block<2, 1>(2 * i, k) = basis_.middleCols<2>(2 * i).transpose() * change_.col(i);
    }
    lu_.compute(jacobian_);
  }

  /// slope_ = {Σ_j m̄_ij Δq_j − ¼ Σ_jl (Δq_j·Δq_l) ∂m_jl/∂q_i} + h κ G_i − h Σ_j m_ij v_j at q_k, or
  /// {… + ¼ …}/h − κ G_i − Σ_j m_ij v_j at q_{k+1}, of a system beside, without terms of A.
  void transform(const System& system, const State& from, const State& to, double kick, double h,
                 Side side) {
    const InertiaField& field = *field_of(system);
    const bool begins = side == Side::begin;
    const State& at = begins ? from : to;
    field.evaluate(from.q, rate_);
    field.evaluate(to.q, rate_next_);
    const Eigen::MatrixXd& here = begins ? rate_ : rate_next_;
    slope_.noalias() = (begins ? -h : -1) * (begins ? begin_ : end_).velocity() * here;
    beside_.noalias() = delta_ * (rate_ + rate_next_) / 2;
    products_ = (begins ? -0.25 : 0.25) * squares_;
    field.slopes(at.q, products_, beside_);
    slope_ += beside_ / (begins ? 1 : h);
    if (kick == 0) return;
    generalised_gradient(system, at.t, at.q, beside_, f_);
    slope_ += (begins ? h * kick : -kick) * beside_;
  }

  /// change_ += ∂_θ of what transform() has.
  void add_slope(const ParameterSlope& slope, const State& from, const State& to, double kick,
                 double h, Side side) {
    for (const auto& [beside, weight] : slope.beside()) {
      transform(*beside, from, to, kick, h, side);
      change_ += weight * slope_;
    }
  }

  /// change_ = δ{Σ_j m̄_ij Δq_j ∓ ¼ Σ_jl (Δq_j·Δq_l) ∂m_jl/∂q_i ± (h/2) [A_{i,k+1} − A_{i,k} ∓ Σ_j
  /// (∂A_j/∂q_i)ᵀ Δq_j]} at q_k or q_{k+1}, along δq_k and δq_{k+1}.
  void differentiate(const System& system, double h, const Columns& q, const Columns& next,
                     const Columns& dq, const Columns& dq_next, Side side) {
    const double weight = side == Side::begin ? -0.25 : 0.25;
    const Columns& at = side == Side::begin ? q : next;
    const Columns& along = side == Side::begin ? dq : dq_next;
    slope_ = dq_next - dq;
    change_.noalias() = slope_ * mean_;
    if (const InertiaField* field = field_of(system)) {
      // Σ_j (m̄_ij δΔq_j + δm̄_ij Δq_j)
      field->derivative_along(q, dq, rate_);
      field->derivative_along(next, dq_next, rate_next_);
      rate_ += rate_next_;
      rate_ /= 2;
      change_.noalias() += delta_ * rate_;
      // δ(Δq_j·Δq_l) ∂m_jl/∂q_i, and the change of ∂m_jl/∂q_i.
      rate_.noalias() = delta_.transpose() * slope_;
      products_ = weight * (rate_ + rate_.transpose());
      field->slopes(at, products_, change_);
      products_ = weight * squares_;
      field->slopes_along(at, products_, along, change_);
    }
    if (const GyroscopicField* terms = system.gyroscopic()) {
      const double half = side == Side::begin ? h / 2 : -h / 2;
      // The changes of A_{k+1} − A_k, and of (∂A)ᵀ Δq.
      terms->derivative_along(next, dq_next, of_terms_);
      change_ += half * of_terms_;
      terms->derivative_along(q, dq, of_terms_);
      change_ -= half * of_terms_;
      of_terms_.setZero();
      terms->slopes(at, slope_, of_terms_);
      terms->slopes_along(at, delta_, along, of_terms_);
      change_ -= half * of_terms_;
    }
  }

  PhaseTangent begin_, end_;
  LuFactors lu_;
  Columns delta_, legendre_;  // Δq, and p_{k+1} before its projection
  Columns g_begin_, g_;       // G at q_k and q_{k+1}
  Columns terms_, of_terms_;  // A_{k+1} − A_k, and what is made of A
  Columns f_, dp_, dq_, change_, none_, one_, slope_, beside_, basis_, moved_;
  Eigen::MatrixXd mean_, m_, squares_, products_, rate_, rate_next_, jacobian_;
  Eigen::VectorXd lambda_, right_, solution_;
};

}  // namespace

std::unique_ptr<StepTangent> make_step_tangent(const System& system) {
  if (std::holds_alternative<VariableInertia>(system.inertia()) || has_gyroscopic(system))
    return std::make_unique<VariableStep>(system);
  if (std::holds_alternative<ChainInertia>(system.inertia()))
    return std::make_unique<ConstantStep<ChainSolver>>(system);
  return std::make_unique<ConstantStep<AnySolver>>(system);
}

void KickTangent::carry(const System& system, double t, const Columns& q, const Columns& g,
                        double s, std::span<TangentVector> vectors) {
  const auto& m = std::get<DiagonalInertia>(system.inertia()).m;
  const Eigen::VectorXd& c = system.damping();
  for (TangentVector& vector : vectors) {
    slope_of_gradient(system, t, q, vector.q, slope_, force_);
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      // δ(q × G) = δq × G + q × K δq
      const Vec3 torque = vector.q.col(i).cross(g.col(i)) + q.col(i).cross(slope_.col(i));
      if (c.size() == 0) {
        vector.w.col(i) -= (s / m[i]) * torque;
        if (vector.stretch != 0)
          vector.w.col(i) -= (vector.stretch * s / m[i]) * q.col(i).cross(g.col(i));
      } else {
        vector.w.col(i) += DampedMode(m[i], c[i], s).change * (c[i] * vector.w.col(i) + torque);
      }
    }
    if (!vector.slope) continue;
    for (const auto& [beside, weight] : vector.slope->beside()) {
      const auto& m_beside = std::get<DiagonalInertia>(beside->inertia()).m;
      generalised_gradient(*beside, t, q, beside_, force_);
      for (Eigen::Index i = 0; i < q.cols(); ++i)
        vector.w.col(i) -= (weight * s / m_beside[i]) * q.col(i).cross(beside_.col(i));
    }
  }
}

}  // namespace twosphere
