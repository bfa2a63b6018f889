// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/scene_builder.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/catalog.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/linear_terms.h"
#include "core/mechanics/motion_rate.h"
#include "core/output/lane_style.h"
#include "core/output/lattice_layer.h"
#include "core/output/motion_box.h"
#include "core/studies/view_frame.h"
#include "render/convert.h"
#include "render/geometry_shapes.h"
#include "render/lane_trails.h"
#include "render/lattice_cells.h"
#include "render/scene_scales.h"
#include "render/streamlines.h"
#include "render/trails.h"

namespace twosphere::render {

namespace {

// Fractions of the radius of the extent.
constexpr double ground_gap = 0.03, ground_reach = 2.4, ground_strip = 0.06;

constexpr int graticule_degrees = 15, inset_degrees = 30;
constexpr float inset_body = 0.055f, inset_point = 0.018f;
constexpr std::size_t few_inset_bodies = 100;
// Radius of the graticule over a field: the faces reach the unit sphere, and chords lie below it.
constexpr double above_field = 1.004;
constexpr double mount_room = 1.2;  // room above pivots, in radii of a body

constexpr float second_ring = 1.3f;  // of the body of another run, relative to the first
constexpr float other_line = 2;      // width of the rings and curves of other lanes

// Of the dots of a cloud: radius and depth offset in radii of the largest body; up to `few_dots`
// members the dots have this size and opacity.
constexpr double dot_size = 0.24, dot_back = 1.2, dot_opacity = 0.85, few_dots = 64;

constexpr float crowd_azimuth = 1.1f, spring_azimuth = 0.52f;      // [rad]
constexpr double flat_elevation = 0.85, opening_elevation = 0.28;  // [rad]
constexpr double one_sided = 0.5;     // of the mean direction of bodies that are on one side
constexpr double unbounded = 1e300;   // [J]
constexpr double flight_room = 2.5;   // about a base that flies, in radii of its chain
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

// The look of the lane drawn in full: bodies in their own colours.
LaneLook look_of(const Snapshot& snapshot, std::size_t lane, const Geometry& geometry,
                 const SceneStyle& style) {
  LaneLook look{rgb(style_of_lane(snapshot, lane, style).color), part_colors(style.palette)};
  if (!has_body_colors(geometry, 1, style.shade, style.lane_colors)) return look;
  const std::size_t n = geometry.bodies.size();
  for (std::size_t i = 0; i < n; ++i)
    look.bodies.push_back(rgb(twosphere::body_color(i, n, style.palette)));
  return look;
}

// The members of a cloud, in the colours of the bodies of their lane; of magnets, which do not
// move, the north poles. `place` adds the bodies of a member with these positions().
template <class Place>
void add_dots(const Snapshot& snapshot, double radius, const std::vector<glm::vec3>& colors,
              const Place& place, Scene& scene) {
  const Columns& positions = snapshot.cloud->positions;
  const auto lane = static_cast<std::size_t>(snapshot.cloud->lane);
  const auto n = static_cast<Eigen::Index>(colors.size()),
             each = n + snapshot.lanes[lane].state.x.cols();
  const auto members = static_cast<double>(positions.cols() / std::max<Eigen::Index>(each, 1));
  auto dots = std::make_shared<std::vector<DotCloud::Dot>>();
  dots->reserve(static_cast<std::size_t>(positions.cols()));
  Columns q;
  for (Eigen::Index first = 0; n > 0 && first + each <= positions.cols(); first += each) {
    q = positions.middleCols(first, each);
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
         snapshot.cloud->positions.cols() > 0;
}

// Lets a scene be seen in the frame of a style, at the instant of a snapshot.
void set_frame(const Snapshot& snapshot, const SceneStyle& style, Scene& scene) {
  if (!style.frame) return;
  scene.turn = to_matrix(style.frame->turn(snapshot.lanes[0].state.t));
  scene.frame = describe(*style.frame);
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

// The ball that contains everything, about the present place of a base that flies.
Extent extent_at(const System& system, const State& state) {
  Extent extent = system.extent();
  if (state.flies()) extent.center += state.x;
  return extent;
}

// Sets that ball, and the ground below it.
void place(const Extent& extent, const Geometry& geometry, const SceneStyle& style, Scene& scene) {
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

bool has_field(const Snapshot& snapshot, const SceneStyle& style) {
  Geometry geometry;
  snapshot.system->geometry(snapshot.lanes[0].state, geometry);
  return shows_field(*snapshot.system, geometry, style);
}

// Of one of n bodies in the inset: of many, points of about a pixel are left, so that their
// distribution over the sphere is seen.
float inset_radius(std::size_t n) {
  if (n <= few_inset_bodies) return inset_body;
  return std::max(
      inset_body * std::sqrt(static_cast<float>(few_inset_bodies) / static_cast<float>(n)),
      inset_point);
}

// Adds what is common to all lanes: the ground, the unit sphere.
void add_surroundings(const Snapshot& snapshot, const SceneStyle& style, bool field, Scene& scene) {
  const System& system = *snapshot.system;
  const State& state = snapshot.lanes[0].state;
  Geometry geometry;
  system.geometry(state, geometry);
  place(extent_at(system, state), geometry, style, scene);
  set_frame(snapshot, style, scene);
  if (geometry.sphere)
    add_sphere(style.graticule ? graticule_degrees : 0, field ? above_field : 1,
               part_colors(style.palette), style.fine, scene);
  if (field)
    scene.shell.visible = false;
  else if (geometry.sphere && !is_dense(geometry))
    color_sphere(system, state.q, style, scene);
  scene.sizes = sizes_of(geometry);
}

// Adds the dots of a cloud around a lane, in the colours of its bodies, of which `geometry` has
// all.
void add_cloud(const Snapshot& snapshot, std::size_t lane, const Geometry& geometry,
               const ShownBodies& shown, double radius, const LaneLook& look, const Shading& colors,
               Scene& scene) {
  if (!has_dots(snapshot, lane)) return;
  std::vector<glm::vec3> tints;
  for (std::size_t i = 0; i < geometry.bodies.size(); ++i)
    tints.push_back(body_color(geometry, i, look, colors));
  Geometry member;
  add_dots(
      snapshot, radius, tints,
      [&](const Columns& q, const auto& add) {
        snapshot.system->geometry(q, member);
        for (std::size_t k = 0; k < shown.count(member.bodies.size()); ++k) {
          const std::size_t i = shown[k];
          add(i, member.arrows.empty() ? member.bodies[i].position : member.arrows[i].to);
        }
      },
      scene);
}

// Adds a lane in full.
void add_full_lane(const FullLane& of, const std::deque<Configuration>& trail,
                   const SceneStyle& style, bool field, SceneMemory& memory, Scene& scene) {
  const System& system = *of.snapshot.system;
  const Extent extent = system.extent();
  Geometry all;
  system.geometry(of.state(), all);
  const double radius = body_radius(all, extent.radius);
  const LaneLook look = look_of(of.snapshot, of.lane, all, style);
  Shading colors;
  const ShownBodies shown(style.layer, system);
  // What is shown of geometry, look and colours, where it is not everything.
  std::optional<Geometry> layer_geometry;
  std::optional<LaneLook> layer_look;
  std::optional<Shading> layer_colors;
  if (shown.is_layer()) {
    shown.cut(layer_geometry.emplace(all));
    shown.keep(layer_look.emplace(look).bodies);
  }
  const Geometry& geometry = layer_geometry ? *layer_geometry : all;
  const LaneLook& shown_look = layer_look ? *layer_look : look;
  const bool hidden = field && is_dense(geometry);
  LatticeCells lattice = begin_cells(scene);
  if (field)
    add_field(of, style, memory, scene);
  else if (!geometry.ellipsoid.isZero(0))
    add_ellipsoid(geometry, of.snapshot.system, part_colors(style.palette).link, memory, scene);
  if (!hidden) {
    colors = shading_of(all, of, style, memory);
    if (shown.is_layer()) shown.keep(layer_colors.emplace(colors).colors);
    add_geometry(geometry, radius, shown_look, layer_colors ? *layer_colors : colors, style.fine,
                 scene);
    if (!colors.colors.empty()) add_bar(system, geometry, colors.shade, style, memory, scene);
  }
  for (const Geometry::Body& body : all.bodies)
    scene.bodies.emplace_back(to_float(body.position),
                              shown.is_layer() ? 0 : static_cast<float>(radius * body.size));
  for (std::size_t k = 0; shown.is_layer() && k < geometry.bodies.size(); ++k)
    scene.bodies[shown[k]].w = static_cast<float>(radius * geometry.bodies[k].size);
  add_mounts(geometry, radius, extent.gravity, part_colors(style.palette), scene);
  if (!geometry.cells.empty())
    add_cells(geometry, of.snapshot.system, shown.is_layer() ? style.layer : std::nullopt,
              shown_look, layer_colors ? *layer_colors : colors, lattice, memory, scene);
  if (style.streamlines && !field && system.fluid()) add_streamlines(of, style, memory, scene);
  if (!hidden) add_arrows(all, shown, of, style, extent.radius, radius, memory, scene);
  add_thrust(of, extent.radius, style, scene);
  add_cloud(of.snapshot, of.lane, all, shown, radius, look, colors, scene);
  add_trails(of.snapshot, of.lane, trail, style, shown, look, true, Dash::solid, all, scene);
}

// Adds another lane in its colour and dashes, where it differs from the one drawn in full.
void add_other_lane(const Snapshot& snapshot, std::size_t lane, std::size_t full,
                    const std::deque<Configuration>& trail, const SceneStyle& style, bool field,
                    Scene& scene) {
  const System& system = *snapshot.system;
  const LaneStyle own = style_of_lane(snapshot, lane, style);
  const LaneLook look = look_in(rgb(own.color));
  Geometry geometry, reference;
  system.geometry(snapshot.lanes[lane].state, geometry);
  system.geometry(snapshot.lanes[full].state, reference);
  const double radius = body_radius(geometry, system.extent().radius);
  const ShownBodies shown(style.layer, system);
  std::optional<Geometry> layer_geometry;
  if (shown.is_layer()) {
    shown.cut(layer_geometry.emplace(geometry));
    shown.cut(reference);
  }
  if (!(field && is_dense(geometry)))
    add_outline(layer_geometry ? *layer_geometry : geometry, radius, look, style.fine, scene,
                {.line = other_line,
                 .ring = other_line,
                 .opacity = 1,
                 .dash = own.dash,
                 .beside = &reference});
  add_cloud(snapshot, lane, geometry, shown, radius, look, {}, scene);
  add_trails(snapshot, lane, trail, style, shown, look, false, own.dash, geometry, scene);
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

LaneStyle style_of_lane(const Snapshot& snapshot, std::size_t lane, const SceneStyle& style) {
  std::vector<std::string_view> methods;
  for (const Snapshot::LaneView& view : snapshot.lanes)
    methods.push_back(view.info ? view.info->key : integrators().front().key);
  LaneStyle look = lane_style(lane_look(methods, lane), style.palette, style.lane_colors);
  if (methods.size() == 1 && style.lane_colors == LaneColors::own) look.dash = Dash::solid;
  return look;
}

std::vector<std::size_t> shown_lanes(const Snapshot& snapshot, const SceneStyle& style) {
  std::vector<std::size_t> shown;
  for (std::size_t lane = 0; lane < snapshot.lanes.size(); ++lane)
    if (!is_hidden(snapshot, lane, style)) shown.push_back(lane);
  return shown;
}

std::size_t full_lane(const Snapshot& snapshot, const SceneStyle& style) {
  const std::vector<std::size_t> shown = shown_lanes(snapshot, style);
  const auto wanted = static_cast<std::size_t>(std::max(style.reference, 0));
  if (std::find(shown.begin(), shown.end(), wanted) != shown.end()) return wanted;
  return shown.empty() ? snapshot.lanes.size() : shown.front();
}

Scene build_scene(const Snapshot& snapshot, const std::deque<Configuration>& trail,
                  const SceneStyle& style, SceneMemory& memory) {
  Scene scene;
  if (snapshot.system == nullptr || snapshot.lanes.empty()) return scene;
  const std::size_t full = full_lane(snapshot, style);
  const bool any = full < snapshot.lanes.size(), field = any && has_field(snapshot, style);
  add_surroundings(snapshot, style, field, scene);
  if (!any) return scene;
  for (const std::size_t lane : shown_lanes(snapshot, style))
    if (lane != full) add_other_lane(snapshot, lane, full, trail, style, field, scene);
  add_full_lane({snapshot, full}, trail, style, field, memory, scene);
  return scene;
}

Scene build_lane(const Snapshot& snapshot, std::size_t lane, bool reference,
                 const std::deque<Configuration>& trail, const SceneStyle& style,
                 SceneMemory& memory) {
  Scene scene;
  const bool field = has_field(snapshot, style);
  add_surroundings(snapshot, style, field, scene);
  add_full_lane({snapshot, lane, reference}, trail, style, field, memory, scene);
  return scene;
}

Scene build_scene(const Snapshot& snapshot, const std::deque<Configuration>& trail,
                  const SceneStyle& style) {
  SceneMemory memory;
  return build_scene(snapshot, trail, style, memory);
}

void add_configuration(const Snapshot& snapshot, std::size_t lane, const Columns& q,
                       const SceneStyle& style, Scene& scene, std::optional<Color> color,
                       const Columns* beside, std::optional<double> time) {
  const System& system = *snapshot.system;
  Geometry geometry;
  system.geometry(q, geometry);
  LaneLook look = lane == full_lane(snapshot, style)
                      ? look_of(snapshot, lane, geometry, style)
                      : look_in(rgb(style_of_lane(snapshot, lane, style).color));
  const std::size_t first = scene.rings.size(), first_line = scene.polylines.size();
  if (color) {
    LaneLook of_run = look_in(rgb(*color));
    of_run.bodies = std::move(look.bodies);
    look = std::move(of_run);
  }
  const ShownBodies shown(style.layer, system);
  const double radius = body_radius(geometry, system.extent().radius);
  shown.cut(geometry);
  shown.keep(look.bodies);
  Geometry reference;
  if (beside) {
    system.geometry(*beside, reference);
    shown.cut(reference);
  }
  add_outline(geometry, radius, look, style.fine, scene, {.beside = beside ? &reference : nullptr});
  if (style.frame && time) {
    // To where it has to be now to be seen where it was seen then.
    const glm::mat3 turn = glm::transpose(scene.turn) * to_matrix(style.frame->turn(*time));
    for (std::size_t i = first; i < scene.rings.size(); ++i)
      scene.rings[i].center = turn * scene.rings[i].center;
    for (std::size_t i = first_line; i < scene.polylines.size(); ++i)
      for (glm::vec4& p : scene.polylines[i].points) p = glm::vec4(turn * glm::vec3(p), p.w);
  }
  if (!color || look.bodies.empty()) return;
  for (std::size_t i = first, end = scene.rings.size(); i < end; ++i) {
    Ring outer = scene.rings[i];
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
  snapshot.system->geometry(snapshot.lanes[0].state, geometry);
  if (geometry.sphere || geometry.bodies.empty()) return scene;
  const std::size_t n = geometry.bodies.size(), full = full_lane(snapshot, style);
  const float radius = inset_radius(n);
  set_frame(snapshot, style, scene);
  add_sphere(inset_degrees, 1, part_colors(style.palette), style.fine, scene);
  for (std::size_t lane = 0; lane < snapshot.lanes.size(); ++lane) {
    if (is_hidden(snapshot, lane, style)) continue;
    const Snapshot::LaneView& view = snapshot.lanes[lane];
    const LaneStyle own = style_of_lane(snapshot, lane, style);
    const LaneLook look =
        lane == full ? look_of(snapshot, lane, geometry, style) : look_in(rgb(own.color));
    const Columns& reference = snapshot.lanes[full].state.q;
    const std::vector<glm::vec3> shades =
        lane == full ? direction_colors(*snapshot.system, geometry, view.state.q, style)
                     : std::vector<glm::vec3>();
    std::vector<Sphere>& points = !style.fine && n > few_inset_bodies ? scene.dots : scene.spheres;
    for (std::size_t i = 0; i < n; ++i) {
      const auto column = static_cast<Eigen::Index>(i);
      const glm::vec3 at = to_float(view.state.q.col(column)),
                      color = i < shades.size() ? shades[i] : body_color(geometry, i, look, {});
      if (lane == full)
        points.push_back({at, radius, color});
      else if (glm::distance(at, to_float(reference.col(column))) > agreement * radius)
        scene.rings.push_back({at, radius, color, other_line});
    }
    if (has_dots(snapshot, lane)) {
      std::vector<glm::vec3> tints;
      for (std::size_t i = 0; i < n; ++i) tints.push_back(body_color(geometry, i, look, {}));
      add_dots(
          snapshot, radius, tints,
          [n](const Columns& q, const auto& add) {
            for (std::size_t i = 0; i < n; ++i) add(i, q.col(static_cast<Eigen::Index>(i)));
          },
          scene);
    }
    if (!style.trail || !(style.trail_span > 0)) continue;
    Trails trails(1, n, true);
    const std::size_t first = first_trail(geometry, lane == full);
    const auto add = [&](double t, const Columns& q, const Mat3& turn, bool newest) {
      for (std::size_t i = first; i < n; ++i)
        trails.add(i, t, turn * q.col(static_cast<Eigen::Index>(i)), newest);
    };
    each_configuration(snapshot, lane, trail, style.trail_span,
                       [&](const Configuration& was, const Columns& q) {
                         add(was.t, q, turn_since(was, view.state, style), false);
                       });
    add(snapshot.elapsed, view.state.q, Mat3::Identity(), true);
    add_curves(trails, snapshot, geometry, first, true, style, look,
               lane == full ? Dash::solid : own.dash, scene);
  }
  return scene;
}

namespace {

/// The region of the arrows of a layer, wherever they point.
Box layer_box(const ShownBodies& shown, Geometry geometry) {
  shown.cut(geometry);
  Box box;
  for (const Geometry::Arrow& arrow : geometry.arrows) box.extend((arrow.from + arrow.to) / 2);
  const Geometry::Arrow& any = geometry.arrows.front();
  const Vec3 half = Vec3::Constant((any.to - any.from).norm() / 2);
  return {box.min() - half, box.max() + half};
}

}  // namespace

Framing framing(const Snapshot& snapshot, const SceneStyle& style) {
  if (snapshot.system == nullptr || snapshot.lanes.empty()) return {};
  const System& system = *snapshot.system;
  const State& state = snapshot.lanes[0].state;
  Geometry geometry;
  system.geometry(state, geometry);
  const Extent extent = extent_at(system, state);
  Scene scene;
  place(extent, geometry, style, scene);
  Framing result;
  result.center = scene.center;
  result.radius = scene.radius;
  // The region about e1 where the molecules move at the start faces the viewer.
  if (is_dense(geometry)) result.azimuth = crowd_azimuth;
  // Springs along e1 or e2 are not seen end-on.
  if (!geometry.springs.empty()) result.azimuth = spring_azimuth;
  // Vortices or tops on one side of the sphere face the viewer.
  if (geometry.sphere && first_order(system) && !state.has_attitude())
    if (const Vec3 middle = state.q.rowwise().mean(); middle.head<2>().norm() > one_sided)
      result.azimuth = static_cast<float>(std::atan2(middle.x(), middle.y()));
  if (geometry.sphere) return result;
  const double radius = body_radius(geometry, extent.radius);
  const Box cube(extent.center - Vec3::Constant(extent.radius),
                 extent.center + Vec3::Constant(extent.radius));
  // The energy in a frame that rotates bounds V_eff, not V.
  const double bound = has_frame_rotation(system) ? unbounded : total_energy(system, state);
  const bool flies = state.flies();
  Box box = flies ? cube : cube.intersection(system.accessible_box(bound));
  // Where the energy bounds nothing, the motion that comes first is shown, unless it is as large.
  std::optional<Box> motion;
  if (flies) {
    // The ball, too, has room for the box.
    result.radius *= static_cast<float>(std::numbers::sqrt3 * flight_room);
    motion = motion_box(system, state, first_seconds(system, state));
    box = Box(extent.center - Vec3::Constant(flight_room * extent.radius),
              extent.center + Vec3::Constant(flight_room * extent.radius));
  } else if (box.isApprox(cube.intersection(system.accessible_box(unbounded)))) {
    motion = motion_box(system, state, first_seconds(system, state));
  }
  if (motion && motion->sizes().maxCoeff() > large_motion * box.sizes().maxCoeff()) motion.reset();
  if (motion) {
    const Vec3 spare = Vec3::Constant(spare_room * motion->sizes().maxCoeff());
    box = box.intersection(Box(motion->min() - spare, motion->max() + spare));
  }
  if (const ShownBodies shown(style.layer, system); shown.is_layer()) {
    box = box.intersection(layer_box(shown, geometry));
    // It is not seen edge-on: one across e1 faces the viewer, as one across e2 does.
    if (style.layer->axis == 0) result.azimuth = static_cast<float>(std::numbers::pi / 2);
  }
  const Vec3 room = Vec3::Constant(radius);
  const Vec3 above(0, 0, extent.gravity ? mount_room * radius : 0);
  const Vec3 below(0, 0, scene.ground.visible && !motion ? 2 * ground_strip * extent.radius : 0);
  box = Box(box.min() - room - above, box.max() + room + below);
  // In a frame that turns it is where the base is seen now.
  if (flies && style.frame) {
    const Mat3 turn = style.frame->turn(state.t);
    const Vec3 center = turn * box.center(), half = turn.cwiseAbs() * box.sizes() / 2;
    result.center = to_matrix(turn) * result.center;
    box = Box(center - half, center + half);
  }
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
