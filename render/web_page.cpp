// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/web_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <deque>
#include <glm/geometric.hpp>
#include <initializer_list>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/build.h"
#include "core/base/json.h"
#include "core/base/packing.h"
#include "core/base/xml.h"
#include "core/output/body_quantity.h"
#include "core/output/lane_style.h"
#include "embedded/page_files.h"
#include "embedded/shader_files.h"
#include "render/geometry_shapes.h"
#include "render/painter.h"
#include "render/scene_builder.h"

namespace twosphere::render {

namespace {

using json::Node;

/// Six digits are enough for what is drawn.
Node drawn(double x) {
  if (x == 0 || !std::isfinite(x)) return {0.0};
  const double scale = std::pow(10, 5 - std::floor(std::log10(std::abs(x))));
  return {std::round(x * scale) / scale};
}
Node drawn(const glm::vec3& v) {
  Node list = Node::array();
  for (const float x : {v.x, v.y, v.z}) list.items.push_back(drawn(static_cast<double>(x)));
  return list;
}
template <class Number>
Node whole(Number value) {
  return Node::whole(static_cast<std::int64_t>(value));
}
Node text(std::string_view value) { return Node(std::string(value)); }

Node object(std::initializer_list<std::pair<std::string_view, Node>> members) {
  Node out = Node::object();
  out.one_line = true;
  for (const auto& [key, value] : members) out.members.emplace_back(key, value);
  return out;
}

unsigned hex(const glm::vec3& color) {
  unsigned out = 0;
  for (const float part : {color.r, color.g, color.b})
    out = out << 8 | static_cast<unsigned>(std::lround(255 * std::clamp(part, 0.0f, 1.0f)));
  return out;
}

/// What is drawn on a dark and on a light background.
using TwoScenes = std::array<Scene, 2>;
constexpr std::array page_palettes{Palette::dark, Palette::light};

/// The colours of a page, each on both backgrounds.
class PageColors {
 public:
  /// The index of the colour that `color` takes from each scene.
  template <class Take>
  Node add(const TwoScenes& scenes, const Take& color) {
    std::array<unsigned, 2> both{};
    for (std::size_t i = 0; i < both.size(); ++i) both[i] = hex(color(scenes[i]));
    const auto [found, fresh] = index_.try_emplace(both, index_.size());
    if (fresh) {
      Node list = Node::array();
      for (const unsigned c : both) list.items.push_back(whole(c));
      list_.items.push_back(std::move(list));
    }
    return whole(found->second);
  }
  const Node& list() const { return list_; }

 private:
  std::map<std::array<unsigned, 2>, std::size_t> index_;
  Node list_ = Node::array();
};

/// A lane drawn in full, without the others.
TwoScenes page_scenes(const Snapshot& now, const std::deque<Configuration>& trail,
                      std::size_t lane) {
  SceneStyle style{.trail = !trail.empty()};
  if (!trail.empty()) style.trail_span = 2 * (now.elapsed - trail.front().t) + 1;
  for (std::size_t i = 0; i < now.lanes.size(); ++i)
    if (i != lane) style.hidden.insert(static_cast<int>(i));
  TwoScenes scenes;
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    style.palette = page_palettes[i];
    scenes[i] = build_scene(now, trail, style);
  }
  return scenes;
}

/// How many balls and rods add_geometry() makes of a lane.
struct ShapeCounts {
  std::size_t spheres, cylinders;

  explicit ShapeCounts(const Geometry& g)
      : spheres(!g.bending.empty() ? 1
                : g.arrows.empty() ? g.bodies.size()
                                   : g.arrows.size()),
        cylinders(g.bending.empty() ? g.links.size() + 2 * g.arrows.size() : 0) {}
};

/// The configuration before that of a snapshot, in which every lane has one.
std::deque<Configuration> trail_before(const Snapshot& now, const PageRows& rows) {
  if (rows.states().size() < 2) return {};
  const PageRow& row = rows.states()[rows.states().size() - 2];
  Configuration before{.generation = now.generation, .t = row.elapsed, .lanes = {}};
  for (std::size_t i = 0; i < now.lanes.size(); ++i)
    before.lanes.push_back(i < row.lanes.size() ? row.lanes[i].q : now.lanes[i].state.q);
  return {std::move(before)};
}

/// The shapes of the lanes as a page describes them: of each lane those that are drawn in full. A
/// lane that is drawn beside another one is an outline of them, which the player makes as
/// add_outline() does.
class PageShapes {
 public:
  PageShapes(const Snapshot& now, const PageRows& rows, const RunPoints& points)
      : now_(now),
        points_(points),
        trail_(trail_before(now, rows)),
        first_(page_scenes(now, {}, 0)) {
    now.system->geometry(now.lanes.front().state.q, geometry_);
    shade_ = default_shade(*now.system, geometry_);
    body_radius_ = body_radius(geometry_, now.system->extent().radius);
  }

  Node lanes(const std::vector<LaneSpec>& specs, bool shaded) {
    Node list = Node::array();
    for (std::size_t lane = 0; lane < now_.lanes.size(); ++lane)
      list.items.push_back(lane_document(specs, lane, shaded));
    return list;
  }
  /// What does not move; after lanes().
  const Node& fixed() const { return fixed_; }
  const Node& colors() const { return colors_.list(); }
  Shade shade() const { return shade_; }
  /// The first lane.
  const Scene& scene(std::size_t palette) const { return first_[palette]; }
  /// Within this distance, positions are the same [m].
  double same_within() const { return static_cast<double>(agreement) * body_radius_; }

 private:
  using Place = std::tuple<float, float, float>;
  static Place key(const glm::vec3& p) { return {p.x, p.y, p.z}; }
  /// The radius of the ball at the end of a rod that it goes into: as in CylinderPass.
  float cut(const glm::vec3& end, float radius) const {
    const auto found = radius_at_.find(key(end));
    return found == radius_at_.end() || found->second <= radius ? 0 : found->second;
  }

  Node lane_document(const std::vector<LaneSpec>& specs, std::size_t lane, bool shaded) {
    const TwoScenes scenes = lane == 0 ? first_ : page_scenes(now_, {}, lane),
                    with_trails = page_scenes(now_, trail_, lane);
    radius_at_.clear();
    for (const Sphere& sphere : scenes[0].spheres) {
      float& radius = radius_at_[key(sphere.center)];
      radius = std::max(radius, sphere.radius);
    }
    now_.system->geometry(now_.lanes[lane].state.q, geometry_);
    if (lane == 0) add_fixed(scenes, ShapeCounts(geometry_));
    return object({{"name", text(now_.lanes[lane].name)},
                   {"color", page_color(specs, lane)},
                   {"dash", text(dash_name(style(specs, lane, Palette::dark).dash))},
                   {"begin", whole(points_.begins[lane])},
                   {"shapes", shapes(scenes, lane, shaded)},
                   {"trails", trails(with_trails, scenes[0].polylines.size(), lane)}});
  }

  LaneStyle style(const std::vector<LaneSpec>& specs, std::size_t lane, Palette palette) const {
    return lane_style(specs, static_cast<int>(lane), specs[lane].type, palette, LaneColors::own);
  }
  Node page_color(const std::vector<LaneSpec>& specs, std::size_t lane) const {
    Node list = Node::array();
    for (const Palette palette : page_palettes)
      list.items.push_back(whole(style(specs, lane, palette).color.rgb));
    return list;
  }
  static std::string_view dash_name(Dash dash) {
    constexpr std::array<std::string_view, all_dashes.size()> names{"solid", "dashed", "dotted",
                                                                    "dash_dot", "long_dash"};
    return names[static_cast<std::size_t>(dash)];
  }

  void add_fixed(const TwoScenes& scenes, const ShapeCounts& counts) {
    const Scene& scene = scenes[0];
    Node balls = Node::array(), rods = Node::array(), lines = Node::array();
    for (std::size_t i = counts.spheres; i < scene.spheres.size(); ++i) {
      const Sphere& s = scene.spheres[i];
      balls.items.push_back(object(
          {{"at", drawn(s.center)},
           {"radius", drawn(static_cast<double>(s.radius))},
           {"color", colors_.add(scenes, [i](const Scene& of) { return of.spheres[i].color; })}}));
    }
    for (std::size_t i = counts.cylinders; i < scene.cylinders.size(); ++i) {
      const Cylinder& c = scene.cylinders[i];
      rods.items.push_back(
          rod(c, drawn(c.from), drawn(c.to),
              colors_.add(scenes, [i](const Scene& of) { return of.cylinders[i].color; })));
    }
    for (std::size_t i = 0; i < scene.polylines.size(); ++i) {
      const Polyline& line = scene.polylines[i];
      Node places = Node::array();
      for (const glm::vec4& p : line.points)
        for (const float x : {p.x, p.y, p.z, p.w})
          places.items.push_back(drawn(static_cast<double>(x)));
      lines.items.push_back(object({{"points", places},
                                    {"width", drawn(static_cast<double>(line.width))},
                                    {"far", drawn(static_cast<double>(line.far_side))},
                                    {"color", colors_.add(scenes, [i](const Scene& of) {
                                       return of.polylines[i].color;
                                     })}}));
    }
    fixed_ = object({{"balls", balls}, {"rods", rods}, {"lines", lines}});
  }

  Node rod(const Cylinder& c, const Node& from, const Node& to, const Node& color) const {
    Node cuts = Node::array();
    for (const glm::vec3& end : {c.from, c.to})
      cuts.items.push_back(drawn(static_cast<double>(cut(end, c.radius))));
    return object({{"kind", text("rod")},
                   {"from", from},
                   {"to", to},
                   {"radius", drawn(static_cast<double>(c.radius))},
                   {"cut", cuts},
                   {"color", color}});
  }

  /// The shapes of a lane that move; colours by value are −1 − index of the value.
  Node shapes(const TwoScenes& scenes, std::size_t lane, bool shaded) {
    const Geometry& g = geometry_;
    const Scene& scene = scenes[0];
    const std::size_t bodies = g.bodies.size();
    const std::vector<std::size_t>& index = points_.of_lane[lane];
    const auto at = [&](std::size_t point) { return whole(index[point]); };
    const auto sphere_color = [&](std::size_t i) {
      return colors_.add(scenes, [i](const Scene& of) { return of.spheres[i].color; });
    };
    const auto value_color = [](std::size_t i) { return Node(-1 - static_cast<double>(i)); };
    const bool bodies_shaded = shaded && info(shade_).of_bodies;
    Node list = Node::array();
    const auto ball = [&](std::size_t i, std::size_t point, bool by_value) {
      list.items.push_back(object({{"kind", text("ball")},
                                   {"point", at(point)},
                                   {"radius", drawn(static_cast<double>(scene.spheres[i].radius))},
                                   {"color", by_value ? value_color(i) : sphere_color(i)}}));
    };
    if (!g.bending.empty()) {
      const Tube& tube = scene.tubes.front();
      const std::size_t pieces = (tube.points.size() - 1) / g.links.size(),
                        clamped = g.links.size() - g.bending.size();
      Node joints = Node::array(), colors = Node::array();
      for (std::size_t joint = 0; joint <= g.links.size(); ++joint) {
        joints.items.push_back(at(joint == 0 ? bodies : bodies + 2 * joint - 1));
        const bool by_value = shaded && joint >= clamped && joint < g.links.size();
        colors.items.push_back(by_value ? value_color(joint - clamped)
                                        : colors_.add(scenes, [&](const Scene& of) {
                                            return of.tubes.front().points[joint * pieces].color;
                                          }));
      }
      list.items.push_back(object({{"kind", text("tube")},
                                   {"points", joints},
                                   {"radius", drawn(static_cast<double>(tube.radius))},
                                   {"colors", colors}}));
      ball(0, bodies + 2 * g.links.size() - 1, false);
      return list;
    }
    for (std::size_t i = 0; i < bodies && g.arrows.empty(); ++i) ball(i, i, bodies_shaded);
    for (std::size_t i = 0; i < g.links.size(); ++i)
      list.items.push_back(
          rod(scene.cylinders[i], at(bodies + 2 * i), at(bodies + 2 * i + 1),
              colors_.add(scenes, [i](const Scene& of) { return of.cylinders[i].color; })));
    for (std::size_t i = 0; i < g.arrows.size(); ++i) {
      const std::size_t rods = g.links.size() + 2 * i,
                        point = bodies + 2 * (g.links.size() + g.springs.size() + i);
      const Cone& head = scene.cones[i];
      const double length = (g.arrows[i].to - g.arrows[i].from).norm();
      Node colors = Node::array();
      for (const std::size_t half : {0, 1})
        colors.items.push_back(
            colors_.add(scenes, [&](const Scene& of) { return of.cylinders[rods + half].color; }));
      colors.items.push_back(sphere_color(i));
      list.items.push_back(
          object({{"kind", text("magnet")},
                  {"from", at(point)},
                  {"to", at(point + 1)},
                  {"radius", drawn(static_cast<double>(scene.cylinders[rods].radius))},
                  {"head", drawn(static_cast<double>(head.radius))},
                  {"bead", drawn(static_cast<double>(scene.spheres[i].radius))},
                  {"neck", drawn(static_cast<double>(glm::distance(head.base, head.tip)) / length)},
                  {"colors", colors}}));
    }
    std::size_t tubes = 0;
    for (std::size_t i = 0; i < g.springs.size(); ++i) {
      const Geometry::Spring& spring = g.springs[i];
      if (spring.from == spring.to) continue;  // it has no tube
      const Tube& tube = scene.tubes[tubes];
      const std::size_t point = bodies + 2 * (g.links.size() + i);
      list.items.push_back(object({{"kind", text("coil")},
                                   {"from", at(point)},
                                   {"to", at(point + 1)},
                                   {"radius", drawn(static_cast<double>(tube.radius))},
                                   {"coil", drawn(coil_radius(tube))},
                                   {"color", shaded && shade_ == Shade::tension
                                                 ? value_color(i)
                                                 : colors_.add(scenes, [tubes](const Scene& of) {
                                                     return of.tubes[tubes].points.front().color;
                                                   })}}));
      ++tubes;
    }
    return list;
  }

  /// The largest distance of a coil from its axis.
  static double coil_radius(const Tube& tube) {
    const glm::vec3 from = tube.points.front().position,
                    along = glm::normalize(tube.points.back().position - from);
    float largest = 0;
    for (const Tube::Point& p : tube.points)
      largest = std::max(largest, glm::length(glm::cross(along, p.position - from)));
    return static_cast<double>(largest);
  }

  /// The trails that build_scene() adds after `others` curves: of the last bodies. An outline has
  /// only that of the last body, and that of magnets none.
  Node trails(const TwoScenes& scenes, std::size_t others, std::size_t lane) {
    Node list = Node::array();
    const std::size_t bodies = geometry_.bodies.size(), count = scenes[0].polylines.size() - others;
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t body = bodies - count + k;
      list.items.push_back(
          object({{"point", whole(points_.of_lane[lane][tip(body)])},
                  {"beside", Node::truth(body + 1 == bodies && geometry_.arrows.empty())},
                  {"color", colors_.add(scenes, [&](const Scene& of) {
                     return of.polylines[others + k].color;
                   })}}));
    }
    return list;
  }
  /// The point that a trail follows: of a magnet its north pole.
  std::size_t tip(std::size_t body) const {
    const Geometry& g = geometry_;
    return g.arrows.empty() ? body
                            : g.bodies.size() + 2 * (g.links.size() + g.springs.size() + body) + 1;
  }

  const Snapshot& now_;
  const RunPoints& points_;
  std::deque<Configuration> trail_;
  TwoScenes first_;                   // of the first lane
  std::map<Place, float> radius_at_;  // of the largest ball there, in the lane in progress
  Geometry geometry_;                 // of the lane in progress
  Shade shade_ = Shade::lane;
  double body_radius_ = 0;  // of the largest body [m]
  Node fixed_;
  PageColors colors_;
};

/// The times of the frames as [count, first, spacing] of runs of equal spacing.
Node time_runs(const std::vector<double>& times) {
  Node list = Node::array();
  if (times.empty()) return list;
  const double tolerance = 1e-9 * (times.back() - times.front());
  for (std::size_t i = 0; i < times.size();) {
    const double spacing = i + 1 < times.size() ? times[i + 1] - times[i] : 0;
    std::size_t count = 1;
    while (i + count < times.size() && std::abs(times[i] + static_cast<double>(count) * spacing -
                                                times[i + count]) <= tolerance)
      ++count;
    list.items.push_back(Node::numbers(std::array{static_cast<double>(count), times[i], spacing}));
    i += count;
  }
  return list;
}

/// The colours by value: one byte an element and frame, 255 times the place in the map.
Node shade_document(Shade shade, const PageRows& rows, const RunPoints& points,
                    const std::vector<std::size_t>& frames) {
  std::vector<std::vector<double>> values;  // of each frame, lane after lane
  ColorScale scale;
  Geometry geometry;
  std::vector<double> of_lane;
  for (const std::size_t frame : frames) {
    values.emplace_back();
    for (std::size_t lane = 0; lane < points.begins.size(); ++lane) {
      const PageRow& row = rows.states()[std::max(frame, points.begins[lane])];
      row.system->geometry(row.lanes[lane].q, geometry);
      evaluate(shade, *row.system, row.lanes[lane], geometry, of_lane);
      if (lane == 0) scale.follow(0, row.elapsed, of_lane);
      values.back().insert(values.back().end(), of_lane.begin(), of_lane.end());
    }
  }
  if (values.empty() || values.front().empty()) return {};
  const double top = scale.value();
  const bool both = is_signed(shade) || (shade == Shade::own && scale.negative());
  std::string bytes;
  for (std::size_t i = 0; i < values.front().size(); ++i) {
    unsigned before = 0;
    for (const std::vector<double>& frame : values) {
      const double share = top > 0 ? frame[i] / top : 0;
      const double place = both             ? (1 + share) / 2
                           : by_root(shade) ? std::sqrt(std::max(share, 0.0))
                                            : share;
      const auto value =
          static_cast<unsigned>(std::lround(255 * (place > 0 ? std::min(place, 1.0) : 0.0)));
      bytes += static_cast<char>((value - before) & 255);
      before = value;
    }
  }
  Node maps = Node::array();
  for (const Palette palette : page_palettes) {
    Node colors = Node::array();
    for (int i = 0; i < 256; ++i)
      colors.items.push_back(
          whole(color_at(both ? ColorMap::diverging : ColorMap::viridis, i / 255.0, palette).rgb));
    maps.items.push_back(std::move(colors));
  }
  return object({{"values", text(base64(deflated(bytes)))},
                 {"count", whole(values.front().size() / points.begins.size())},
                 {"map", maps}});
}

Node curve_document(const PageCurves& curves) {
  Node quantities = Node::array(), shown = Node::array();
  for (const Quantity q : curves.quantities)
    quantities.items.push_back(object({{"key", text(info(q).key)},
                                       {"label", text(info(q).label)},
                                       {"unit", text(info(q).unit)},
                                       {"error", Node::truth(info(q).error)}}));
  for (const Quantity wanted : {Quantity::total_energy, Quantity::energy_error})
    for (std::size_t i = 0; i < curves.quantities.size(); ++i)
      if (curves.quantities[i] == wanted) shown.items.push_back(whole(i));
  std::string bytes(curves.values.size() * sizeof(float), '\0');
  if (!bytes.empty()) std::memcpy(bytes.data(), curves.values.data(), bytes.size());
  return object({{"quantities", quantities},
                 {"shown", shown},
                 {"times", time_runs(curves.times)},
                 {"values", text(base64(deflated(bytes)))}});
}

Node framing_document(const Framing& f) {
  return object({{"center", drawn(f.center)},
                 {"radius", drawn(static_cast<double>(f.radius))},
                 {"boxed", Node::truth(f.boxed)},
                 {"middle", drawn(f.middle)},
                 {"half", drawn(f.half)},
                 {"azimuth", drawn(static_cast<double>(f.azimuth))},
                 {"elevation", drawn(static_cast<double>(f.elevation))}});
}

Error no_rows() { return {ErrorKind::numerical, "", "a page needs at least one row of the run"}; }

/// The run at its last row, with the lanes that have begun by then.
Snapshot at_last_row(Snapshot now, const PageRows& rows) {
  const PageRow& last = rows.states().back();
  now.system = last.system;
  now.elapsed = last.elapsed;
  now.lanes.resize(last.lanes.size());
  for (std::size_t i = 0; i < last.lanes.size(); ++i) now.lanes[i].state = last.lanes[i];
  return now;
}

/// The view of a new window, at the first row.
Framing first_framing(const Snapshot& now, const PageRow& row) {
  Snapshot first;
  first.system = row.system;
  first.elapsed = row.elapsed;
  first.end_time = now.end_time;
  for (std::size_t i = 0; i < row.lanes.size(); ++i) {
    first.lanes.push_back(now.lanes[i]);
    first.lanes.back().state = row.lanes[i];
  }
  return framing(first, {});
}

Node shell_document(const PageShapes& shapes) {
  const Shell &dark = shapes.scene(0).shell, &light = shapes.scene(1).shell;
  if (!dark.visible) return {};
  const auto both = [](const glm::vec3& a, const glm::vec3& b) {
    Node list = Node::array();
    list.items = {whole(hex(a)), whole(hex(b))};
    return list;
  };
  Node zones;
  if (!dark.zones.empty()) {
    zones = Node::array();
    for (std::size_t i = 0; i < dark.zones.size(); ++i)
      zones.items.push_back(both(dark.zones[i], light.zones[i]));
  }
  return object({{"center", drawn(dark.center)},
                 {"radius", drawn(static_cast<double>(dark.radius))},
                 {"color", both(dark.color, light.color)},
                 {"opacity", drawn(static_cast<double>(dark.opacity))},
                 {"zones", zones}});
}

Node event_document(const std::vector<RunMarker>& markers, const std::vector<PageRow>& rows) {
  Node list = Node::array();
  for (const RunMarker& marker : markers) {
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const PageRow& candidate) {
      return candidate.step >= marker.step;
    });
    if (row == rows.end()) continue;
    Node event = Node::array();
    event.items = {Node(row->elapsed), text(marker.text)};
    list.items.push_back(std::move(event));
  }
  return list;
}

/// A shader without its comments and the spaces around its lines.
std::string stripped(std::string_view source) {
  std::string out;
  while (!source.empty()) {
    const std::size_t end = std::min(source.find('\n'), source.size());
    std::string_view line = source.substr(0, end);
    source.remove_prefix(std::min(end + 1, source.size()));
    line = line.substr(0, line.find("//"));
    const std::size_t first = line.find_first_not_of(" \t"), last = line.find_last_not_of(" \t");
    if (first == line.npos) continue;
    out += line.substr(first, last - first + 1);
    out += '\n';
  }
  return out;
}

/// The shaders of the shapes that pages have.
Node shader_document() {
  constexpr std::array<std::string_view, 3> absent{"mesh.", "dot.", "cloud."};
  Node out = Node::object();
  for (const embedded::File& file : embedded::shader_files())
    if (std::none_of(absent.begin(), absent.end(),
                     [&](std::string_view name) { return file.name.starts_with(name); }))
      out.set(std::string(file.name), Node(stripped(file.text)));
  return out;
}

/// JSON for a block of HTML, in which nothing ends the block.
std::string script_text(const Node& node) {
  std::string out;
  for (const char c : json::write(node))
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  while (out.ends_with('\n')) out.pop_back();
  return out;
}

std::string_view page_file(std::string_view name) {
  for (const embedded::File& file : embedded::page_files())
    if (file.name == name) return file.text;
  return {};
}

/// The template with @NAME@ replaced.
std::string filled(std::string_view page, const std::map<std::string_view, std::string>& parts) {
  std::string out;
  for (;;) {
    const std::size_t open = page.find('@'), close = page.find('@', open + 1);
    if (open == page.npos || close == page.npos) break;
    out += page.substr(0, open);
    const auto part = parts.find(page.substr(open + 1, close - open - 1));
    if (part != parts.end()) out += part->second;
    page.remove_prefix(close + 1);
  }
  out += page;
  return out;
}

std::string about(const Snapshot& now, const Scenario& record, const PointStream& stream) {
  const SystemInfo& system = info_of(record);
  std::string out;
  const auto add = [&out](std::string_view tag, std::string_view content) {
    if (!content.empty()) out += fmt::format("<{0}>{1}</{0}>\n", tag, xml_text(content));
  };
  add("p", fmt::format("{}. {}", system.title, system.description));
  // Line breaks are those of the text.
  if (!system.equations.empty()) out += fmt::format("<pre>{}</pre>\n", xml_text(system.equations));
  add("p", system.reference);
  for (std::size_t i = 0; i < now.lanes.size(); ++i)
    add("p", fmt::format("{}: {}, step {} s", now.lanes[i].name, now.lanes[i].title(),
                         json::shortest(recorded_lanes(record)[i].step)));
  add("p", fmt::format("{} frames; points between them are at most {:.1e} of the scene's radius "
                       "from their places.",
                       stream.rows.size(), stream.error));
  return out;
}

}  // namespace

Result<WebPage> web_page(const Snapshot& end, const Scenario& record,
                         const std::vector<RunMarker>& markers, const PageRows& rows,
                         const WebPageTexts& texts, const PointLimits& limits) {
  if (rows.states().empty()) return no_rows();
  const RunPoints points = run_points(rows);
  const auto stream = pack_points(points.rows, limits);
  if (!stream) return stream.error();
  std::vector<double> times;
  for (const std::size_t row : stream->rows) times.push_back(points.rows.times[row]);
  // A lane begins at the first frame at which it has begun.
  RunPoints at_frames{.rows = {}, .of_lane = points.of_lane, .begins = {}};
  for (const std::size_t row : points.begins)
    at_frames.begins.push_back(static_cast<std::size_t>(
        std::lower_bound(stream->rows.begin(), stream->rows.end(), row) - stream->rows.begin()));

  const Snapshot now = at_last_row(end, rows);
  PageShapes shapes(now, rows, at_frames);
  Node shade = shade_document(shapes.shade(), rows, points, stream->rows);
  Node lanes = shapes.lanes(recorded_lanes(record), shade.kind == json::Kind::object);
  if (const Node* count = shade.find("count"))
    for (std::size_t i = 0; i < lanes.items.size(); ++i)
      lanes.items[i].set("shade", Node(static_cast<double>(i) * count->number));

  Node data = Node::object();
  const Scene& scene = shapes.scene(0);
  const double spacing =
      times.size() > 1 ? (times.back() - times.front()) / static_cast<double>(times.size() - 1) : 1;
  data.set("file", Node(texts.file));
  data.set("digits", Node(std::clamp(std::ceil(-std::log10(spacing) - 1e-9), 0.0, 9.0)));
  data.set("times", time_runs(times));
  Node starts = Node::array();
  for (const std::size_t start : stream->starts) starts.items.push_back(whole(start));
  data.set("segments", std::move(starts));
  const Vec3& center = points.rows.center;
  data.set("box", Node::numbers(std::array{center.x(), center.y(), center.z(), stream->half}));
  data.set("extent", drawn(points.rows.radius));
  data.set("count", whole(points.rows.points));
  data.set("order", whole(stream->order));
  data.set("points", Node(stream->text));
  data.set("shade", std::move(shade));
  Node themes = Node::array();
  for (const Palette palette : page_palettes) {
    const Theme colors = theme({.palette = palette});
    Node list = Node::array();
    for (const glm::vec3& c :
         {colors.background_top, colors.background_bottom, colors.grid, colors.text})
      list.items.push_back(whole(hex(c)));
    themes.items.push_back(std::move(list));
  }
  data.set("themes", std::move(themes));
  data.set("colors", shapes.colors());
  data.set("framing", framing_document(first_framing(now, rows.states().front())));
  data.set("gravity", Node::truth(scene.gravity));
  Node ground;
  if (scene.ground.visible)
    ground = object({{"center", drawn(scene.ground.center)},
                     {"radius", drawn(static_cast<double>(scene.ground.radius))},
                     {"spacing", drawn(static_cast<double>(scene.ground.spacing))}});
  data.set("ground", std::move(ground));
  data.set("shell", shell_document(shapes));
  data.set("sphere", Node::truth(scene.shell.visible));
  data.set("trail", Node(SceneStyle{}.trail_span));
  data.set("agreement", drawn(shapes.same_within()));
  data.set("fixed", shapes.fixed());
  data.set("lanes", std::move(lanes));
  data.set("events", event_document(markers, rows.states()));
  data.set("curves", curve_document(rows.curves()));

  const std::string title =
      xml_text(record.title.empty() ? info_of(record).title : std::string_view(record.title));
  std::map<std::string_view, std::string> parts{
      {"VERSION", xml_text(program_version())},
      {"TITLE", title},
      {"TEXT",
       record.description.empty() ? "" : fmt::format("<p>{}</p>\n", xml_text(record.description))},
      {"STYLE", std::string(page_file("player.css"))},
      {"STILL", texts.still.empty()
                    ? ""
                    : fmt::format("<img class=\"still\" alt=\"The last picture of the run: {}\" "
                                  "src=\"data:image/png;base64,{}\">\n",
                                  title, base64(texts.still))},
      {"ABOUT", about(now, record, *stream)},
      {"SCENARIO", base64(texts.scenario)},
      {"DATA", script_text(data)},
      {"SHADERS", script_text(shader_document())},
      {"PLAYER", std::string(page_file("player.js"))}};
  return WebPage{filled(page_file("page.html"), parts), times.size(), stream->error};
}

Result<Image> web_page_still(const Snapshot& end, const PageRows& rows) {
  if (rows.states().empty()) return no_rows();
  constexpr int width = 1280, height = 800;
  const SceneStyle style{.palette = Palette::light};
  const Snapshot now = at_last_row(end, rows);
  auto painter = Painter::create(width, height);
  if (!painter) return painter.error();
  std::deque<Configuration> trail;
  for (const PageRow& row : rows.states()) {
    Configuration at{.generation = now.generation, .t = row.elapsed, .lanes = {}};
    for (const State& state : row.lanes) at.lanes.push_back(state.q);
    if (row.elapsed >= now.elapsed - style.trail_span) trail.push_back(std::move(at));
  }
  Camera camera;
  camera.frame(first_framing(now, rows.states().front()),
               static_cast<float>(width) / static_cast<float>(height));
  return (*painter)->paint(build_scene(now, trail, style), camera, theme(style), false);
}

}  // namespace twosphere::render
