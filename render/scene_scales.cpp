// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/scene_scales.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <memory>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/mechanics/sphere_mesh.h"
#include "core/scenario/icosphere.h"
#include "core/scenario/initial_conditions.h"
#include "render/convert.h"

namespace twosphere::render {

namespace {

// Fractions of the radius of the extent.
constexpr double arrow_reach = 0.32, arrow_thickness = 0.012;
constexpr double crowd_arrow = 1.6,
                 crowd_thickness = 0.06;  // relative to the distance between bodies
constexpr double magnet_arrow = 0.8, magnet_thickness = 0.05;  // relative to the length of a magnet
constexpr std::size_t max_arrows = 4000;
constexpr float zoned_opacity = 0.25f;  // of a sphere coloured by the inertia

std::string_view unit_of(Shade shade, const Geometry& geometry) {
  return shade == Shade::speed && geometry.sphere ? "m/s" : info(shade).unit;
}

// A triangulated sphere, stretched along the axes.
std::shared_ptr<const Mesh::Shape> stretched(const Columns& vertices,
                                             std::span<const std::array<int, 3>> faces,
                                             const Vec3& axes) {
  auto shape = std::make_shared<Mesh::Shape>();
  for (Eigen::Index i = 0; i < vertices.cols(); ++i)
    shape->vertices.push_back(to_float(Vec3(axes.cwiseProduct(vertices.col(i)))));
  for (const std::array<int, 3>& f : faces)
    shape->faces.push_back(
        {static_cast<unsigned>(f[0]), static_cast<unsigned>(f[1]), static_cast<unsigned>(f[2])});
  return shape;
}

void update_field(const System& system, const State& state, SceneMemory& memory) {
  if (!memory.surface) {
    memory.surface = std::make_unique<SurfaceField>();
    memory.surface_shape =
        stretched(memory.surface->vertices(), memory.surface->faces(), Vec3::Ones());
  }
  memory.surface->update(system, state);
}

// If the inertia of the first body depends on its position on the sphere: its ratio to the smallest
// value, at equal steps of e3·q from pole to pole.
std::vector<double> inertia_factors(const System& system, const Columns& q) {
  std::vector<double> factors;
  const auto* inertia = std::get_if<VariableInertia>(&system.inertia());
  if (!inertia) return factors;
  Columns at = q;
  Eigen::MatrixXd m(q.cols(), q.cols());
  for (std::size_t k = 0; k <= shell_zones; ++k) {
    const double z = 2 * static_cast<double>(k) / shell_zones - 1;
    at.col(0) = Vec3(std::sqrt(1 - z * z), 0, z);
    inertia->field->evaluate(at, m);
    factors.push_back(m(0, 0));
  }
  const double least = *std::min_element(factors.begin(), factors.end());
  for (double& f : factors) f /= least;
  return factors;
}

}  // namespace

Shade shade_of(const System& system, const Geometry& geometry, const SceneStyle& style) {
  const Shade wanted = style.shade.value_or(default_shade(system, geometry));
  const bool none = (wanted == Shade::own && !system.own_color()) ||
                    (wanted == Shade::tension && geometry.springs.empty()) ||
                    (wanted == Shade::bending_energy && geometry.bending.empty()) ||
                    !why_zero(wanted, system).empty();
  return none ? Shade::lane : wanted;
}

bool shows_field(const System& system, const Geometry& geometry, const SceneStyle& style) {
  return style.field && geometry.sphere && why_no_kinetic_energy(system).empty();
}

void add_ellipsoid(const Geometry& geometry, const std::shared_ptr<const System>& system,
                   glm::vec3 color, SceneMemory& memory, Scene& scene) {
  constexpr int subdivisions = 4;
  if (memory.own_shape_of != system) {
    const SphereMesh sphere = icosphere(subdivisions);
    memory.own_shape = stretched(sphere.vertices, sphere.faces, geometry.ellipsoid);
    memory.own_shape_of = system;
  }
  scene.mesh.shape = memory.own_shape;
  const glm::vec3 light = ellipsoid_light();
  const auto& vertices = memory.own_shape->vertices;
  scene.mesh.colors.reserve(memory.own_shape->faces.size());
  for (const auto& [a, b, c] : memory.own_shape->faces) {
    const glm::vec3 across = glm::cross(vertices[b] - vertices[a], vertices[c] - vertices[a]);
    const glm::vec3 normal = glm::normalize(glm::dot(across, vertices[a]) < 0 ? -across : across);
    scene.mesh.colors.push_back(color *
                                (ellipsoid_shade + ellipsoid_contrast * glm::dot(normal, light)));
  }
}

void add_field(const FullLane& of, const SceneStyle& style, SceneMemory& memory, Scene& scene) {
  update_field(*of.snapshot.system, of.state(), memory);
  const std::span<const double> values = memory.surface->values();
  if (of.reference) memory.field.follow(of.snapshot.generation, of.state().t, values);
  const double top = memory.field.value();
  scene.mesh.shape = memory.surface_shape;
  scene.mesh.colors.reserve(values.size());
  for (const double v : values)
    scene.mesh.colors.push_back(
        rgb(color_at(style.color_map, top > 0 ? v / top : 0, style.palette)));
  scene.bars.push_back(
      {"local kinetic energy", "J", 0, top, style.color_map, memory.field.exceeded()});
}

std::vector<glm::vec3> direction_colors(const System& system, const Geometry& geometry,
                                        const Columns& q, const SceneStyle& style) {
  std::vector<glm::vec3> colors;
  if (shade_of(system, geometry, style) != Shade::direction) return colors;
  colors.reserve(static_cast<std::size_t>(q.cols()));
  for (Eigen::Index i = 0; i < q.cols(); ++i)
    colors.push_back(
        rgb(direction_color(color_angles(system, q.col(i), style.color_axis), style.palette)));
  return colors;
}

Shading shading_of(const Geometry& geometry, const FullLane& of, const SceneStyle& style,
                   SceneMemory& memory) {
  const System& system = *of.snapshot.system;
  Shading result;
  result.shade = shade_of(system, geometry, style);
  if (result.shade == Shade::direction) {
    result.colors = direction_colors(system, geometry, of.state().q, style);
    result.calm = rgb(color_at(ColorMap::lightness, 0.5, style.palette));
    return result;
  }
  std::vector<double> values;
  evaluate(result.shade, system, of.state(), geometry, values);
  if (values.empty()) return result;
  ColorScale& scale = memory.shades[static_cast<std::size_t>(result.shade)];
  if (of.reference) scale.follow(of.snapshot.generation, of.state().t, values);
  const double top = scale.value();
  const bool both = has_signs(result.shade, scale);
  const ColorMap map = both ? ColorMap::diverging : style.color_map;
  std::array<glm::vec3, 512> table;
  for (std::size_t i = 0; i < table.size(); ++i)
    table[i] = rgb(color_at(map, static_cast<double>(i) / (table.size() - 1), style.palette));
  const auto color = [&](double v) {
    const double share = top > 0 ? v / top : 0;
    const double s = both                    ? (1 + share) / 2
                     : by_root(result.shade) ? std::sqrt(std::max(share, 0.0))
                                             : share;
    const double bounded = s > 0 ? std::min(s, 1.0) : 0.0;  // NaN has the colour of 0
    return table[static_cast<std::size_t>(
        std::lround(bounded * static_cast<double>(table.size() - 1)))];
  };
  result.calm = color(0);
  result.colors.reserve(values.size());
  for (const double v : values) result.colors.push_back(color(v));
  return result;
}

bool has_signs(Shade shade, const ColorScale& scale) {
  return is_signed(shade) || (shade == Shade::own && scale.negative());
}

void add_bar(const System& system, const Geometry& geometry, Shade shade, const SceneStyle& style,
             const SceneScales& scales, Scene& scene) {
  if (shade == Shade::direction) {
    const std::string axis =
        std::array{"e₁", "e₂", "e₃"}.at(static_cast<std::size_t>(style.color_axis));
    const double half = system.apolar() ? 90 : 180;
    scene.bars.push_back({"azimuth about " + axis, "°", -half, half, ColorMap::cyclic});
    if (system.apolar()) return;  // light along the axis, either way
    scene.bars.push_back({"component along " + axis, "", -1, 1, ColorMap::lightness});
    return;
  }
  const ColorScale& scale = scales.shades[static_cast<std::size_t>(shade)];
  const double top = scale.value();
  const bool both = has_signs(shade, scale);
  const std::optional<OwnQuantity> own = shade == Shade::own ? system.own_color() : std::nullopt;
  scene.bars.push_back({std::string(own ? own->name : info(shade).label),
                        std::string(!own               ? unit_of(shade, geometry)
                                    : own->unit == "1" ? ""
                                                       : own->unit),
                        both ? -top : 0, top, both ? ColorMap::diverging : style.color_map,
                        scale.exceeded(), by_root(shade)});
}

void add_arrows(const Geometry& geometry, const ShownBodies& shown, const FullLane& of,
                const SceneStyle& style, double extent, double radius, SceneMemory& memory,
                Scene& scene) {
  const std::size_t n = geometry.bodies.size();
  const double spacing = std::sqrt(4 * std::numbers::pi / static_cast<double>(std::max(n, 1ul)));
  double reach = arrow_reach * extent, thickness = arrow_thickness * extent;
  if (is_dense(geometry)) {
    reach = crowd_arrow * spacing;
    thickness = crowd_thickness * spacing;
  } else if (!geometry.arrows.empty()) {
    const double length = (geometry.arrows[0].to - geometry.arrows[0].from).norm();
    reach = magnet_arrow * length;
    thickness = magnet_thickness * length;
  }
  const std::size_t count = shown.count(n), each = (count + max_arrows - 1) / max_arrows;
  Columns vectors;
  for (std::size_t k = 0; k < body_vector_count; ++k) {
    const auto vector = static_cast<BodyVector>(k);
    if (!style.arrows[k] || !why_zero(vector, *of.snapshot.system).empty()) continue;
    evaluate(vector, *of.snapshot.system, of.state(), vectors);
    // While a body or the tip of an arrow is dragged, the others keep their lengths.
    if (of.reference && (!of.snapshot.shows_edit || memory.arrows[k].value() == 0))
      memory.arrows[k].follow(of.snapshot.generation,
                              vectors.cols() > 0 ? vectors.colwise().norm().maxCoeff() : 0);
    const double top = memory.arrows[k].value();
    const glm::vec3 color = vector_color(vector, style.palette);
    scene.arrow_keys.push_back({vector, top, color, top > 0 ? reach / top : 0});
    if (!(top > 0)) continue;
    for (std::size_t at = 0; at < count && vectors.allFinite(); at += each) {
      const std::size_t i = shown[at];
      const Vec3 along = reach / top * vectors.col(static_cast<Eigen::Index>(i));
      const Vec3 from = geometry.arrows.empty()
                            ? geometry.bodies[i].position
                            : Vec3((geometry.arrows[i].from + geometry.arrows[i].to) / 2);
      // Start at the surface of the ball, which would hide a short arrow.
      const double covered = geometry.arrows.empty() ? radius * geometry.bodies[i].size : thickness;
      const Vec3 foot = from + covered * along.stableNormalized();
      add_arrow(foot, along, thickness, color, scene);
      if (vector == BodyVector::angular_velocity && along.norm() > thickness)
        scene.spin_tips.emplace_back(static_cast<int>(i), to_float(foot + along));
    }
  }
}

void add_thrust(const FullLane& of, double extent, const SceneStyle& style, Scene& scene) {
  const System& system = *of.snapshot.system;
  const State& state = of.state();
  const auto at = base_of(state, system);
  if (!style.thrust || !at) return;
  const FreeBase& base = *system.free_base();
  const Vec3 force = base.force(state.t, at->position, at->velocity);
  const double weight = base.mass * base.gravity.norm(),
               unit = weight > 0 ? weight : base.steady.norm();
  if (unit > 0)
    add_arrow(at->position, arrow_reach * extent / unit * force, arrow_thickness * extent,
              part_colors(style.palette).north, scene);
}

void color_sphere(const System& system, const Columns& q, const SceneStyle& style, Scene& scene) {
  if (style.shade) return;
  const std::vector<double> factors = inertia_factors(system, q);
  const double top = factors.empty() ? 1 : *std::max_element(factors.begin(), factors.end());
  if (!(top > 1 + 1e-9)) return;
  for (const double f : factors)
    scene.shell.zones.push_back(rgb(color_at(style.color_map, (f - 1) / (top - 1), style.palette)));
  scene.shell.opacity = zoned_opacity;
  scene.bars.push_back({"inertia m(q)/m", "", 1, top, style.color_map});
}

void observe(const System& system, const State& state, std::uint64_t generation,
             const SceneStyle& style, SceneMemory& memory) {
  Geometry geometry;
  system.geometry(state, geometry);
  std::vector<double> values;
  const Shade shade = shade_of(system, geometry, style);
  evaluate(shade, system, state, geometry, values);
  memory.shades[static_cast<std::size_t>(shade)].follow(generation, state.t, values);
  Columns vectors;
  for (std::size_t k = 0; k < body_vector_count; ++k) {
    if (!style.arrows[k]) continue;
    evaluate(static_cast<BodyVector>(k), system, state, vectors);
    memory.arrows[k].follow(generation, vectors.colwise().norm().maxCoeff());
  }
  if (!shows_field(system, geometry, style)) return;
  update_field(system, state, memory);
  memory.field.follow(generation, state.t, memory.surface->values());
}

}  // namespace twosphere::render
