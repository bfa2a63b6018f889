// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/workspace_pool.h"
#include "core/kernels/far_field.h"
#include "core/mechanics/cell_list.h"
#include "core/mechanics/coincidence.h"
#include "core/mechanics/fluid.h"
#include "core/mechanics/system.h"
#include "core/systems/far_field_parameter.h"
#include "core/systems/motion.h"
#include "core/systems/parameters.h"
#include "core/systems/texts.h"

namespace twosphere {

namespace {

/// Point vortices in an ideal fluid on the unit sphere.
///
/// Notation: Γ_i circulation [m²/s], Ω rotation [rad/s], d_ij = q_i − q_j, s_ij = ½ |d_ij|², which
/// is 1 − q_i·q_j on the sphere, without its cancellation where vortices are close. For a layer of
/// the fluid of 1 kg/m², κ_i = Γ_i [J s].
///   H   = −(1/4π) Σ_{i<j} Γ_iΓ_j ln s_ij + Ω Σ_i Γ_i e3·q_i
///   g_i = −(1/4π) Σ_{j≠i} Γ_iΓ_j d_ij/s_ij + Ω Γ_i e3
///   q̇_i = (1/4π) Σ_{j≠i} Γ_j q_j × q_i/(1 − q_i·q_j) + Ω e3 × q_i
/// Singular where two vortices meet. Sums over many may be taken to a tolerance,
/// core/kernels/far_field.h. Newton, The N-Vortex Problem (2001), chapter 4.
class Vortices final : public System {
 public:
  explicit Vortices(const Values& values)
      : fluid_{list(values, "circulations"), scalar(values, "rotation")},
        tolerance_(optional_scalar(values, "far_field")),
        inertia_(NoInertia{static_cast<int>(fluid_.circulations.size())}) {}

  int size() const override { return twosphere::size(inertia_); }
  const Inertia& inertia() const override { return inertia_; }
  const Eigen::VectorXd& strength() const override { return fluid_.circulations; }
  TermKinds term_kinds() const override { return {.known = true, .logarithmic = true}; }
  PairTerms pair_terms() const override {
    PairTerms terms;
    terms.logarithmic = per_sphere;
    if (fluid_.rotation != 0)
      terms.field = -fluid_.rotation * Vec3::UnitZ() * fluid_.circulations.transpose();
    return terms;
  }

  double potential(const Columns& q) const override {
    const double of_rotation = fluid_.rotation * q.row(2).dot(fluid_.circulations.transpose());
    if (tolerance_ && far_field::applies(q))
      return far_field::vortex_potential(*tolerance_, fluid_.circulations, q, workspaces_) +
             of_rotation;
    double sum = 0;
    for (Eigen::Index j = 1; j < q.cols(); ++j)
      for (Eigen::Index i = 0; i < j; ++i)
        sum += fluid_.circulations[i] * fluid_.circulations[j] *
               std::log(0.5 * (q.col(i) - q.col(j)).squaredNorm());
    return -sum * per_sphere + of_rotation;
  }

  void gradient(const Columns& q, Columns& g) const override {
    if (tolerance_ && far_field::applies(q)) {
      far_field::vortex_gradient(*tolerance_, fluid_.circulations, q, g, workspaces_);
      g.row(2) += fluid_.rotation * fluid_.circulations.transpose();
      return;
    }
    g.topRows<2>().setZero();
    g.row(2) = fluid_.rotation * fluid_.circulations.transpose();
    for (Eigen::Index j = 1; j < q.cols(); ++j)
      for (Eigen::Index i = 0; i < j; ++i) {
        const Vec3 d = q.col(i) - q.col(j);
        const Vec3 term =
            2 * per_sphere * fluid_.circulations[i] * fluid_.circulations[j] / d.squaredNorm() * d;
        g.col(i) -= term;
        g.col(j) += term;
      }
  }

  void hessian_times(const Columns& q, const Columns& v, Columns& h) const override {
    h.setZero();
    for (Eigen::Index j = 1; j < q.cols(); ++j)
      for (Eigen::Index i = 0; i < j; ++i) {
        // The derivative of d/s: (ḋ − d (d·ḋ)/s)/s.
        const Vec3 d = q.col(i) - q.col(j), change = v.col(i) - v.col(j);
        const double s = 0.5 * d.squaredNorm();
        const Vec3 term = per_sphere * fluid_.circulations[i] * fluid_.circulations[j] / s *
                          (change - d.dot(change) / s * d);
        h.col(i) -= term;
        h.col(j) += term;
      }
  }

  double force_tolerance() const override { return far_field_force_tolerance(tolerance_, size()); }
  double operations() const override {
    const double tolerance = force_tolerance();
    return tolerance > 0 ? far_field_operations(tolerance, size()) : System::operations();
  }

  /// Σ over all pairs of the square of the rate at which each would turn alone.
  std::optional<MotionRate> encounter_rate(const Columns& q, const Columns& w) const override {
    MotionRate sum;
    for (Eigen::Index j = 1; j < q.cols(); ++j)
      for (Eigen::Index i = 0; i < j; ++i) {
        const Vec3 a = q.col(i), b = q.col(j), d = a - b;
        const Vec3 va = Vec3(w.col(i)).cross(a), vb = Vec3(w.col(j)).cross(b);
        const Vec3 total = fluid_.circulations[i] * a + fluid_.circulations[j] * b,
                   change = fluid_.circulations[i] * va + fluid_.circulations[j] * vb;
        const double s = 0.5 * d.squaredNorm(), factor = per_sphere / s;
        const double square = factor * factor * total.squaredNorm();
        sum.square += square;
        sum.change += 2 * (factor * factor * total.dot(change) - square * d.dot(Vec3(va - vb)) / s);
      }
    return sum;
  }

  /// The nearest pair. O(n).
  std::optional<Encounter> closest_encounter(const Columns& q) const override {
    if (q.cols() < 2) return {};
    const auto [i, j] = nearest_pair(q);
    const Vec3 a = q.col(i), b = q.col(j);
    const double rate = (fluid_.circulations[i] * a + fluid_.circulations[j] * b).norm() * 2 *
                        per_sphere / (a - b).squaredNorm();
    return Encounter{.first = static_cast<int>(i),
                     .second = static_cast<int>(j),
                     .angle = angle(a, b),
                     .strength = 0,
                     .rate = rate};
  }

  std::array<bool, 3> conserved_momentum() const override {
    const bool all = fluid_.rotation == 0;
    return {all, all, true};
  }

  void geometry(const Columns& q, Geometry& out) const override {
    out.clear();
    out.sphere = true;
    const double largest = fluid_.circulations.cwiseAbs().maxCoeff();
    out.bodies.reserve(static_cast<std::size_t>(q.cols()));
    for (Eigen::Index i = 0; i < q.cols(); ++i)
      out.bodies.push_back({q.col(i), std::cbrt(std::abs(fluid_.circulations[i]) / largest)});
  }

  Extent extent() const override { return {Vec3::Zero(), 1, false}; }

  /// Of more it takes too long for a picture.
  const Fluid* fluid() const override { return size() <= max_streaming ? &fluid_ : nullptr; }

  std::optional<OwnQuantity> own_color() const override {
    return OwnQuantity{"circulation", "m²/s"};
  }
  void own_color_values(double /*t*/, const Columns& /*q*/, const Columns& /*w*/,
                        std::vector<double>& out) const override {
    out.assign(fluid_.circulations.begin(), fluid_.circulations.end());
  }

  static Definition text(const SystemInfo& info, int n, const Values& values) {
    Definition d;
    d.bodies = n;
    d.first_order = true;
    d.parameters = {parameter_text("Gamma", info, "circulations", values)};
    // κ is Γ times the density of the layer, 1 kg/m², and the radius of the sphere squared.
    d.parameters.back().unit.clear();
    d.strength = "Gamma";
    d.hamiltonian = "-1/(4*pi)*sum(i < j: Gamma[i]*Gamma[j]*log(norm(q[i] - q[j])^2/2))";
    if (scalar(values, "rotation") != 0) {
      d.parameters.push_back(parameter_text("Omega", info, "rotation", values));
      d.hamiltonian += " + Omega*sum(i: Gamma[i]*e3.q[i])";
    }
    d.figure = {"sphere()", "ball(q[i], abs(Gamma[i]))"};
    d.color = {{"circulation", "Gamma[i]"}};
    return d;
  }

 private:
  static constexpr double per_sphere = 1 / (4 * std::numbers::pi);
  static constexpr int max_streaming = 1000;

  Fluid fluid_;
  std::optional<double> tolerance_;  // of far_field; none: pair by pair
  Inertia inertia_;
  mutable Pool<far_field::Workspace> workspaces_;
};

/// The first vortex i, with the first j < i, that are closer than 1e-6 rad. O(n): no two vortices
/// before i are this close, so few are near any point.
std::optional<std::pair<Eigen::Index, Eigen::Index>> meeting(const Columns& q) {
  constexpr double least = 1e-6;
  Cells near(least, static_cast<std::size_t>(q.cols()));
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    Eigen::Index first = i;
    near.near(q.col(i), [&](Eigen::Index j) {
      if ((q.col(i) - q.col(j)).norm() < least) first = std::min(first, j);
    });
    if (first < i) return std::pair(i, first);
    near.insert(q.col(i), i);
  }
  return {};
}

}  // namespace

const SystemInfo& vortices() {
  static const SystemInfo info{
      .key = "vortices",
      .title = "Point vortices",
      .description =
          "Point vortices of an ideal fluid on the unit sphere, which carry one another: a system "
          "of "
          "first order. A vortex of positive circulation turns the others counter-clockwise, seen "
          "from outside.",
      .equations = "Γᵢ q̇ᵢ = ∂H/∂qᵢ × qᵢ,  H = −1/4π Σ_{i<j} ΓᵢΓⱼ ln(1 − qᵢ·qⱼ) + Ω Σ Γᵢ e₃·qᵢ",
      .reference = "Bogomolov 1977; Newton, The N-Vortex Problem, 2001, chapter 4",
      .parameters = {{.key = "circulations",
                      .symbol = "Γ",
                      .label = "circulation",
                      .unit = "m²/s",
                      .help = "Circulation of each vortex, of any sign but not 0; the sphere has "
                              "radius 1 m.",
                      .shape = Shape::per_body,
                      .required = true,
                      .low = -10,
                      .high = 10},
                     {.key = "rotation",
                      .symbol = "Ω",
                      .label = "rotation",
                      .unit = "rad/s",
                      .help = "Rotation of the whole fluid about e3.",
                      .low = -1,
                      .high = 1},
                     far_field_parameter()},
      .momentum_columns = {true, true, true},
      .encounters = true,
      .first_order = true,
      .motion = first_angles,
      .create = [](int, const Values& values) -> Result<std::unique_ptr<const System>> {
        if (const auto tolerance = far_field_tolerance(values); !tolerance)
          return tolerance.error();
        const std::vector<double>& circulations = numbers_of(values, "circulations");
        const auto none = std::find(circulations.begin(), circulations.end(), 0);
        if (none != circulations.end())
          return Error{ErrorKind::usage,
                       "circulations[" + std::to_string(none - circulations.begin()) + "]",
                       "must not be 0: a vortex without circulation carries no other one"};
        return std::unique_ptr<const System>(std::make_unique<Vortices>(values));
      },
      .check_start = [](const Columns& q, const Values&) -> Result<void> {
        const auto pair = meeting(q);
        if (!pair) return {};
        return Error{ErrorKind::usage, "q[" + std::to_string(pair->first) + "]",
                     "coincides with body " + std::to_string(pair->second) +
                         ": the velocities are infinite there (closer than 1e-6 rad)"};
      },
      .text = [](int n, const Values& values) { return Vortices::text(info, n, values); }};
  return info;
}

}  // namespace twosphere
