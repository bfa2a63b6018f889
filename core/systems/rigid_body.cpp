// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <memory>
#include <mutex>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/mechanics/isolines.h"
#include "core/mechanics/sphere_mesh.h"
#include "core/mechanics/state.h"
#include "core/mechanics/system.h"
#include "core/systems/motion.h"
#include "core/systems/parameters.h"
#include "core/systems/texts.h"

namespace twosphere {

namespace {

constexpr int contour_levels = 12;
constexpr double ellipsoid_size = 0.45;  // its longest semi-axis [m]
constexpr double rod_size = 0.75;        // that of an axis in space
constexpr std::string_view attitudes[] = {"none", "in_space"};

/// A grid of colatitude and azimuth, whose lines are along the principal axes. The vertices of a
/// pole are one point, so that no line ends between them.
SphereMesh energy_mesh() {
  constexpr int rows = 48, columns = 96;
  SphereMesh mesh{Columns(3, (rows + 1) * columns), {}};
  for (int row = 0; row <= rows; ++row)
    for (int column = 0; column < columns; ++column) {
      const double polar = std::numbers::pi * row / rows,
                   azimuth = 2 * std::numbers::pi * column / columns,
                   aside = row % rows == 0 ? 0 : std::sin(polar);
      mesh.vertices.col(row * columns + column) =
          Vec3(aside * std::cos(azimuth), aside * std::sin(azimuth), std::cos(polar));
    }
  const auto at = [](int row, int column) { return row * columns + column % columns; };
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      const int a = at(row, column), b = at(row + 1, column), c = at(row + 1, column + 1),
                d = at(row, column + 1);
      mesh.faces.push_back({a, b, c});
      mesh.faces.push_back({a, c, d});
    }
  return mesh;
}

/// Free rigid bodies and gyrostats, uncoupled. q_i is the direction of the angular momentum Π = L q
/// of body i in its own principal axes; the axes of the scene are those of the body.
///
/// Notation: I = diag(I₁, I₂, I₃) moments of inertia [kg m²], L angular momentum [J s], r angular
/// momentum of a rotor that turns about an axis fixed in the body [J s], ω_b = I⁻¹(Π − r) [rad/s].
///   H   = ½ (L q − r)·I⁻¹(L q − r)
///   g   = L ω_b,  κ = −L: Euler's equation Π̇ = Π × ω_b is −L q̇ = g × q
/// Landau, Lifshitz, Mechanics, § 36 and 37.
///
/// With an attitude (core/mechanics/attitude.h) the axes of the scene are those of space, the third
/// along the angular momentum: e_k of the body is at (a_k, b_k, q_k).
class RigidBody final : public System {
 public:
  explicit RigidBody(const Values& values)
      : moments_(points(values, "moments")),
        rotors_(points(values, "rotor")),
        momenta_(list(values, "angular_momentum")),
        strength_(-momenta_),
        in_space_(scalar(values, attitude_key) != 0),
        inertia_(NoInertia{static_cast<int>(momenta_.size())}) {}

  int size() const override { return twosphere::size(inertia_); }
  const Inertia& inertia() const override { return inertia_; }
  const Eigen::VectorXd& strength() const override { return strength_; }
  bool follows_attitude() const override { return in_space_; }

  double potential(const Columns& q) const override {
    double sum = 0;
    for (Eigen::Index i = 0; i < q.cols(); ++i) sum += energy(i, q.col(i));
    return sum;
  }
  void gradient(const Columns& q, Columns& g) const override {
    for (Eigen::Index i = 0; i < q.cols(); ++i) g.col(i) = momenta_[i] * body_rate(i, q.col(i));
  }
  void hessian_times(const Columns& /*q*/, const Columns& v, Columns& h) const override {
    for (Eigen::Index i = 0; i < v.cols(); ++i)
      h.col(i) = momenta_[i] * momenta_[i] * v.col(i).cwiseQuotient(moments_.col(i));
  }

  std::array<bool, 3> conserved_momentum() const override {
    // H is symmetric about a principal axis where the other two moments are equal, and the rotor
    // turns about it.
    std::array<bool, 3> symmetric{true, true, true};
    for (Eigen::Index i = 0; i < moments_.cols(); ++i)
      for (int k = 0; k < 3; ++k) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        if (moments_(a, i) != moments_(b, i) || rotors_(a, i) != 0 || rotors_(b, i) != 0)
          symmetric[static_cast<std::size_t>(k)] = false;
      }
    return symmetric;
  }

  void geometry(const Columns& q, Geometry& out) const override {
    out.clear();
    out.sphere = true;
    if (q.cols() > size()) return space_geometry(q, out);
    std::call_once(drawn_, [this] {
      contours_ = std::make_shared<const std::vector<std::vector<Vec3>>>(find_contours());
    });
    out.curves = contours_;
    // Of the inertia ellipsoid Σ I_k x_k² = 1 the proportions.
    if (equal_moments())
      out.ellipsoid =
          ellipsoid_size * (moments_.col(0).minCoeff() / moments_.col(0).array()).sqrt().matrix();
    out.bodies.reserve(static_cast<std::size_t>(q.cols()));
    for (Eigen::Index i = 0; i < q.cols(); ++i) out.bodies.push_back({q.col(i)});
  }

  Extent extent() const override { return {Vec3::Zero(), 1, false}; }

  double own_quantity(std::string_view name, double t, const Columns& q,
                      const Columns& w) const override {
    for (int k = 0; k < 3; ++k)
      if (name == rate_names[static_cast<std::size_t>(k)]) return body_rate(0, q.col(0))[k];
    return System::own_quantity(name, t, q, w);
  }
  double own_quantity(std::string_view name, const State& state) const override {
    if (name == precession_name && state.has_attitude())
      return std::atan2(state.x(2, 1), state.x(2, 0));
    return own_quantity(name, state.t, state.q, state.w);
  }
  std::optional<OwnQuantity> own_color() const override { return OwnQuantity{"energy", "J"}; }
  void own_color_values(double /*t*/, const Columns& q, const Columns& /*w*/,
                        std::vector<double>& out) const override {
    out.clear();
    for (Eigen::Index i = 0; i < q.cols(); ++i) out.push_back(energy(i, q.col(i)));
  }
  double operations() const override { return 10.0 * size(); }

  static Definition text(const SystemInfo& info, int n, const Values& values) {
    Definition d;
    d.bodies = n;
    d.first_order = true;
    d.parameters = {parameter_text("L", info, "angular_momentum", values)};
    d.strength = "i: -L[i]";
    d.figure = {"sphere()", "ball(q[i])"};
    const Columns rotors = points(values, "rotor");
    for (int k = 0; k < 3; ++k) {
      const std::string axis = std::to_string(k + 1);
      d.parameters.push_back(component_text("I" + axis, info, "moments", values, k));
      std::string momentum = "L[i]*q[i].e" + axis;
      if (!rotors.row(k).isZero(0)) {
        d.parameters.push_back(component_text("r" + axis, info, "rotor", values, k));
        momentum = "(" + momentum + " - r" + axis + "[i])";
      }
      d.define.push_back("omega" + axis + "[i] = " + momentum + "/I" + axis + "[i]");
    }
    d.define.emplace_back("E[i] = (I1[i]*omega1[i]^2 + I2[i]*omega2[i]^2 + I3[i]*omega3[i]^2)/2");
    d.hamiltonian = "sum(i: E[i])";
    d.color = {{"energy", "E[i]"}};
    for (int k = 0; k < 3; ++k)
      d.plots.emplace_back(rate_names[static_cast<std::size_t>(k)],
                           "omega" + std::to_string(k + 1) + "[0]");
    return d;
  }

  /// ω_b of the first body, along its principal axes.
  static constexpr std::array<std::string_view, 3> rate_names{"omega_b1", "omega_b2", "omega_b3"};
  /// The azimuth of the third axis of the first body about the angular momentum.
  static constexpr std::string_view precession_name = "precession about L";
  static constexpr std::string_view attitude_key = "attitude";

 private:
  /// One component of vectors, a number for each body.
  static Definition::Parameter component_text(std::string name, const SystemInfo& system,
                                              std::string_view key, const Values& values, int k) {
    ParameterInfo info = *std::find_if(system.parameters.begin(), system.parameters.end(),
                                       [key](const ParameterInfo& p) { return p.key == key; });
    info.shape = Shape::per_body;
    const Columns all = points(values, key);
    const Eigen::VectorXd component = all.row(k).transpose();
    return parameter_text(std::move(name), info, {component.begin(), component.end()});
  }

  /// ω_b of body i.
  Vec3 body_rate(Eigen::Index i, const Vec3& q) const {
    return (momenta_[i] * q - rotors_.col(i)).cwiseQuotient(moments_.col(i));
  }
  double energy(Eigen::Index i, const Vec3& q) const {
    return 0.5 * (momenta_[i] * q - rotors_.col(i)).dot(body_rate(i, q));
  }

  /// A ball at the end of the third axis of each body, a rod along it, and of a body that is alone
  /// rods along the others, too, in the proportions of its inertia ellipsoid.
  void space_geometry(const Columns& q, Geometry& out) const {
    const Eigen::Index n = size();
    const auto axis = [&](Eigen::Index i, int k) {
      return Vec3(q(k, n + 2 * i), q(k, n + 2 * i + 1), q(k, i));
    };
    out.guides.push_back({-Vec3::UnitZ(), Vec3::UnitZ()});
    for (int k = 0; k < 2 && n == 1; ++k) {
      const Vec3 half = rod_size * std::sqrt(moments_.minCoeff() / moments_(k, 0)) * axis(0, k);
      out.frame.push_back({-half, half});
    }
    for (Eigen::Index i = 0; i < n; ++i) {
      out.links.push_back({Vec3::Zero(), axis(i, 2)});
      out.bodies.push_back({axis(i, 2)});
    }
  }

  /// Whether H is the same function for all bodies.
  bool alike() const {
    return equal_moments() && (rotors_.colwise() - rotors_.col(0)).isZero(0) &&
           (momenta_.array() == momenta_[0]).all();
  }

  /// Lines of equal energy on the sphere; none if H is not the same for all bodies, or the same
  /// everywhere.
  std::vector<std::vector<Vec3>> find_contours() const {
    std::vector<std::vector<Vec3>> curves;
    if (!alike()) return curves;
    const SphereMesh mesh = energy_mesh();
    std::vector<double> values;
    for (Eigen::Index i = 0; i < mesh.vertices.cols(); ++i)
      values.push_back(energy(0, mesh.vertices.col(i)));
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    const double least = *low, range = *high - *low;
    if (!(range > 1e-9 * std::abs(*high))) return curves;
    for (int level = 1; level <= contour_levels; ++level)
      for (std::vector<Vec3>& curve :
           isolines(mesh, values, least + range * level / (contour_levels + 1),
                    [this](const Vec3& q) { return energy(0, q); }))
        curves.push_back(std::move(curve));
    return curves;
  }

  /// Whether the moments of inertia of all bodies are the same.
  bool equal_moments() const { return (moments_.colwise() - moments_.col(0)).isZero(0); }

  Columns moments_, rotors_;
  Eigen::VectorXd momenta_, strength_;
  bool in_space_;
  Inertia inertia_;
  // Found when they are first drawn.
  mutable std::once_flag drawn_;
  mutable std::shared_ptr<const std::vector<std::vector<Vec3>>> contours_;
};

}  // namespace

const SystemInfo& rigid_body() {
  static const SystemInfo info{
      .key = "rigid_body",
      .title = "Free rigid bodies",
      .description =
          "The angular momenta of free tops, or of gyrostats with a rotor, in their own principal "
          "axes: a system of first order. The lines on the sphere are those of equal energy, along "
          "which the momenta move; inside is the inertia ellipsoid of the bodies.",
      .equations = "−Lᵢ q̇ᵢ = ∂H/∂qᵢ × qᵢ,  H = Σ ½ (Lᵢqᵢ − rᵢ)·Iᵢ⁻¹(Lᵢqᵢ − rᵢ)",
      .reference = "Landau, Lifshitz, Mechanics, § 37; Wittenburg 2008, chapter 4 (gyrostats)",
      .parameters = {{.key = "moments",
                      .symbol = "I",
                      .label = "moment of inertia",
                      .unit = "kg m²",
                      .help = "Principal moments of inertia of all bodies, or of each.",
                      .shape = Shape::points,
                      .domain = Domain::positive,
                      .required = true,
                      .low = 0.1,
                      .high = 10,
                      .logarithmic = true},
                     {.key = "angular_momentum",
                      .symbol = "L",
                      .label = "angular momentum",
                      .unit = "J s",
                      .help = "Size of the angular momentum of each body.",
                      .shape = Shape::per_body,
                      .domain = Domain::positive,
                      .default_value = 1,
                      .low = 0.01,
                      .high = 100,
                      .logarithmic = true},
                     {.key = "rotor",
                      .symbol = "r",
                      .label = "rotor",
                      .unit = "J s",
                      .help = "Angular momentum of a rotor in the axes of the body, of all bodies "
                              "or of each; 0: a top.",
                      .shape = Shape::points,
                      .low = -5,
                      .high = 5},
                     {.key = RigidBody::attitude_key,
                      .symbol = "R",
                      .label = "attitude",
                      .unit = "1",
                      .help = "Whether the attitude in space is followed, where the axes of the "
                              "bodies are drawn then: space has its third axis along the angular "
                              "momentum.",
                      .shape = Shape::choice,
                      .choices = {std::begin(attitudes), std::end(attitudes)},
                      .live = false,
                      .omitted = true}},
      .momentum_columns = {true, true, true},
      .first_order = true,
      .motion = first_angles,
      .own_quantities = {{RigidBody::rate_names[0], "rad/s"},
                         {RigidBody::rate_names[1], "rad/s"},
                         {RigidBody::rate_names[2], "rad/s"},
                         {RigidBody::precession_name, "rad"}},
      .create = [](int, const Values& values) -> Result<std::unique_ptr<const System>> {
        return std::unique_ptr<const System>(std::make_unique<RigidBody>(values));
      },
      .text = [](int n, const Values& values) { return RigidBody::text(info, n, values); }};
  return info;
}

}  // namespace twosphere
