// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/common_period.h"
#include "core/mechanics/ensemble.h"
#include "core/mechanics/linear_terms.h"
#include "core/mechanics/system.h"
#include "core/systems/control_torque.h"
#include "core/systems/driven_vector.h"
#include "core/systems/motion.h"
#include "core/systems/parameters.h"
#include "core/systems/texts.h"

namespace twosphere {

namespace {

ParameterInfo tip_force_parameter() {
  return {
      .key = "tip_force",
      .symbol = "d",
      .label = "tip force",
      .unit = "N",
      .help = "Force on the last mass: constant, or a sine of time.",
      .shape = Shape::form,
      .forms = driven_forms(
          "force", {.symbol = "d",
                    .unit = "N",
                    .constant_label = "constant force",
                    .constant_help = "Constant force on the last mass.",
                    .constant_form_help = "d constant.",
                    .amplitude_label = "tip force amplitude",
                    .amplitude_help = "Amplitude of the force on the last mass, as a vector.",
                    .frequency_label = "tip force frequency",
                    .frequency_help = "Frequency of the force.",
                    .phase_label = "tip force phase",
                    .sine_form_help = "d = A sin(2π ν t + φ), where t is the time of the run."}),
      .low = -20,
      .high = 20};
}

/// Serial pendulum of n point masses on massless links, hung from the origin.
///
/// Notation: q_i direction of link i, l_i its length [m], m_i the mass at its end [kg], gravity g
/// [m/s²] along +e3.
///   M_ij = l_i l_j Σ_{k≥max(i,j)} m_k                       [P1] Example 1, [P2] V
///   V    = −Σ_i (Σ_{k≥i} m_k) g l_i e3·q_i                    [P1] Example 1
/// External forces on q_i: f_1 += that of the ControlTorque τ at the base, f_i += l_i d (force d,
/// or d(t), on the last mass), so that the generalised torques are Π_1 τ + l_1 q_1 × d and l_i q_i
/// × d. PD control of every link adds its force to each f_i. The work of all of them is counted,
/// including that of PD control: k_p q_d·q_i is not part of the energy of the chain. The axes may
/// rotate, with the gravity and the torques of theirs: that of a Foucault pendulum is apparent
/// gravity at its pivot.
class ChainPendulum final : public System {
 public:
  explicit ChainPendulum(const Values& values)
      : inertia_(ChainInertia(list(values, "masses"), list(values, "lengths"))),
        gravity_(scalar(values, "gravity")),
        torque_(numbers_of(values, control_torque_key)),
        tip_force_(numbers_of(values, "tip_force")),
        frame_rotation_(vector(values, "frame_rotation")),
        damping_(twosphere::damping(values, chain().size())) {
    // The derivative term of PD control damps the links that it acts on.
    if (torque_.damping() == 0) return;
    if (damping_.size() == 0) damping_.setZero(chain().size());
    damping_.head(controlled()).array() += torque_.damping();
  }

  int size() const override { return chain().size(); }
  const Inertia& inertia() const override { return inertia_; }

  double potential(const Columns& q) const override {
    // V = −Σ_i (Σ_{k≥i} m_k) g l_i e3·q_i
    return -gravity_ *
           (chain().suspended_mass.array() * chain().length.array() * q.row(2).transpose().array())
               .sum();
  }

  bool has_potential_together() const override { return true; }
  void potential_together(const double* q, double* v) const override {
    // The same sum, one configuration in each element.
    using Numbers = Eigen::Array<double, static_cast<int>(ensemble_members), 1>;
    const auto height = [q](Eigen::Index i) {
      return Eigen::Map<const Numbers>(q + (3 * i + 2) * Numbers::SizeAtCompileTime);
    };
    const Eigen::VectorXd &mass = chain().suspended_mass, &length = chain().length;
    Numbers sum = mass[0] * length[0] * height(0);
    for (Eigen::Index i = 1; i < mass.size(); ++i) sum += mass[i] * length[i] * height(i);
    Eigen::Map<Numbers> out(v);
    out = -gravity_ * sum;
  }

  void gradient(const Columns& /*q*/, Columns& g) const override {
    g.topRows<2>().setZero();
    // ∂V/∂q_i = −(Σ_{k≥i} m_k) g l_i e3
    g.row(2) =
        (-gravity_ * chain().suspended_mass.array() * chain().length.array()).matrix().transpose();
  }

  bool has_constant_gradient() const override { return true; }

  void hessian_times(const Columns& /*q*/, const Columns& /*v*/, Columns& h) const override {
    // V is linear.
    h.setZero();
  }

  const Eigen::VectorXd& damping() const override { return damping_; }
  Vec3 frame_rotation() const override { return frame_rotation_; }

  bool has_external_force() const override { return torque_.acts() || tip_force_.acts(); }
  bool time_dependent() const override {
    return torque_.time_dependent() || tip_force_.time_dependent();
  }
  double force_period() const override {
    return common_period(torque_.period(), tip_force_.period());
  }

  void force(double t, const Columns& q, Columns& f) const override {
    // l_i d, and the control torque on the first link or on all of them.
    const Vec3 tip = tip_force_.at(t);
    for (Eigen::Index i = 0; i < f.cols(); ++i) f.col(i) = chain().length[i] * tip;
    for (Eigen::Index i = 0; i < controlled(); ++i) f.col(i) += torque_.force(t, q.col(i));
  }

  void force_slope(double t, const Columns& /*q*/, const Columns& v, Columns& d) const override {
    d.setZero();
    for (Eigen::Index i = 0; i < controlled(); ++i) d.col(i) = torque_.force_slope(t, v.col(i));
  }

  std::array<bool, 3> conserved_momentum() const override {
    if (damped(*this)) return {false, false, false};
    // Rotations about an axis along which every force points.
    const std::array<bool, 3> control = torque_.symmetric();
    const Vec3& tip = tip_force_.amplitude();
    const bool along[] = {control[0] && tip[1] == 0 && tip[2] == 0,
                          control[1] && tip[0] == 0 && tip[2] == 0,
                          control[2] && tip[0] == 0 && tip[1] == 0};
    const bool weightless = gravity_ == 0;
    const std::array<bool, 3> turned = axes_along(frame_rotation_);
    return {weightless && along[0] && turned[0], weightless && along[1] && turned[1],
            along[2] && turned[2]};
  }

  void geometry(const Columns& q, Geometry& out) const override {
    out.clear();
    out.pivots.push_back(Vec3::Zero());
    const double largest = chain().mass.maxCoeff();
    Vec3 end = Vec3::Zero();
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      // Link i from mass i − 1 to mass i; radius ∝ m^{1/3}.
      const Vec3 start = end;
      end += chain().length[i] * q.col(i);
      out.links.push_back({start, end});
      out.bodies.push_back({end, std::cbrt(chain().mass[i] / largest)});
    }
  }

  double lever(int body, int link) const override {
    return link <= body ? chain().length[link] : 0;
  }

  Extent extent() const override { return {Vec3::Zero(), chain().length.sum(), gravity_ != 0}; }

  /// With W_i = (Σ_{k≥i} m_k) g l_i: Σ W_i (1 − e3·q_i) ≤ E + Σ W_i.
  Box accessible_box(double energy) const override {
    if (has_external_force() || !(gravity_ > 0) || has_frame_rotation(*this))
      return System::accessible_box(energy);
    const Eigen::VectorXd& l = chain().length;
    const Eigen::VectorXd w = gravity_ * chain().suspended_mass.cwiseProduct(l);
    const double rise = std::max(energy + w.sum(), 0.0);
    // The cheapest way to raise mass k is to turn the links before it upwards, the last one first.
    double highest = 0;
    for (Eigen::Index k = 0; k < l.size(); ++k) {
      double left = rise, z = 0;
      for (Eigen::Index i = k; i >= 0; --i) {
        const double turned = std::min(left, 2 * w[i]);
        left -= turned;
        z += l[i] * (1 - turned / w[i]);
      }
      highest = std::min(highest, z);
    }
    // The tip is farthest from the axis where tan θ_i = λ l_i/W_i, with λ such that all the energy
    // is used.
    const auto turned = [&](double lambda, double& cost) {
      double aside = 0;
      cost = 0;
      for (Eigen::Index i = 0; i < l.size(); ++i) {
        const double theta = std::atan(lambda * l[i] / w[i]);
        cost += w[i] * (1 - std::cos(theta));
        aside += l[i] * std::sin(theta);
      }
      return aside;
    };
    // Bisection for λ.
    double aside = l.sum(), low = 0, high = 1e6 * w[0] / l[0], cost = 0;
    if (rise < w.sum()) {
      for (int round = 0; round < 100; ++round) {
        const double middle = (low + high) / 2;
        aside = turned(middle, cost);
        (cost < rise ? low : high) = middle;
      }
    }
    return {Vec3(-aside, -aside, highest), Vec3(aside, aside, l.sum())};
  }

  static Definition text(const SystemInfo& info, int n, const Values& values) {
    Definition d;
    d.bodies = n;
    d.parameters = {parameter_text("m", info, "masses", values),
                    parameter_text("l", info, "lengths", values),
                    parameter_text("g", info, "gravity", values)};
    d.define = {"x[i] = sum(j <= i: l[j]*q[j])"};
    d.inertia = "chain(m, l)";
    d.potential = "-g*sum(i: m[i]*e3.x[i])";
    d.figure = {"rod(x[i-1], x[i])", "ball(x[i], m[i])"};
    add_control_torque(d, values);
    const std::vector<double>& tip = numbers_of(values, "tip_force");
    if (DrivenVector(tip).acts())
      d.force.push_back("f[i] = l[i]*" + add_driven_vector(d, tip_force_parameter(), tip,
                                                           {"d", "D", "nu_d", "phi_d"}));
    add_damping(d, info, values);
    add_frame_rotation(d, info, values);
    return d;
  }

 private:
  const ChainInertia& chain() const { return std::get<ChainInertia>(inertia_); }
  /// The number of links, from the first, on which the control torque acts.
  int controlled() const { return torque_.on_every_link() ? chain().size() : 1; }

  Inertia inertia_;
  double gravity_;
  ControlTorque torque_;
  DrivenVector tip_force_;
  Vec3 frame_rotation_;
  Eigen::VectorXd damping_;
};

}  // namespace

const SystemInfo& chain_pendulum() {
  static const SystemInfo info{
      .key = "chain_pendulum",
      .title = "Chain pendulum",
      .description =
          "Point masses on massless links that swing freely in space, with a control torque at the "
          "base and a force on the last mass.",
      .equations = "L = ½ Σ Mᵢⱼ q̇ᵢ·q̇ⱼ + Σ (Σ_{k≥i} mₖ) g lᵢ e₃·qᵢ,  Mᵢⱼ = lᵢ lⱼ Σ_{k≥max(i,j)} mₖ",
      .reference = "Lee, Leok, McClamroch 2009, Example 1; 2015, section V",
      .parameters = {masses_parameter("Mass at the end of each link."),
                     lengths_parameter("Length of each link."), gravity_parameter(),
                     control_torque_parameter(), tip_force_parameter(), damping_parameter(),
                     frame_rotation_parameter()},
      .momentum_columns = {false, false, true},
      .motion = first_and_last_angle,
      .create = [](int, const Values& values) -> Result<std::unique_ptr<const System>> {
        if (auto usable = check_control_torque(values); !usable) return usable.error();
        return std::unique_ptr<const System>(std::make_unique<ChainPendulum>(values));
      },
      .text = [](int n, const Values& values) { return ChainPendulum::text(info, n, values); }};
  return info;
}

}  // namespace twosphere
