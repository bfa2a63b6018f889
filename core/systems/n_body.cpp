// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "core/system.h"
#include "core/systems/parameters.h"

namespace twosphere {

namespace {

/// n bodies on the unit sphere, attracting one another by the cotangent potential.
///
/// Notation: m_i mass [kg], γ strength [J], c = q_i·q_j.
///   M   = diag(m)                                                            [P1] Example 2
///   V   = −γ Σ_{i<j} c/√(1 − c²)
///   g_i = −γ Σ_{j≠i} q_j/(1 − c²)^{3/2}
/// Singular where two bodies meet and where they are antipodal. 1 − c² is taken as |q_i × q_j|²,
/// exact near both on the sphere; V itself as −γ c/√(1 − c²) with c off the sphere as it is.
class NBody final : public System {
 public:
  explicit NBody(const Values& values)
      : inertia_(DiagonalInertia(list(values, "masses"))), gamma_(scalar(values, "gamma")) {}

  int size() const override { return twosphere::size(inertia_); }
  const Inertia& inertia() const override { return inertia_; }

  double potential(const Columns& q) const override {
    double sum = 0;
    for (Eigen::Index i = 0; i < q.cols(); ++i)
      for (Eigen::Index j = 0; j < i; ++j) {
        const double c = q.col(i).dot(q.col(j));
        sum += c / std::sqrt(sine_squared(q.col(i), q.col(j), c));
      }
    return -gamma_ * sum;
  }

  void gradient(const Columns& q, Columns& g) const override {
    g.setZero();
    for (Eigen::Index i = 0; i < q.cols(); ++i)
      for (Eigen::Index j = 0; j < i; ++j) {
        const double square = sine_squared(q.col(i), q.col(j), q.col(i).dot(q.col(j)));
        const double weight = -gamma_ / (square * std::sqrt(square));
        g.col(i) += weight * q.col(j);
        g.col(j) += weight * q.col(i);
      }
  }

  std::array<bool, 3> conserved_momentum() const override { return {true, true, true}; }

  void figure(const Columns& q, Figure& out) const override {
    out.clear();
    out.sphere = true;
    const Eigen::VectorXd& m = std::get<DiagonalInertia>(inertia_).m;
    const double largest = m.maxCoeff();
    for (Eigen::Index i = 0; i < q.cols(); ++i)
      out.bodies.push_back({q.col(i), std::cbrt(m[i] / largest)});
  }

  Extent extent() const override { return {Vec3::Zero(), 1, false}; }

 private:
  /// 1 − c², without cancellation where c is near ±1: (1 − c)(1 + c) with 1 ∓ c = ½ |q_i ∓ q_j|² on
  /// the sphere. Off it 1 − c² as printed, |q|² being told from 1.
  static double sine_squared(const Vec3& a, const Vec3& b, double c) {
    const double excess = (a.squaredNorm() + b.squaredNorm()) / 2 - 1;
    const Vec3& nearer = c > 0 ? Vec3(a - b) : Vec3(a + b);
    const double small = nearer.squaredNorm() / 2 - excess;  // 1 − |c|
    return small * (1 + std::abs(c));
  }

  Inertia inertia_;
  double gamma_;
};

}  // namespace

const SystemInfo& n_body() {
  static const SystemInfo info{
      .key = "n_body",
      .title = "Bodies on a sphere",
      .description =
          "Point masses on the unit sphere that attract one another; antipodal bodies "
          "repel without bound, as bodies that meet attract.",
      .equations = "L = ½ Σ mᵢ |q̇ᵢ|² + γ Σ_{i<j} c/√(1 − c²),  c = qᵢ·qⱼ",
      .reference = "Lee, Leok, McClamroch 2009, Example 2",
      .parameters = {masses_parameter("Mass of each body; the sphere has radius 1 m."),
                     {.key = "gamma",
                      .symbol = "γ",
                      .label = "attraction",
                      .unit = "J",
                      .help = "Strength of the attraction.",
                      .fallback = 1,
                      .low = 0.01,
                      .high = 100,
                      .logarithmic = true}},
      .momentum_columns = {true, true, true},
      .create = [](int, const Values& values) -> Result<std::unique_ptr<const System>> {
        return std::unique_ptr<const System>(std::make_unique<NBody>(values));
      },
      .check_start = [](const Columns& q, const Values&) -> Result<void> {
        for (Eigen::Index i = 0; i < q.cols(); ++i)
          for (Eigen::Index j = 0; j < i; ++j) {
            const double c = q.col(i).dot(q.col(j));
            if (1 - std::abs(c) < 1e-12)
              return Error{ErrorKind::usage, "q[" + std::to_string(i) + "]",
                           "coincides with body " + std::to_string(j) +
                               (c > 0 ? "" : "'s antipode") +
                               ": the attraction is singular there (1 − |qᵢ·qⱼ| < 1e-12)"};
          }
        return {};
      }};
  return info;
}

}  // namespace twosphere
