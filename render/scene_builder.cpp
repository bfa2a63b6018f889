// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/scene_builder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>
#include <string_view>

namespace twosphere::render {

namespace {

// Shares of the extent's radius.
constexpr double largest_body = 0.055, smallest_body = 0.006;
constexpr double ground_gap = 0.03, ground_reach = 2.4, ground_strip = 0.06;
constexpr double sparse = 0.015;  // between points of a trail on a straight stretch
constexpr double fine = 0.003;    // and in a bend
constexpr double chord = 0.03;    // longest straight piece of a trail

constexpr double body_per_spacing = 0.3, rod_per_body = 0.17;
constexpr double beam_per_body = 0.45, beam_body = 1.6, clamp_width = 1.6, clamp_depth = 0.5;
constexpr double magnet_per_length = 0.12;
constexpr double coil_per_body = 0.5, coil_lead = 0.12;  // the second a share of the length
constexpr int coil_turns = 9, coil_points = 14;          // points on a turn
constexpr double no_tension = 1e-9;                      // [N]
constexpr float coil_width = 1.75f, coil_opacity = 0.95f;
constexpr int graticule_degrees = 30, graticule_chord_degrees = 3;
constexpr float graticule_width = 1.5f, graticule_opacity = 0.36f, far_side = 0.35f,
                trail_far_side = 0.6f;

constexpr int few_bodies = 4;              // so many leave a trail each
constexpr double figures_per_frame = 2e5;  // bodies placed for a trail
constexpr float trail_opacity = 0.95f, side_trail_opacity = 0.4f;
constexpr float ghost_opacity = 0.5f, clear_ghost_opacity = 0.25f;  // the second with high contrast

glm::vec3 to_float(const Vec3& v) {
  return {static_cast<float>(v.x()), static_cast<float>(v.y()), static_cast<float>(v.z())};
}

constexpr glm::vec3 rgb(unsigned hex) {
  const auto part = [hex](int shift) { return static_cast<float>((hex >> shift) & 0xff) / 255; };
  return {part(16), part(8), part(0)};
}

glm::vec3 mix(glm::vec3 a, glm::vec3 b, float share) { return a + share * (b - a); }

struct Inks {
  glm::vec3 link, mount, body;
  glm::vec3 north, south;           // of a magnet
  glm::vec3 stretched, compressed;  // of a spring
};

Inks inks(Palette palette) {
  switch (palette) {
    case Palette::dark:
      return {rgb(0xa9b3bf), rgb(0x5d6875), rgb(0xb9c2cc), rgb(0xd9544d),
              rgb(0x4b80d1), rgb(0xe8914a), rgb(0x4fb3d9)};
    case Palette::light:
      return {rgb(0x76818e), rgb(0x59636f), rgb(0x8b95a1), rgb(0xc8413b),
              rgb(0x2f68ba), rgb(0xc25f14), rgb(0x1a7fae)};
    case Palette::high_contrast:
      return {rgb(0xffffff), rgb(0xbdbdbd), rgb(0xffffff), rgb(0xff6a5e),
              rgb(0x69a8ff), rgb(0xffa64d), rgb(0x5cd0ff)};
  }
  return {};
}

// The largest of 1, 2, 5 times a power of ten that is not above x.
double round_spacing(double x) {
  const double decade = std::pow(10, std::floor(std::log10(x) + 1e-9));
  const double lead = x / decade * (1 + 1e-9);
  return decade * (lead >= 5 ? 5 : lead >= 2 ? 2 : 1);
}

double magnet_radius(const Figure::Arrow& arrow) {
  return magnet_per_length * (arrow.to - arrow.from).norm() * arrow.size;
}

// The elements that are held come before those of the bodies.
std::span<const Figure::Link> held(const Figure& figure) {
  const std::size_t links = figure.links.size(), bodies = figure.bodies.size();
  return std::span(figure.links).first(links > bodies ? links - bodies : 0);
}

// Radius of the largest body [m]: smaller where bodies hang close together or share a sphere.
double body_radius(const Figure& figure, double extent) {
  if (figure.body_radius > 0) return figure.body_radius;
  if (!figure.arrows.empty()) {
    double largest = 0;
    for (const Figure::Arrow& arrow : figure.arrows)
      largest = std::max(largest, magnet_radius(arrow));
    return largest;
  }
  double spacing = extent;
  if (!figure.links.empty()) {
    double sum = 0;
    for (const Figure::Link& link : figure.links) sum += (link.to - link.from).norm();
    spacing = sum / static_cast<double>(figure.links.size());
  } else if (figure.sphere && !figure.bodies.empty()) {
    spacing = std::sqrt(4 * std::numbers::pi / static_cast<double>(figure.bodies.size()));
  }
  const double thickness = held(figure).empty() ? 1 : beam_body;
  return thickness *
         std::clamp(body_per_spacing * spacing, smallest_body * extent, largest_body * extent);
}

// The paths of all bodies over the last seconds, in a form that a curve can be drawn through.
class Paths {
 public:
  Paths(double extent, std::size_t bodies) : extent_(extent), paths_(bodies) {}

  void add(double t, const Figure& figure, bool newest) {
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      std::vector<Knot>& path = paths_[i];
      const Knot knot{figure.bodies[i].position, t};
      if (newest || path.empty() || needed(path, knot)) path.push_back(knot);
    }
  }

  // A smooth curve through the points of one body: cubic pieces with the velocities of the
  // parabolas through three points each, cut into short chords.
  Polyline curve(std::size_t body, double now, double span, float opacity) const {
    const std::vector<Knot>& path = paths_[body];
    Polyline line;
    const auto put = [&](const Vec3& p, double t) {
      const double age = std::clamp((now - t) / span, 0.0, 1.0);
      const auto alpha = static_cast<float>(std::pow(1 - age, 1.3)) * opacity;
      line.points.emplace_back(to_float(p), alpha);
    };
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
      const Knot &a = path[i], &b = path[i + 1];
      put(a.position, a.t);
      const double h = b.t - a.t, length = (b.position - a.position).norm();
      const int pieces = static_cast<int>(std::clamp(length / (chord * extent_), 0.0, 16.0)) + 1;
      if (pieces == 1 || !(h > 0)) continue;
      const Vec3 va = h * velocity(path, i), vb = h * velocity(path, i + 1);
      const Vec3 step = b.position - a.position;
      for (int k = 1; k < pieces; ++k) {
        const double s = static_cast<double>(k) / pieces, s2 = s * s, s3 = s2 * s;
        put(a.position + (3 * s2 - 2 * s3) * step + (s3 - 2 * s2 + s) * va + (s3 - s2) * vb,
            a.t + s * h);
      }
    }
    if (path.size() > 1) put(path.back().position, path.back().t);
    return line;
  }

 private:
  struct Knot {
    Vec3 position;
    double t;
  };

  bool needed(const std::vector<Knot>& path, const Knot& next) const {
    if (!(next.t > path.back().t)) return false;
    const Vec3 step = next.position - path.back().position;
    const double length = step.norm();
    if (length > sparse * extent_) return true;
    if (length < fine * extent_ || path.size() < 2) return false;
    const Vec3 last = path.back().position - path[path.size() - 2].position;
    return step.dot(last) < 0.998 * length * last.norm();
  }

  // Of the parabola through a point and its neighbours, at the ends through the nearest three.
  static Vec3 velocity(const std::vector<Knot>& path, std::size_t i) {
    if (path.size() == 2) return slope(path, 0);
    const std::size_t m = std::clamp<std::size_t>(i, 1, path.size() - 2);
    const double before = path[m].t - path[m - 1].t, after = path[m + 1].t - path[m].t;
    if (!(before + after > 0)) return Vec3::Zero();
    const Vec3 a = slope(path, m - 1), b = slope(path, m), bend = (b - a) / (before + after);
    return a + bend * (2 * (path[i].t - path[m].t) + before);
  }

  static Vec3 slope(const std::vector<Knot>& path, std::size_t i) {
    const double h = path[i + 1].t - path[i].t;
    if (!(h > 0)) return Vec3::Zero();
    return (path[i + 1].position - path[i].position) / h;
  }

  double extent_;
  std::vector<std::vector<Knot>> paths_;
};

struct LaneStyle {
  glm::vec3 ink;
  Inks inks;
  float trail = 1;
};

LaneStyle lane_style(glm::vec3 ink, const Inks& full, glm::vec3 paper, float ghost) {
  const auto paler = [&](glm::vec3 color) { return mix(color, paper, ghost); };
  return {paler(ink),
          {paler(full.link), paler(full.mount), paler(full.body), paler(full.north),
           paler(full.south), paler(full.stretched), paler(full.compressed)},
          1 - ghost};
}

// South half, north half with a round tip.
void add_magnet(const Figure::Arrow& arrow, const LaneStyle& style, Scene& scene) {
  const auto radius = static_cast<float>(magnet_radius(arrow));
  const glm::vec3 from = to_float(arrow.from), to = to_float(arrow.to), middle = 0.5f * (from + to);
  scene.cylinders.push_back({from, middle, radius, style.inks.south});
  scene.cylinders.push_back({middle, to, radius, style.inks.north});
  scene.spheres.push_back({to, radius, style.inks.body});
}

// A coil with straight ends, whose turns move apart as it is stretched; coloured by its tension
// compared to the greatest one.
void add_spring(const Figure::Spring& spring, double greatest, double radius,
                const LaneStyle& style, Scene& scene) {
  const Vec3 along = spring.to - spring.from;
  const double length = along.norm();
  if (!(length > 0)) return;
  const Vec3 aside = std::abs(along.z()) < 0.999 * length ? Vec3::UnitZ() : Vec3::UnitX();
  const Vec3 u = along.cross(aside).normalized(), v = along.cross(u) / length;
  Polyline coil;
  coil.width = coil_width;
  coil.color =
      mix(style.inks.link, spring.tension > 0 ? style.inks.stretched : style.inks.compressed,
          static_cast<float>(std::sqrt(std::abs(spring.tension) / greatest)));
  const auto put = [&](const Vec3& p) {
    coil.points.emplace_back(to_float(p), coil_opacity * style.trail);
  };
  put(spring.from);
  constexpr int last = coil_turns * coil_points;
  for (int k = 0; k <= last; ++k) {
    const double s = static_cast<double>(k) / last, phase = 2 * std::numbers::pi * coil_turns * s;
    const double open = std::min({1.0, coil_turns * s, coil_turns * (1 - s)});
    put(spring.from + (coil_lead + (1 - 2 * coil_lead) * s) * along +
        open * coil_per_body * radius * (std::cos(phase) * u + std::sin(phase) * v));
  }
  put(spring.to);
  scene.polylines.push_back(std::move(coil));
}

void add_figure(const Figure& figure, double radius, const LaneStyle& style, Scene& scene) {
  const std::size_t n = figure.bodies.size(), fixed = held(figure).size();
  const auto rod = static_cast<float>((fixed > 0 ? beam_per_body : rod_per_body) * radius);
  for (std::size_t i = 0; i < n && figure.arrows.empty(); ++i) {
    // The last body, whose trail is the brightest, has the lane's own colour; a crowd has one.
    const bool crowd = n < 2 || (figure.sphere && n > few_bodies);
    const float share = crowd ? 1 : 0.3f + 0.7f * static_cast<float>(i) / static_cast<float>(n - 1);
    scene.spheres.push_back({to_float(figure.bodies[i].position),
                             static_cast<float>(radius * figure.bodies[i].size),
                             mix(style.inks.body, style.ink, share)});
  }
  for (std::size_t i = 0; i < figure.links.size(); ++i) {
    const glm::vec3 from = to_float(figure.links[i].from), to = to_float(figure.links[i].to);
    scene.cylinders.push_back({from, to, rod, i < fixed ? style.inks.mount : style.inks.link});
    if (i < fixed) scene.spheres.push_back({to, rod, style.inks.mount});
  }
  for (const Figure::Arrow& arrow : figure.arrows) add_magnet(arrow, style, scene);
  double greatest = no_tension;
  for (const Figure::Spring& spring : figure.springs)
    greatest = std::max(greatest, std::abs(spring.tension));
  for (const Figure::Spring& spring : figure.springs)
    add_spring(spring, greatest, radius, style, scene);
}

// A round plate from which a held element stands out.
void add_clamp(const Figure::Link& element, double radius, glm::vec3 color, Scene& scene) {
  const Vec3 out = (element.to - element.from).normalized();
  scene.cylinders.push_back({to_float(element.from - clamp_depth * radius * out),
                             to_float(element.from), static_cast<float>(clamp_width * radius),
                             color});
}

// Meridians and parallels of the unit sphere, the poles at ±e3.
void add_graticule(glm::vec3 color, Scene& scene) {
  const auto add = [&](int from, int to, const auto& place) {
    Polyline line;
    line.width = graticule_width;
    line.color = color;
    line.far_side = far_side;
    for (int degrees = from; degrees <= to; degrees += graticule_chord_degrees)
      line.points.emplace_back(to_float(place(degrees)), graticule_opacity);
    scene.polylines.push_back(std::move(line));
  };
  const auto at = [](int latitude, int longitude) {
    const double a = latitude * std::numbers::pi / 180, b = longitude * std::numbers::pi / 180;
    return Vec3(std::cos(a) * std::cos(b), std::cos(a) * std::sin(b), std::sin(a));
  };
  for (int longitude = 0; longitude < 360; longitude += graticule_degrees)
    add(-90, 90, [&](int latitude) { return at(latitude, longitude); });
  for (int latitude = graticule_degrees - 90; latitude < 90; latitude += graticule_degrees)
    add(0, 360, [&](int longitude) { return at(latitude, longitude); });
}

// A ball joint; under gravity it hangs on a small plate.
void add_pivot(const Vec3& pivot, double radius, bool gravity, glm::vec3 color, Scene& scene) {
  const glm::vec3 p = to_float(pivot);
  const auto unit = static_cast<float>(radius);
  scene.spheres.push_back({p, 0.36f * unit, color});
  if (!gravity) return;
  const glm::vec3 up(0, 0, -1);
  scene.cylinders.push_back({p, p + 0.9f * unit * up, 0.17f * unit, color});
  scene.cylinders.push_back({p + 0.9f * unit * up, p + 1.12f * unit * up, 0.85f * unit, color});
}

/// `full`: of every body, not of the last alone.
void add_trails(const Snapshot& snapshot, std::size_t lane, const std::deque<Pose>& trail,
                const SceneStyle& style, double extent, const LaneStyle& look, bool full,
                Scene& scene) {
  const System& system = *snapshot.system;
  const double now = snapshot.t, span = style.trail_span, from = now - span;
  const auto n = static_cast<std::size_t>(system.size());
  // At most so many poses: one in each slot of time, so that always the same ones are taken.
  const double most = std::max(64.0, figures_per_frame / static_cast<double>(n));
  const double slot = static_cast<double>(trail.size()) > most ? span / most : 0;

  Figure figure;
  system.figure(snapshot.lanes[lane].state.q, figure);
  if (figure.bodies.empty()) return;
  // Of many bodies only the end of a chain leaves one: the last of the others is not special.
  const bool few = system.size() <= few_bodies;
  const bool alike = figure.sphere || !figure.arrows.empty() || !figure.springs.empty();
  if (!few && alike) return;
  Paths paths(extent, figure.bodies.size());
  double last_slot = -std::numeric_limits<double>::infinity();
  for (const Pose& pose : trail) {
    if (pose.generation != snapshot.generation || !(pose.t >= from) || !(pose.t < now)) continue;
    if (lane >= pose.lanes.size() || pose.lanes[lane].cols() != system.size()) continue;
    if (slot > 0) {
      const double index = std::floor(pose.t / slot);
      if (index <= last_slot) continue;
      last_slot = index;
    }
    system.figure(pose.lanes[lane], figure);
    paths.add(pose.t, figure, false);
  }
  system.figure(snapshot.lanes[lane].state.q, figure);
  paths.add(now, figure, true);

  const std::size_t last = figure.bodies.size() - 1;
  for (std::size_t i = few && full ? 0 : last; i <= last; ++i) {
    const float opacity = look.trail * (i == last ? trail_opacity : side_trail_opacity);
    Polyline line = paths.curve(i, now, span, opacity);
    if (line.points.size() < 2) continue;
    line.width = i == last ? 2 : 1.5f;
    line.color = i == last ? look.ink : mix(look.inks.body, look.ink, 0.3f);
    if (figure.sphere) line.far_side = trail_far_side;
    scene.polylines.push_back(std::move(line));
  }
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

Scene build_scene(const Snapshot& snapshot, const std::deque<Pose>& trail,
                  const SceneStyle& style) {
  Scene scene;
  if (snapshot.system == nullptr || snapshot.lanes.empty()) return scene;
  const System& system = *snapshot.system;
  const Extent extent = system.extent();
  Figure figure;
  system.figure(snapshot.lanes[0].state.q, figure);
  const double radius = body_radius(figure, extent.radius);
  const double reach = extent.radius + radius;

  scene.gravity = extent.gravity;
  scene.center = to_float(extent.center);
  scene.radius = static_cast<float>(reach);
  if (style.ground && extent.gravity) {  // and a strip of the ground
    scene.center.z += static_cast<float>(ground_strip * reach);
    scene.radius *= static_cast<float>(1 + ground_strip);
  }
  if (style.ground && extent.gravity) {
    const Vec3 below(0, 0, reach + ground_gap * extent.radius);
    scene.ground = {true, to_float(extent.center + below),
                    static_cast<float>(ground_reach * extent.radius),
                    static_cast<float>(round_spacing(0.3 * extent.radius))};
  }

  const Inks base = inks(style.palette);
  const glm::vec3 paper = theme(style).background_bottom;
  if (figure.sphere) add_graticule(base.mount, scene);
  const std::size_t count = snapshot.lanes.size();
  const auto hidden = [&](std::size_t lane) {
    return style.hidden.contains(static_cast<int>(lane)) ||
           snapshot.lanes[lane].state.q.cols() != system.size();
  };
  // The reference lane, or the first that is seen.
  std::size_t full = static_cast<std::size_t>(std::max(style.reference, 0));
  if (full >= count || hidden(full))
    for (full = 0; full < count && hidden(full);) ++full;
  std::vector<std::string_view> methods;
  for (const Snapshot::LaneView& view : snapshot.lanes)
    methods.push_back(view.info ? view.info->key : "variational");
  for (std::size_t lane = 0; lane < count; ++lane) {
    if (hidden(lane)) continue;
    const Snapshot::LaneView& view = snapshot.lanes[lane];
    const float ghost = lane == full                              ? 0
                        : style.palette == Palette::high_contrast ? clear_ghost_opacity
                                                                  : ghost_opacity;
    const std::string_view like = lane_look(methods, lane);
    const glm::vec3 ink = rgb(lane_color(like, style.palette, style.lane_colors).rgb);
    const LaneStyle look = lane_style(ink, base, paper, ghost);
    system.figure(view.state.q, figure);
    add_figure(figure, radius, look, scene);
    const std::span<const Figure::Link> clamped = held(figure);
    if (lane == full && !clamped.empty()) {
      add_clamp(clamped.front(), radius, look.inks.mount, scene);
    } else if (lane == full) {
      for (const Vec3& pivot : figure.pivots)
        add_pivot(pivot, radius, extent.gravity, look.inks.mount, scene);
    }
    if (style.trail && style.trail_span > 0)
      add_trails(snapshot, lane, trail, style, extent.radius, look, lane == full, scene);
  }
  return scene;
}

}  // namespace twosphere::render
