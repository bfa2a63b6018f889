// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/scene_builder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/catalog.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/motion_rate.h"
#include "core/output/lane_style.h"
#include "core/output/motion_box.h"
#include "render/convert.h"
#include "render/geometry_shapes.h"
#include "render/trails.h"

namespace twosphere::render {

namespace {

// Fractions of the radius of the extent.
constexpr double ground_gap = 0.03, ground_reach = 2.4, ground_strip = 0.06;
constexpr double arrow_reach = 0.32, arrow_thickness = 0.012;
constexpr double crowd_arrow = 1.6,
                 crowd_thickness = 0.06;  // relative to the distance between bodies
constexpr double magnet_arrow = 0.8, magnet_thickness = 0.05;  // relative to the length of a magnet
constexpr std::size_t max_arrows = 4000;

constexpr int graticule_degrees = 15, inset_degrees = 30;
constexpr float inset_body = 0.055f;
constexpr float zoned_opacity = 0.25f;  // of a sphere coloured by the inertia
// Radius of the graticule over a field: the faces reach the unit sphere, and chords lie below it.
constexpr double above_field = 1.004;
constexpr float trail_far_side = 0.6f;
constexpr double mount_room = 1.2;  // room above pivots, in radii of a body

constexpr std::size_t few_trails = 4, few_alike = 12,
                      few_tips = 36;         // limits for individual trails
constexpr double positions_per_frame = 2e5;  // limit of body positions computed for a trail
constexpr float trail_opacity = 0.95f, trail_width = 2;
constexpr double ghost_scale = 0.96;  // thickness of each lane relative to the one before
constexpr double ghost_back = 2.2;   // depth offset from lane to lane, in radii of the largest body
constexpr float second_ring = 1.3f;  // of the body of another run, relative to the first
constexpr float ghost_opacity = 0.5f, clear_ghost_opacity = 0.25f;  // the second for high contrast

// Of the dots of a cloud: radius and depth offset in radii of the largest body; up to `few_dots`
// members the dots have this size and opacity.
constexpr double dot_size = 0.24, dot_back = 1.2, dot_opacity = 0.85, few_dots = 64;

constexpr float crowd_azimuth = 1.1f, spring_azimuth = 0.52f;      // [rad]
constexpr double flat_elevation = 0.85, opening_elevation = 0.28;  // [rad]
constexpr double unbounded = 1e300;                                // [J]
constexpr double spare_room = 0.05;   // around a motion, of its largest extent
constexpr double large_motion = 0.8;  // of what can be reached: that is shown then

// The largest number ≤ x of the form 1, 2 or 5 times a power of ten.
double round_spacing(double x) {
  const double decade = std::pow(10, std::floor(std::log10(x) + 1e-9));
  const double lead = x / decade * (1 + 1e-9);
  return decade * (lead >= 5 ? 5 : lead >= 2 ? 2 : 1);
}

bool is_hidden(const Snapshot& snapshot, std::size_t lane, const SceneStyle& style) {
  return style.hidden.contains(static_cast<int>(lane)) ||
         snapshot.lanes[lane].state.q.cols() != snapshot.system->size();
}

// The lane drawn in full: the reference, or else the first visible one; the number of lanes if all
// are hidden.
std::size_t full_lane(const Snapshot& snapshot, const SceneStyle& style) {
  const std::size_t count = snapshot.lanes.size();
  auto full = static_cast<std::size_t>(std::max(style.reference, 0));
  if (full >= count || is_hidden(snapshot, full, style))
    for (full = 0; full < count && is_hidden(snapshot, full, style);) ++full;
  return full;
}

LaneLook look_of(const Snapshot& snapshot, std::size_t lane, bool full, const Geometry& geometry,
                 const SceneStyle& style) {
  const float ghost = full                                      ? 0
                      : style.palette == Palette::high_contrast ? clear_ghost_opacity
                                                                : ghost_opacity;
  std::vector<std::string_view> methods;
  for (const Snapshot::LaneView& view : snapshot.lanes)
    methods.push_back(view.info ? view.info->key : integrators().front().key);
  const std::string_view method = lane_look(methods, lane);
  const glm::vec3 paper = theme(style).background_bottom;
  const auto paler = [&](glm::vec3 color) { return mix(color, paper, ghost); };
  const PartColors all = part_colors(style.palette);
  LaneLook look{paler(rgb(integrator_look(method).color(style.palette, style.lane_colors))),
                {paler(all.link), paler(all.mount), paler(all.body), paler(all.north),
                 paler(all.south), paler(all.shell)},
                1 - ghost};
  if (!has_body_colors(geometry, snapshot.lanes.size(), style.shade, style.lane_colors))
    return look;
  const std::size_t n = geometry.bodies.size();
  for (std::size_t i = 0; i < n; ++i)
    look.bodies.push_back(rgb(twosphere::body_color(i, n, style.palette)));
  return look;
}

// The position of a lane in the drawing order. Each lane is slightly thinner than the one before,
// so that of coincident lanes only the first is visible. Each counts as farther away than the one
// before by more than a body, so that nearly coincident lanes do not intersect.
double rank_of(std::size_t lane, std::size_t full) {
  return static_cast<double>(lane == full ? 0 : lane < full ? lane + 1 : lane);
}
double radius_scale(std::size_t lane, std::size_t full) {
  return std::pow(ghost_scale, rank_of(lane, full));
}

void add_lane(Geometry& geometry, double radius, double scale, float back, const LaneLook& look,
              const Shading& colors, bool fine, Scene& scene) {
  for (Geometry::Arrow& arrow : geometry.arrows) {
    const Vec3 middle = (arrow.from + arrow.to) / 2;
    arrow.from = middle + scale * (arrow.from - middle);
    arrow.to = middle + scale * (arrow.to - middle);
  }
  const std::array before{scene.spheres.size(), scene.dots.size(), scene.cylinders.size(),
                          scene.cones.size(), scene.tubes.size()};
  add_geometry(geometry, scale * radius, look, colors, fine, scene);
  const auto put_back = [back](auto& shapes, std::size_t first) {
    for (std::size_t i = first; i < shapes.size(); ++i) shapes[i].back = back;
  };
  if (back == 0) return;
  put_back(scene.spheres, before[0]);
  put_back(scene.dots, before[1]);
  put_back(scene.cylinders, before[2]);
  put_back(scene.cones, before[3]);
  put_back(scene.tubes, before[4]);
}

// The members of a cloud, in the colours of the bodies of their lane; of magnets, which do not
// move, the north poles. `place` is the position of body i with the direction q.
template <class Place>
void add_dots(const Snapshot& snapshot, double radius, const std::vector<glm::vec3>& colors,
              const Place& place, Scene& scene) {
  const Columns& directions = snapshot.cloud->directions;
  const auto n = static_cast<Eigen::Index>(colors.size());
  const auto members = static_cast<double>(directions.cols() / std::max<Eigen::Index>(n, 1));
  auto dots = std::make_shared<std::vector<DotCloud::Dot>>();
  dots->reserve(static_cast<std::size_t>(directions.cols()));
  Columns q;
  for (Eigen::Index first = 0; n > 0 && first + n <= directions.cols(); first += n) {
    q = directions.middleCols(first, n);
    place(q, [&](std::size_t i, const Vec3& at) { dots->push_back({to_float(at), colors[i]}); });
  }
  // The more there are, the smaller and fainter is each.
  const double share = std::pow(std::max(members, 1.0) / few_dots, -0.25);
  scene.cloud = {.dots = std::move(dots),
                 .radius = static_cast<float>(std::min(dot_size * share, dot_size) * radius),
                 .opacity = static_cast<float>(std::min(dot_opacity * share, dot_opacity)),
                 .center = scene.center,
                 .extent = scene.radius,
                 .back = static_cast<float>(dot_back * radius)};
}

bool has_dots(const Snapshot& snapshot, std::size_t lane) {
  return snapshot.cloud && snapshot.cloud->lane == static_cast<int>(lane) &&
         snapshot.cloud->directions.cols() > 0;
}

Shade shade_of(const System& system, const Geometry& geometry, const SceneStyle& style) {
  const Shade wanted = style.shade.value_or(default_shade(system, geometry));
  const bool none = (wanted == Shade::own && !system.own_color()) ||
                    (wanted == Shade::tension && geometry.springs.empty()) ||
                    (wanted == Shade::bending_energy && geometry.bending.empty());
  return none ? Shade::lane : wanted;
}

bool shows_field(const Geometry& geometry, const SceneStyle& style) {
  return style.field && geometry.sphere;
}

/// Whether the colours distinguish the signs.
bool has_signs(Shade shade, const ColorScale& scale) {
  return is_signed(shade) || (shade == Shade::own && scale.negative());
}

std::string_view unit_of(Shade shade, const Geometry& geometry) {
  return shade == Shade::speed && geometry.sphere ? "m/s" : info(shade).unit;
}

void update_field(const System& system, const State& state, SceneMemory& memory) {
  if (!memory.surface) {
    memory.surface = std::make_unique<SurfaceField>();
    auto shape = std::make_shared<Mesh::Shape>();
    const Columns& vertices = memory.surface->vertices();
    for (Eigen::Index i = 0; i < vertices.cols(); ++i)
      shape->vertices.push_back(to_float(vertices.col(i)));
    for (const std::array<int, 3>& f : memory.surface->faces())
      shape->faces.push_back(
          {static_cast<unsigned>(f[0]), static_cast<unsigned>(f[1]), static_cast<unsigned>(f[2])});
    memory.surface_shape = std::move(shape);
  }
  memory.surface->update(system, state);
}

void add_field(const Snapshot& snapshot, std::size_t lane, const SceneStyle& style,
               SceneMemory& memory, Scene& scene) {
  update_field(*snapshot.system, snapshot.lanes[lane].state, memory);
  const std::span<const double> values = memory.surface->values();
  memory.field.follow(snapshot.generation, snapshot.lanes[lane].state.t, values);
  const double top = memory.field.value();
  scene.mesh.shape = memory.surface_shape;
  scene.mesh.colors.reserve(values.size());
  for (const double v : values)
    scene.mesh.colors.push_back(
        rgb(color_at(style.color_map, top > 0 ? v / top : 0, style.palette)));
  scene.bars.push_back(
      {"local kinetic energy", "J", 0, top, style.color_map, memory.field.exceeded()});
}

// The colours of a lane; the scale is that of the lane drawn in full.
Shading shading(const Geometry& geometry, const Snapshot& snapshot, std::size_t lane, bool full,
                const LaneLook& look, const SceneStyle& style, SceneMemory& memory) {
  Shading result;
  result.shade = shade_of(*snapshot.system, geometry, style);
  std::vector<double> values;
  evaluate(result.shade, *snapshot.system, snapshot.lanes[lane].state, geometry, values);
  if (values.empty()) return result;
  ColorScale& scale = memory.shades[static_cast<std::size_t>(result.shade)];
  if (full) scale.follow(snapshot.generation, snapshot.lanes[lane].state.t, values);
  const double top = scale.value();
  const bool both = has_signs(result.shade, scale);
  const ColorMap map = both ? ColorMap::diverging : style.color_map;
  const glm::vec3 paper = theme(style).background_bottom;
  std::array<glm::vec3, 512> table;
  for (std::size_t i = 0; i < table.size(); ++i)
    table[i] = mix(rgb(color_at(map, static_cast<double>(i) / (table.size() - 1), style.palette)),
                   paper, 1 - look.opacity);
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

void add_bar(const System& system, const Geometry& geometry, Shade shade, const SceneStyle& style,
             const SceneMemory& memory, Scene& scene) {
  const ColorScale& scale = memory.shades[static_cast<std::size_t>(shade)];
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

void add_arrows(const Geometry& geometry, const Snapshot& snapshot, std::size_t lane,
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
  const std::size_t each = (n + max_arrows - 1) / max_arrows;
  Columns vectors;
  for (std::size_t k = 0; k < body_vector_count; ++k) {
    if (!style.arrows[k]) continue;
    const auto vector = static_cast<BodyVector>(k);
    const State& state = snapshot.lanes[lane].state;
    evaluate(vector, *snapshot.system, state, vectors);
    // While a body or the tip of an arrow is dragged, the others keep their lengths.
    if (!snapshot.holds || memory.arrows[k].value() == 0)
      memory.arrows[k].follow(snapshot.generation,
                              vectors.cols() > 0 ? vectors.colwise().norm().maxCoeff() : 0);
    const double top = memory.arrows[k].value();
    const glm::vec3 color = vector_color(vector, style.palette);
    scene.arrow_keys.push_back({vector, top, color, top > 0 ? reach / top : 0});
    if (!(top > 0)) continue;
    for (std::size_t i = 0; i < n && vectors.allFinite(); i += each) {
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

// Calls use(time, configuration) for the configurations of a trail, with at most
// positions_per_frame body positions in total. One configuration per time slot is used, so that the
// choice does not change from frame to frame.
template <class Use>
void each_configuration(const Snapshot& snapshot, std::size_t lane,
                        const std::deque<Configuration>& trail, double span, const Use& use) {
  const double now = snapshot.elapsed;
  const int n = snapshot.system->size();
  const double most = std::max(64.0, positions_per_frame / n);
  const double slot = static_cast<double>(trail.size()) > most ? span / most : 0;
  double last_slot = -std::numeric_limits<double>::infinity();
  for (const Configuration& configuration : trail) {
    if (configuration.generation != snapshot.generation || !(configuration.t >= now - span) ||
        !(configuration.t < now))
      continue;
    if (lane >= configuration.lanes.size() || configuration.lanes[lane].cols() != n) continue;
    if (slot > 0) {
      const double index = std::floor(configuration.t / slot);
      if (index <= last_slot) continue;
      last_slot = index;
    }
    use(configuration.t, configuration.lanes[lane]);
  }
}

// The first body with a trail. Of many bodies only the end of a chain has one, and none if all are
// alike. In a lane that is not drawn in full only the last body has one. Magnets have trails at
// their north poles.
std::size_t first_trail(const Geometry& geometry, bool full) {
  const std::size_t n = geometry.bodies.size();
  if (!geometry.arrows.empty()) return full && n <= few_tips ? 0 : n;
  const bool alike = geometry.sphere || !geometry.springs.empty();
  if (n > (alike ? few_alike : few_trails)) return alike ? n : n - 1;
  return full ? 0 : n - 1;
}

void add_curves(const Trails& trails, const Snapshot& snapshot, const Geometry& geometry,
                std::size_t first, float back, bool on_sphere, const SceneStyle& style,
                const LaneLook& look, Scene& scene) {
  for (std::size_t i = first; i < geometry.bodies.size(); ++i) {
    Polyline line =
        trails.curve(i, snapshot.elapsed, style.trail_span, look.opacity * trail_opacity);
    if (line.points.size() < 2) continue;
    line.width = trail_width;
    line.color = body_color(geometry, i, look, {});
    line.back = back;
    if (on_sphere) line.far_side = trail_far_side;
    scene.polylines.push_back(std::move(line));
  }
}

// `geometry` is the current geometry of the lane; it is overwritten.
void add_trails(const Snapshot& snapshot, std::size_t lane, const std::deque<Configuration>& trail,
                const SceneStyle& style, double extent, const LaneLook& look, bool full, float back,
                Geometry& geometry, Scene& scene) {
  const System& system = *snapshot.system;
  const std::size_t n = geometry.bodies.size();
  if (n == 0) return;
  const std::size_t first = first_trail(geometry, full);
  if (first == n) return;
  Trails trails(extent, n, geometry.sphere);
  const auto add = [&](double t, const Columns& q, bool newest) {
    system.geometry(q, geometry);
    for (std::size_t i = first; i < n; ++i)
      trails.add(i, t,
                 geometry.arrows.empty() ? geometry.bodies[i].position : geometry.arrows[i].to,
                 newest);
  };
  each_configuration(snapshot, lane, trail, style.trail_span,
                     [&](double t, const Columns& q) { add(t, q, false); });
  // Where bodies are held, the run has not been yet.
  if (!snapshot.holds) add(snapshot.elapsed, snapshot.lanes[lane].state.q, true);
  add_curves(trails, snapshot, geometry, first, back, geometry.sphere, style, look, scene);
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

// Colours the sphere by the inertia at each latitude.
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

// The meaning of the sizes of the bodies, if they differ.
std::string sizes_of(const Geometry& geometry) {
  const auto differ = [](const auto& things) {
    return std::any_of(things.begin(), things.end(), [&](const auto& thing) {
      return std::abs(thing.size - things.front().size) > 1e-6;
    });
  };
  if (!geometry.arrows.empty()) return differ(geometry.arrows) ? "thickness: magnetic moment" : "";
  return geometry.bending.empty() && differ(geometry.bodies) ? "ball volume: mass" : "";
}

// Sets the ball that contains everything, and the ground below it.
void place(const System& system, const Geometry& geometry, const SceneStyle& style, Scene& scene) {
  const Extent extent = system.extent();
  const double reach = extent.radius + body_radius(geometry, extent.radius);
  scene.gravity = extent.gravity;
  scene.center = to_float(extent.center);
  scene.radius = static_cast<float>(reach);
  if (!style.ground || !extent.gravity) return;
  scene.center.z += static_cast<float>(ground_strip * reach);  // include a strip of the ground
  scene.radius *= static_cast<float>(1 + ground_strip);
  const Vec3 below(0, 0, reach + ground_gap * extent.radius);
  scene.ground = {true, to_float(extent.center + below),
                  static_cast<float>(ground_reach * extent.radius),
                  static_cast<float>(round_spacing(0.3 * extent.radius))};
}

/// The time in which the motion from a state on is framed: one turn at its rate, but not less than
/// 5 s [s].
double first_seconds(const System& system, const State& state) {
  constexpr double shortest = 5;
  MotionRateWorkspace work;
  const double turn =
      2 * std::numbers::pi / std::sqrt(motion_rate(system, state.t, state.q, state.w, work).square);
  return std::isfinite(turn) ? std::max(shortest, turn) : shortest;
}

}  // namespace

Theme theme(const SceneStyle& style) {
  switch (style.palette) {
    case Palette::dark:
      return {rgb(0x101318), rgb(0x1a1f27), rgb(0x3d4755), rgb(0xd7dde5)};
    case Palette::light:
      return {rgb(0xffffff), rgb(0xeef1f5), rgb(0xb4bdc8), rgb(0x1c232d)};
    case Palette::high_contrast:
      return {rgb(0x000000), rgb(0x000000), rgb(0x8a8a8a), rgb(0xffffff)};
  }
  return {};
}

void observe(const System& system, const State& state, std::uint64_t generation,
             const SceneStyle& style, SceneMemory& memory) {
  Geometry geometry;
  system.geometry(state.q, geometry);
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
  if (!shows_field(geometry, style)) return;
  update_field(system, state, memory);
  memory.field.follow(generation, state.t, memory.surface->values());
}

Scene build_scene(const Snapshot& snapshot, const std::deque<Configuration>& trail,
                  const SceneStyle& style, SceneMemory& memory) {
  Scene scene;
  if (snapshot.system == nullptr || snapshot.lanes.empty()) return scene;
  const System& system = *snapshot.system;
  const Extent extent = system.extent();
  Geometry geometry;
  system.geometry(snapshot.lanes[0].state.q, geometry);
  const std::size_t full = full_lane(snapshot, style);
  const double radius = body_radius(geometry, extent.radius);
  place(system, geometry, style, scene);
  const PartColors base = part_colors(style.palette);
  const bool field = shows_field(geometry, style) && full < snapshot.lanes.size();
  if (geometry.sphere)
    add_sphere(style.graticule ? graticule_degrees : 0, field ? above_field : 1, base, style.fine,
               scene);
  if (field) {
    scene.shell.visible = false;
    add_field(snapshot, full, style, memory, scene);
  } else if (geometry.sphere && !is_dense(geometry)) {
    color_sphere(system, snapshot.lanes[0].state.q, style, scene);
  }
  scene.sizes = sizes_of(geometry);
  for (std::size_t lane = 0; lane < snapshot.lanes.size(); ++lane) {
    if (is_hidden(snapshot, lane, style)) continue;
    const Snapshot::LaneView& view = snapshot.lanes[lane];
    if (lane > 0) system.geometry(view.state.q, geometry);
    const LaneLook look = look_of(snapshot, lane, lane == full, geometry, style);
    // An opaque field would hide shapes behind its surface.
    const float back = field ? 0.0f : static_cast<float>(ghost_back * radius * rank_of(lane, full));
    const bool hidden = field && is_dense(geometry);
    Shading colors;
    if (!hidden) {
      colors = shading(geometry, snapshot, lane, lane == full, look, style, memory);
      add_lane(geometry, radius, radius_scale(lane, full), back, look, colors, style.fine, scene);
      if (lane == full && !colors.colors.empty())
        add_bar(*snapshot.system, geometry, colors.shade, style, memory, scene);
    }
    if (lane == full) {
      for (const Geometry::Body& body : geometry.bodies)
        scene.bodies.emplace_back(to_float(body.position), static_cast<float>(radius * body.size));
      add_mounts(geometry, radius, extent.gravity, base, scene);
      if (!hidden)
        add_arrows(geometry, snapshot, lane, style, extent.radius, radius, memory, scene);
    }
    if (has_dots(snapshot, lane)) {
      std::vector<glm::vec3> tints;
      for (std::size_t i = 0; i < geometry.bodies.size(); ++i)
        tints.push_back(body_color(geometry, i, look, colors));
      Geometry member;
      add_dots(
          snapshot, radius, tints,
          [&](const Columns& q, const auto& add) {
            system.geometry(q, member);
            for (std::size_t i = 0; i < member.bodies.size(); ++i)
              add(i, member.arrows.empty() ? member.bodies[i].position : member.arrows[i].to);
          },
          scene);
    }
    if (style.trail && style.trail_span > 0)
      add_trails(snapshot, lane, trail, style, extent.radius, look, lane == full, back, geometry,
                 scene);
  }
  return scene;
}

Scene build_scene(const Snapshot& snapshot, const std::deque<Configuration>& trail,
                  const SceneStyle& style) {
  SceneMemory memory;
  return build_scene(snapshot, trail, style, memory);
}

void add_configuration(const Snapshot& snapshot, std::size_t lane, const Columns& q,
                       const SceneStyle& style, Scene& scene, std::optional<Color> color) {
  const System& system = *snapshot.system;
  Geometry geometry;
  system.geometry(q, geometry);
  LaneLook look = look_of(snapshot, lane, true, geometry, style);
  const std::size_t first = scene.rings.size();
  if (color) {
    const glm::vec3 one = rgb(*color);
    look = {one, {one, one, one, one, one, one}, look.opacity, std::move(look.bodies)};
  }
  add_outline(geometry, body_radius(geometry, system.extent().radius), look, style.fine, scene);
  if (!color || look.bodies.empty()) return;
  for (std::size_t i = first, end = scene.rings.size(); i < end; ++i) {
    Sphere outer = scene.rings[i];
    outer.radius *= second_ring;
    outer.color = look.color;
    scene.rings.push_back(outer);
  }
}

Scene build_inset(const Snapshot& snapshot, const std::deque<Configuration>& trail,
                  const SceneStyle& style) {
  Scene scene;
  if (snapshot.system == nullptr || snapshot.lanes.empty()) return scene;
  Geometry geometry;
  snapshot.system->geometry(snapshot.lanes[0].state.q, geometry);
  if (geometry.sphere || geometry.bodies.empty()) return scene;
  const std::size_t n = geometry.bodies.size(), full = full_lane(snapshot, style);
  add_sphere(inset_degrees, 1, part_colors(style.palette), style.fine, scene);
  for (std::size_t lane = 0; lane < snapshot.lanes.size(); ++lane) {
    if (is_hidden(snapshot, lane, style)) continue;
    const Snapshot::LaneView& view = snapshot.lanes[lane];
    const LaneLook look = look_of(snapshot, lane, lane == full, geometry, style);
    const auto back = static_cast<float>(ghost_back * inset_body * rank_of(lane, full));
    const auto scale = static_cast<float>(radius_scale(lane, full));
    for (std::size_t i = 0; i < n; ++i)
      scene.spheres.push_back({to_float(view.state.q.col(static_cast<Eigen::Index>(i))),
                               scale * inset_body, body_color(geometry, i, look, {}), back});
    if (has_dots(snapshot, lane)) {
      std::vector<glm::vec3> tints;
      for (std::size_t i = 0; i < n; ++i) tints.push_back(body_color(geometry, i, look, {}));
      add_dots(
          snapshot, inset_body, tints,
          [](const Columns& q, const auto& add) {
            for (Eigen::Index i = 0; i < q.cols(); ++i) add(static_cast<std::size_t>(i), q.col(i));
          },
          scene);
    }
    if (!style.trail || !(style.trail_span > 0)) continue;
    Trails trails(1, n, true);
    const std::size_t first = first_trail(geometry, lane == full);
    const auto add = [&](double t, const Columns& q, bool newest) {
      for (std::size_t i = first; i < n; ++i)
        trails.add(i, t, q.col(static_cast<Eigen::Index>(i)), newest);
    };
    each_configuration(snapshot, lane, trail, style.trail_span,
                       [&](double t, const Columns& q) { add(t, q, false); });
    add(snapshot.elapsed, view.state.q, true);
    add_curves(trails, snapshot, geometry, first, back, true, style, look, scene);
  }
  return scene;
}

Framing framing(const Snapshot& snapshot, const SceneStyle& style) {
  if (snapshot.system == nullptr || snapshot.lanes.empty()) return {};
  const System& system = *snapshot.system;
  const State& state = snapshot.lanes[0].state;
  Geometry geometry;
  system.geometry(state.q, geometry);
  Scene scene;
  place(system, geometry, style, scene);
  Framing result;
  result.center = scene.center;
  result.radius = scene.radius;
  // The region about e1 where the molecules move at the start faces the viewer.
  if (is_dense(geometry)) result.azimuth = crowd_azimuth;
  // Springs along e1 or e2 are not seen end-on.
  if (!geometry.springs.empty()) result.azimuth = spring_azimuth;
  if (geometry.sphere) return result;
  const Extent extent = system.extent();
  const double radius = body_radius(geometry, extent.radius);
  const Box cube(extent.center - Vec3::Constant(extent.radius),
                 extent.center + Vec3::Constant(extent.radius));
  Box box = cube.intersection(system.accessible_box(total_energy(system, state)));
  // Where the energy bounds nothing, the motion that comes first is shown, unless it is as large.
  std::optional<Box> motion;
  if (box.isApprox(cube.intersection(system.accessible_box(unbounded))))
    motion = motion_box(system, state, first_seconds(system, state));
  if (motion && motion->sizes().maxCoeff() > large_motion * box.sizes().maxCoeff()) motion.reset();
  if (motion) {
    const Vec3 spare = Vec3::Constant(spare_room * motion->sizes().maxCoeff());
    box = box.intersection(Box(motion->min() - spare, motion->max() + spare));
  }
  const Vec3 room = Vec3::Constant(radius);
  const Vec3 above(0, 0, extent.gravity ? mount_room * radius : 0);
  const Vec3 below(0, 0, scene.ground.visible && !motion ? 2 * ground_strip * extent.radius : 0);
  box = Box(box.min() - room - above, box.max() + room + below);
  result.half = to_float(Vec3(box.sizes() / 2));
  result.middle = to_float(Vec3(box.center()));
  result.boxed = true;
  // Flat horizontal regions are viewed from higher above.
  const double flatness = box.sizes().z() / std::max(box.sizes().x(), box.sizes().y());
  const double share = std::clamp((0.5 - flatness) / 0.25, 0.0, 1.0);
  result.elevation =
      static_cast<float>(opening_elevation + share * (flat_elevation - opening_elevation));
  return result;
}

}  // namespace twosphere::render
