// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/n_body.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/kernels/far_field.h"
#include "core/kernels/n_body_ensemble.h"
#include "core/kernels/n_body_hessian.h"
#include "core/mechanics/cell_list.h"
#include "core/mechanics/coincidence.h"
#include "core/mechanics/system.h"
#include "core/systems/far_field_parameter.h"
#include "core/systems/motion.h"
#include "core/systems/parameters.h"
#include "core/systems/texts.h"

namespace twosphere {

namespace {

/// n bodies on the unit sphere, attracting one another by the cotangent potential.
///
/// Notation: m_i mass [kg], γ strength [J], c = q_i·q_j.
///   M   = diag(m)                                                            [P1] Example 2
///   V   = −γ Σ_{i<j} c/√(1 − c²)
///   g_i = −γ Σ_{j≠i} q_j/(1 − c²)^{3/2}, of close pairs the tangent part
/// Singular where two bodies meet and where they are antipodal. Sums over many bodies may be taken
/// to a tolerance, core/kernels/far_field.h.
class NBody final : public System {
 public:
  explicit NBody(const Values& values)
      : inertia_(DiagonalInertia(list(values, "masses"))),
        gamma_(scalar(values, "gamma")),
        tolerance_(optional_scalar(values, "far_field")) {}

  int size() const override { return twosphere::size(inertia_); }
  const Inertia& inertia() const override { return inertia_; }

  double potential(const Columns& q) const override {
    if (tolerance_ && far_field::applies(q))
      return far_field::attraction_potential(*tolerance_, gamma_, q, far_workspaces_);
    return n_body_kernel::potential(gamma_, q, workspaces_);
  }

  void gradient(const Columns& q, Columns& g) const override { sum_gradient(q, nullptr, g); }
  bool has_gradient_together() const override { return size() <= n_body_kernel::max_together; }
  void gradient_together(const double* q, double* g) const override {
    n_body_kernel::gradient_together(gamma_, size(), q, nullptr, g);
  }
  void gradient_together_compensated(const double* q, const double* q_low,
                                     double* g) const override {
    n_body_kernel::gradient_together(gamma_, size(), q, q_low, g);
  }
  bool has_potential_together() const override { return size() < n_body_kernel::min_vectors; }
  void potential_together(const double* q, double* v) const override {
    n_body_kernel::potential_together(gamma_, size(), q, v);
  }

  void hessian_times(const Columns& q, const Columns& v, Columns& h) const override {
    n_body_kernel::hessian_times(gamma_, q, v, h, hessian_workspaces_);
  }
  std::optional<MotionRate> encounter_rate(const Columns& q, const Columns& w) const override {
    return n_body_kernel::motion_rate(gamma_, std::get<DiagonalInertia>(inertia_).m, q, w);
  }

  /// The nearest pair if γ > 0, and the one nearest to antipodes if γ < 0. O(n), the latter up to
  /// O(n²) where none is near.
  std::optional<Encounter> closest_encounter(const Columns& q) const override {
    if (q.cols() < 2 || gamma_ == 0) return {};
    constexpr Eigen::Index few = 32;
    const double side = std::copysign(1, gamma_);
    std::pair<Eigen::Index, Eigen::Index> pair(0, 1);
    if (q.cols() > few) {
      pair = nearest_pair(q, side);
    } else {
      double least = std::numeric_limits<double>::infinity();
      for (Eigen::Index j = 0; j < q.cols(); ++j)
        for (Eigen::Index i = 0; i < j; ++i)
          if (const double apart = (q.col(i) - side * q.col(j)).squaredNorm(); apart < least)
            least = apart, pair = {i, j};
    }
    const auto [i, j] = pair;
    const Eigen::VectorXd& m = std::get<DiagonalInertia>(inertia_).m;
    return Encounter{static_cast<int>(i), static_cast<int>(j), angle(q.col(i), side * q.col(j)),
                     std::abs(gamma_) * (1 / m[i] + 1 / m[j])};
  }

  void gradient_compensated(const Columns& q, const Columns& q_low, Columns& g) const override {
    sum_gradient(q, &q_low, g);
  }
  double force_tolerance() const override { return far_field_force_tolerance(tolerance_, size()); }
  double operations() const override {
    const double tolerance = force_tolerance();
    return tolerance > 0 ? far_field_operations(tolerance, size()) : System::operations();
  }

  std::array<bool, 3> conserved_momentum() const override { return {true, true, true}; }

  void geometry(const Columns& q, Geometry& out) const override {
    out.clear();
    out.sphere = true;
    const Eigen::VectorXd& m = std::get<DiagonalInertia>(inertia_).m;
    const double largest = m.maxCoeff();
    out.bodies.reserve(static_cast<std::size_t>(q.cols()));
    for (Eigen::Index i = 0; i < q.cols(); ++i)
      // Radius ∝ m^{1/3}.
      out.bodies.push_back({q.col(i), std::cbrt(m[i] / largest)});
  }

  Extent extent() const override { return {Vec3::Zero(), 1, false}; }

  static Definition text(const SystemInfo& info, int n, const Values& values) {
    Definition d;
    d.bodies = n;
    d.parameters = {parameter_text("m", info, "masses", values),
                    parameter_text("gamma", info, "gamma", values)};
    d.inertia = "diag(m)";
    // |q_i × q_j| = √(1 − c²), accurate for close bodies too.
    d.potential = "-gamma*sum(i < j: q[i].q[j]/norm(q[i]×q[j]))";
    d.figure = {"sphere()", "ball(q[i], m[i])"};
    return d;
  }

 private:
  void sum_gradient(const Columns& q, const Columns* q_low, Columns& g) const {
    if (tolerance_ && far_field::applies(q))
      far_field::attraction_gradient(*tolerance_, gamma_, q, g, far_workspaces_, q_low);
    else
      n_body_kernel::gradient(gamma_, q, g, workspaces_, q_low);
  }

  Inertia inertia_;
  double gamma_;
  std::optional<double> tolerance_;  // of far_field; none: pair by pair
  mutable Pool<n_body_kernel::Workspace> workspaces_;
  mutable Pool<n_body_kernel::HessianWorkspace> hessian_workspaces_;
  mutable Pool<far_field::Workspace> far_workspaces_;
};

/// The first body i, with the first j < i, such that 1 − |q_i·q_j| < 1e-12. O(n) for bodies on the
/// sphere in any positions: no two bodies before i are this close, so few are near any point.
std::optional<std::pair<Eigen::Index, Eigen::Index>> singular_pair(const Columns& q) {
  constexpr double least = 1e-12;
  // Such a body lies within this distance of the other body or of its antipode: |q_i ∓ q_j|² =
  // |q_i|² + |q_j|² − 2 |q_i·q_j|. Bodies of a saved state may be off the sphere; those much
  // farther off than most are compared with all.
  Eigen::VectorXd excess = q.colwise().squaredNorm().transpose();
  excess = (excess.array() - 1).max(least);
  std::vector<double> sorted(excess.begin(), excess.end());
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  const double typical = 16 * *middle;
  std::vector<Eigen::Index> far;
  Cells near(std::sqrt(2 * typical + 2 * least) * (1 + 1e-6), static_cast<std::size_t>(q.cols()));
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    Eigen::Index first = i;
    const auto check_pair = [&](Eigen::Index j) {
      if (1 - std::abs(q.col(i).dot(q.col(j))) < least) first = std::min(first, j);
    };
    // Far off the sphere: compare with all earlier bodies.
    if (excess[i] > typical) {
      for (Eigen::Index j = 0; j < i; ++j) check_pair(j);
      far.push_back(i);
    } else {
      // Near the body, near its antipode, and those far off the sphere.
      near.near(q.col(i), check_pair);
      near.near(-q.col(i), check_pair);
      for (const Eigen::Index j : far) check_pair(j);
      near.insert(q.col(i), i);
    }
    if (first < i) return std::pair(i, first);
  }
  return {};
}

}  // namespace

const SystemInfo& n_body() {
  static const SystemInfo info{
      .key = "n_body",
      .title = "Bodies on a sphere",
      .description =
          "Point masses on the unit sphere that attract one another; the force becomes infinite "
          "where two bodies meet (attraction) or are antipodal (repulsion).",
      .equations = "L = ½ Σ mᵢ |q̇ᵢ|² + γ Σ_{i<j} c/√(1 − c²),  c = qᵢ·qⱼ",
      .reference = "Lee, Leok, McClamroch 2009, Example 2",
      .parameters = {masses_parameter("Mass of each body; the sphere has radius 1 m."),
                     {.key = "gamma",
                      .symbol = "γ",
                      .label = "attraction",
                      .unit = "J",
                      .help = "Strength of the attraction.",
                      .default_value = 1,
                      .low = 0.01,
                      .high = 100,
                      .logarithmic = true},
                     far_field_parameter()},
      .momentum_columns = {true, true, true},
      .encounters = true,
      .motion = [](int n) { return n > 1 ? std::string("closest_angle") : angle_from_e3(0); },
      .create = [](int, const Values& values) -> Result<std::unique_ptr<const System>> {
        if (const auto tolerance = far_field_tolerance(values); !tolerance)
          return tolerance.error();
        return std::unique_ptr<const System>(std::make_unique<NBody>(values));
      },
      .check_start = [](const Columns& q, const Values&) -> Result<void> {
        const auto pair = singular_pair(q);
        if (!pair) return {};
        const auto [i, j] = *pair;
        return Error{ErrorKind::usage, "q[" + std::to_string(i) + "]",
                     "coincides with body " + std::to_string(j) +
                         (q.col(i).dot(q.col(j)) > 0 ? "" : "'s antipode") +
                         ": the force is singular there (1 − |qᵢ·qⱼ| < 1e-12)"};
      },
      .text = [](int n, const Values& values) { return NBody::text(info, n, values); }};
  return info;
}

}  // namespace twosphere
