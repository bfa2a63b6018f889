// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/workspace_pool.h"
#include "core/kernels/dipoles.h"
#include "core/mechanics/coincidence.h"
#include "core/mechanics/system.h"
#include "core/systems/motion.h"
#include "core/systems/parameters.h"
#include "core/systems/texts.h"

namespace twosphere {

namespace {

using Pair = std::pair<Eigen::Index, Eigen::Index>;

/// The points about which the magnets rotate.
struct Pivots {
  Columns points;                      // [m]
  Eigen::Index rows = 0, columns = 0;  // of a lattice; 0: arbitrary positions
  double spacing = 0;                  // [m]
};

/// Magnetic dipoles that rotate about fixed points.
///
/// Notation: m_i mass [kg] and l_i length [m] of a thin magnet, ν_i its moment [A m²], r = pivot_j
/// − pivot_i [m], μ = 4π·10⁻⁷ N/A².
///   M   = diag(m l²/12)                                                      [P1] Example 5
///   V   = Σ_{i<j} k_ij [q_i·q_j − 3 (q_i·r̂)(q_j·r̂)] = ½ Σ_i q_i·g_i,  k_ij = μ ν_i ν_j/(4π |r|³)
///   g_i = Σ_{j≠i} k_ij [q_j − 3 r̂ (r̂·q_j)]
class DipoleArray final : public System {
 public:
  DipoleArray(const Pivots& pivots, std::vector<Pair> nearest, const Values& values)
      : pivots_(pivots.points),
        lengths_(list(values, "lengths")),
        moments_(list(values, "moments")),
        inertia_(DiagonalInertia(list(values, "masses").cwiseProduct(lengths_.cwiseAbs2()) / 12)),
        nearest_(std::move(nearest)) {
    // Up to these sizes the matrix is faster, as measured by tests/bench/dipoles_bench.cpp.
    constexpr Eigen::Index dense_on_lattice = 49, dense_anywhere = 160;
    if (pivots_.cols() <= (pivots.rows > 0 ? dense_on_lattice : dense_anywhere))
      coupling_ = dipole_kernel::dense(pivots_, moments_);
    else if (pivots.rows > 0)
      coupling_ = dipole_kernel::lattice(pivots.rows, pivots.columns, pivots.spacing, moments_);
    else
      coupling_ = dipole_kernel::pairs(pivots_, moments_);
  }

  int size() const override { return static_cast<int>(pivots_.cols()); }
  const Inertia& inertia() const override { return inertia_; }

  double potential(const Columns& q) const override {
    const auto g = pool_.take([&] { return Columns(3, q.cols()); });
    // V = ½ Σ q_i·g_i, because V is quadratic.
    coupling_->multiply(q, *g);
    return q.cwiseProduct(*g).sum() / 2;
  }

  void gradient(const Columns& q, Columns& g) const override { coupling_->multiply(q, g); }
  bool has_gradient_together() const override { return size() <= max_together; }
  void gradient_together(const double* q, double* g) const override {
    coupling_->multiply_together(q, g);
  }
  void hessian_times(const Columns& /*q*/, const Columns& v, Columns& h) const override {
    // g is linear in q.
    coupling_->multiply(v, h);
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

  void geometry(const Columns& q, Geometry& out) const override {
    out.clear();
    for (const auto& [i, j] : nearest_) out.guides.push_back({pivots_.col(i), pivots_.col(j)});
    const double largest = moments_.cwiseAbs().maxCoeff();
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      // Arrow of the magnet about its pivot, radius ∝ |ν|^{1/3}.
      const Vec3 half = lengths_[i] / 2 * q.col(i);
      const double size = largest > 0 ? std::cbrt(std::abs(moments_[i]) / largest) : 1;
      out.arrows.push_back({pivots_.col(i) - half, pivots_.col(i) + half, size});
      out.bodies.push_back({pivots_.col(i) + half, size});
    }
  }

  double lever(int body, int link) const override { return body == link ? lengths_[body] / 2 : 0; }

  Extent extent() const override {
    const Vec3 center = (pivots_.rowwise().minCoeff() + pivots_.rowwise().maxCoeff()) / 2;
    double radius = 0;
    for (Eigen::Index i = 0; i < pivots_.cols(); ++i)
      radius = std::max(radius, (pivots_.col(i) - center).norm() + lengths_[i] / 2);
    return {center, radius, false};
  }

  Box accessible_box(double /*energy*/) const override {
    Box box;
    for (Eigen::Index i = 0; i < pivots_.cols(); ++i) {
      const Vec3 half = Vec3::Constant(lengths_[i] / 2);
      box.extend(pivots_.col(i) - half);
      box.extend(pivots_.col(i) + half);
    }
    return box;
  }

 private:
  /// The matrix of more magnets nearly fills the vectors of multiply().
  static constexpr int max_together = 9;

  Columns pivots_;
  Eigen::VectorXd lengths_, moments_;
  Inertia inertia_;
  std::vector<Pair> nearest_;  // pairs at the least distance
  std::unique_ptr<const dipole_kernel::Coupling> coupling_;
  mutable Pool<Columns> pool_;
};

/// The pivots: given, or those of the lattice, index = row·columns + column.
Pivots pivots_of(const Values& values) {
  const std::vector<double>& lattice = numbers_of(values, "lattice");
  if (lattice.empty()) return {.points = points(values, "positions")};
  Pivots pivots;
  pivots.rows = static_cast<Eigen::Index>(lattice[0]);
  pivots.columns = static_cast<Eigen::Index>(lattice[1]);
  pivots.spacing = lattice[2];
  pivots.points.resize(3, pivots.rows * pivots.columns);
  for (Eigen::Index i = 0; i < pivots.rows; ++i)
    for (Eigen::Index j = 0; j < pivots.columns; ++j)
      pivots.points.col(i * pivots.columns + j) =
          pivots.spacing * Vec3(static_cast<double>(j), static_cast<double>(i), 0);
  return pivots;
}

/// Calls visit(i, j, distance) for all pairs j < i of points at most reach() apart, and possibly
/// for others; reach() may decrease during the sweep. O(n log n) plus the number of pairs within
/// reach along the longest side.
template <class Reach, class Visit>
void sweep(const Columns& points, const Reach& reach, const Visit& visit) {
  const Vec3 sides = points.rowwise().maxCoeff() - points.rowwise().minCoeff();
  Eigen::Index axis = 0;
  sides.maxCoeff(&axis);
  std::vector<Eigen::Index> order(static_cast<std::size_t>(points.cols()));
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  std::sort(order.begin(), order.end(),
            [&](auto i, auto j) { return points(axis, i) < points(axis, j); });
  // Pairs along the sorted axis, up to the reach.
  for (std::size_t a = 0; a < order.size(); ++a)
    for (std::size_t b = a + 1; b < order.size(); ++b) {
      const Eigen::Index i = order[a], j = order[b];
      if (points(axis, j) - points(axis, i) > reach()) break;
      visit(std::max(i, j), std::min(i, j), (points.col(i) - points.col(j)).norm());
    }
}

/// The pairs j < i at the least distance, in order.
std::vector<Pair> nearest_pairs(const Pivots& pivots) {
  std::vector<Pair> pairs;
  // Lattice: neighbours in rows and columns.
  if (pivots.rows > 0) {
    for (Eigen::Index i = 0; i < pivots.points.cols(); ++i) {
      if (i >= pivots.columns) pairs.emplace_back(i - pivots.columns, i);
      if (i % pivots.columns > 0) pairs.emplace_back(i - 1, i);
    }
    return pairs;
  }
  // Elsewhere: the least distance first, then all pairs at it.
  double closest = std::numeric_limits<double>::infinity();
  sweep(
      pivots.points, [&] { return closest; },
      [&](auto, auto, double distance) { closest = std::min(closest, distance); });
  const double reach = 1.001 * closest;
  sweep(
      pivots.points, [&] { return reach; },
      [&](auto i, auto j, double distance) {
        if (distance <= reach) pairs.emplace_back(j, i);
      });
  std::sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) {
    return std::pair(a.second, a.first) < std::pair(b.second, b.first);
  });
  return pairs;
}

Definition text_of_magnets(const SystemInfo& info, int n, const Values& values) {
  using Form = Definition::Parameter::Form;
  Definition d;
  d.bodies = n;
  d.parameters = {parameter_text("m", info, "masses", values),
                  parameter_text("l", info, "lengths", values),
                  parameter_text("nu", info, "moments", values),
                  {.key = "c",
                   .value = {dipole_kernel::permeability_over_4pi},
                   .unit = "N/A^2",
                   .help = "The permeability of vacuum, divided by 4π."}};
  d.inertia = "diag(i: m[i]*l[i]^2/12)";
  d.potential =
      "c*sum(i < j: nu[i]*nu[j]*(q[i].q[j]/norm(p[j] - p[i])^3 - "
      "3*q[i].(p[j] - p[i])*q[j].(p[j] - p[i])/norm(p[j] - p[i])^5))";
  d.figure = {"arrow(p[i] - l[i]/2*q[i], p[i] + l[i]/2*q[i])", "ball(p[i] + l[i]/2*q[i], nu[i])"};
  const Pivots pivots = pivots_of(values);
  if (pivots.rows > 0) {
    Definition::Parameter column{.key = "column", .form = Form::list, .value = {}}, row{column};
    row.key = "row";
    for (Eigen::Index i = 0; i < n; ++i) {
      const Eigen::Index of_row = i / pivots.columns, of_column = i % pivots.columns;
      column.value.push_back(static_cast<double>(of_column));
      row.value.push_back(static_cast<double>(of_row));
    }
    Definition::Parameter spacing =
        parameter_text("a", info, "lattice", {{"lattice", {pivots.spacing}}});
    spacing.form = Form::number;
    spacing.help = "Spacing of the lattice.";
    d.parameters.insert(d.parameters.end(),
                        {std::move(spacing), std::move(column), std::move(row)});
    d.define = {"p[i] = a*(column[i]*e1 + row[i]*e2)"};
  } else {
    add_pivots(d, parameter_text("r", info, "positions", values), "p");
  }
  Definition::Parameter nearest{.key = "neighbours", .form = Form::pairs, .value = {}};
  for (const auto& [i, j] : nearest_pairs(pivots))
    nearest.value.insert(nearest.value.end(), {static_cast<double>(i), static_cast<double>(j)});
  if (nearest.value.empty()) return d;
  d.parameters.push_back(std::move(nearest));
  d.figure.emplace_back("i, j in neighbours: rod(p[i], p[j])");
  return d;
}

}  // namespace

const SystemInfo& dipole_array() {
  static const SystemInfo info{
      .key = "dipole_array",
      .title = "Dipole array",
      .description = "Small magnets that rotate about fixed points in one another's field.",
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
                      .help = "Pivot of each magnet, instead of a lattice.",
                      .shape = Shape::points,
                      .optional = true,
                      .low = -1,
                      .high = 1,
                      .live = false},
                     {.key = "lattice",
                      .symbol = "a",
                      .label = "lattice",
                      .unit = "m",
                      .help = "Number of rows along e2 and of columns along e1, and spacing; the "
                              "first magnet is at the origin.",
                      .shape = Shape::lattice,
                      .optional = true,
                      .low = 1e-3,
                      .high = 1,
                      .live = false}},
      .momentum_columns = {false, false, false},
      .motion = [](int n) { return n > 1 ? std::string("mean_direction_z") : angle_from_e3(0); },
      .create = [](int, const Values& values) -> Result<std::unique_ptr<const System>> {
        const bool listed = !numbers_of(values, "positions").empty();
        if (listed != numbers_of(values, "lattice").empty())
          return Error{ErrorKind::usage, "", "needs either positions or lattice"};
        const Pivots pivots = pivots_of(values);
        if (const auto met = pivots.rows > 0 ? std::nullopt : coincidence(pivots.points))
          return Error{ErrorKind::usage, fmt::format("positions[{}]", met->first),
                       fmt::format("coincides with position {}", met->second)};
        return std::unique_ptr<const System>(
            std::make_unique<DipoleArray>(pivots, nearest_pairs(pivots), values));
      },
      .text = [](int n, const Values& values) { return text_of_magnets(info, n, values); }};
  return info;
}

}  // namespace twosphere
