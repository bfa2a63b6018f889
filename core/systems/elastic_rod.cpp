// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "core/mechanics/system.h"
#include "core/systems/parameters.h"
#include "core/systems/texts.h"

namespace twosphere {

namespace {

enum class RodKind { published, consistent };
constexpr std::string_view rod_kinds[] = {"published", "consistent"};

/// An elastic rod as n + 1 rigid elements in series, the zeroth clamped, joined by bending springs.
///
/// Notation: q_0 clamp direction, m and l mass [kg] and length [m] of the whole, m_i = m/(n+1), l_i
/// = l/(n+1); κ_i stiffness [J] of the joint before element i; gravity g along +e3.
///   V = −Σ_i m_i g (Σ_{1≤j<i} l_j q_j + l_i q_i/2)·e3 + Σ κ_i/2 (1 − q_{i−1}·q_i)²  [P1] Example 4
///   published  M_ii = m_i l_i² (1/3 + n − i), M_ij = ½ m_i l_i² (n − max(i,j) + 1)
///   consistent M_ij = m_i l_i² (½ + n − max(i,j)), i ≠ j, the same M_ii: that of rigid rods
/// In the form of RodInertia: μ_k = m_i/2, D_i = ((n − i)/2 − 1/6) m_i l_i² (published); μ_k = m_i,
/// the last m_i/2, D_i = −m_i l_i²/6 (consistent).
class ElasticRod final : public System {
 public:
  ElasticRod(int n, const Values& values)
      : mass_(scalar(values, "mass") / (n + 1)),
        length_(scalar(values, "length") / (n + 1)),
        gravity_(scalar(values, "gravity")),
        damping_(twosphere::damping(values, n)),
        clamp_(vector(values, "clamp_direction").stableNormalized()),
        stiffness_(list(values, "stiffness")),
        inertia_(make(n, kind(values))) {}

  int size() const override { return static_cast<int>(stiffness_.size()); }
  const Inertia& inertia() const override { return inertia_; }
  const Eigen::VectorXd& damping() const override { return damping_; }

  double potential(const Columns& q) const override {
    double sum = 0;
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      // ½ κ_i (1 − q_{i−1}·q_i)² and gravity.
      const double bend = 1 - before(q, i).dot(q.col(i));
      sum += stiffness_[i] / 2 * bend * bend + weight(i) * q(2, i);
    }
    return sum;
  }

  void gradient(const Columns& q, Columns& g) const override {
    const auto n = q.cols();
    g.topRows<2>().setZero();
    // Gravity.
    for (Eigen::Index i = 0; i < n; ++i) g(2, i) = weight(i);
    for (Eigen::Index i = 0; i < n; ++i) {
      // Joint i: −κ_i (1 − q_{i−1}·q_i) q_{i−1} on q_i, and likewise on q_{i−1}.
      const double torque = stiffness_[i] * (1 - before(q, i).dot(q.col(i)));
      g.col(i) -= torque * before(q, i);
      if (i > 0) g.col(i - 1) -= torque * q.col(i);
    }
  }

  void hessian_times(const Columns& q, const Columns& v, Columns& h) const override {
    h.setZero();
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      // Joint i: κ_i [δc q_{i−1} − (1 − c) v_{i−1}] on q_i, c = q_{i−1}·q_i, and likewise on
      // q_{i−1}; the clamp is fixed.
      const Vec3 last = before(q, i), here = q.col(i), turn = v.col(i);
      const Vec3 last_turn = i > 0 ? Vec3(v.col(i - 1)) : Vec3(Vec3::Zero());
      const double bent = stiffness_[i] * (1 - last.dot(here));
      const double change = stiffness_[i] * (last_turn.dot(here) + last.dot(turn));
      h.col(i) += change * last - bent * last_turn;
      if (i > 0) h.col(i - 1) += change * here - bent * turn;
    }
  }

  std::array<bool, 3> conserved_momentum() const override {
    if (damped(*this)) return {false, false, false};
    std::array<bool, 3> along{};
    for (int k = 0; k < 3; ++k)
      // Rotations about the clamp's axis, if gravity allows them.
      along[static_cast<std::size_t>(k)] = std::abs(clamp_[k]) == 1 && (k == 2 || gravity_ == 0);
    return along;
  }

  void geometry(const Columns& q, Geometry& out) const override {
    out.clear();
    // The clamped element ends at the origin.
    out.pivots.push_back(-length_ * clamp_);
    out.links.push_back({-length_ * clamp_, Vec3::Zero()});
    Vec3 end = Vec3::Zero();
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      const Vec3 start = end;
      end += length_ * q.col(i);
      out.links.push_back({start, end});
      out.bodies.push_back({end, 0.6});
      const double bend = 1 - before(q, i).dot(q.col(i));
      out.bending.push_back(stiffness_[i] / 2 * bend * bend);
    }
  }

  double lever(int body, int link) const override { return link <= body ? length_ : 0; }

  Extent extent() const override {
    return {Vec3::Zero(), length_ * static_cast<double>(size() + 1), gravity_ != 0};
  }

  /// A joint bent by θ has the energy κ/2 (1 − cos θ)². The first i joints together have the least
  /// energy if all bend equally and have the smallest κ, so with an energy U element i has turned
  /// by at most i θ, where κ i (1 − cos θ)² = 2 U. Gravity bounds U in turn, by the fall that this
  /// turn allows.
  Box accessible_box(double energy) const override {
    const double least = stiffness_.minCoeff();
    const auto turn = [&](Eigen::Index i, double u) {
      // i θ with 1 − cos θ = √(2U/(κ i))
      const auto joints = static_cast<double>(i + 1);
      const double bend = std::sqrt(2 * u / (least * joints));
      return std::min(joints * std::acos(1 - std::min(bend, 2.0)), std::numbers::pi);
    };
    // Fixed point of bending energy and lowest potential of gravity.
    const double all = static_cast<double>(size()) * 2 * stiffness_.maxCoeff();
    const double tilt = std::acos(std::clamp(clamp_.z(), -1.0, 1.0));
    double bending = all;
    for (int round = 0; round < 30 && least > 0; ++round) {
      double lowest = 0;  // of gravity's potential
      for (Eigen::Index i = 0; i < size(); ++i)
        lowest += weight(i) * std::cos(std::max(tilt - turn(i, bending), 0.0));
      bending = std::min(bending, std::max(energy - lowest, 0.0));
    }
    // From a horizontal clamp, gravity provides no energy for upward motion.
    const double rising =
        clamp_.z() == 0 && gravity_ > 0 ? std::min(bending, std::max(energy, 0.0)) : bending;
    Box box;
    box.extend(-length_ * clamp_);
    Vec3 tip = Vec3::Zero();
    double aside = 0, up = 0, back = 0;
    for (Eigen::Index i = 0; i < size(); ++i) {
      const double turned = least > 0 ? turn(i, bending) : std::numbers::pi;
      const double raised = least > 0 ? turn(i, rising) : std::numbers::pi;
      aside += length_ * std::sin(std::min(turned, std::numbers::pi / 2));
      up += length_ * std::sin(std::min(raised, std::numbers::pi / 2));
      back += length_ * std::min(std::cos(turned), 0.0);
      tip += length_ * clamp_;
      // A disc orthogonal to the clamp, at the end of the element and at its rearmost position.
      for (int k = 0; k < 3; ++k) {
        const double flat = std::sqrt(std::max(1 - clamp_[k] * clamp_[k], 0.0));
        for (const Vec3& middle : {tip, Vec3(back * clamp_)}) {
          box.extend(middle - (k == 2 ? up : aside) * flat * Vec3::Unit(k));
          box.extend(middle + aside * flat * Vec3::Unit(k));
        }
      }
    }
    return box;
  }

  static Definition text(const SystemInfo& info, int n, const Values& values) {
    const bool published = kind(values) == RodKind::published;
    Definition d;
    d.bodies = n;
    d.parameters = {parameter_text("mass", info, "mass", values),
                    parameter_text("length", info, "length", values),
                    parameter_text("g", info, "gravity", values),
                    parameter_text("k", info, "stiffness", values),
                    parameter_text("clamp", info, "clamp_direction", values)};
    d.define = {"m = mass/(n + 1)", "l = length/(n + 1)", "q0 = clamp/norm(clamp)",
                "x[i] = sum(j <= i: l*q[j])"};
    d.inertia = published ? "rod(i: m/2, l, ((n - 1 - i)/2 - 1/6)*m*l^2)"
                          : "rod(i: if(i < n - 1, m, m/2), l, -m*l^2/6)";
    d.potential =
        "-m*g*l*sum(i: (n - i - 1/2)*e3.q[i]) + k[0]/2*(1 - q0.q[0])^2 + "
        "sum(0 < i: k[i]/2*(1 - q[i-1].q[i])^2)";
    // Bodies lie at the ends of rods.
    d.figure = {"rod(-l*q0, [0, 0, 0])", "rod(x[i-1], x[i])"};
    add_damping(d, info, values);
    return d;
  }

 private:
  static RodKind kind(const Values& values) {
    return static_cast<RodKind>(static_cast<int>(scalar(values, "inertia")));
  }
  Inertia make(int n, RodKind kind) const {
    Eigen::VectorXd mass(n), own(n);
    for (int i = 0; i < n; ++i) {
      const bool published = kind == RodKind::published;
      // Point masses μ_k and rotary inertia D_i of RodInertia.
      mass[i] = published || i == n - 1 ? mass_ / 2 : mass_;
      own[i] = (published ? (n - 1 - i) / 2.0 - 1.0 / 6 : -1.0 / 6) * mass_ * length_ * length_;
    }
    return RodInertia(mass, Eigen::VectorXd::Constant(n, length_), own);
  }
  Vec3 before(const Columns& q, Eigen::Index i) const {
    return i > 0 ? Vec3(q.col(i - 1)) : clamp_;
  }
  /// ∂V/∂(q_i·e3) of gravity: half the weight of the element and that of all later ones.
  double weight(Eigen::Index i) const {
    return -mass_ * gravity_ * length_ * (static_cast<double>(stiffness_.size() - 1 - i) + 0.5);
  }

  double mass_, length_;  // of one element
  double gravity_;
  Eigen::VectorXd damping_;
  Vec3 clamp_;
  Eigen::VectorXd stiffness_;
  Inertia inertia_;
};

}  // namespace

const SystemInfo& elastic_rod() {
  static const SystemInfo info{
      .key = "elastic_rod",
      .title = "Elastic rod",
      .description =
          "A cantilever of rigid elements in series with bending springs between them, under "
          "gravity; with the inertia printed in the paper or that of rigid rods.",
      .equations =
          "L = ½ Σ Mᵢⱼ q̇ᵢ·q̇ⱼ + Σ mᵢ g (Σ_{j<i} lⱼ qⱼ + ½ lᵢ qᵢ)·e₃ − Σ ½ κᵢ (1 − qᵢ₋₁·qᵢ)²",
      .reference = "Lee, Leok, McClamroch 2009, Example 4",
      .parameters = {{.key = "elements",
                      .symbol = "n",
                      .label = "moving elements",
                      .unit = "1",
                      .help = "Number of moving elements; one additional element is clamped.",
                      .shape = Shape::count,
                      .domain = Domain::positive,
                      .required = true,
                      .live = false},
                     {.key = "mass",
                      .symbol = "m",
                      .label = "mass",
                      .unit = "kg",
                      .help = "Mass of the whole rod, including the clamped element.",
                      .domain = Domain::positive,
                      .required = true,
                      .low = 1e-3,
                      .high = 10,
                      .logarithmic = true},
                     {.key = "length",
                      .symbol = "l",
                      .label = "length",
                      .unit = "m",
                      .help = "Length of the whole rod, including the clamped element.",
                      .domain = Domain::positive,
                      .required = true,
                      .low = 0.01,
                      .high = 100,
                      .logarithmic = true},
                     gravity_parameter(),
                     {.key = "stiffness",
                      .symbol = "κ",
                      .label = "stiffness",
                      .unit = "J",
                      .help = "Stiffness of the joint before each moving element.",
                      .shape = Shape::per_body,
                      .domain = Domain::non_negative,
                      .required = true,
                      .low = 0.1,
                      .high = 1e5,
                      .logarithmic = true},
                     {.key = "clamp_direction",
                      .symbol = "q₀",
                      .label = "clamp direction",
                      .unit = "1",
                      .help = "Direction of the clamped element; it is normalised.",
                      .shape = Shape::vector,
                      .default_vector = {1, 0, 0},
                      .low = -1,
                      .high = 1},
                     {.key = "inertia",
                      .symbol = "M",
                      .label = "inertia",
                      .unit = "1",
                      .help = "The inertia printed in the paper, or that of rigid rods.",
                      .shape = Shape::choice,
                      .choices = {std::begin(rod_kinds), std::end(rod_kinds)},
                      .live = false},
                     damping_parameter()},
      .motion = [](int n) { return "height" + std::to_string(n - 1); },
      .create = [](int n, const Values& values) -> Result<std::unique_ptr<const System>> {
        if (vector(values, "clamp_direction").isZero(0))
          return Error{ErrorKind::usage, "clamp_direction", "must not be the zero vector"};
        return std::unique_ptr<const System>(std::make_unique<ElasticRod>(n, values));
      },
      .text = [](int n, const Values& values) { return ElasticRod::text(info, n, values); }};
  return info;
}

}  // namespace twosphere
