// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <limits>

#include "core/integrators/damping.h"
#include "core/mechanics/integrator.h"

namespace twosphere {

namespace {

/// Three kicks and two rotations for uncoupled bodies: order 2, symplectic, reversible, explicit.
///
/// Notation: q ∈ S², ω ⟂ q [rad/s], M inertia [kg m²], G = ∂V/∂q − f, R(θ) the rotation by |θ|
/// about θ. Per body, with b = λ, 1 − 2λ, λ and λ = 0.1932, for which the energy error is about a
/// tenth of that of one rotation:
///
///   kick    ω ← ω − (b h/M) q × G(q)
///   rotate  q ← R(½ h ω) q                          the exact flow of T, a great circle
///
/// With damping c_i a kick is the exact flow of M ω̇ = −c_i ω − q × G, see DampedMode. Cost: two
/// gradients per step. Fails with not_finite, and with damping_too_strong where h < 0.
class TwoRotations final : public Integrator {
 public:
  void prepare(const System& system, const State& state) override {
    for (Columns* c : {&g_start_, &q_, &w_, &g_, &before_}) c->resize(3, state.q.cols());
    for (Columns* c : {&f_start_, &f_, &f_before_}) c->setZero(3, state.q.cols());
    generalised_gradient(system, state.t, state.q, g_start_, f_start_);
  }

  StepReport advance(const System& system, double h, State& state) override {
    const auto& m = std::get<DiagonalInertia>(system.inertia()).m;
    const Eigen::VectorXd& c = system.damping();
    StepReport report;
    if (!sound(m, c, middle * h)) report.status = StepStatus::damping_too_strong;
    // Other forces that depend on velocities need VelocityFlow in the kicks.
    if (system.has_velocity_force()) report.status = StepStatus::force_not_resolved;
    if (!report.ok()) return report;
    // The stored values belong to the previous t + h, which may differ from this t in the last
    // digit.
    if (system.time_dependent()) generalised_gradient(system, state.t, state.q, g_start_, f_start_);
    q_ = state.q;
    w_ = state.w;
    g_ = g_start_;
    f_ = f_start_;
    kick(m, c, outer * h, report.work);
    for (const double after : {middle, outer}) {
      before_ = q_;
      f_before_ = f_;
      rotate(h / 2);
      if (!q_.allFinite()) break;
      generalised_gradient(system, state.t + (after == middle ? h / 2 : h), q_, g_, f_);
      // Work of external forces: mean force over a rotation times the displacement.
      if (system.has_external_force())
        report.work += ((f_before_ + f_).array() * (q_ - before_).array()).sum() / 2;
      kick(m, c, after * h, report.work);
    }
    for (Eigen::Index i = 0; i < q_.cols(); ++i) {
      if (q_.col(i).allFinite() && w_.col(i).allFinite()) continue;
      report.status = StepStatus::not_finite;
      report.body = static_cast<int>(i);
      return report;  // the state is as before the call
    }
    state.q.swap(q_);
    state.w.swap(w_);
    g_start_.swap(g_);
    f_start_.swap(f_);
    return report;
  }

 private:
  static constexpr double outer = 0.1931833275037836, middle = 1 - 2 * outer;  // λ and 1 − 2λ

  void kick(const Eigen::VectorXd& m, const Eigen::VectorXd& c, double s, double& work) {
    for (Eigen::Index i = 0; i < q_.cols(); ++i) {
      const Vec3 q = q_.col(i);
      Vec3 w = w_.col(i);
      const double damping = c.size() > 0 ? c[i] : 0;
      work += DampedMode(m[i], damping, s).flow(q.cross(g_.col(i)), w);
      w_.col(i) = w - q * (q.dot(w) / q.squaredNorm());  // a correction of rounding size
    }
  }

  /// q ← R(s ω) q = cos θ q + (sin θ/|ω|) ω × q, θ = s |ω|.
  void rotate(double s) {
    for (Eigen::Index i = 0; i < q_.cols(); ++i) {
      const Vec3 q = q_.col(i), w = w_.col(i);
      const double speed = w.norm(), angle = s * speed;
      const bool lost = !(std::abs(angle) < 1 / std::numeric_limits<double>::epsilon());
      const Vec3 next =
          std::cos(angle) * q + (speed > 0 ? std::sin(angle) / speed : s) * w.cross(q);
      // One Newton step towards |q| = 1, of rounding size; a huge angle has no significant digits.
      q_.col(i) = lost ? Vec3::Constant(std::nan("")) : Vec3(next * ((3 - next.squaredNorm()) / 2));
    }
  }

  Columns g_start_, f_start_;  // G and f at the state
  Columns q_, w_, g_, f_, before_, f_before_;
};

}  // namespace

const IntegratorInfo& two_rotations() {
  static const IntegratorInfo info{
      .key = "two_rotations",
      .title = "Kick-rotate, two rotations",
      .description =
          "Symplectic splitting of order 2 with a small energy error, for uncoupled bodies.",
      .formula = "ω ← ω − (bᵢh/M) q × ∂V/∂q,  q ← exp(½h ω̂) q",
      .reference = "McLachlan 1995; Omelyan, Mryglod, Folk 2002",
      .order = 2,
      .explicit_method = true,
      .symplectic = true,
      .reversible = true,
      .keeps_sphere = true,
      .applies = [](const Inertia& m) { return std::holds_alternative<DiagonalInertia>(m); },
      .needs = "uncoupled bodies (diagonal inertia)",
      .create = [](const Values&) -> std::unique_ptr<Integrator> {
        return std::make_unique<TwoRotations>();
      }};
  return info;
}

}  // namespace twosphere
