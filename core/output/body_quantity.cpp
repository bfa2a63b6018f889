// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/body_quantity.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/mechanics/diagnostics.h"
#include "core/mechanics/linear_terms.h"

namespace twosphere {

namespace {

constexpr std::size_t few_bodies = 12;  // on a sphere, distinguished by their colour

void velocities(const State& state, Columns& out) {
  out.resize(3, state.q.cols());
  for (Eigen::Index i = 0; i < out.cols(); ++i) out.col(i) = state.w.col(i).cross(state.q.col(i));
}

void norms(const Columns& vectors, std::vector<double>& out) {
  out.resize(static_cast<std::size_t>(vectors.cols()));
  for (Eigen::Index i = 0; i < vectors.cols(); ++i)
    out[static_cast<std::size_t>(i)] = vectors.col(i).norm();
}

}  // namespace

std::span<const BodyVectorInfo, body_vector_count> body_vectors() {
  static constexpr std::array<BodyVectorInfo, body_vector_count> list{{
      {"angular_velocity", "angular velocity", "ω", "rad/s", "ωᵢ ⊥ qᵢ of every body."},
      {"velocity", "velocity", "dq/dt", "1/s", "dqᵢ/dt = ωᵢ × qᵢ of every direction."},
      {"momentum", "momentum", "μ", "J s", "μᵢ, the part of Σⱼ Mᵢⱼ dqⱼ/dt in the tangent plane."},
      {"torque", "torque", "τ", "N m", "τᵢ = qᵢ × (fᵢ − ∂V/∂qᵢ) − c ωᵢ, the torque on every body."},
  }};
  return list;
}

std::span<const ShadeInfo, shade_count> shades() {
  static constexpr std::array<ShadeInfo, shade_count> list{{
      {"lane", "lane", "", "", "The colour of the integrator.", true},
      {"tension", "spring tension", "F", "N", "Positive where a spring is stretched.", false},
      {"bending_energy", "bending energy of a joint", "Vᵢ", "J",
       "½ κᵢ (1 − qᵢ₋₁·qᵢ)² of every joint.", false},
      {"speed", "speed", "|dq/dt|", "1/s", "|dqᵢ/dt| of every body.", true},
      {"kinetic_energy", "kinetic energy of a body", "Tᵢ", "J",
       "½ (dqᵢ/dt)·Σⱼ Mᵢⱼ dqⱼ/dt; the sum over all bodies is T.", true},
      {"momentum", "momentum", "|μ|", "J s",
       "|μᵢ|, of the part of Σⱼ Mᵢⱼ dqⱼ/dt in the tangent plane.", true},
      {"torque", "torque", "|τ|", "N m", "|qᵢ × (fᵢ − ∂V/∂qᵢ) − c ωᵢ| of every body.", true},
      {"direction", "direction", "q", "1",
       "qᵢ of every body: the hue is its azimuth about an axis, light towards the axis and dark "
       "away from it.",
       true},
      {"own", "quantity of the system", "", "1",
       "A quantity that the system names, such as the expression at \"color\" of a custom one, for "
       "every body.",
       true},
  }};
  return list;
}

std::string_view why_no_kinetic_energy(const System& system) {
  return first_order(system) ? "a system of first order has no kinetic energy" : "";
}

std::string_view why_zero(Shade shade, const System& system) {
  if (shade == Shade::momentum) return why_zero(BodyVector::momentum, system);
  return shade == Shade::kinetic_energy ? why_no_kinetic_energy(system) : "";
}

std::string_view why_zero(BodyVector vector, const System& system) {
  return vector == BodyVector::momentum && first_order(system)
             ? "a system of first order has no momenta μ"
             : "";
}

void evaluate(BodyVector vector, const System& system, const State& state, Columns& out) {
  switch (vector) {
    case BodyVector::angular_velocity:
      out = state.w;
      return;
    case BodyVector::velocity:
      velocities(state, out);
      return;
    case BodyVector::momentum:
      momenta(system, state, out);
      return;
    case BodyVector::torque: {
      Columns g(3, state.q.cols()), f = Columns::Zero(3, state.q.cols());
      generalised_gradient(system, state.t, state.q, g, f);
      if (has_linear_terms(system)) {
        Columns v;
        velocities(state, v);
        LinearTermsWorkspace work{f, f};
        add_linear_terms(system, state.q, v, g, work);
      }
      out.resize(3, g.cols());
      for (Eigen::Index i = 0; i < g.cols(); ++i) out.col(i) = -state.q.col(i).cross(g.col(i));
      if (system.has_velocity_force()) {
        system.velocity_force(state.t, state.q, state.w, f);
        for (Eigen::Index i = 0; i < f.cols(); ++i) out.col(i) += state.q.col(i).cross(f.col(i));
      }
      if (damped(system)) out -= state.w * system.damping().asDiagonal();
      return;
    }
  }
}

bool is_dense(const Geometry& geometry) {
  return geometry.sphere && geometry.bodies.size() > few_bodies;
}

bool has_body_colors(const Geometry& geometry, std::size_t lanes, std::optional<Shade> chosen,
                     LaneColors colors) {
  return lanes == 1 && chosen != Shade::lane && colors == LaneColors::own &&
         geometry.bodies.size() > 1 && geometry.bending.empty() && !is_dense(geometry);
}

Shade default_shade(const System& system, const Geometry& geometry) {
  if (system.shows_directions()) return Shade::direction;
  if (system.own_color()) return Shade::own;
  if (!geometry.springs.empty()) return Shade::tension;
  if (!geometry.bending.empty()) return Shade::bending_energy;
  return is_dense(geometry) ? Shade::speed : Shade::lane;
}

void evaluate(Shade shade, const System& system, const State& state, const Geometry& geometry,
              std::vector<double>& out) {
  out.clear();
  switch (shade) {
    case Shade::lane:
    case Shade::direction:
      return;
    case Shade::tension:
      for (const Geometry::Spring& spring : geometry.springs) out.push_back(spring.tension);
      return;
    case Shade::bending_energy:
      out = geometry.bending;
      return;
    case Shade::speed: {
      Columns v;
      velocities(state, v);
      norms(v, out);
      return;
    }
    case Shade::kinetic_energy: {
      Columns v, p(3, state.q.cols());
      velocities(state, v);
      multiply(system.inertia(), state.q, v, p);
      for (Eigen::Index i = 0; i < v.cols(); ++i) out.push_back(v.col(i).dot(p.col(i)) / 2);
      return;
    }
    case Shade::momentum:
    case Shade::torque: {
      Columns vectors;
      evaluate(shade == Shade::torque ? BodyVector::torque : BodyVector::momentum, system, state,
               vectors);
      norms(vectors, out);
      return;
    }
    case Shade::own:
      system.own_color_values(state.t, state.q, state.w, out);
      return;
  }
}

AxisAngles about_axis(const Vec3& q, int axis) {
  const double azimuth = std::atan2(q[(axis + 2) % 3], q[(axis + 1) % 3]);
  return {0.5 + azimuth / (2 * std::numbers::pi), q[axis]};
}

AxisAngles line_about_axis(const Vec3& q, int axis) {
  // The azimuths of q and −q differ by half a turn.
  const double turn = 2 * about_axis(q, axis).turn + 0.5;
  return {turn - std::floor(turn), std::abs(q[axis])};
}

AxisAngles color_angles(const System& system, const Vec3& q, int axis) {
  return system.apolar() ? line_about_axis(q, axis) : about_axis(q, axis);
}

double round_up(double x) {
  if (!(x > 0) || !std::isfinite(x)) return 0;
  const double decade = std::pow(10, std::floor(std::log10(x) + 1e-9));
  const double lead = x / decade * (1 - 1e-9);
  return decade * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
}

void ScaleTop::follow(std::uint64_t generation, double largest) {
  if (generation != generation_) top_ = 0;
  generation_ = generation;
  if (largest > top_) top_ = std::max(top_, round_up(largest));
}

namespace {

constexpr double shown_share = 0.98;
// The scale is reduced only if 1.25 times the values fit in the smaller one.
constexpr double spare = 1.25;
constexpr double first_weight = 1e-30;  // weight of the first state [s]
constexpr int bins = 8;                 // per octave
constexpr int min_exponent = -120, max_exponent = 120;

std::size_t bin_of(double magnitude) {
  int exponent = 0;
  const double lead = std::frexp(magnitude, &exponent);  // in [1/2, 1)
  exponent = std::clamp(exponent, min_exponent, max_exponent - 1);
  return static_cast<std::size_t>((exponent - min_exponent) * bins +
                                  std::clamp(static_cast<int>((2 * lead - 1) * bins), 0, bins - 1));
}

double end_of(std::size_t bin) {
  const auto index = static_cast<int>(bin);
  return std::ldexp(0.5 + (index % bins + 1) / (2.0 * bins), min_exponent + index / bins);
}

}  // namespace

double ColorScale::quantile() const {
  double sum = zeros_;
  for (std::size_t bin = 0; bin < weights_.size(); ++bin) {
    sum += weights_[bin];
    if (weights_[bin] > 0 && sum >= shown_share * total_) return std::min(end_of(bin), largest_);
  }
  return largest_;
}

void ColorScale::follow(std::uint64_t generation, double t, std::span<const double> values) {
  if (generation != generation_ || weights_.empty()) {
    weights_.assign(bins * (max_exponent - min_exponent), 0);
    zeros_ = total_ = top_ = largest_ = 0;
    negative_ = false;
    generation_ = generation;
    latest_ = t - first_weight;
  } else if (!(t > latest_)) {
    return;
  }
  const double weight = std::max(t - latest_, first_weight);
  latest_ = t;
  for (const double value : values) {
    const double magnitude = std::abs(value);
    if (!std::isfinite(magnitude)) continue;
    total_ += weight;
    negative_ = negative_ || value < 0;
    largest_ = std::max(largest_, magnitude);
    if (magnitude > 0)
      weights_[bin_of(magnitude)] += weight;
    else
      zeros_ += weight;
  }
  // If nearly all values are zero, the scale follows the largest.
  const double wanted = zeros_ >= shown_share * total_ ? largest_ : quantile();
  const double up = round_up(wanted), down = round_up(spare * wanted);
  if (up > top_)
    top_ = up;
  else if (down < top_ && down > 0)
    top_ = down;
}

}  // namespace twosphere
