// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

#include "core/mechanics/system.h"
#include "core/systems/parameters.h"
#include "core/systems/texts.h"

namespace twosphere {

namespace {

enum class RodKind { published, consistent };
constexpr std::string_view rod_kinds[] = {"published", "consistent"};
enum class RodEnds { clamped, free, pinned, closed };
constexpr std::string_view rod_ends[] = {"clamped", "free", "pinned", "closed"};
enum class Bending { published, linear };
constexpr std::string_view bending_laws[] = {"published", "linear"};

/// The closing spring where it is given no stiffness, in units of κ/l_i²: as fast as the fastest
/// bending of the elements.
constexpr double closing_ratio = 10;

constexpr std::string_view closing_key = "closing_stiffness";

int choice(const Values& values, std::string_view key) {
  return static_cast<int>(scalar(values, key));
}
/// Whether the rod flies: nothing holds it.
bool flies(RodEnds ends) { return ends == RodEnds::free || ends == RodEnds::closed; }

/// An elastic rod as rigid elements in series that are joined by bending springs.
///
/// Clamped, it has n + 1 elements, the zeroth of which is fixed. Notation: q_0 clamp direction, m
/// and l mass [kg] and length [m] of the whole, m_i = m/(n+1), l_i = l/(n+1); κ_i stiffness [J] of
/// the joint before element i; gravity g along +e3.
///   V = −Σ_i m_i g (Σ_{1≤j<i} l_j q_j + l_i q_i/2)·e3 + Σ κ_i/2 (1 − q_{i−1}·q_i)²  [P1] Example 4
///   published  M_ii = m_i l_i² (1/3 + n − i), M_ij = ½ m_i l_i² (n − max(i,j) + 1)
///   consistent M_ij = m_i l_i² (½ + n − max(i,j)), i ≠ j, the same M_ii: that of rigid rods
/// In the form of RodInertia: μ_k = m_i/2, D_i = ((n − i)/2 − 1/6) m_i l_i² (published); μ_k = m_i,
/// the last m_i/2, D_i = −m_i l_i²/6 (consistent).
///
/// With other ends it has n elements, m_i = m/n, l_i = l/n:
///   pinned  the first element turns about the origin without a joint there;
///   free    nothing holds it: the positions are those from the centre of mass, which falls freely,
///           so that gravity has no effect. M is that of rigid rods with a free base μ_0 = m_i/2
///           (RodInertia), M_ij − s_i s_j/(n m_i), s_i = m_i l_i (n − i + ½)
///   closed  as free, with the joint κ_1 between the last and the first element and a spring that
///           holds their ends together, V += ½ k |Σ l_i q_i|². The product of spheres has no
///           constraint Σ l_i q_i = 0, so the ring is closed but for a gap of F/k under a force F.
///
/// With linear bending a joint has the energy κ (1 − q_{i−1}·q_i) = ½ κ |q_i − q_{i−1}|², the
/// moment κ sin θ: for many elements, κ = EI/l_i, the beam of Euler and Bernoulli. The joint at a
/// clamp is bent along half an element only: 2 EI/l_i. Tests: the frequencies of beams and rings.
class ElasticRod final : public System {
 public:
  ElasticRod(int n, const Values& values)
      : ends_(static_cast<RodEnds>(choice(values, "ends"))),
        bending_(static_cast<Bending>(choice(values, "bending"))),
        mass_(scalar(values, "mass") / elements(n)),
        length_(scalar(values, "length") / elements(n)),
        gravity_(flies(ends_) ? 0 : scalar(values, "gravity")),
        damping_(twosphere::damping(values, n)),
        clamp_(vector(values, "clamp_direction").stableNormalized()),
        stiffness_(list(values, "stiffness")),
        closing_(ends_ == RodEnds::closed ? closing_stiffness(n, values) : 0),
        inertia_(make(n, kind(values))) {}

  int size() const override { return static_cast<int>(stiffness_.size()); }
  const Inertia& inertia() const override { return inertia_; }
  const Eigen::VectorXd& damping() const override { return damping_; }

  double potential(const Columns& q) const override {
    double sum = 0;
    // Bending of the joint before each element, and gravity.
    for (Eigen::Index i = 0; i < q.cols(); ++i) sum += joint_energy(q, i) + weight(i) * q(2, i);
    // ½ k |Σ l_i q_i|²
    if (ends_ == RodEnds::closed) sum += closing_ / 2 * gap(q).squaredNorm();
    return sum;
  }

  void gradient(const Columns& q, Columns& g) const override {
    const auto n = q.cols();
    g.topRows<2>().setZero();
    // Gravity.
    for (Eigen::Index i = 0; i < n; ++i) g(2, i) = weight(i);
    for (Eigen::Index i = first_joint(); i < n; ++i) {
      const Eigen::Index last = element_before(i);
      if (bending_ == Bending::linear) {
        // Joint i: κ_i (q_i − q_{i−1}) on q_i, the opposite on q_{i−1}.
        const Vec3 bent = stiffness_[i] * (q.col(i) - before(q, i));
        g.col(i) += bent;
        if (last >= 0) g.col(last) -= bent;
        continue;
      }
      // Joint i: −κ_i (1 − q_{i−1}·q_i) q_{i−1} on q_i, the same with q_i on q_{i−1}.
      const double torque = stiffness_[i] * (1 - before(q, i).dot(q.col(i)));
      g.col(i) -= torque * before(q, i);
      if (last >= 0) g.col(last) -= torque * q.col(i);
    }
    // k l Σ l q_j
    if (ends_ == RodEnds::closed) g.colwise() += closing_ * length_ * gap(q);
  }

  void hessian_times(const Columns& q, const Columns& v, Columns& h) const override {
    h.setZero();
    for (Eigen::Index i = first_joint(); i < q.cols(); ++i) {
      const Eigen::Index before_it = element_before(i);
      const Vec3 last = before(q, i), here = q.col(i), turn = v.col(i);
      // The clamp is fixed.
      const Vec3 last_turn = before_it >= 0 ? Vec3(v.col(before_it)) : Vec3(Vec3::Zero());
      if (bending_ == Bending::linear) {
        const Vec3 change = stiffness_[i] * (turn - last_turn);
        h.col(i) += change;
        if (before_it >= 0) h.col(before_it) -= change;
        continue;
      }
      // Joint i: κ_i [δc q_{i−1} − (1 − c) v_{i−1}] on q_i, c = q_{i−1}·q_i, and likewise on
      // q_{i−1}.
      const double bent = stiffness_[i] * (1 - last.dot(here));
      const double change = stiffness_[i] * (last_turn.dot(here) + last.dot(turn));
      h.col(i) += change * last - bent * last_turn;
      if (before_it >= 0) h.col(before_it) += change * here - bent * turn;
    }
    if (ends_ == RodEnds::closed) h.colwise() += closing_ * length_ * gap(v);
  }

  std::array<bool, 3> conserved_momentum() const override {
    if (damped(*this)) return {false, false, false};
    if (flies(ends_)) return {true, true, true};
    if (ends_ == RodEnds::pinned) return {gravity_ == 0, gravity_ == 0, true};
    std::array<bool, 3> along{};
    for (int k = 0; k < 3; ++k)
      // Rotations about the clamp's axis, if gravity allows them.
      along[static_cast<std::size_t>(k)] = std::abs(clamp_[k]) == 1 && (k == 2 || gravity_ == 0);
    return along;
  }

  void geometry(const Columns& q, Geometry& out) const override {
    out.clear();
    Vec3 end = Vec3::Zero();
    if (ends_ == RodEnds::clamped) {
      // The clamped element ends at the origin.
      out.pivots.push_back(-length_ * clamp_);
      out.links.push_back({-length_ * clamp_, Vec3::Zero()});
    } else if (ends_ == RodEnds::pinned) {
      out.pivots.push_back(Vec3::Zero());
    } else {
      // The centre of mass is at the origin.
      for (Eigen::Index i = 0; i < q.cols(); ++i) end -= share_behind(i) * q.col(i);
    }
    out.ring = ends_ == RodEnds::closed;
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      const Vec3 start = end;
      end += length_ * q.col(i);
      out.links.push_back({start, end});
      out.bodies.push_back({end, 0.6});
      out.bending.push_back(joint_energy(q, i));
    }
  }

  double lever(int body, int link) const override {
    const double own = link <= body ? length_ : 0;
    return flies(ends_) ? own - share_behind(link) : own;
  }

  Extent extent() const override {
    const double whole = length_ * elements(size());
    // No end is farther from the centre of mass than half the rod.
    return {Vec3::Zero(), flies(ends_) ? whole / 2 : whole, gravity_ != 0};
  }

  /// A joint bent by θ has the energy κ/2 (1 − cos θ)². The first i joints together have the least
  /// energy if all bend equally and have the smallest κ, so with an energy U element i has turned
  /// by at most i θ, where κ i (1 − cos θ)² = 2 U, with linear bending κ i (1 − cos θ) = U. Gravity
  /// bounds U in turn, by the fall that this turn allows. No point of a ring with the gap d is
  /// farther from the centre of mass than l/4 + d/2, where ½ k d² ≤ E.
  Box accessible_box(double energy) const override {
    if (ends_ == RodEnds::closed) {
      const double wide = std::sqrt(2 * std::max(energy, 0.0) / closing_);
      const double all = length_ * elements(size());
      const Vec3 reach = Vec3::Constant(std::min(all / 4 + wide / 2, all / 2));
      return {-reach, reach};
    }
    if (ends_ != RodEnds::clamped) return System::accessible_box(energy);
    const double least = stiffness_.minCoeff();
    const auto turn = [&](Eigen::Index i, double u) {
      // i θ with 1 − cos θ = √(2U/(κ i)), or U/(κ i)
      const auto joints = static_cast<double>(i + 1);
      const double bend =
          bending_ == Bending::linear ? u / (least * joints) : std::sqrt(2 * u / (least * joints));
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
    const auto ends = static_cast<RodEnds>(choice(values, "ends"));
    const bool clamped = ends == RodEnds::clamped, closed = ends == RodEnds::closed;
    // The energy of a joint between two elements.
    const auto joint = [&](const char* k, const char* last, const char* next) {
      return choice(values, "bending") == static_cast<int>(Bending::linear)
                 ? fmt::format("{0}/2*({2} - {1}).({2} - {1})", k, last, next)
                 : fmt::format("{}/2*(1 - {}.{})^2", k, last, next);
    };
    Definition d;
    d.bodies = n;
    d.parameters = {parameter_text("mass", info, "mass", values),
                    parameter_text("length", info, "length", values)};
    if (!flies(ends)) d.parameters.push_back(parameter_text("g", info, "gravity", values));
    d.parameters.push_back(parameter_text("k", info, "stiffness", values));
    d.define = clamped ? std::vector<std::string>{"m = mass/(n + 1)", "l = length/(n + 1)"}
                       : std::vector<std::string>{"m = mass/n", "l = length/n"};
    if (clamped) {
      d.parameters.push_back(parameter_text("clamp", info, "clamp_direction", values));
      d.define.emplace_back("q0 = clamp/norm(clamp)");
    }
    d.inertia = published ? "rod(i: m/2, l, ((n - 1 - i)/2 - 1/6)*m*l^2)"
                          : "rod(i: if(i < n - 1, m, m/2), l, -m*l^2/6)";
    // The mass of a free base.
    if (flies(ends)) d.inertia.insert(d.inertia.size() - 1, ", m/2");
    if (!flies(ends)) d.potential = "-m*g*l*sum(i: (n - i - 1/2)*e3.q[i]) + ";
    if (clamped) d.potential += joint("k[0]", "q0", "q[0]") + " + ";
    d.potential += fmt::format("sum(0 < i: {})", joint("k[i]", "q[i-1]", "q[i]"));
    if (closed) {
      const std::vector<double>& own = numbers_of(values, closing_key);
      d.parameters.push_back(parameter_text("closing", info, closing_key, values));
      if (own.empty()) d.parameters.back().value = {closing_stiffness(n, values)};
      d.define.emplace_back("gap = l*sum(i: q[i])");
      d.potential += fmt::format(" + {} + closing/2*gap.gap", joint("k[0]", "q[n-1]", "q[0]"));
    }
    // Bodies lie at the ends of rods.
    if (flies(ends)) {
      d.define.emplace_back("x0 = -l*sum(i: (n - i - 1/2)/n*q[i])");
      d.define.emplace_back("x[i] = x0 + sum(j <= i: l*q[j])");
      d.figure = {"rod(x[i] - l*q[i], x[i])"};
    } else {
      d.define.emplace_back("x[i] = sum(j <= i: l*q[j])");
      if (clamped) d.figure.emplace_back("rod(-l*q0, [0, 0, 0])");
      d.figure.emplace_back("rod(x[i-1], x[i])");
    }
    add_damping(d, info, values);
    return d;
  }

  /// Why there is no rod with these parameters.
  static Result<void> check(int n, const Values& values) {
    const auto ends = static_cast<RodEnds>(choice(values, "ends"));
    if (vector(values, "clamp_direction").isZero(0))
      return Error{ErrorKind::usage, "clamp_direction", "must not be the zero vector"};
    if (flies(ends) && kind(values) == RodKind::published)
      return Error{
          ErrorKind::usage, "inertia",
          fmt::format("\"published\" is printed for a rod whose beginning is held; with {} ends "
                      "it must be \"consistent\"",
                      rod_ends[static_cast<std::size_t>(ends)])};
    if (ends != RodEnds::closed) return {};
    if (n < 3)
      return Error{ErrorKind::usage, "elements",
                   fmt::format("must be at least 3 with closed ends, not {}", n)};
    if (!(closing_stiffness(n, values) > 0))
      return Error{ErrorKind::usage, std::string(closing_key),
                   "must be given if no joint is stiff"};
    return {};
  }

 private:
  static RodKind kind(const Values& values) {
    return static_cast<RodKind>(choice(values, "inertia"));
  }
  Inertia make(int n, RodKind kind) const {
    Eigen::VectorXd mass(n), own(n);
    for (int i = 0; i < n; ++i) {
      const bool published = kind == RodKind::published;
      // Point masses μ_k and rotary inertia D_i of RodInertia.
      mass[i] = published || i == n - 1 ? mass_ / 2 : mass_;
      own[i] = (published ? (n - 1 - i) / 2.0 - 1.0 / 6 : -1.0 / 6) * mass_ * length_ * length_;
    }
    return RodInertia(mass, Eigen::VectorXd::Constant(n, length_), own,
                      flies(ends_) ? mass_ / 2 : 0);
  }
  /// Elements of the whole rod, of which n move.
  double elements(int n) const { return ends_ == RodEnds::clamped ? n + 1 : n; }
  /// k of the closing spring [N/m], given or from the joints.
  static double closing_stiffness(int n, const Values& values) {
    const std::vector<double>& own = numbers_of(values, closing_key);
    if (!own.empty()) return own[0];
    const double length = scalar(values, "length") / n;
    return closing_ratio * list(values, "stiffness").maxCoeff() / (length * length);
  }
  /// The first element with a joint before it.
  Eigen::Index first_joint() const {
    return ends_ == RodEnds::clamped || ends_ == RodEnds::closed ? 0 : 1;
  }
  /// The element on the other side of the joint before i; −1 if that is the clamp.
  Eigen::Index element_before(Eigen::Index i) const {
    return i == 0 && ends_ == RodEnds::closed ? stiffness_.size() - 1 : i - 1;
  }
  Vec3 before(const Columns& q, Eigen::Index i) const {
    const Eigen::Index last = element_before(i);
    return last >= 0 ? Vec3(q.col(last)) : clamp_;
  }
  /// ½ κ_i (1 − q_{i−1}·q_i)², or ½ κ_i |q_i − q_{i−1}|²; 0 if there is no joint.
  double joint_energy(const Columns& q, Eigen::Index i) const {
    if (i < first_joint()) return 0;
    if (bending_ == Bending::linear)
      return stiffness_[i] / 2 * (q.col(i) - before(q, i)).squaredNorm();
    const double bend = 1 - before(q, i).dot(q.col(i));
    return stiffness_[i] / 2 * bend * bend;
  }
  /// Σ l q_i: from the beginning of the rod to its end.
  Vec3 gap(const Columns& q) const { return length_ * q.rowwise().sum(); }
  /// ∂V/∂(q_i·e3) of gravity: half the weight of the element and that of all later ones.
  double weight(Eigen::Index i) const {
    return -mass_ * gravity_ * length_ * (static_cast<double>(stiffness_.size() - 1 - i) + 0.5);
  }
  /// s_i/m_t: the part of the mass that element i carries, times its length.
  double share_behind(Eigen::Index i) const {
    const auto n = static_cast<double>(stiffness_.size());
    return length_ * (n - static_cast<double>(i) - 0.5) / n;
  }

  RodEnds ends_;
  Bending bending_;
  double mass_, length_;  // of one element
  double gravity_;
  Eigen::VectorXd damping_;
  Vec3 clamp_;
  Eigen::VectorXd stiffness_;
  double closing_;  // k [N/m]; of closed ends
  Inertia inertia_;
};

}  // namespace

const SystemInfo& elastic_rod() {
  static const SystemInfo info{
      .key = "elastic_rod",
      .title = "Elastic rod",
      .description =
          "A rod of rigid elements in series with bending springs between them, under gravity: a "
          "cantilever, pinned, free or closed to a ring; with the inertia printed in the paper or "
          "that of rigid rods.",
      .equations =
          "L = ½ Σ Mᵢⱼ q̇ᵢ·q̇ⱼ + Σ mᵢ g (Σ_{j<i} lⱼ qⱼ + ½ lᵢ qᵢ)·e₃ − Σ ½ κᵢ (1 − qᵢ₋₁·qᵢ)²",
      .reference = "Lee, Leok, McClamroch 2009, Example 4",
      .parameters =
          {{.key = "elements",
            .symbol = "n",
            .label = "moving elements",
            .unit = "1",
            .help = "Number of moving elements; with clamped ends one additional element is fixed.",
            .shape = Shape::count,
            .domain = Domain::positive,
            .required = true,
            .live = false},
           {.key = "mass",
            .symbol = "m",
            .label = "mass",
            .unit = "kg",
            .help = "Mass of the whole rod, including a clamped element.",
            .domain = Domain::positive,
            .required = true,
            .low = 1e-3,
            .high = 10,
            .logarithmic = true},
           {.key = "length",
            .symbol = "l",
            .label = "length",
            .unit = "m",
            .help = "Length of the whole rod, including a clamped element.",
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
            .help = "Stiffness of the joint before each moving element; that of the first has no "
                    "effect with free or pinned ends, and closes a closed rod.",
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
            .help = "Direction of the clamped element; it is normalised. Of clamped ends only.",
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
           damping_parameter(),
           {.key = "ends",
            .symbol = "B",
            .label = "ends",
            .unit = "1",
            .help = "What holds the rod: a clamp or a pivot at its beginning, nothing "
                    "(seen from its centre of mass, which falls freely), or nothing "
                    "with the ends joined to a ring.",
            .shape = Shape::choice,
            .choices = {std::begin(rod_ends), std::end(rod_ends)},
            .live = false,
            .omitted = true},
           {.key = "bending",
            .symbol = "U",
            .label = "bending energy",
            .unit = "1",
            .help = "The energy of a joint with the angle θ: that of the paper, "
                    "½ κ (1 − cos θ)², or κ (1 − cos θ), whose moment is linear for small "
                    "θ, as of a beam.",
            .shape = Shape::choice,
            .choices = {std::begin(bending_laws), std::end(bending_laws)},
            .live = false,
            .omitted = true},
           {.key = closing_key,
            .symbol = "k",
            .label = "closing stiffness",
            .unit = "N/m",
            .help = "Stiffness of the spring of length 0 between the ends of a closed "
                    "rod; if it is not given, 10 times the largest stiffness by the "
                    "square of the length of an element.",
            .domain = Domain::positive,
            .optional = true,
            .low = 1,
            .high = 1e6,
            .logarithmic = true}},
      .motion = [](int n) { return "height" + std::to_string(n - 1); },
      .create = [](int n, const Values& values) -> Result<std::unique_ptr<const System>> {
        if (const auto possible = ElasticRod::check(n, values); !possible) return possible.error();
        return std::unique_ptr<const System>(std::make_unique<ElasticRod>(n, values));
      },
      .text = [](int n, const Values& values) { return ElasticRod::text(info, n, values); }};
  return info;
}

}  // namespace twosphere
