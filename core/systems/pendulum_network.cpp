// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/kernels/springs.h"
#include "core/mechanics/linear_terms.h"
#include "core/mechanics/system.h"
#include "core/systems/motion.h"
#include "core/systems/parameters.h"
#include "core/systems/texts.h"

namespace twosphere {

namespace {

/// Spherical pendula whose rods are joined by springs at their midpoints.
///
/// Notation: m_i mass [kg] at the end of a rod of length l_i [m], hung from pivot_i [m]; gravity g
/// along +e3; spring s of stiffness κ [N/m] between i and j, relaxed at r = pivot_j − pivot_i,
/// d = l_j q_j/2 − l_i q_i/2, e = r + d, stretch x = |e| − |r| = d·(r + e)/(|r| + |e|), which does
/// not cancel where a spring is nearly relaxed.
///   M   = diag(m l²)                                                         [P1] Example 3
///   V   = −Σ m_i g l_i e3·q_i + Σ_s κ/2 x²
///   g_i = −m_i g l_i e3 − Σ_s κ x e/|e| l_i/2,  g_j with +
/// A strength of a pendulum [J s] is the spin of its bob about its rod, which makes it a Lagrange
/// top; the axes may rotate.
class PendulumNetwork final : public System {
 public:
  explicit PendulumNetwork(const Values& values)
      : masses_(list(values, "masses")),
        lengths_(list(values, "lengths")),
        pivots_(points(values, "pivots")),
        inertia_(DiagonalInertia(masses_.cwiseProduct(lengths_.cwiseAbs2()))),
        gravity_(scalar(values, "gravity")),
        weights_(-gravity_ * masses_.cwiseProduct(lengths_)),
        damping_(twosphere::damping(values, static_cast<int>(masses_.size()))),
        strength_(strengths(values)),
        frame_rotation_(vector(values, "frame_rotation")) {
    const std::vector<double>& rows = numbers_of(values, "springs");
    for (std::size_t s = 0; s + 2 < rows.size(); s += 3) {
      Spring spring{static_cast<Eigen::Index>(rows[s]), static_cast<Eigen::Index>(rows[s + 1]),
                    rows[s + 2], Vec3::Zero(), 0};
      // Rest vector r = pivot_j − pivot_i.
      spring.rest = pivots_.col(spring.j) - pivots_.col(spring.i);
      spring.relaxed = spring.rest.norm();
      springs_.push_back(spring);
    }
  }

  int size() const override { return static_cast<int>(masses_.size()); }
  const Inertia& inertia() const override { return inertia_; }
  const Eigen::VectorXd& damping() const override { return damping_; }
  const Eigen::VectorXd& strength() const override { return strength_; }
  Vec3 frame_rotation() const override { return frame_rotation_; }

  double potential(const Columns& q) const override {
    // −Σ m_i g l_i e3·q_i
    double sum =
        -gravity_ * q.row(2).transpose().cwiseProduct(masses_).cwiseProduct(lengths_).sum();
    for (const Spring& s : springs_) {
      // ½ κ x²
      const double x = extension(s, q).stretch;
      sum += s.stiffness / 2 * x * x;
    }
    return sum;
  }

  void gradient(const Columns& q, Columns& g) const override {
    g.topRows<2>().setZero();
    // Gravity −m_i g l_i e3.
    g.row(2) = weights_.transpose();
    for (const Spring& s : springs_) {
      const Extension x = extension(s, q);
      // κ x e/|e|, acting at the midpoints of both rods.
      const Vec3 tension = s.stiffness * (x.stretch / x.length) * x.between;
      g.col(s.i) -= lengths_[s.i] / 2 * tension;
      g.col(s.j) += lengths_[s.j] / 2 * tension;
    }
  }

  bool has_gradient_together() const override { return size() <= max_together; }
  void gradient_together(const double* q, double* g) const override {
    springs_kernel::gradient_together(weights_, lengths_, springs_, q, g);
  }
  bool has_potential_together() const override { return true; }
  void potential_together(const double* q, double* v) const override {
    springs_kernel::potential_together(gravity_, masses_, lengths_, springs_, q, v);
  }

  void hessian_times(const Columns& q, const Columns& v, Columns& h) const override {
    h.setZero();
    for (const Spring& s : springs_) {
      const Extension x = extension(s, q);
      const Vec3 change = lengths_[s.j] / 2 * v.col(s.j) - lengths_[s.i] / 2 * v.col(s.i);
      // κ [x δe/|e| + |r| (e·δe) e/|e|³], acting at the midpoints of both rods.
      const Vec3 unit = x.between / x.length;
      const Vec3 tension =
          (s.stiffness / x.length) * (x.stretch * change + (s.relaxed * unit.dot(change)) * unit);
      h.col(s.i) -= lengths_[s.i] / 2 * tension;
      h.col(s.j) += lengths_[s.j] / 2 * tension;
    }
  }

  std::array<bool, 3> conserved_momentum() const override {
    if (damped(*this)) return {false, false, false};
    // Rotations about the line through all connected pivots, if gravity acts along it.
    std::array<bool, 3> along = axes_along(frame_rotation_);
    if (gravity_ != 0) along[0] = along[1] = false;
    for (const Spring& s : springs_) {
      if (s.stiffness == 0) continue;
      for (int k = 0; k < 3; ++k)
        for (int other = 0; other < 3; ++other)
          if (other != k && s.rest[other] != 0) along[static_cast<std::size_t>(k)] = false;
    }
    return along;
  }

  void geometry(const Columns& q, Geometry& out) const override {
    out.clear();
    const double largest = masses_.maxCoeff();
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      // Rod i from its pivot to its mass.
      const Vec3 pivot = pivots_.col(i), end = pivot + lengths_[i] * q.col(i);
      out.pivots.push_back(pivot);
      out.bodies.push_back({end, std::cbrt(masses_[i] / largest)});
      out.links.push_back({pivot, end});
    }
    for (const Spring& s : springs_) {
      // Spring between the midpoints, with its tension.
      const Vec3 from = pivots_.col(s.i) + lengths_[s.i] / 2 * q.col(s.i);
      const Extension x = extension(s, q);
      out.springs.push_back({from, from + x.between, s.stiffness * x.stretch, s.relaxed});
    }
  }

  double lever(int body, int link) const override { return body == link ? lengths_[body] : 0; }

  Extent extent() const override {
    const Vec3 center = (pivots_.rowwise().minCoeff() + pivots_.rowwise().maxCoeff()) / 2;
    double radius = 0;
    for (Eigen::Index i = 0; i < pivots_.cols(); ++i)
      radius = std::max(radius, (pivots_.col(i) - center).norm() + lengths_[i]);
    return {center, radius, gravity_ != 0};
  }

  /// Σ m_i g l_i (1 − e3·q_i) ≤ E + Σ m_i g l_i, because the energy of springs is not negative.
  Box accessible_box(double energy) const override {
    if (has_frame_rotation(*this)) return System::accessible_box(energy);
    const Eigen::VectorXd weight = gravity_ * masses_.cwiseProduct(lengths_);
    Box box;
    for (Eigen::Index i = 0; i < pivots_.cols(); ++i) {
      // Bound on 1 − e3·q_i.
      const double rise = gravity_ > 0 ? (energy + weight.sum()) / weight[i] : 2;
      const double lowest = std::clamp(1 - rise, -1.0, 1.0);  // e3·q_i
      const double aside = lengths_[i] * std::sqrt(1 - std::pow(std::max(lowest, 0.0), 2));
      const Vec3 pivot = pivots_.col(i);
      box.extend(pivot);
      box.extend(pivot + Vec3(-aside, -aside, lengths_[i] * std::min(lowest, 0.0)));
      box.extend(pivot + Vec3(aside, aside, lengths_[i]));
    }
    return box;
  }

  static Definition text(const SystemInfo& info, int n, const Values& values) {
    Definition d;
    d.bodies = n;
    d.parameters = {parameter_text("m", info, "masses", values),
                    parameter_text("l", info, "lengths", values),
                    parameter_text("g", info, "gravity", values)};
    d.inertia = "diag(i: m[i]*l[i]^2)";
    d.potential = "-g*sum(i: m[i]*l[i]*e3.q[i])";
    d.figure = {"rod(pivot[i], x[i])", "ball(x[i], m[i])"};
    Definition::Parameter pivots = parameter_text("p", info, "pivots", values);
    pivots.range.reset();  // they are as far apart as they are
    add_pivots(d, std::move(pivots), "pivot");
    d.define.emplace_back("x[i] = pivot[i] + l[i]*q[i]");
    add_damping(d, info, values);
    add_frame_rotation(d, info, values);
    if (strengths(values).size() > 0) {
      d.parameters.push_back(parameter_text("kappa", info, "strength", values));
      d.strength =
          d.parameters.back().form == Definition::Parameter::Form::list ? "i: kappa[i]" : "kappa";
    }
    std::vector<double> ends, stiffness;
    const std::vector<double>& rows = numbers_of(values, "springs");
    for (std::size_t s = 0; s + 2 < rows.size(); s += 3) {
      ends.insert(ends.end(), {rows[s], rows[s + 1]});
      stiffness.push_back(rows[s + 2]);
    }
    if (ends.empty()) return d;
    Definition::Parameter k = parameter_text("k", info, "springs", values);
    k.value = std::move(stiffness);
    d.parameters.push_back(
        {.key = "springs", .form = Definition::Parameter::Form::pairs, .value = std::move(ends)});
    d.parameters.push_back(std::move(k));
    d.define.emplace_back("middle[i] = pivot[i] + l[i]/2*q[i]");
    d.potential +=
        " + sum(i, j, s in springs: k[s]/2*(norm(middle[j] - middle[i]) - "
        "norm(pivot[j] - pivot[i]))^2)";
    d.figure.emplace_back(
        "i, j, s in springs: spring(middle[i], middle[j], norm(pivot[j] - pivot[i]), k[s])");
    return d;
  }

 private:
  using Spring = springs_kernel::Spring;
  /// The members of an ensemble with more pendula do not stay in the processor's nearest caches.
  static constexpr int max_together = 32;
  struct Extension {
    Vec3 between;            // e
    double length, stretch;  // |e|, x
  };
  Extension extension(const Spring& s, const Columns& q) const {
    const Vec3 d = lengths_[s.j] / 2 * q.col(s.j) - lengths_[s.i] / 2 * q.col(s.i), e = s.rest + d;
    const double length = e.norm();
    return {e, length, d.dot(s.rest + e) / (s.relaxed + length)};
  }

  Eigen::VectorXd masses_, lengths_;
  Columns pivots_;
  Inertia inertia_;
  double gravity_;
  Eigen::VectorXd weights_;  // −m_i g l_i [J]
  Eigen::VectorXd damping_;
  Eigen::VectorXd strength_;  // κ [J s]; none if all are 0
  Vec3 frame_rotation_;
  std::vector<Spring> springs_;
};

}  // namespace

const SystemInfo& pendulum_network() {
  static const SystemInfo info{
      .key = "pendulum_network",
      .title = "Pendulum network",
      .description = "Spherical pendula joined by springs between the midpoints of their rods.",
      .equations = "L = Σ ½ mᵢ lᵢ² |q̇ᵢ|² + mᵢ g lᵢ e₃·qᵢ − Σ ½ κ (|r + ½ lⱼ qⱼ − ½ lᵢ qᵢ| − |r|)²",
      .reference = "Lee, Leok, McClamroch 2009, Example 3",
      .parameters = {masses_parameter("Mass at the end of each rod."),
                     lengths_parameter("Length of each rod."),
                     gravity_parameter(),
                     {.key = "pivots",
                      .symbol = "r",
                      .label = "pivot",
                      .unit = "m",
                      .help = "Pivot of each pendulum.",
                      .shape = Shape::points,
                      .required = true,
                      .low = -1,
                      .high = 1,
                      .live = false},
                     {.key = "springs",
                      .symbol = "κ",
                      .label = "spring",
                      .unit = "N/m",
                      .help = "Stiffness of the spring between the midpoints of two rods.",
                      .shape = Shape::springs,
                      .domain = Domain::non_negative,
                      .low = 0.1,
                      .high = 1000,
                      .logarithmic = true},
                     damping_parameter(),
                     {.key = "strength",
                      .symbol = "S",
                      .label = "spin",
                      .unit = "J s",
                      .help = "Angular momentum of the spin of each bob about its rod, which makes "
                              "the pendulum a Lagrange top.",
                      .shape = Shape::per_body,
                      .low = -10,
                      .high = 10,
                      .omitted = true},
                     frame_rotation_parameter()},
      .motion = first_angles,
      .create = [](int, const Values& values) -> Result<std::unique_ptr<const System>> {
        // A spring with rest length 0 has no direction.
        const std::vector<double>& rows = numbers_of(values, "springs");
        const Columns pivots = points(values, "pivots");
        for (std::size_t s = 0; s + 2 < rows.size(); s += 3)
          if ((pivots.col(static_cast<Eigen::Index>(rows[s])) -
               pivots.col(static_cast<Eigen::Index>(rows[s + 1])))
                  .isZero(0))
            return Error{ErrorKind::usage, "springs[" + std::to_string(s / 3) + "].between",
                         "joins pendula with the same pivot: its rest length would be 0"};
        return std::unique_ptr<const System>(std::make_unique<PendulumNetwork>(values));
      },
      .text = [](int n, const Values& values) { return PendulumNetwork::text(info, n, values); }};
  return info;
}

}  // namespace twosphere
