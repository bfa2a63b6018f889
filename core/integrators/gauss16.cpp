// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/interrupt.h"
#include "core/integrators/gauss.h"
#include "core/mechanics/attitude.h"
#include "core/mechanics/dynamics.h"
#include "core/mechanics/first_order.h"
#include "core/mechanics/integrator.h"

namespace twosphere {

namespace {

constexpr std::size_t stages = 8;

/// Gauss collocation of order 16 on y = (q, ω), for references: implicit, symmetric, for any
/// inertia and any forces; not symplectic in these variables.
///
///   k_i = F(t + c_i h, y + h Σ_j a_ij k_j),  y ← y + h Σ_i b_i k_i,  i = 1 … 8
///
/// It preserves quadratic invariants of F, and |q_i|² and q_i·ω_i are invariants of q̇_i = ω_i × q_i
/// and q_i·ω̇_i = 0, also where |q| ≠ 1: the solution stays on the sphere, and only its rounding is
/// corrected. So are the |q_i|² of systems of first order, where ω is no variable. The work of
/// forces and damping is the same quadrature of their power.
///
/// The stages are found by fixed-point iteration, down to rounding; it converges while h times the
/// fastest rate of the motion is below about 2. Cost: 8 evaluations for each of 10 to 50 rounds.
/// Fails with not_converged, also where a body would be off the sphere by more than rounding, and
/// with not_finite. Tests: coefficients, order, sphere, the solutions in tests/golden.
class Gauss16 final : public Integrator {
 public:
  void prepare(const System& system, const State& state) override {
    const auto n = state.q.cols() + state.x.cols();
    equations_ = std::make_unique<EquationsOfMotion>(system, Formulation::omega);
    for (Slopes* slopes : {&now_, &next_}) {
      slopes->q.assign(stages, Columns(3, n));
      slopes->w.assign(stages, Columns(3, n));
    }
    for (Columns* c : {&q_begin_, &w_begin_, &q_, &w_}) c->resize(3, n);
  }

  StepReport advance(const System& system, double h, State& state) override {
    static const GaussCoefficients<stages> gauss;
    StepReport report;
    // First guess: the slope at the start of the step.
    copy_positions(state, q_begin_);
    equations_->from_state(system, state, w_begin_);
    equations_->evaluate(system, state.t, q_begin_, w_begin_, now_.q[0], now_.w[0]);
    for (std::size_t i = 1; i < stages; ++i) now_.q[i] = now_.q[0], now_.w[i] = now_.w[0];
    if (!now_.q[0].allFinite() || !now_.w[0].allFinite()) report.status = StepStatus::not_finite;
    // Rounds until rounding stops them.
    double change = 0, last = std::numeric_limits<double>::infinity(), scale = 0;
    do {
      if (interrupted()) report.status = StepStatus::interrupted;
      if (report.iterations == max_rounds) report.status = StepStatus::not_converged;
      if (!report.ok()) return report;
      if (report.iterations > 0) last = change;
      change = scale = report.work = 0;
      for (std::size_t i = 0; i < stages; ++i) {
        // Stage argument y + h Σ_j a_ij k_j, its slope k_i and its share of the work.
        sum(gauss.a[i], h);
        report.work +=
            h * gauss.b[i] *
            equations_->evaluate(system, state.t + gauss.c[i] * h, q_, w_, next_.q[i], next_.w[i]);
        change = larger(change, largest(next_.q[i] - now_.q[i]));
        change = larger(change, std::abs(h) * largest(next_.w[i] - now_.w[i]));
        scale = larger(scale, largest(next_.q[i]));
        scale = larger(scale, std::abs(h) * largest(next_.w[i]));
      }
      std::swap(now_, next_);
      ++report.iterations;
      if (!std::isfinite(change)) report.status = StepStatus::not_converged;
    } while (change > std::max(nearly * scale, smallest_turn / std::abs(h)) ||
             (change > 0 && change < last));
    // y + h Σ b_i k_i
    sum(gauss.b, h);
    for (Eigen::Index i = 0; i < state.q.cols() && report.ok(); ++i) {
      const Vec3 q = q_.col(i), w = w_.col(i);
      const double excess = q.squaredNorm() - 1;
      report.residual = std::max(report.residual, std::abs(excess) / 2);
      report.body = static_cast<int>(i);
      if (!q.allFinite() || !w.allFinite())
        report.status = StepStatus::not_finite;
      else if (std::abs(excess) > off_sphere)
        report.status = StepStatus::not_converged;
      // Corrections of rounding size.
      q_.col(i) = (1 - excess / 2) * q;
      w_.col(i) = w - q * (q.dot(w) / q.squaredNorm());
    }
    if (!report.ok()) return report;
    EquationsOfMotion::set_positions(q_, state);
    if (state.has_attitude()) settle_attitude(state.q, state.x);
    if (state.flies())
      equations_->set_velocities(system, w_, state);
    else if (!first_order(system))
      state.w.swap(w_);
    return report;
  }

  void complete(const System& system, State& state) override {
    if (first_order(system)) complete_first_order(system, state.t, state);
  }

 private:
  struct Slopes {
    std::vector<Columns> q, w;  // q̇ and ω̇ of the stages
  };
  static constexpr double nearly = 1e-12;         // of the slopes: close to rounding
  static constexpr double smallest_turn = 1e-14;  // where the slopes are rounding themselves [rad]
  static constexpr double off_sphere = 1e-13;     // more than the rounding of a step
  static constexpr int max_rounds = 100;

  template <class Expression>
  static double largest(const Expression& c) {
    return c.array().abs().template maxCoeff<Eigen::PropagateNaN>();
  }
  /// The larger one, or NaN if one of them is.
  static double larger(double a, double b) { return b <= a || std::isnan(a) ? a : b; }

  /// y + h Σ_j f_j k_j
  void sum(const std::array<double, stages>& factors, double h) {
    q_ = q_begin_;
    w_ = w_begin_;
    for (std::size_t j = 0; j < stages; ++j) {
      q_ += (h * factors[j]) * now_.q[j];
      w_ += (h * factors[j]) * now_.w[j];
    }
  }

  std::unique_ptr<EquationsOfMotion> equations_;
  Slopes now_, next_;
  Columns q_begin_, w_begin_, q_, w_;
};

}  // namespace

const IntegratorInfo& gauss16() {
  static const IntegratorInfo info{
      .key = "gauss16",
      .title = "Gauss collocation, order 16",
      .description =
          "An implicit method of very high order on the sphere, for reference solutions "
          "exact nearly to rounding.",
      .formula = "kᵢ = F(y + h Σⱼ aᵢⱼ kⱼ),  y ← y + h Σ bᵢ kᵢ,  8 stages",
      .reference = "Butcher 1964; Hairer, Lubich, Wanner 2006, II.1.3 and IV.2.1",
      .order = 16,
      .reversible = true,
      .keeps_sphere = true,
      .takes = takes_everything,
      .look = {{0xe3a8c8}, {0x7d2b5c}, {0x8de0ae}, {0x094020}, Dash::dashed, Marker::circle},
      .create = [](const Values&) -> std::unique_ptr<Integrator> {
        return std::make_unique<Gauss16>();
      }};
  return info;
}

}  // namespace twosphere
