// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/json.h"
#include "core/mechanics/free_base.h"
#include "core/mechanics/state.h"
#include "core/mechanics/system.h"
#include "core/systems/motion.h"
#include "core/systems/parameters.h"
#include "core/systems/texts.h"
#include "core/systems/waypoint_path.h"

namespace twosphere {

namespace {

ParameterInfo thrust_parameter() {
  ParameterInfo force{.key = "force",
                      .symbol = "F",
                      .label = "constant thrust",
                      .unit = "N",
                      .help = "Constant force on the base.",
                      .shape = Shape::vector,
                      .low = -20,
                      .high = 20};
  ParameterInfo target{.key = "target",
                       .symbol = "x_t",
                       .label = "target",
                       .unit = "m",
                       .help = "Place at which the base is held.",
                       .shape = Shape::vector,
                       .required = true,
                       .low = -5,
                       .high = 5};
  ParameterInfo kp{.key = "kp",
                   .symbol = "k_p",
                   .label = "proportional gain",
                   .unit = "N/m",
                   .help = "Force per distance from the target.",
                   .domain = Domain::non_negative,
                   .required = true,
                   .default_value = 6,
                   .low = 0,
                   .high = 100};
  ParameterInfo kd{.key = "kd",
                   .symbol = "k_d",
                   .label = "derivative gain",
                   .unit = "N s/m",
                   .help = "Force per velocity of the base, against it.",
                   .domain = Domain::non_negative,
                   .required = true,
                   .default_value = 6,
                   .low = 0,
                   .high = 100};
  ParameterInfo targets{.key = "targets",
                        .symbol = "x_t",
                        .label = "targets",
                        .unit = "m",
                        .help = "Times and places that the target passes, [t, x, y, z] of each.",
                        .shape = Shape::waypoints,
                        .required = true,
                        .default_vector = {0, 0, 0, 0, 5, 1, 0.5, -0.5, 10, 0, 0, 0},
                        .low = -5,
                        .high = 5};
  const std::vector<ParameterInfo> along_path{kp, kd, std::move(targets)};
  return {
      .key = "thrust",
      .symbol = "F",
      .label = "thrust",
      .unit = "N",
      .help = "Force on the base: constant, holding it at a place, or leading it along a path.",
      .shape = Shape::form,
      .forms = {{.key = "constant",
                 .label = "Constant",
                 .help = "F constant.",
                 .fields = {std::move(force)}},
                {.key = "hold",
                 .label = "Held place",
                 .help = "F = −mₜ g e₃ + k_p (x_t − x₀) − k_d ẋ₀: carries the weight of all "
                         "masses and pulls the base to x_t. It pushes in any direction at "
                         "once: the attitude control of a quadrotor is taken as fast.",
                 .fields = {std::move(target), std::move(kp), std::move(kd)}},
                {.key = "path",
                 .label = "Path",
                 .help = "The same with a target x_t(t) that moves smoothly through places, with "
                         "continuous velocity and acceleration: it rests before the first time "
                         "and after the last.",
                 .fields = along_path}},
      .low = -20,
      .high = 20,
      .omitted = true};
}

/// Chain of n point masses on massless links whose beginning is a free body. With a gravity its
/// centre of mass flies through axes at rest, see FreeBase; without one the axes are those of the
/// centre of mass, which moves as if it were alone.
///
/// Notation: m_0 mass of the base [kg], q_i direction of link i from there, l_i its length [m], m_i
/// the mass at its end, m_t all masses, s_i = l_i Σ_{k≥i} m_k. The base is at x_0 = −Σ s_i q_i/m_t,
/// mass k at x_k = x_0 + Σ_{j≤k} l_j q_j.
///   M_ij = l_i l_j Σ_{k≥max(i,j)} m_k − s_i s_j/m_t                           (ChainInertia)
///   f_i  = −(s_i/m_t) F for a force F on the base, with the power F·ẋ_0
/// A uniform gravity acts on the centre of mass alone. In a circular orbit of the rate n_0 the axes
/// turn with Ω = n_0 e3, e1 outward and e2 along the orbit, and the tide of an attracting body far
/// away has the potential
///   V    = ½ n_0² Σ_k m_k (|x_k|² − 3 (e1·x_k)²) = ½ n_0² Σ M_ij [q_i·q_j − 3 (e1·q_i)(e1·q_j)]
/// to which the rotation of the axes adds the centrifugal one. A dumbbell librates about e1 with √3
/// n_0 in the plane of the orbit and with 2 n_0 across. Tests: these, masses in R³.
class FreeChain final : public System {
 public:
  explicit FreeChain(const Values& values)
      : inertia_(ChainInertia(list(values, "masses"), list(values, "lengths"),
                              scalar(values, "base_mass"))),
        share_(chain().length.cwiseProduct(chain().suspended_mass) /
               (chain().base_mass + chain().suspended_mass[0])),
        thrust_(steady_thrust(values)),
        orbital_rate_(scalar(values, "orbital_rate")),
        damping_(twosphere::damping(values, chain().size())) {
    const std::optional<double> gravity = optional_scalar(values, "gravity");
    if (!gravity) return;
    base_.emplace();
    base_->mass = chain().base_mass + chain().suspended_mass[0];
    base_->own_mass = chain().base_mass;
    base_->length = chain().length.sum();
    base_->share = share_;
    base_->gravity = {0, 0, *gravity};
    base_->steady = thrust_;
    const std::vector<double>& thrust = numbers_of(values, "thrust");
    if (thrust[0] == 0) return;
    // F = −m_t g + k_p (target − x_0) − k_d ẋ_0, of which the first is steady.
    thrust_ = base_->steady = -base_->mass * base_->gravity;
    if (thrust[0] == 2) {
      follows_path_ = true;
      base_->drag = thrust[2];
      base_->control = [path = WaypointPath(std::span(thrust).subspan(3)), gain = thrust[1]](
                           double t, const Vec3& place) -> Vec3 {
        return gain * (path.at(t) - place);
      };
      return;
    }
    const Vec3 target = Eigen::Map<const Vec3>(&thrust[1]);
    const double gain = thrust[4];
    base_->drag = thrust[5];
    base_->control = [target, gain](double, const Vec3& place) -> Vec3 {
      return gain * (target - place);
    };
  }

  int size() const override { return chain().size(); }
  const Inertia& inertia() const override { return inertia_; }

  double potential(const Columns& q) const override {
    if (orbital_rate_ == 0) return 0;
    const auto tide = [](const Vec3& x) { return x.squaredNorm() - 3 * x[0] * x[0]; };
    // ½ n_0² Σ_k m_k (|x_k|² − 3 (e1·x_k)²)
    Vec3 x = base(q);
    double sum = chain().base_mass * tide(x);
    for (Eigen::Index k = 0; k < q.cols(); ++k) {
      x += chain().length[k] * q.col(k);
      sum += chain().mass[k] * tide(x);
    }
    return orbital_rate_ * orbital_rate_ / 2 * sum;
  }

  void gradient(const Columns& q, Columns& g) const override { tides(q, g); }
  bool has_constant_gradient() const override { return orbital_rate_ == 0; }
  void hessian_times(const Columns& /*q*/, const Columns& v, Columns& h) const override {
    // V is quadratic.
    tides(v, h);
  }

  const Eigen::VectorXd& damping() const override { return damping_; }
  Vec3 frame_rotation() const override { return {0, 0, orbital_rate_}; }
  const FreeBase* free_base() const override { return base_ ? &*base_ : nullptr; }

  bool has_velocity_force() const override { return base_ && base_->drag > 0; }
  void velocity_force(double /*t*/, const Columns& q, const Columns& w, Columns& f) const override {
    f.setZero();
    base_->add_force(-base_->drag * base_->velocity_from_centre(q, w), f);
  }

  bool has_external_force() const override { return !thrust_.isZero(0); }
  bool time_dependent() const override { return follows_path_; }
  void force(double /*t*/, const Columns& /*q*/, Columns& f) const override {
    for (Eigen::Index i = 0; i < f.cols(); ++i) f.col(i) = -share_[i] * thrust_;
  }

  std::array<bool, 3> conserved_momentum() const override {
    const bool controlled = base_ && (base_->control || base_->drag > 0);
    if (damped(*this) || orbital_rate_ != 0 || controlled) return {false, false, false};
    // Rotations about the thrust.
    return {thrust_[1] == 0 && thrust_[2] == 0, thrust_[0] == 0 && thrust_[2] == 0,
            thrust_[0] == 0 && thrust_[1] == 0};
  }

  void geometry(const Columns& q, Geometry& out) const override {
    out.clear();
    const double largest = chain().mass.maxCoeff();
    const Eigen::Index n = size();
    Vec3 end = q.cols() == n ? base(q) : Vec3(base(q.leftCols(n)) + q.col(n));
    const double arm = arm_share * chain().length.sum();
    for (const Vec3& along : {Vec3(arm, 0, 0), Vec3(0, arm, 0)})
      out.frame.push_back({end - along, end + along});
    for (Eigen::Index i = 0; i < n; ++i) {
      const Vec3 start = end;
      end += chain().length[i] * q.col(i);
      out.links.push_back({start, end});
      // Radius ∝ m^{1/3}.
      out.bodies.push_back({end, std::cbrt(chain().mass[i] / largest)});
    }
  }

  double lever(int body, int link) const override {
    return (link <= body ? chain().length[link] : 0) - share_[link];
  }

  Extent extent() const override {
    // The farthest that the base or a mass can be from the centre of mass, which is convex along
    // the chain: one of its ends.
    const double base = share_.sum(), tip = chain().length.sum() - base;
    return {Vec3::Zero(), std::max(base, tip), false};
  }
  double operations() const override { return 60.0 * size(); }

  double own_quantity(std::string_view name, double /*t*/, const Columns& q,
                      const Columns& /*w*/) const override {
    Vec3 chord = Vec3::Zero();
    for (Eigen::Index i = 0; i < q.cols(); ++i) chord += chain().length[i] * q.col(i);
    if (name == span_name) return chord.norm();
    for (int k = 0; k < 3; ++k)
      if (name == place_names[static_cast<std::size_t>(k)]) return base(q)[k];
    return std::numeric_limits<double>::quiet_NaN();
  }
  double own_quantity(std::string_view name, const State& state) const override {
    const double about_centre = own_quantity(name, state.t, state.q, state.w);
    if (state.x.cols() == 0) return about_centre;
    for (int k = 0; k < 3; ++k) {
      const auto axis = static_cast<std::size_t>(k);
      if (name == place_names[axis]) return about_centre + state.x(k, 0);
      if (name == momentum_names[axis]) return base_->mass * state.v(k, 0);
    }
    return about_centre;
  }

  static constexpr double arm_share = 0.06;  // of the base, relative to the length of the chain
  static constexpr std::string_view span_name = "distance of the ends";
  static constexpr std::array<std::string_view, 3> place_names{"base_x", "base_y", "base_z"};
  static constexpr std::array<std::string_view, 3> momentum_names{"momentum_x", "momentum_y",
                                                                  "momentum_z"};

  static Definition text(const SystemInfo& info, int n, const Values& values) {
    Definition d;
    d.bodies = n;
    d.parameters = {parameter_text("m0", info, "base_mass", values),
                    parameter_text("m", info, "masses", values),
                    parameter_text("l", info, "lengths", values)};
    d.define = {"share[i] = l[i]*sum(k >= i: m[k])/(m0 + sum(k: m[k]))",
                "x0 = -sum(i: share[i]*q[i])", "x[i] = x0 + sum(j <= i: l[j]*q[j])"};
    d.inertia = "chain(m, l, m0)";
    d.figure = {"rod(x[i] - l[i]*q[i], x[i])", "ball(x[i], m[i])"};
    d.plots = {{std::string(span_name), "norm(sum(i: l[i]*q[i]))"}};
    if (const Vec3 thrust = steady_thrust(values); !thrust.isZero(0)) {
      d.parameters.push_back(parameter_text("F", thrust_parameter().forms[0].fields[0],
                                            {thrust[0], thrust[1], thrust[2]}));
      d.force.emplace_back("f[i] = -share[i]*F");
    }
    if (scalar(values, "orbital_rate") != 0) {
      d.parameters.push_back(parameter_text("n0", info, "orbital_rate", values));
      d.potential = "n0^2/2*(m0*(x0.x0 - 3*(e1.x0)^2) + sum(i: m[i]*(x[i].x[i] - 3*(e1.x[i])^2)))";
      d.frame_rotation = "n0*e3";
    }
    add_damping(d, info, values);
    return d;
  }

 private:
  /// F_s of the first form.
  static Vec3 steady_thrust(const Values& values) {
    const std::vector<double>& numbers = numbers_of(values, "thrust");
    return numbers[0] == 0 ? Vec3(Eigen::Map<const Vec3>(&numbers[1])) : Vec3(Vec3::Zero());
  }

  const ChainInertia& chain() const { return std::get<ChainInertia>(inertia_); }
  /// x_0 = −Σ s_i q_i/m_t
  Vec3 base(const Columns& q) const { return chain().base_velocity(q); }
  /// g_i = n_0² Σ_j M_ij (v_j − 3 (e1·v_j) e1)
  void tides(const Columns& v, Columns& g) const {
    const double square = orbital_rate_ * orbital_rate_;
    if (square == 0) {
      g.setZero();
      return;
    }
    // Memory kept for the next call on this thread.
    thread_local Columns pulled;
    pulled = square * v;
    pulled.row(0) *= -2;
    multiply(inertia_, v, pulled, g);
  }

  Inertia inertia_;
  Eigen::VectorXd share_;  // s_i/m_t
  Vec3 thrust_;
  double orbital_rate_;
  Eigen::VectorXd damping_;
  std::optional<FreeBase> base_;  // with a gravity
  bool follows_path_ = false;
};

ParameterInfo base_mass_parameter() {
  ParameterInfo info = size_parameter("base_mass", "m₀", "base mass", "kg", "Mass of the base.");
  info.shape = Shape::scalar;
  return info;
}

}  // namespace

const SystemInfo& free_chain() {
  static const SystemInfo info{
      .key = "free_chain",
      .title = "Free chain",
      .description =
          "Point masses on massless links that hang on a free body: a thrown chain, the load of a "
          "drone, or a tethered satellite in orbit.",
      .equations =
          "L = ½ Σ Mᵢⱼ q̇ᵢ·q̇ⱼ − V,  Mᵢⱼ = lᵢ lⱼ Σ_{k≥max(i,j)} mₖ − sᵢ sⱼ/mₜ,  "
          "sᵢ = lᵢ Σ_{k≥i} mₖ",
      .reference =
          "Lee, Leok, McClamroch 2009, Example 1, with a free base; Beletsky, Levin, "
          "Dynamics of Space Tether Systems, 1993",
      .parameters = {base_mass_parameter(),
                     masses_parameter("Mass at the end of each link."),
                     lengths_parameter("Length of each link."),
                     {.key = "gravity",
                      .symbol = "g",
                      .label = "gravity",
                      .unit = "m/s²",
                      .help =
                          "Acceleration due to gravity, along +e3, with which the chain flies "
                          "through axes at rest; none (null): the axes are those of its centre of "
                          "mass.",
                      .optional = true,
                      .unless = "orbital_rate",
                      .default_value = 9.81,
                      .low = 0,
                      .high = 25,
                      .live = false},
                     thrust_parameter(),
                     {.key = "orbital_rate",
                      .symbol = "n₀",
                      .label = "orbital rate",
                      .unit = "rad/s",
                      .help = "Angular velocity of a circular orbit about e3, with which the axes "
                              "turn: e1 outward, e2 along the orbit.",
                      .low = -2,
                      .high = 2,
                      .omitted = true},
                     damping_parameter()},
      .momentum_columns = {true, true, true},
      .motion = first_and_last_angle,
      .own_quantities = {{FreeChain::span_name, "m"},
                         {FreeChain::place_names[0], "m"},
                         {FreeChain::place_names[1], "m"},
                         {FreeChain::place_names[2], "m"},
                         {FreeChain::momentum_names[0], "kg m/s"},
                         {FreeChain::momentum_names[1], "kg m/s"},
                         {FreeChain::momentum_names[2], "kg m/s"}},
      .create = [](int, const Values& values) -> Result<std::unique_ptr<const System>> {
        const std::vector<double>& thrust = numbers_of(values, "thrust");
        const auto gravity = optional_scalar(values, "gravity");
        const bool pushed = thrust != std::vector<double>{0, 0, 0, 0}, flies = gravity.has_value();
        const bool orbits = scalar(values, "orbital_rate") != 0;
        if (orbits && pushed)
          return Error{ErrorKind::usage, "thrust",
                       "must be [0, 0, 0] with an orbital_rate, whose orbit it would change"};
        if (orbits && flies)
          return Error{ErrorKind::usage, "gravity",
                       fmt::format("must be null with an orbital_rate, whose axes fall with the "
                                   "orbit, not {} m/s²; set both together",
                                   json::shortest(*gravity))};
        if (thrust[0] != 0 && !flies)
          return Error{
              ErrorKind::usage, "thrust.type",
              "\"" +
                  std::string(thrust_parameter().forms[static_cast<std::size_t>(thrust[0])].key) +
                  "\" needs a gravity, which may be 0: without it the axes are those of "
                  "the centre of mass, where no place can be held"};
        return std::unique_ptr<const System>(std::make_unique<FreeChain>(values));
      },
      .text = [](int n, const Values& values) { return FreeChain::text(info, n, values); }};
  return info;
}

}  // namespace twosphere
