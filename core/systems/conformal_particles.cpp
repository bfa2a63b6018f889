// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <cmath>

#include "core/mechanics/system.h"
#include "core/systems/motion.h"
#include "core/systems/parameters.h"
#include "core/systems/texts.h"

namespace twosphere {

namespace {

/// Particles on the unit sphere whose inertia depends on their position: the simplest system that
/// needs the configuration-dependent equations of [P2].
///
/// Notation: m_i mass [kg], α ≥ 0 relative increase of the inertia from the equator to the poles, 0
/// ≤ β < 1 coupling of the velocities, gravity g along +e3, sphere of radius 1 m.
///   m_ii = m_i (1 + α (e3·q_i)²),  m_ij = β √(m_i m_j) (1 + q_i·q_j)/2,  i ≠ j          [kg]
///   V    = −Σ m_i g e3·q_i
/// Positive definite: (1 + q_i·q_j)/2 is a Gram matrix with 1 on the diagonal. One particle moves
/// as on a surface of revolution with the conformal metric (1 + α z²) |dq|².
class ConformalParticles final : public System, private InertiaField {
 public:
  explicit ConformalParticles(const Values& values)
      : masses_(list(values, "masses")),
        roots_(masses_.cwiseSqrt()),
        slope_(scalar(values, "slope")),
        coupling_(scalar(values, "coupling")),
        gravity_(scalar(values, "gravity")),
        damping_(twosphere::damping(values, static_cast<int>(masses_.size()))),
        inertia_(VariableInertia{this, static_cast<int>(masses_.size())}) {}

  int size() const override { return static_cast<int>(masses_.size()); }
  const Inertia& inertia() const override { return inertia_; }
  const Eigen::VectorXd& damping() const override { return damping_; }

  double potential(const Columns& q) const override {
    // V = −Σ m_i g e3·q_i
    return -gravity_ * q.row(2).dot(masses_.transpose());
  }
  void gradient(const Columns& /*q*/, Columns& g) const override {
    // ∂V/∂q_i = −m_i g e3
    g.topRows<2>().setZero();
    g.row(2) = -gravity_ * masses_.transpose();
  }
  void hessian_times(const Columns& /*q*/, const Columns& /*v*/, Columns& h) const override {
    // V is linear.
    h.setZero();
  }

  std::array<bool, 3> conserved_momentum() const override {
    const bool round = gravity_ == 0 && slope_ == 0 && !damped(*this);
    return {round, round, !damped(*this)};
  }

  void geometry(const Columns& q, Geometry& out) const override {
    out.clear();
    out.sphere = true;
    const double largest = masses_.maxCoeff();
    for (Eigen::Index i = 0; i < q.cols(); ++i)
      out.bodies.push_back({q.col(i), std::cbrt(masses_[i] / largest)});
  }

  Extent extent() const override { return {Vec3::Zero(), 1, gravity_ != 0}; }

  static Definition text(const SystemInfo& info, int n, const Values& values) {
    Definition d;
    d.bodies = n;
    d.parameters = {parameter_text("m", info, "masses", values),
                    parameter_text("alpha", info, "slope", values),
                    parameter_text("beta", info, "coupling", values),
                    parameter_text("g", info, "gravity", values)};
    d.inertia =
        "matrix(i, j: if(i == j, m[i]*(1 + alpha*(e3.q[i])^2), "
        "beta/2*sqrt(m[i]*m[j])*(1 + q[i].q[j])))";
    d.potential = "-g*sum(i: m[i]*e3.q[i])";
    d.figure = {"sphere()", "ball(q[i], m[i])"};
    // Lengths are in radii of the sphere.
    d.parameters.back().unit = "J/kg";
    d.parameters.back().help = "Acceleration due to gravity along e3, times the radius.";
    add_damping(d, info, values);
    return d;
  }

 private:
  void evaluate(const Columns& q, Eigen::MatrixXd& m) const override {
    // m_ii = m_i (1 + α z²), m_ij = ½ β √(m_i m_j) (1 + q_i·q_j)
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      m(i, i) = masses_[i] * (1 + slope_ * q(2, i) * q(2, i));
      for (Eigen::Index j = 0; j < i; ++j)
        m(i, j) = m(j, i) = scale(i, j) * (1 + q.col(i).dot(q.col(j)));
    }
  }
  void slopes(const Columns& q, const Eigen::MatrixXd& a, Columns& r) const override {
    // ∂m_ii/∂q_i = 2 α m_i z e3, ∂m_ij/∂q_i = ½ β √(m_i m_j) q_j
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      r(2, i) += 2 * slope_ * masses_[i] * q(2, i) * a(i, i);
      for (Eigen::Index j = 0; j < i; ++j) {
        const double twice = 2 * scale(i, j) * a(i, j);
        r.col(i) += twice * q.col(j);
        r.col(j) += twice * q.col(i);
      }
    }
  }
  void derivative_along(const Columns& q, const Columns& d, Eigen::MatrixXd& dm) const override {
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      dm(i, i) = 2 * slope_ * masses_[i] * q(2, i) * d(2, i);
      for (Eigen::Index j = 0; j < i; ++j)
        dm(i, j) = dm(j, i) = scale(i, j) * (d.col(i).dot(q.col(j)) + q.col(i).dot(d.col(j)));
    }
  }
  void slopes_along(const Columns& /*q*/, const Eigen::MatrixXd& a, const Columns& d,
                    Columns& r) const override {
    // m is quadratic in q.
    slopes(d, a, r);
  }
  double scale(Eigen::Index i, Eigen::Index j) const {
    // ½ β √(m_i m_j)
    return coupling_ / 2 * roots_[i] * roots_[j];
  }

  Eigen::VectorXd masses_, roots_;  // m_i and √m_i
  double slope_, coupling_, gravity_;
  Eigen::VectorXd damping_;
  Inertia inertia_;
};

}  // namespace

const SystemInfo& conformal_particles() {
  static const SystemInfo info{
      .key = "conformal_particles",
      .title = "Particles of variable inertia",
      .description =
          "Particles on a sphere whose inertia depends on their position, coupled through "
          "their velocities.",
      .equations =
          "L = ½ Σ mᵢⱼ(q) q̇ᵢ·q̇ⱼ + Σ mᵢ g e₃·qᵢ,  mᵢᵢ = mᵢ (1 + α (e₃·qᵢ)²),  "
          "mᵢⱼ = ½ β √(mᵢmⱼ) (1 + qᵢ·qⱼ)",
      .reference = "Lee, Leok, McClamroch 2015, (10)-(36), with an inertia of our own",
      .parameters = {masses_parameter("Mass of each particle; the sphere has radius 1 m."),
                     {.key = "slope",
                      .symbol = "α",
                      .label = "inertia slope",
                      .unit = "1",
                      .help = "Relative increase of the inertia from the equator to the poles.",
                      .domain = Domain::non_negative,
                      .default_value = 1,
                      .low = 0,
                      .high = 5},
                     {.key = "coupling",
                      .symbol = "β",
                      .label = "coupling",
                      .unit = "1",
                      .help = "Coupling of the velocities; must be below 1.",
                      .domain = Domain::non_negative,
                      .default_value = 0.5,
                      .low = 0,
                      .high = 0.95},
                     gravity_parameter(),
                     damping_parameter()},
      .max_bodies = 1024,
      .momentum_columns = {false, false, true},
      .motion = first_angles,
      .create = [](int, const Values& values) -> Result<std::unique_ptr<const System>> {
        if (const double coupling = scalar(values, "coupling"); !(coupling < 1))
          return Error{ErrorKind::usage, "coupling",
                       fmt::format("must be below 1, not {}; otherwise the inertia is not positive "
                                   "definite",
                                   coupling)};
        return std::unique_ptr<const System>(std::make_unique<ConformalParticles>(values));
      },
      .text = [](int n,
                 const Values& values) { return ConformalParticles::text(info, n, values); }};
  return info;
}

}  // namespace twosphere
