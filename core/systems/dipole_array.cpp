// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "core/system.h"
#include "core/systems/parameters.h"

namespace twosphere {

namespace {

/// Magnetic dipoles that turn about fixed points.
///
/// Notation: m_i mass [kg] and l_i length [m] of a thin magnet, ν_i its moment [A m²], r = pivot_j
/// − pivot_i [m], μ = 4π·10⁻⁷ N/A².
///   M   = diag(m l²/12)                                                      [P1] Example 5
///   V   = Σ_{i<j} k_ij [q_i·q_j − 3 (q_i·r̂)(q_j·r̂)],  k_ij = μ ν_i ν_j/(4π |r|³)
///   g_i = Σ_{j≠i} k_ij [q_j − 3 r̂ (r̂·q_j)]
class DipoleArray final : public System {
 public:
  DipoleArray(Columns pivots, const Values& values)
      : pivots_(std::move(pivots)),
        lengths_(list(values, "lengths")),
        moments_(list(values, "moments")),
        inertia_(DiagonalInertia(list(values, "masses").cwiseProduct(lengths_.cwiseAbs2()) / 12)) {
    const auto n = pivots_.cols();
    double closest = std::numeric_limits<double>::infinity();
    coupling_.reserve(static_cast<std::size_t>(n * (n - 1) / 2));
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j < i; ++j) {
        const Vec3 r = pivots_.col(i) - pivots_.col(j);
        const double distance = r.norm();
        coupling_.push_back(
            {permeability_over_4pi * moments_[i] * moments_[j] / (distance * distance * distance),
             r / distance});
        closest = std::min(closest, distance);
      }
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j < i; ++j)
        if ((pivots_.col(i) - pivots_.col(j)).norm() <= 1.001 * closest)
          nearest_.emplace_back(j, i);
  }

  int size() const override { return static_cast<int>(pivots_.cols()); }
  const Inertia& inertia() const override { return inertia_; }

  double potential(const Columns& q) const override {
    double sum = 0;
    std::size_t pair = 0;
    for (Eigen::Index i = 0; i < q.cols(); ++i)
      for (Eigen::Index j = 0; j < i; ++j) {
        const Coupling& c = coupling_[pair++];
        sum += c.strength *
               (q.col(i).dot(q.col(j)) - 3 * q.col(i).dot(c.direction) * q.col(j).dot(c.direction));
      }
    return sum;
  }

  void gradient(const Columns& q, Columns& g) const override {
    g.setZero();
    std::size_t pair = 0;
    for (Eigen::Index i = 0; i < q.cols(); ++i)
      for (Eigen::Index j = 0; j < i; ++j) {
        const Coupling& c = coupling_[pair++];
        g.col(i) += c.strength * (q.col(j) - 3 * c.direction.dot(q.col(j)) * c.direction);
        g.col(j) += c.strength * (q.col(i) - 3 * c.direction.dot(q.col(i)) * c.direction);
      }
  }

  std::array<bool, 3> conserved_momentum() const override {
    // Rotations about the line that holds all pivots.
    std::array<bool, 3> along{true, true, true};
    for (Eigen::Index i = 1; i < pivots_.cols(); ++i)
      for (int k = 0; k < 3; ++k)
        for (int other = 0; other < 3; ++other)
          if (other != k && pivots_(other, i) != pivots_(other, 0))
            along[static_cast<std::size_t>(k)] = false;
    return along;
  }

  void figure(const Columns& q, Figure& out) const override {
    out.clear();
    for (const auto& [i, j] : nearest_) out.guides.push_back({pivots_.col(i), pivots_.col(j)});
    const double largest = moments_.cwiseAbs().maxCoeff();
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      const Vec3 half = lengths_[i] / 2 * q.col(i);
      const double size = largest > 0 ? std::cbrt(std::abs(moments_[i]) / largest) : 1;
      out.arrows.push_back({pivots_.col(i) - half, pivots_.col(i) + half, size});
      out.bodies.push_back({pivots_.col(i) + half, size});
    }
  }

  Extent extent() const override {
    const Vec3 center = (pivots_.rowwise().minCoeff() + pivots_.rowwise().maxCoeff()) / 2;
    double radius = 0;
    for (Eigen::Index i = 0; i < pivots_.cols(); ++i)
      radius = std::max(radius, (pivots_.col(i) - center).norm() + lengths_[i] / 2);
    return {center, radius, false};
  }

  Box reach(double /*energy*/) const override {
    Box box;
    for (Eigen::Index i = 0; i < pivots_.cols(); ++i) {
      const Vec3 half = Vec3::Constant(lengths_[i] / 2);
      box.extend(pivots_.col(i) - half);
      box.extend(pivots_.col(i) + half);
    }
    return box;
  }

 private:
  static constexpr double permeability_over_4pi = 1e-7;  // [N/A²]
  struct Coupling {
    double strength;  // k_ij [J]
    Vec3 direction;   // r̂
  };

  Columns pivots_;
  Eigen::VectorXd lengths_, moments_;
  Inertia inertia_;
  std::vector<Coupling> coupling_;                              // of each pair j < i, in order
  std::vector<std::pair<Eigen::Index, Eigen::Index>> nearest_;  // pairs at the least distance
};

/// The pivots: given, or those of the lattice, index = row·columns + column.
Columns pivots_of(const Values& values) {
  const std::vector<double>& lattice = values.find("lattice")->second;
  if (lattice.empty()) return points(values, "positions");
  const auto rows = static_cast<Eigen::Index>(lattice[0]);
  const auto columns = static_cast<Eigen::Index>(lattice[1]);
  Columns pivots(3, rows * columns);
  for (Eigen::Index i = 0; i < rows; ++i)
    for (Eigen::Index j = 0; j < columns; ++j)
      pivots.col(i * columns + j) =
          lattice[2] * Vec3(static_cast<double>(j), static_cast<double>(i), 0);
  return pivots;
}

}  // namespace

const SystemInfo& dipole_array() {
  static const SystemInfo info{
      .key = "dipole_array",
      .title = "Dipole array",
      .description = "Small magnets that turn about fixed points in one another's field.",
      .equations = "L = Σ ½ (mᵢlᵢ²/12) |q̇ᵢ|² − Σ_{i<j} (μνᵢνⱼ/4πr³) [qᵢ·qⱼ − 3 (qᵢ·r)(qⱼ·r)/r²]",
      .reference = "Lee, Leok, McClamroch 2009, Example 5",
      .parameters = {masses_parameter("Mass of each magnet."),
                     lengths_parameter("Length of each magnet."),
                     {.key = "moments",
                      .symbol = "ν",
                      .label = "moment",
                      .unit = "A m²",
                      .help = "Magnetic moment of each magnet, along q.",
                      .shape = Shape::per_body,
                      .required = true,
                      .low = 1e-3,
                      .high = 10,
                      .logarithmic = true},
                     {.key = "positions",
                      .symbol = "r",
                      .label = "position",
                      .unit = "m",
                      .help = "Where each magnet turns, instead of a lattice.",
                      .shape = Shape::points,
                      .optional = true,
                      .low = -1,
                      .high = 1,
                      .live = false},
                     {.key = "lattice",
                      .symbol = "a",
                      .label = "lattice",
                      .unit = "m",
                      .help =
                          "Rows along e2, columns along e1, spacing; first magnet at the origin.",
                      .shape = Shape::lattice,
                      .optional = true,
                      .low = 1e-3,
                      .high = 1,
                      .live = false}},
      .most_bodies = 8192,
      .momentum_columns = {false, false, false},
      .create = [](int, const Values& values) -> Result<std::unique_ptr<const System>> {
        const bool listed = !values.find("positions")->second.empty();
        if (listed != values.find("lattice")->second.empty())
          return Error{ErrorKind::usage, "", "give positions or lattice, one of the two"};
        Columns pivots = pivots_of(values);
        for (Eigen::Index i = 0; i < pivots.cols(); ++i)
          for (Eigen::Index j = 0; j < i; ++j)
            if ((pivots.col(i) - pivots.col(j)).isZero(0))
              return Error{ErrorKind::usage, "positions[" + std::to_string(i) + "]",
                           "coincides with position " + std::to_string(j)};
        return std::unique_ptr<const System>(
            std::make_unique<DipoleArray>(std::move(pivots), values));
      }};
  return info;
}

}  // namespace twosphere
