// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>

#include "core/base/interrupt.h"
#include "core/integrators/exact_turn.h"
#include "core/mechanics/dynamics.h"
#include "core/mechanics/integrator.h"

namespace twosphere {

namespace {

/// (ξ, η) ∈ se(3)ⁿ, whose flow on (q, ω) is q̇ = ξ × q, ω̇ = ξ × ω + η × q.
struct Twist {
  Columns xi, eta;

  void resize(Eigen::Index n) {
    xi.resize(3, n);
    eta.resize(3, n);
  }
  /// this ← h Σ_j w_j k_j
  template <std::size_t count>
  void combine(double h, const std::array<double, count>& weights,
               const std::array<Twist, count>& k) {
    xi.setZero();
    eta.setZero();
    for (std::size_t j = 0; j < count; ++j) {
      if (weights[j] == 0) continue;
      xi += (h * weights[j]) * k[j].xi;
      eta += (h * weights[j]) * k[j].eta;
    }
  }
};

/// The method of Runge, Kutta and Munthe-Kaas of order 4 on T(S²)ⁿ, the homogeneous space on which
/// a rotation R and a vector a for each body act by (q, ω) ↦ (R q, R ω + a × R q), that is, on
/// which SE(3)ⁿ acts. It stays on the spheres and their tangent planes for any inertia and any
/// forces. Order 4, explicit; neither symplectic nor reversible.
///
/// The equations of motion in (q, ω) are the flow of F = (ω, q × ω̇), because q·ω̇ = 0. With the
/// tableau of rk4 in the Lie algebra:
///
///   k_i = dexp⁻¹_u F(t + c_i h, exp(u) y),  u = h a_i,i−1 k_{i−1},  y ← exp(h Σ b_i k_i) y
///
///   dexp⁻¹_u k = k − ½ [u, k] + (1/12) [u, [u, k]] + O(u⁴),  [(ξ, η), (ξ', η')] = (ξ × ξ', ξ × η'
///   + η × ξ')
///
///   exp(ξ, η): R = exp ξ̂, a = η + (1 − cos θ)/θ² ξ × η + (θ − sin θ)/θ³ ξ × (ξ × η), θ = |ξ|
///
/// Corrections of rounding size hold |q| = 1 and q·ω = 0. The work of external forces and damping
/// is the same quadrature of their power. Cost: 4 evaluations per step. Fails with not_finite if a
/// value overflows or a turn has no digits left; the state is then unchanged. Tests: order, unit
/// length, restarts, a free body's great circle.
class Rkmk4 final : public Integrator {
 public:
  void prepare(const System& system, const State& state) override {
    const auto n = state.q.cols();
    equations_ = std::make_unique<EquationsOfMotion>(system, Formulation::omega);
    for (Columns* c : {&q_, &w_, &qdot_, &wdot_}) c->resize(3, n);
    for (Twist& k : k_) k.resize(n);
    u_.resize(n);
  }

  StepReport advance(const System& system, double h, State& state) override {
    StepReport report;
    double work = 0;
    for (std::size_t i = 0; i < stages; ++i) {
      if (i > 0 && interrupted()) {
        report.status = StepStatus::interrupted;
        return report;
      }
      // Stage argument exp(u) y, u = h a_i,i−1 k_{i−1}.
      std::array<double, stages> a{};
      if (i > 0) a[i - 1] = c[i];
      u_.combine(h, a, k_);
      act(state, report);
      if (!report.ok()) return report;
      work += h * b[i] * equations_->evaluate(system, state.t + c[i] * h, q_, w_, qdot_, wdot_);
      for (Eigen::Index j = 0; j < q_.cols(); ++j)
        inverse_derivative(u_.xi.col(j), u_.eta.col(j), w_.col(j),
                           Vec3(q_.col(j)).cross(Vec3(wdot_.col(j))), k_[i].xi, k_[i].eta, j);
    }
    u_.combine(h, b, k_);
    act(state, report);
    if (!report.ok()) return report;
    report.work = work;
    state.q.swap(q_);
    state.w.swap(w_);
    return report;
  }

 private:
  static constexpr std::size_t stages = 4;
  static constexpr std::array<double, stages> c{0, 0.5, 0.5, 1},
      b{1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};

  /// (q_, w_) = exp(u_) (q, ω)
  void act(const State& state, StepReport& report) {
    for (Eigen::Index i = 0; i < q_.cols(); ++i) {
      const Vec3 xi = u_.xi.col(i), eta = u_.eta.col(i), q = state.q.col(i), w = state.w.col(i);
      const double angle = xi.norm();
      // (sin θ)/θ, (1 − cos θ)/θ² and (θ − sin θ)/θ³; for small angles their series.
      double first = 1, second = 0.5, third = 1.0 / 6;
      if (angle < 0.1) {
        const double x = angle * angle;
        first = 1 - x / 6 * (1 - x / 20 * (1 - x / 42 * (1 - x / 72)));
        second = 0.5 * (1 - x / 12 * (1 - x / 30 * (1 - x / 56 * (1 - x / 90))));
        third = 1.0 / 6 * (1 - x / 20 * (1 - x / 42 * (1 - x / 72 * (1 - x / 110))));
      } else {
        const double half = std::sin(angle / 2) / angle;
        first = std::sin(angle) / angle;
        second = 2 * half * half;
        third = (1 - first) / (angle * angle);
      }
      const auto rotated = [&](const Vec3& x) -> Vec3 {
        const Vec3 across = xi.cross(x);
        return x + (first * across + second * xi.cross(across));
      };
      const Vec3 across = xi.cross(eta);
      const Vec3 a = eta + second * across + third * xi.cross(across);
      const Vec3 turned = rotated(q);
      // |q| = 1 and q·ω = 0 by corrections of rounding size.
      const Vec3 next = corrected(turned);
      const Vec3 speed = rotated(w) + a.cross(next);
      q_.col(i) = next;
      w_.col(i) = speed - next * next.dot(speed);
      // A huge angle has no significant digits.
      if (angle < 1 / std::numeric_limits<double>::epsilon() && q_.col(i).allFinite() &&
          w_.col(i).allFinite())
        continue;
      report.status = StepStatus::not_finite;
      report.body = static_cast<int>(i);
      return;
    }
  }

  /// dexp⁻¹_u of (ξ', η'), u = (ξ, η).
  static void inverse_derivative(const Vec3& xi, const Vec3& eta, const Vec3& to_xi,
                                 const Vec3& to_eta, Columns& out_xi, Columns& out_eta,
                                 Eigen::Index i) {
    // [u, k] and [u, [u, k]]
    const Vec3 once_xi = xi.cross(to_xi), once_eta = xi.cross(to_eta) + eta.cross(to_xi);
    const Vec3 twice_xi = xi.cross(once_xi), twice_eta = xi.cross(once_eta) + eta.cross(once_xi);
    out_xi.col(i) = to_xi - once_xi / 2 + twice_xi / 12;
    out_eta.col(i) = to_eta - once_eta / 2 + twice_eta / 12;
  }

  std::unique_ptr<EquationsOfMotion> equations_;
  std::array<Twist, stages> k_;
  Twist u_;
  Columns q_, w_, qdot_, wdot_;
};

}  // namespace

const IntegratorInfo& rkmk4() {
  static const IntegratorInfo info{
      .key = "rkmk4",
      .title = "Runge-Kutta-Munthe-Kaas 4",
      .description =
          "The classical fourth-order method in the Lie algebra of rotations: it stays on the "
          "sphere without projection, but the energy still drifts.",
      .formula = "kᵢ = dexp⁻¹_u F(exp(u) y),  y ← exp(h/6 (k₁ + 2k₂ + 2k₃ + k₄)) y",
      .reference = "Munthe-Kaas 1998; Celledoni, Çokaj, Leone, Murari, Owren 2022",
      .order = 4,
      .explicit_method = true,
      .keeps_sphere = true,
      .takes = {.strength = true, .frame_rotation = true, .gyroscopic = true},
      .create = [](const Values&) -> std::unique_ptr<Integrator> {
        return std::make_unique<Rkmk4>();
      }};
  return info;
}

}  // namespace twosphere
