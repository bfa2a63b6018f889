// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/page_shapes.h"

#include <algorithm>
#include <glm/geometric.hpp>
#include <numbers>
#include <string_view>
#include <utility>

#include "core/mechanics/fluid.h"
#include "core/mechanics/sphere_mesh.h"
#include "core/output/lane_style.h"
#include "core/scenario/icosphere.h"
#include "render/cells.h"
#include "render/convert.h"
#include "render/geometry_shapes.h"
#include "render/page_json.h"
#include "render/scene_builder.h"
#include "render/scene_scales.h"
#include "render/streamlines.h"

namespace twosphere::render {

namespace {

using json::Node;
using page::drawn, page::whole;

constexpr int line_digits = 4;  // of guides, and of a graticule, which has thousands of points

/// The configuration before that of a snapshot, in which every lane has one.
std::deque<Configuration> trail_before(const Snapshot& now, const PageRows& rows) {
  if (rows.states().size() < 2) return {};
  const PageRow& row = rows.states()[rows.states().size() - 2];
  Configuration before{
      .generation = now.generation, .t = row.elapsed, .lanes = {}, .time = row.lanes.front().t};
  for (std::size_t i = 0; i < now.lanes.size(); ++i)
    before.lanes.push_back(positions(i < row.lanes.size() ? row.lanes[i] : now.lanes[i].state));
  return {std::move(before)};
}

LaneStyle page_lane_style(const std::vector<LaneSpec>& specs, std::size_t lane, Palette palette) {
  return lane_style(specs, static_cast<int>(lane), specs[lane].type, palette, LaneColors::own);
}

std::string_view dash_name(Dash dash) {
  constexpr std::array<std::string_view, all_dashes.size()> names{"solid", "dashed", "dotted",
                                                                  "dash_dot", "long_dash"};
  return names[static_cast<std::size_t>(dash)];
}

/// A colour by the value with this index.
Node value_color(std::size_t i) { return Node(-1 - static_cast<double>(i)); }

/// The largest distance of a coil from its axis.
double coil_radius(const Tube& tube) {
  const glm::vec3 from = tube.points.front().position,
                  along = glm::normalize(tube.points.back().position - from);
  float largest = 0;
  for (const Tube::Point& p : tube.points)
    largest = std::max(largest, glm::length(glm::cross(along, p.position - from)));
  return static_cast<double>(largest);
}

/// Without the streamlines and the thrust of an instant, which change, and without the frame: the
/// player finds the streamlines and the frame.
SceneStyle style_of_shapes(SceneStyle style) {
  style.streamlines = style.thrust = false;
  style.frame.reset();
  return style;
}

}  // namespace

Node PageColors::add(const TwoScenes& scenes, const std::function<glm::vec3(const Scene&)>& color) {
  std::array<unsigned, 2> both{};
  for (std::size_t i = 0; i < both.size(); ++i) both[i] = to_color(color(scenes[i])).rgb;
  const auto [found, fresh] = index_.try_emplace(both, index_.size());
  if (fresh) list_.items.push_back(Node::array(both, whole<unsigned>));
  return whole(found->second);
}

PageShapes::PageShapes(const Snapshot& now, const PageRows& rows, const RunPoints& points,
                       SceneStyle style)
    : now_(now),
      points_(points),
      streams_(style.streamlines && now.system->fluid() != nullptr),
      style_(style_of_shapes(std::move(style))),
      trail_(trail_before(now, rows)),
      first_(scenes_of({}, 0)),
      shown_(style_.layer, *now.system) {
  now.system->geometry(now.lanes.front().state, geometry_);
  shade_ = shade_of(*now.system, geometry_, style_);
  body_radius_ = body_radius(geometry_, now.system->extent().radius);
}

Node PageShapes::lanes(const std::vector<LaneSpec>& specs, bool shaded) {
  Node list = Node::array();
  for (std::size_t lane = 0; lane < now_.lanes.size(); ++lane)
    list.items.push_back(lane_document(specs, lane, shaded));
  return list;
}

double PageShapes::same_within() const { return static_cast<double>(agreement) * body_radius_; }

/// A lane drawn in full, without the others.
TwoScenes PageShapes::scenes_of(const std::deque<Configuration>& trail, std::size_t lane) const {
  SceneStyle style = style_;
  style.split = Split::none;
  style.trail = !trail.empty();
  if (style.trail) style.trail_span = 2 * (now_.elapsed - trail.front().t) + 1;
  for (std::size_t i = 0; i < now_.lanes.size(); ++i)
    if (i != lane) style.hidden.insert(static_cast<int>(i));
  TwoScenes both;
  for (std::size_t i = 0; i < both.size(); ++i) {
    style.palette = page_palettes[i];
    both[i] = build_scene(now_, trail, style);
  }
  return both;
}

/// The radius of the ball at the end of a rod that it goes into: as in CylinderPass.
float PageShapes::cut(const glm::vec3& end, float radius) const {
  const auto found = radius_at_.find(Place{end.x, end.y, end.z});
  return found == radius_at_.end() || found->second <= radius ? 0 : found->second;
}

Node PageShapes::lane_document(const std::vector<LaneSpec>& specs, std::size_t lane, bool shaded) {
  const TwoScenes drawn_lane = scenes_of(trail_, lane);
  radius_at_.clear();
  for (const Sphere& sphere : drawn_lane[0].spheres) {
    float& radius = radius_at_[Place{sphere.center.x, sphere.center.y, sphere.center.z}];
    radius = std::max(radius, sphere.radius);
  }
  now_.system->geometry(now_.lanes[lane].state, geometry_);
  if (lane == 0) add_fixed();
  return Node::object({{"name", now_.lanes[lane].title()},
                       {"color", lane_color(specs, lane)},
                       {"dash", dash_name(page_lane_style(specs, lane, Palette::dark).dash)},
                       {"begin", whole(points_.begins[lane])},
                       {"shapes", shapes(drawn_lane, lane, shaded)},
                       {"trails", trails(drawn_lane, lane)},
                       {"gaps", gaps(lane)},
                       {"carried", streams_ ? body_points(lane) : Node()}});
}

Node PageShapes::lane_color(const std::vector<LaneSpec>& specs, std::size_t lane) const {
  return Node::array(page_palettes, [&](Palette palette) {
    return whole(page_lane_style(specs, lane, palette).color.rgb);
  });
}

/// What comes in the scene after what moves.
void PageShapes::add_fixed() {
  const Scene& scene = first_[0];
  Geometry drawn_geometry = geometry_;
  shown_.cut(drawn_geometry);
  const ShapeCounts counts = shape_counts(drawn_geometry);
  Node balls = Node::array(), rods = Node::array(), lines = Node::array();
  for (std::size_t i = counts.spheres; i < scene.spheres.size(); ++i) {
    const Sphere& s = scene.spheres[i];
    balls.items.push_back(Node::object(
        {{"at", drawn(s.center)},
         {"radius", drawn(static_cast<double>(s.radius))},
         {"color", colors_.add(first_, [i](const Scene& of) { return of.spheres[i].color; })}}));
  }
  for (std::size_t i = counts.cylinders; i < scene.cylinders.size(); ++i) {
    const Cylinder& c = scene.cylinders[i];
    rods.items.push_back(
        rod(c, drawn(c.from), drawn(c.to),
            colors_.add(first_, [i](const Scene& of) { return of.cylinders[i].color; })));
  }
  for (std::size_t i = 0; i < scene.polylines.size(); ++i) {
    const Polyline& line = scene.polylines[i];
    Node places = Node::array();
    for (const glm::vec4& p : line.points)
      for (const float x : {p.x, p.y, p.z})
        places.items.push_back(drawn(static_cast<double>(x), line_digits));
    lines.items.push_back(Node::object(
        {{"points", places},
         {"opacity", drawn(static_cast<double>(line.points.front().w))},
         {"width", drawn(static_cast<double>(line.width))},
         {"far", drawn(static_cast<double>(line.far_side))},
         {"color", colors_.add(first_, [i](const Scene& of) { return of.polylines[i].color; })}}));
  }
  Node ellipsoid;
  if (const Vec3& axes = geometry_.ellipsoid; !axes.isZero(0))
    ellipsoid = Node::object({{"axes", Node::numbers({axes.data(), 3})},
                              {"light", drawn(ellipsoid_contrast * ellipsoid_light())},
                              {"shade", drawn(static_cast<double>(ellipsoid_shade))},
                              {"color", colors_.add(first_, [this](const Scene& of) {
                                 const bool light = &of == &first_.back();
                                 return part_colors(page_palettes.at(light ? 1 : 0)).link;
                               })}});
  fixed_ =
      Node::object({{"balls", balls}, {"rods", rods}, {"lines", lines}, {"ellipsoid", ellipsoid}});
}

Node PageShapes::rod(const Cylinder& c, const Node& from, const Node& to, const Node& color) const {
  const Node cuts = Node::array(std::array{c.from, c.to}, [&](const glm::vec3& end) {
    return drawn(static_cast<double>(cut(end, c.radius)));
  });
  return Node::object({{"kind", "rod"},
                       {"from", from},
                       {"to", to},
                       {"radius", drawn(static_cast<double>(c.radius))},
                       {"cut", cuts},
                       {"color", color}});
}

/// The shapes of a lane that move.
Node PageShapes::shapes(const TwoScenes& scenes, std::size_t lane, bool shaded) {
  const Geometry& g = geometry_;
  const Scene& scene = scenes[0];
  const std::vector<std::size_t>& index = points_.of_lane[lane];
  Node list = Node::array();
  if (!g.bending.empty()) list.items.push_back(tube(scenes, lane, shaded));
  const std::size_t balls = !g.bending.empty() ? 1 : g.arrows.empty() ? g.bodies.size() : 0;
  for (std::size_t i = 0; i < balls; ++i)
    list.items.push_back(Node::object(
        {{"kind", "ball"},
         {"point", whole(index[g.bending.empty() ? i : link_point(g, g.links.size()) - 1])},
         {"radius", drawn(static_cast<double>(scene.spheres[i].radius))},
         {"color",
          shaded && info(shade_).of_bodies && g.bending.empty()
              ? value_color(i)
              : colors_.add(scenes, [i](const Scene& of) { return of.spheres[i].color; })}}));
  if (!g.bending.empty()) return list;
  for (std::size_t i = 0; i < g.links.size(); ++i) {
    const std::size_t point = link_point(g, i);
    list.items.push_back(
        rod(scene.cylinders[i], whole(index[point]), whole(index[point + 1]),
            colors_.add(scenes, [i](const Scene& of) { return of.cylinders[i].color; })));
  }
  for (std::size_t at = 0; at < shown_.count(g.arrows.size()); ++at)
    list.items.push_back(magnet(scenes, lane, at, shaded));
  for (std::size_t i = 0; i < g.frame.size(); ++i) {
    const std::size_t point = frame_point(g, i), at = g.links.size() + 2 * g.arrows.size() + i;
    list.items.push_back(
        rod(scene.cylinders[at], whole(index[point]), whole(index[point + 1]),
            colors_.add(scenes, [at](const Scene& of) { return of.cylinders[at].color; })));
  }
  std::size_t coils = 0;
  for (std::size_t i = 0; i < g.springs.size(); ++i) {
    if (g.springs[i].from == g.springs[i].to) continue;  // it has no tube
    const Tube& coil = scene.tubes[coils];
    const std::size_t point = spring_point(g, i);
    list.items.push_back(
        Node::object({{"kind", "coil"},
                      {"from", whole(index[point])},
                      {"to", whole(index[point + 1])},
                      {"radius", drawn(static_cast<double>(coil.radius))},
                      {"coil", drawn(coil_radius(coil))},
                      {"color", shaded && shade_ == Shade::tension
                                    ? value_color(i)
                                    : colors_.add(scenes, [coils](const Scene& of) {
                                        return of.tubes[coils].points.front().color;
                                      })}}));
    ++coils;
  }
  return list;
}

/// The curve of an elastic rod.
Node PageShapes::tube(const TwoScenes& scenes, std::size_t lane, bool shaded) {
  const Geometry& g = geometry_;
  const Tube& curve = scenes[0].tubes.front();
  const std::size_t pieces = (curve.points.size() - 1) / g.links.size(),
                    clamped = g.links.size() - g.bending.size();
  Node joints = Node::array(), colors = Node::array();
  for (std::size_t joint = 0; joint <= g.links.size(); ++joint) {
    joints.items.push_back(
        whole(points_.of_lane[lane][joint == 0 ? link_point(g, 0) : link_point(g, joint) - 1]));
    const bool by_value = shaded && joint >= clamped && (g.ring || joint < g.links.size());
    colors.items.push_back(by_value ? value_color(joint % g.links.size() - clamped)
                                    : colors_.add(scenes, [&](const Scene& of) {
                                        return of.tubes.front().points[joint * pieces].color;
                                      }));
  }
  Node tube = Node::object({{"kind", "tube"},
                            {"points", joints},
                            {"radius", drawn(static_cast<double>(curve.radius))},
                            {"colors", colors}});
  if (g.ring) tube.set("ring", Node::truth(true));
  return tube;
}

/// The magnet at this place among those that are shown.
Node PageShapes::magnet(const TwoScenes& scenes, std::size_t lane, std::size_t at, bool shaded) {
  const Geometry& g = geometry_;
  const Scene& scene = scenes[0];
  const std::size_t i = shown_[at];
  const std::size_t rods = g.links.size() + 2 * at, point = arrow_point(g, i);
  const Cone& head = scene.cones[at];
  const double length = (g.arrows[i].to - g.arrows[i].from).norm();
  const bool by_value = shaded && info(shade_).of_bodies;
  Node colors = Node::array();
  for (const std::size_t half : {0, 1})
    colors.items.push_back(by_value ? value_color(i) : colors_.add(scenes, [&](const Scene& of) {
      return of.cylinders[rods + half].color;
    }));
  colors.items.push_back(
      by_value && shade_ == Shade::direction
          ? value_color(i)
          : colors_.add(scenes, [at](const Scene& of) { return of.spheres[at].color; }));
  return Node::object(
      {{"kind", "magnet"},
       {"from", whole(points_.of_lane[lane][point])},
       {"to", whole(points_.of_lane[lane][point + 1])},
       {"radius", drawn(static_cast<double>(scene.cylinders[rods].radius))},
       {"head", drawn(static_cast<double>(head.radius))},
       {"bead", drawn(static_cast<double>(scene.spheres[at].radius))},
       {"neck", drawn(static_cast<double>(glm::distance(head.base, head.tip)) / length)},
       {"south", drawn(static_cast<double>(by_value ? south_brightness(shade_) : 1.0f))},
       {"colors", colors}});
}

/// The trails that build_scene() adds after the curves of the surroundings: of the last bodies,
/// then of a base. An outline has only that of the last body, and that of magnets none.
Node PageShapes::trails(const TwoScenes& scenes, std::size_t lane) {
  Node list = Node::array();
  const std::size_t bodies = geometry_.bodies.size(), others = first_[0].polylines.size(),
                    count = scenes[0].polylines.size() - others;
  // A base comes after the bodies.
  const std::size_t drawn_bodies = shown_.count(bodies),
                    end = drawn_bodies + (geometry_.frame.empty() || geometry_.sphere ? 0 : 1);
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t at = end - count + k, body = at < drawn_bodies ? shown_[at] : bodies;
    list.items.push_back(Node::object(
        {{"point", whole(points_.of_lane[lane][body < bodies ? body_point(geometry_, body)
                                                             : link_point(geometry_, 0)])},
         {"beside", Node::truth(body + 1 == bodies && geometry_.arrows.empty())},
         {"color",
          colors_.add(scenes, [&](const Scene& of) { return of.polylines[others + k].color; })}}));
  }
  return list;
}

/// Of each body the point that is compared with that of the reference, and the least distance that
/// is drawn as a gap; none if there are too many.
Node PageShapes::gaps(std::size_t lane) const {
  Node list = Node::array();
  const std::size_t bodies = shown_.count(geometry_.bodies.size());
  for (std::size_t at = 0; at < bodies && bodies <= max_gaps; ++at) {
    const std::size_t i = shown_[at];
    list.items.push_back(
        Node::array({whole(points_.of_lane[lane][body_point(geometry_, i)]),
                     drawn(smallest_gap * body_radius_ * geometry_.bodies[i].size)}));
  }
  return list;
}

/// The points of the bodies.
Node PageShapes::body_points(std::size_t lane) const {
  Node list = Node::array();
  for (std::size_t i = 0; i < geometry_.bodies.size(); ++i)
    list.items.push_back(whole(points_.of_lane[lane][body_point(geometry_, i)]));
  return list;
}

Node PageShapes::fluid() {
  const Fluid* fluid = now_.system->fluid();
  if (!streams_ || !(stream_spacing(*fluid) > 0)) return {};
  const Node colors = Node::array(std::array{-1.0, 0.0, 1.0}, [this](double level) {
    return colors_.add(first_, [this, level](const Scene& of) {
      return stream_color(level, page_palettes.at(&of == &first_.back() ? 1 : 0));
    });
  });
  const auto drawn_float = [](float x) { return drawn(static_cast<double>(x)); };
  // ψ in units of the distance of two lines.
  const double apart = stream_spacing(*fluid);
  const Eigen::VectorXd shares = fluid->circulations / (4 * std::numbers::pi * apart);
  return Node::object(
      {{"shares", Node::numbers({shares.data(), static_cast<std::size_t>(shares.size())})},
       {"mean", Node((std::numbers::ln2 - 1) * shares.sum())},
       {"turn", Node(fluid->rotation / apart)},
       {"least", Node(0.5 * stream_core * stream_core)},
       {"top", Node(max_stream_levels + 0.5)},
       {"mesh", whole(stream_mesh + (shares.size() <= few_stream_bodies ? 1 : 0))},
       {"colors", colors},
       {"width", drawn_float(stream_width)},
       {"opacity", drawn_float(stream_opacity)},
       {"far", drawn_float(stream_far_side)}});
}

/// As the player divides it.
Node PageShapes::icosahedron() const {
  if (!streams_ && geometry_.ellipsoid.isZero(0)) return {};
  const SphereMesh mesh = icosphere(0);
  Node places = Node::array();
  for (Eigen::Index i = 0; i < mesh.vertices.cols(); ++i)
    places.items.push_back(Node::numbers({mesh.vertices.col(i).data(), 3}));
  return Node::object(
      {{"places", places}, {"faces", Node::array(mesh.faces, [](const std::array<int, 3>& face) {
                              return Node::array(face, whole<int>);
                            })}});
}

Node PageShapes::shell() const {
  const Shell &dark = first_[0].shell, &light = first_[1].shell;
  if (!dark.visible) return {};
  const auto both = [](const glm::vec3& a, const glm::vec3& b) {
    return Node::array({whole(to_color(a).rgb), whole(to_color(b).rgb)});
  };
  Node zones;
  if (!dark.zones.empty()) {
    zones = Node::array();
    for (std::size_t i = 0; i < dark.zones.size(); ++i)
      zones.items.push_back(both(dark.zones[i], light.zones[i]));
  }
  return Node::object({{"center", drawn(dark.center)},
                       {"radius", drawn(static_cast<double>(dark.radius))},
                       {"color", both(dark.color, light.color)},
                       {"opacity", drawn(static_cast<double>(dark.opacity))},
                       {"zones", zones}});
}

}  // namespace twosphere::render
