// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/n_body.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

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
/// Singular where two bodies meet and where they are antipodal.
class NBody final : public System {
 public:
  explicit NBody(const Values& values)
      : inertia_(DiagonalInertia(list(values, "masses"))), gamma_(scalar(values, "gamma")) {}

  int size() const override { return twosphere::size(inertia_); }
  const Inertia& inertia() const override { return inertia_; }

  double potential(const Columns& q) const override {
    return n_body_kernel::potential(gamma_, q, workspaces_);
  }

  void gradient(const Columns& q, Columns& g) const override {
    n_body_kernel::gradient(gamma_, q, g, workspaces_);
  }

  std::array<bool, 3> conserved_momentum() const override { return {true, true, true}; }

  void figure(const Columns& q, Figure& out) const override {
    out.clear();
    out.sphere = true;
    const Eigen::VectorXd& m = std::get<DiagonalInertia>(inertia_).m;
    const double largest = m.maxCoeff();
    out.bodies.reserve(static_cast<std::size_t>(q.cols()));
    for (Eigen::Index i = 0; i < q.cols(); ++i)
      out.bodies.push_back({q.col(i), std::cbrt(m[i] / largest)});
  }

  Extent extent() const override { return {Vec3::Zero(), 1, false}; }

 private:
  Inertia inertia_;
  double gamma_;
  mutable Pool<n_body_kernel::Workspace> workspaces_;
};

/// The first body i, and the first j < i of it, with 1 − |q_i·q_j| < 1e-12. O(n log n) unless very
/// many bodies are on one plane of a certain direction.
std::optional<std::pair<Eigen::Index, Eigen::Index>> singular_pair(const Columns& q) {
  constexpr double least = 1e-12;
  // Such bodies, or the one and the other's antipode, are this close:
  // |q_i ∓ q_j|² = |q_i|² + |q_j|² − 2 |q_i·q_j|.
  const double most = std::max(q.colwise().squaredNorm().maxCoeff(), 1.0);
  const double reach = std::sqrt(2 * (most - 1) + 2 * least);
  struct Place {
    double height;
    Eigen::Index body;
  };
  std::vector<Place> places;  // along a direction that few symmetries share; antipodes too
  const Vec3 along(0.36, 0.48, 0.8);
  for (Eigen::Index i = 0; i < q.cols(); ++i)
    for (const double side : {1.0, -1.0}) places.push_back({side * along.dot(q.col(i)), i});
  std::sort(places.begin(), places.end(),
            [](const Place& a, const Place& b) { return a.height < b.height; });
  std::optional<std::pair<Eigen::Index, Eigen::Index>> first;
  for (std::size_t a = 0; a < places.size(); ++a)
    for (std::size_t b = a + 1; b < places.size() && places[b].height - places[a].height <= reach;
         ++b) {
      const auto [j, i] = std::minmax(places[a].body, places[b].body);
      if (i == j || !(1 - std::abs(q.col(i).dot(q.col(j))) < least)) continue;
      if (const std::pair pair(i, j); !first || pair < *first) first = pair;
    }
  return first;
}

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
        const auto pair = singular_pair(q);
        if (!pair) return {};
        const auto [i, j] = *pair;
        return Error{ErrorKind::usage, "q[" + std::to_string(i) + "]",
                     "coincides with body " + std::to_string(j) +
                         (q.col(i).dot(q.col(j)) > 0 ? "" : "'s antipode") +
                         ": the attraction is singular there (1 − |qᵢ·qⱼ| < 1e-12)"};
      }};
  return info;
}

}  // namespace twosphere
