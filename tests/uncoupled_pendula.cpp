// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/system.h"
#include "core/systems/motion.h"
#include "core/systems/parameters.h"
#include "core/systems/texts.h"

namespace twosphere {

namespace {

/// Spherical pendula that do not touch: M = diag(m l²), V = −Σ m g l e3·q.
class UncoupledPendula final : public System {
 public:
  explicit UncoupledPendula(const Values& values)
      : masses_(list(values, "masses")),
        lengths_(list(values, "lengths")),
        weights_(scalar(values, "gravity") * masses_.cwiseProduct(lengths_)),
        inertia_(DiagonalInertia(masses_.cwiseProduct(lengths_.cwiseAbs2()))) {}

  int size() const override { return static_cast<int>(masses_.size()); }
  const Inertia& inertia() const override { return inertia_; }
  double potential(const Columns& q) const override { return -q.row(2).dot(weights_); }
  void gradient(const Columns&, Columns& g) const override {
    g.topRows<2>().setZero();
    g.row(2) = -weights_.transpose();
  }
  void hessian_times(const Columns&, const Columns&, Columns& h) const override {
    h.setZero();  // V is linear in q
  }
  std::array<bool, 3> conserved_momentum() const override { return {false, false, true}; }

  // What to draw and to export: the pendula side by side.
  void geometry(const Columns& q, Geometry& out) const override {
    out.clear();
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      const Vec3 pivot(static_cast<double>(i), 0, 0), end = pivot + lengths_[i] * q.col(i);
      out.pivots.push_back(pivot);
      out.links.push_back({pivot, end});
      out.bodies.push_back({end});
    }
  }
  double lever(int body, int link) const override { return body == link ? lengths_[body] : 0; }
  Extent extent() const override {
    const double half = (size() - 1) / 2.0;
    return {Vec3(half, 0, 0), half + lengths_.maxCoeff(), true};
  }

  // The same system as text, to be opened and changed.
  static Definition text(const SystemInfo& info, int n, const Values& values) {
    Definition definition;
    definition.bodies = n;
    definition.parameters = {parameter_text("m", info, "masses", values),
                             parameter_text("l", info, "lengths", values),
                             parameter_text("g", info, "gravity", values),
                             {.key = "a", .value = {1}, .unit = "m"}};
    definition.define = {"pivot[i] = i*a*e1", "x[i] = pivot[i] + l[i]*q[i]"};
    definition.inertia = "diag(i: m[i]*l[i]^2)";
    definition.potential = "-g*sum(i: m[i]*l[i]*e3.q[i])";
    definition.figure = {"rod(pivot[i], x[i])", "ball(x[i])"};
    return definition;
  }

 private:
  Eigen::VectorXd masses_, lengths_, weights_;
  Inertia inertia_;
};

}  // namespace

const SystemInfo& uncoupled_pendula() {
  static const SystemInfo info{
      .key = "uncoupled_pendula",
      .title = "Uncoupled pendula",
      .description = "Spherical pendula that do not touch.",
      .equations = "L = Σ ½ mᵢ lᵢ² |q̇ᵢ|² + mᵢ g lᵢ e₃·qᵢ",
      .reference = "Lee, Leok, McClamroch 2009, Example 3 without springs",
      .parameters = {masses_parameter("Mass of each bob."),
                     lengths_parameter("Length of each rod."), gravity_parameter()},
      // The plot of its motion: the angle of the first pendulum from the vertical.
      .motion = [](int) { return angle_from_e3(0); },
      .create = [](int, const Values& values) -> Result<std::unique_ptr<const System>> {
        return std::unique_ptr<const System>(std::make_unique<UncoupledPendula>(values));
      },
      .text = [](int n, const Values& values) { return UncoupledPendula::text(info, n, values); }};
  return info;
}

}  // namespace twosphere
