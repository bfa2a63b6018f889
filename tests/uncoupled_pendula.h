// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/system.h"

/// A second system, as a contributor would write one: n spherical pendula that do not touch, each
/// with its own mass and length. It stands here and not in the catalogue because nobody needs it;
/// the tests run it through everything the catalogue's systems pass.
namespace twosphere::test {

class UncoupledPendula final : public System {
 public:
  UncoupledPendula(int n, const Values& values)
      : masses_(Eigen::Map<const Eigen::VectorXd>(values.find("masses")->second.data(), n)),
        lengths_(Eigen::Map<const Eigen::VectorXd>(values.find("lengths")->second.data(), n)),
        inertia_(DiagonalInertia(masses_.cwiseProduct(lengths_.cwiseAbs2()))),
        gravity_(values.find("gravity")->second[0]) {}

  int size() const override { return static_cast<int>(masses_.size()); }
  const Inertia& inertia() const override { return inertia_; }
  double potential(const Columns& q) const override {
    return -gravity_ * q.row(2).transpose().cwiseProduct(masses_).dot(lengths_);
  }
  void gradient(const Columns&, Columns& g) const override {
    g.setZero();
    g.row(2) = -gravity_ * masses_.cwiseProduct(lengths_).transpose();
  }
  std::array<bool, 3> conserved_momentum() const override { return {false, false, true}; }
  void figure(const Columns& q, Figure& out) const override {
    out = {};
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      const Vec3 pivot(static_cast<double>(i), 0, 0);
      out.pivots.push_back(pivot);
      out.bodies.push_back({pivot + lengths_[i] * q.col(i), 1});
      out.links.push_back({pivot, out.bodies.back().position});
    }
  }
  Extent extent() const override {
    const double n = static_cast<double>(size());
    return {Vec3((n - 1) / 2, 0, 0), n / 2 + lengths_.maxCoeff(), gravity_ != 0};
  }

 private:
  Eigen::VectorXd masses_, lengths_;
  Inertia inertia_;
  double gravity_;
};

inline const SystemInfo& uncoupled_pendula() {
  static const SystemInfo info{
      .key = "uncoupled_pendula",
      .title = "Uncoupled pendula",
      .description = "Spherical pendula that do not touch.",
      .equations = "L = Σ ½ mᵢ lᵢ² |q̇ᵢ|² + mᵢ g lᵢ e₃·qᵢ",
      .reference = "Lee, Leok, McClamroch 2009, Example 3 without springs",
      .parameters = {{.key = "masses",
                      .symbol = "m",
                      .label = "mass",
                      .unit = "kg",
                      .help = "Mass of each bob.",
                      .shape = Shape::per_body,
                      .domain = Domain::positive,
                      .required = true},
                     {.key = "lengths",
                      .symbol = "l",
                      .label = "length",
                      .unit = "m",
                      .help = "Length of each rod.",
                      .shape = Shape::per_body,
                      .domain = Domain::positive,
                      .required = true},
                     {.key = "gravity",
                      .symbol = "g",
                      .label = "gravity",
                      .unit = "m/s²",
                      .help = "Along +e3.",
                      .fallback = 9.81,
                      .high = 25}},
      .create = [](int n, const Values& values) -> Result<std::unique_ptr<const System>> {
        return std::unique_ptr<const System>(std::make_unique<UncoupledPendula>(n, values));
      }};
  return info;
}

}  // namespace twosphere::test
