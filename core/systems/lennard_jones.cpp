// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/lennard_jones.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "core/base/workspace_pool.h"
#include "core/kernels/lennard_jones_near.h"
#include "core/mechanics/cell_list.h"
#include "core/mechanics/coincidence.h"
#include "core/mechanics/system.h"
#include "core/systems/parameters.h"
#include "core/systems/texts.h"

namespace twosphere {

namespace {

/// Molecules on the unit sphere with the Lennard-Jones potential of their chords.
///
/// Notation: m_i mass [kg], ε depth [J], σ size [m], r = |q_i − q_j|, r_c cutoff [m] or none.
///   M   = diag(m)                                                            [P1] Example 6
///   V   = Σ_{i<j, r<r_c} [u(r) − u(r_c)],  u(r) = 4ε [(σ/r)¹² − (σ/r)⁶],  u(r_c) = 0 if none
///   g_i = Σ_j 4ε [6 (σ/r)⁶ − 12 (σ/r)¹²] (q_i − q_j)/r²
/// Cost: O(n²), with a cutoff O(n).
class LennardJones final : public System {
 public:
  explicit LennardJones(const Values& values)
      : inertia_(DiagonalInertia(list(values, "masses"))),
        law_{.depth = 4 * scalar(values, "epsilon"),
             .sigma_squared = scalar(values, "sigma") * scalar(values, "sigma")} {
    const std::vector<double>& cutoff = numbers_of(values, "cutoff");
    if (cutoff.empty()) return;
    // Squared cutoff r_c², and the shift u(r_c).
    law_.reach = cutoff[0] * cutoff[0];
    law_.shift = lennard_jones_kernel::pair_potential(law_, law_.reach);
  }

  int size() const override { return twosphere::size(inertia_); }
  const Inertia& inertia() const override { return inertia_; }

  double potential(const Columns& q) const override {
    return lennard_jones_kernel::potential(law_, q, *workspace(q));
  }

  void gradient(const Columns& q, Columns& g) const override {
    lennard_jones_kernel::gradient(law_, q, g, *workspace(q));
  }
  bool has_gradient_together() const override {
    return size() <= lennard_jones_kernel::max_together && law_.reach >= 1;
  }
  void gradient_together(const double* q, double* g) const override {
    lennard_jones_kernel::gradient_together(law_, size(), q, g);
  }

  void hessian_times(const Columns& q, const Columns& v, Columns& h) const override {
    lennard_jones_kernel::hessian_times(law_, q, v, h, *workspace(q));
  }

  std::int64_t advance_uncoupled(double h, std::int64_t count, Columns& q, Columns& w,
                                 Eigen::MatrixX3d& torque) const override {
    if (!lennard_jones_near::applies(law_, q.cols())) return 0;
    return lennard_jones_near::advance(law_, std::get<DiagonalInertia>(inertia_).m, h, count, q, w,
                                       torque, *workspace(q));
  }

  std::array<bool, 3> conserved_momentum() const override { return {true, true, true}; }

  void geometry(const Columns& q, Geometry& out) const override {
    out.clear();
    out.sphere = true;
    out.bodies.reserve(static_cast<std::size_t>(q.cols()));
    for (Eigen::Index i = 0; i < q.cols(); ++i) out.bodies.push_back({q.col(i), 1});
    // Radius σ/2.
    out.body_radius = std::sqrt(law_.sigma_squared) / 2;
  }

  Extent extent() const override {
    return {Vec3::Zero(), 1 + std::sqrt(law_.sigma_squared) / 2, false};
  }

  static Definition text(const SystemInfo& info, int n, const Values& values) {
    // Lengths are in radii of the sphere.
    const auto length = [&](std::string_view key, std::string help) {
      Definition::Parameter p = parameter_text(std::string(key), info, key, values);
      p.unit = "1";
      p.help = std::move(help);
      return p;
    };
    Definition d;
    d.bodies = n;
    d.parameters = {parameter_text("m", info, "masses", values),
                    parameter_text("epsilon", info, "epsilon", values),
                    length("sigma", "Chord at which the potential is zero, in radii.")};
    d.inertia = "diag(m)";
    d.potential =
        "4*epsilon*sum(i < j: (sigma/norm(q[i] - q[j]))^12 - "
        "(sigma/norm(q[i] - q[j]))^6)";
    d.figure = {"sphere()", "ball(q[i])"};
    if (numbers_of(values, "cutoff").empty()) return d;
    d.parameters.push_back(
        length("cutoff", "Chord beyond which molecules do not interact, in radii."));
    d.define = {"shift = (sigma/cutoff)^12 - (sigma/cutoff)^6"};
    d.potential =
        "4*epsilon*sum(i < j: if(norm(q[i] - q[j]) < cutoff, (sigma/norm(q[i] - q[j]))^12 - "
        "(sigma/norm(q[i] - q[j]))^6 - shift, 0))";
    return d;
  }

 private:
  using Workspaces = Pool<lennard_jones_kernel::Workspace>;

  /// One that has lists for q, if there are any: motions that are followed in turn keep their own.
  Workspaces::Lease workspace(const Columns& q) const {
    if (!lennard_jones_near::applies(law_, q.cols())) return workspaces_.take();
    return workspaces_.take_suitable(4, [&](const lennard_jones_kernel::Workspace& work) {
      return work.lists.may_suit(q, std::sqrt(law_.reach));
    });
  }

  Inertia inertia_;
  lennard_jones_kernel::Law law_;
  mutable Workspaces workspaces_;
};

/// Mean of the 3n − 6 shortest distances, as many as a triangulation of n points on the sphere has
/// edges [m].
double mean_neighbour_distance(const Columns& q) {
  const auto n = static_cast<std::size_t>(q.cols());
  if (n < 2) return 1;
  const std::size_t edges = n < 3 ? 1 : 3 * n - 6;
  const std::size_t wanted = std::min(edges, n * (n - 1) / 2);
  if (coincidence(q)) return 1;  // such a start is rejected
  // The first reach contains few pairs, each following one about four times as many.
  const auto [i0, j0] = nearest_pair(q);
  const double nearest = (q.col(i0) - q.col(j0)).norm();
  std::vector<double> squares;
  // Squared distances within a reach that doubles until there are enough pairs.
  for (double reach = nearest; squares.size() < wanted; reach *= 2) {
    squares.clear();
    Cells cells(reach, n);
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      cells.near(q.col(i), [&](Eigen::Index j) {
        if (const double r2 = (q.col(i) - q.col(j)).squaredNorm(); r2 <= reach * reach)
          squares.push_back(r2);
      });
      cells.insert(q.col(i), i);
    }
  }
  // Mean of the shortest ones.
  std::sort(squares.begin(), squares.end());
  double sum = 0;
  for (std::size_t k = 0; k < wanted; ++k) sum += std::sqrt(squares[k]);
  return sum / static_cast<double>(wanted);
}

}  // namespace

const SystemInfo& lennard_jones() {
  static const SystemInfo info{
      .key = "lennard_jones",
      .title = "Lennard-Jones molecules",
      .description =
          "Molecules on the unit sphere that repel one another at short range and attract at "
          "longer range.",
      .equations = "L = Σ ½ mᵢ |q̇ᵢ|² − Σ_{i<j} 4ε [(σ/r)¹² − (σ/r)⁶],  r = |qᵢ − qⱼ|",
      .reference = "Lee, Leok, McClamroch 2009, Example 6",
      .parameters = {masses_parameter("Mass of each molecule; the sphere has radius 1 m."),
                     {.key = "epsilon",
                      .symbol = "ε",
                      .label = "depth",
                      .unit = "J",
                      .help = "Depth of the potential well.",
                      .domain = Domain::positive,
                      .required = true,
                      .low = 1e-4,
                      .high = 10,
                      .logarithmic = true},
                     {.key = "sigma",
                      .symbol = "σ",
                      .label = "size",
                      .unit = "m",
                      .help = "Chord length at which the potential is zero; auto: mean initial "
                              "distance of neighbours / 2^(1/6).",
                      .domain = Domain::positive,
                      .optional = true,
                      .word = "auto",
                      .low = 1e-3,
                      .high = 1,
                      .logarithmic = true},
                     {.key = "cutoff",
                      .symbol = "r_c",
                      .label = "cutoff",
                      .unit = "m",
                      .help = "Chord length beyond which molecules do not interact; the potential "
                              "is shifted to zero there. none: all pairs interact.",
                      .domain = Domain::positive,
                      .optional = true,
                      .word = "none",
                      .low = 1e-3,
                      .high = 2,
                      .logarithmic = true}},
      .momentum_columns = {true, true, true},
      .field = true,
      .motion = [](int) { return std::string("kinetic_energy_peak"); },
      .create = [](int, const Values& values) -> Result<std::unique_ptr<const System>> {
        return std::unique_ptr<const System>(std::make_unique<LennardJones>(values));
      },
      .resolve =
          [](const Columns& q, Values& values) {
            std::vector<double>& sigma = values.find("sigma")->second;
            if (sigma.empty()) sigma = {mean_neighbour_distance(q) / std::pow(2.0, 1.0 / 6)};
          },
      .check_start = [](const Columns& q, const Values&) -> Result<void> {
        if (const auto met = coincidence(q))
          return Error{
              ErrorKind::usage, fmt::format("q[{}]", met->first),
              fmt::format("coincides with body {}: the repulsion is singular there", met->second)};
        return {};
      },
      .text = [](int n, const Values& values) { return LennardJones::text(info, n, values); }};
  return info;
}

}  // namespace twosphere
