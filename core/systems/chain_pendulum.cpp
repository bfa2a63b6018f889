// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "core/system.h"
#include "core/systems/parameters.h"

namespace twosphere {

namespace {

/// Serial pendulum of n point masses on massless links, hung from the origin.
///
/// Notation: q_i direction of link i, l_i its length [m], m_i the mass at its end [kg], gravity g
/// [m/s²] along +e3.
///   M_ij = l_i l_j Σ_{k≥max(i,j)} m_k                       [P1] Example 1, [P2] V
///   V    = −Σ_i (Σ_{k≥i} m_k) g l_i e3·q_i                    [P1] Example 1
/// External forces on q_i: f_1 += τ × q_1 (control torque τ at the base), f_i += l_i d (force d on
/// the last mass), so that the generalised torques are Π_1 τ + l_1 q_1 × d and l_i q_i × d.
class ChainPendulum final : public System {
 public:
  explicit ChainPendulum(const Values& values)
      : inertia_(ChainInertia(list(values, "masses"), list(values, "lengths"))),
        gravity_(scalar(values, "gravity")),
        damping_(scalar(values, "damping")),
        torque_(vector(values, "control_torque")),
        tip_force_(vector(values, "tip_force")) {}

  int size() const override { return chain().size(); }
  const Inertia& inertia() const override { return inertia_; }

  double potential(const Columns& q) const override {
    return -gravity_ *
           (chain().carried.array() * chain().length.array() * q.row(2).transpose().array()).sum();
  }

  void gradient(const Columns& /*q*/, Columns& g) const override {
    g.topRows<2>().setZero();
    g.row(2) = (-gravity_ * chain().carried.array() * chain().length.array()).matrix().transpose();
  }

  double damping() const override { return damping_; }

  bool driven() const override { return !torque_.isZero(0) || !tip_force_.isZero(0); }

  void force(double /*t*/, const Columns& q, Columns& f) const override {
    for (Eigen::Index i = 0; i < f.cols(); ++i) f.col(i) = chain().length[i] * tip_force_;
    f.col(0) += torque_.cross(q.col(0));
  }

  std::array<bool, 3> conserved_momentum() const override {
    if (!torque_.isZero(0) || damping_ != 0) return {false, false, false};
    // Rotations about an axis along which every remaining force points.
    const bool along[] = {tip_force_[1] == 0 && tip_force_[2] == 0,
                          tip_force_[0] == 0 && tip_force_[2] == 0,
                          tip_force_[0] == 0 && tip_force_[1] == 0};
    const bool weightless = gravity_ == 0;
    return {weightless && along[0], weightless && along[1], along[2]};
  }

  void figure(const Columns& q, Figure& out) const override {
    out.pivots.assign(1, Vec3::Zero());
    out.bodies.clear();
    out.links.clear();
    const double largest = chain().mass.maxCoeff();
    Vec3 end = Vec3::Zero();
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      const Vec3 start = end;
      end += chain().length[i] * q.col(i);
      out.links.push_back({start, end});
      out.bodies.push_back({end, std::cbrt(chain().mass[i] / largest)});
    }
  }

  Extent extent() const override { return {Vec3::Zero(), chain().length.sum(), gravity_ != 0}; }

 private:
  const ChainInertia& chain() const { return std::get<ChainInertia>(inertia_); }

  Inertia inertia_;
  double gravity_, damping_;
  Vec3 torque_, tip_force_;
};

}  // namespace

const SystemInfo& chain_pendulum() {
  static const SystemInfo info{
      .key = "chain_pendulum",
      .title = "Chain pendulum",
      .description =
          "Point masses on massless links, each free to swing in space, with a control "
          "torque at the base and a force on the last mass.",
      .equations = "L = ½ Σ Mᵢⱼ q̇ᵢ·q̇ⱼ + Σ (Σ_{k≥i} mₖ) g lᵢ e₃·qᵢ,  Mᵢⱼ = lᵢ lⱼ Σ_{k≥max(i,j)} mₖ",
      .reference = "Lee, Leok, McClamroch 2009, Example 1; 2015, section V",
      .parameters = {masses_parameter("Mass at the end of each link."),
                     lengths_parameter("Length of each link."),
                     gravity_parameter(),
                     {.key = "control_torque",
                      .symbol = "τ",
                      .label = "control torque",
                      .unit = "N m",
                      .help = "Constant torque on the base joint.",
                      .shape = Shape::vector,
                      .low = -20,
                      .high = 20},
                     {.key = "tip_force",
                      .symbol = "d",
                      .label = "tip force",
                      .unit = "N",
                      .help = "Constant force on the last mass.",
                      .shape = Shape::vector,
                      .low = -20,
                      .high = 20},
                     damping_parameter()},
      .momentum_columns = {false, false, true},
      .create = [](int, const Values& values) -> Result<std::unique_ptr<const System>> {
        return std::unique_ptr<const System>(std::make_unique<ChainPendulum>(values));
      }};
  return info;
}

}  // namespace twosphere
