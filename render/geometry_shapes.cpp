// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/geometry_shapes.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <initializer_list>
#include <map>
#include <numbers>
#include <tuple>
#include <utility>

#include "render/convert.h"
#include "render/dashes.h"

namespace twosphere::render {

namespace {

// Fractions of the radius of the extent.
constexpr double largest_body = 0.055, smallest_body = 0.006;

constexpr double body_per_spacing = 0.3, rod_per_body = 0.17;
constexpr double tube_per_spacing = 0.2, tip_per_tube = 1.25;
constexpr double clamp_width = 3.2, clamp_depth = 1.3;  // in radii of the tube
// Fractions of the length of a magnet.
constexpr double magnet_radius_share = 0.075, head_radius_share = 0.15, head_length_share = 0.3;
constexpr double bead_per_magnet = 1.35;  // in radii of the magnet

constexpr double coil_per_body = 0.5, wire_per_coil = 0.16, lead_share = 0.1;
constexpr int coil_turns = 9, fine_turn = 18,
              coarse_turn = 10;                      // number of turns; segments per turn
constexpr int fine_element = 8, coarse_element = 4;  // segments per element of a rod

constexpr std::size_t max_smooth =
    2000;  // largest number of bodies with smooth edges in software rendering

constexpr float shell_opacity = 0.17f;
constexpr int fine_chord = 3, coarse_chord = 5;  // [degrees]
constexpr float graticule_width = 1.5f, graticule_opacity = 0.22f, far_side = 0.45f;
constexpr float guide_width = 1.5f, guide_opacity = 0.5f, curve_opacity = 0.7f;
constexpr float ring_per_ball = 1.12f;

double magnet_length(const Geometry::Arrow& arrow) { return (arrow.to - arrow.from).norm(); }

double spacing_of(const Geometry& geometry, double extent) {
  if (!geometry.links.empty()) {
    double sum = 0;
    for (const Geometry::Link& link : geometry.links) sum += (link.to - link.from).norm();
    return sum / static_cast<double>(geometry.links.size());
  }
  if (geometry.sphere && !geometry.bodies.empty())
    return std::sqrt(4 * std::numbers::pi / static_cast<double>(geometry.bodies.size()));
  return extent;
}

// South half, a bead at the pivot, north half with a head. The size represents the moment.
void add_magnet(const Geometry::Arrow& arrow, glm::vec3 bead, const LaneLook& look,
                const glm::vec3* shade, float south_share, Scene& scene) {
  const Vec3 along = arrow.to - arrow.from, middle = (arrow.from + arrow.to) / 2;
  const double length = along.norm(), size = arrow.size;
  const Vec3 neck = arrow.to - std::min(head_length_share * size, 0.45) * along;
  const auto radius = static_cast<float>(magnet_radius_share * length * size);
  const glm::vec3 north = shade ? *shade : look.parts.north;
  const glm::vec3 south = shade ? south_share * *shade : look.parts.south;
  scene.cylinders.push_back({to_float(arrow.from), to_float(middle), radius, south});
  scene.cylinders.push_back({to_float(middle), to_float(neck), radius, north});
  scene.cones.push_back({to_float(neck), to_float(arrow.to),
                         static_cast<float>(head_radius_share * length * size), north});
  scene.spheres.push_back({to_float(middle), static_cast<float>(bead_per_magnet) * radius, bead});
}

// A coil with a fixed number of turns between straight ends on its axis; the pitch grows with the
// length.
void add_spring(const Geometry::Spring& spring, double radius, glm::vec3 color, bool fine,
                Scene& scene) {
  const Vec3 along = spring.to - spring.from;
  const double length = along.norm();
  if (!(length > 0)) return;
  const Vec3 aside = std::abs(along.z()) < 0.999 * length ? Vec3::UnitZ() : Vec3::UnitX();
  const Vec3 u = along.cross(aside).normalized(), v = along.cross(u) / length;
  Tube coil;
  const double coil_radius = coil_per_body * radius;
  coil.radius = static_cast<float>(wire_per_coil * coil_radius);
  const auto put = [&](const Vec3& p) { coil.points.push_back({to_float(p), color}); };
  put(spring.from);
  const int turn = fine ? fine_turn : coarse_turn, last = coil_turns * turn;
  for (int k = 0; k <= last; ++k) {
    const double s = static_cast<double>(k) / last, phase = 2 * std::numbers::pi * coil_turns * s;
    const double open = std::min({1.0, coil_turns * s, coil_turns * (1 - s)});
    put(spring.from + (lead_share + (1 - 2 * lead_share) * s) * along +
        open * coil_radius * (std::cos(phase) * u + std::sin(phase) * v));
  }
  put(spring.to);
  scene.tubes.push_back(std::move(coil));
}

// A smooth curve through the joints, whose tangents there are the means of the directions of
// adjacent elements. Colours of the joint energies are interpolated, with 0 at the clamped end and
// at the tip; in a ring the last joint is the first one.
void add_rod(const Geometry& geometry, double radius, const LaneLook& look,
             std::span<const glm::vec3> shades, glm::vec3 calm, bool fine, Scene& scene) {
  const std::span<const Geometry::Link> links = geometry.links;
  const std::size_t moving = geometry.bending.size(), first = links.size() - moving;
  const auto along = [&](std::size_t i) { return Vec3(links[i].to - links[i].from); };
  const auto tangent_at = [&](std::size_t joint) {  // before link `joint`
    if (geometry.ring && joint % links.size() == 0)
      return Vec3((along(links.size() - 1) + along(0)) / 2);
    if (joint == 0) return along(0);
    if (joint == links.size()) return along(links.size() - 1);
    return Vec3((along(joint - 1) + along(joint)) / 2);
  };
  const auto color_at_joint = [&](std::size_t joint) {
    if (shades.empty()) return joint < first ? look.parts.mount : look.parts.link;
    if (geometry.ring) return shades[joint % links.size()];
    return joint < first || joint == links.size() ? calm : shades[joint - first];
  };
  Tube tube;
  tube.radius = static_cast<float>(radius);
  const int pieces = fine ? fine_element : coarse_element;
  for (std::size_t i = 0; i < links.size(); ++i) {
    const Vec3 a = links[i].from, b = links[i].to, va = tangent_at(i), vb = tangent_at(i + 1);
    const glm::vec3 from = color_at_joint(i), to = color_at_joint(i + 1);
    for (int k = i == 0 ? 0 : 1; k <= pieces; ++k) {
      const double s = static_cast<double>(k) / pieces, s2 = s * s, s3 = s2 * s;
      const Vec3 p = a + (3 * s2 - 2 * s3) * (b - a) + (s3 - 2 * s2 + s) * va + (s3 - s2) * vb;
      tube.points.push_back({to_float(p), mix(from, to, static_cast<float>(s))});
    }
  }
  scene.tubes.push_back(std::move(tube));
  // The tip, whose trail is drawn, has the lane colour.
  scene.spheres.push_back(
      {to_float(links.back().to), static_cast<float>(tip_per_tube * radius), look.color});
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

/// The fixed links, which come before those of the bodies.
std::span<const Geometry::Link> fixed_links(const Geometry& geometry) {
  const std::size_t links = geometry.links.size(), bodies = geometry.bodies.size();
  return std::span(geometry.links).first(links > bodies ? links - bodies : 0);
}

}  // namespace

PartColors part_colors(Palette palette) {
  switch (palette) {
    case Palette::dark:
      return {rgb(0xa9b3bf), rgb(0x5d6875), rgb(0xb9c2cc),
              rgb(0xd9544d), rgb(0x4b80d1), rgb(0x7d95b0)};
    case Palette::light:
      return {rgb(0x76818e), rgb(0x59636f), rgb(0x8b95a1),
              rgb(0xc8413b), rgb(0x2f68ba), rgb(0x8da3bb)};
    case Palette::high_contrast:
      return {rgb(0xffffff), rgb(0xbdbdbd), rgb(0xffffff),
              rgb(0xff6a5e), rgb(0x69a8ff), rgb(0x9a9a9a)};
  }
  return {};
}

glm::vec3 vector_color(BodyVector vector, Palette palette) {
  const bool light = palette == Palette::light;
  switch (vector) {
    case BodyVector::angular_velocity:
      return rgb(light ? 0xa66f00 : 0xe69f00);
    case BodyVector::velocity:
      return rgb(light ? 0x00795a : 0x2fc79a);
    case BodyVector::momentum:
      return rgb(light ? 0xa8457f : 0xd98bb6);
    case BodyVector::torque:
      return rgb(light ? 0x857c00 : 0xf0e442);
  }
  return {};
}

double body_radius(const Geometry& geometry, double extent) {
  if (geometry.body_radius > 0) return geometry.body_radius;
  if (!geometry.arrows.empty()) {
    double largest = 0;
    for (const Geometry::Arrow& arrow : geometry.arrows)
      largest = std::max(largest, head_radius_share * magnet_length(arrow) * arrow.size);
    return largest;
  }
  const double spacing = spacing_of(geometry, extent);
  if (!geometry.bending.empty())
    return std::clamp(tube_per_spacing * spacing, smallest_body * extent, largest_body * extent);
  return std::clamp(body_per_spacing * spacing, smallest_body * extent, largest_body * extent);
}

glm::vec3 body_color(const Geometry& geometry, std::size_t i, const LaneLook& look,
                     const Shading& shading) {
  if (const auto colors = shading.of_bodies(); i < colors.size()) return colors[i];
  if (i < look.bodies.size()) return look.bodies[i];
  const std::size_t n = geometry.bodies.size();
  if (n < 2 || is_dense(geometry)) return look.color;
  const float share = 0.3f + 0.7f * static_cast<float>(i) / static_cast<float>(n - 1);
  return mix(look.parts.body, look.color, share);
}

void add_geometry(const Geometry& geometry, double radius, const LaneLook& look,
                  const Shading& shading, bool fine, Scene& scene) {
  const std::size_t n = geometry.bodies.size();
  if (!geometry.bending.empty()) {
    std::span<const glm::vec3> shades = shading.of(Shade::bending_energy);
    glm::vec3 calm = look.parts.link;
    if (!shades.empty()) {
      calm = shading.calm;
    } else {
      shades = shading.of_bodies();
      if (!shades.empty()) calm = shading.calm;
    }
    add_rod(geometry, radius, look, shades, calm, fine, scene);
    return;
  }
  std::vector<Sphere>& balls =
      !fine && is_dense(geometry) && n > max_smooth ? scene.dots : scene.spheres;
  if (geometry.arrows.empty()) balls.reserve(balls.size() + n);
  for (std::size_t i = 0; i < n && geometry.arrows.empty(); ++i)
    balls.push_back({to_float(geometry.bodies[i].position),
                     static_cast<float>(radius * geometry.bodies[i].size),
                     body_color(geometry, i, look, shading)});
  const auto rod = static_cast<float>(rod_per_body * radius);
  for (const Geometry::Link& link : geometry.links)
    scene.cylinders.push_back({to_float(link.from), to_float(link.to), rod, look.parts.link});
  for (std::size_t i = 0; i < geometry.arrows.size(); ++i) {
    const auto colors = shading.of_bodies();
    const glm::vec3* shade = i < colors.size() ? &colors[i] : nullptr;
    glm::vec3 bead = i < look.bodies.size() ? look.bodies[i] : look.color;
    if (shade && shading.shade == Shade::direction) bead = *shade;
    add_magnet(geometry.arrows[i], bead, look, shade, south_brightness(shading.shade), scene);
  }
  for (const Geometry::Link& arm : geometry.frame)
    scene.cylinders.push_back({to_float(arm.from), to_float(arm.to), rod, look.parts.mount});
  const std::span<const glm::vec3> tensions = shading.of(Shade::tension);
  for (std::size_t i = 0; i < geometry.springs.size(); ++i)
    add_spring(geometry.springs[i], radius, i < tensions.size() ? tensions[i] : look.parts.link,
               fine, scene);
}

ShapeCounts shape_counts(const Geometry& geometry) {
  if (!geometry.bending.empty()) return {1, 0};  // the tip
  const std::size_t magnets = geometry.arrows.size();
  return {magnets > 0 ? magnets : geometry.bodies.size(),
          geometry.links.size() + 2 * magnets + geometry.frame.size()};
}

void add_outline(const Geometry& geometry, double radius, const LaneLook& look, bool fine,
                 Scene& scene, const OutlineStyle& how) {
  const auto shapes_of = [&](const Geometry& of) {
    Scene solid;
    add_geometry(of, radius, look, {}, fine, solid);
    solid.spheres.insert(solid.spheres.end(), solid.dots.begin(), solid.dots.end());
    return solid;
  };
  const Scene solid = shapes_of(geometry), other = how.beside ? shapes_of(*how.beside) : Scene();
  const float least = agreement * static_cast<float>(radius);
  // Whether shape i of a list is where it is in the other configuration.
  const auto agrees = [](float within, const auto& list, std::size_t i, auto... place) {
    return i < list.size() && ((glm::distance(place.first, list[i].*place.second) < within) && ...);
  };
  std::map<std::tuple<float, float, float>, float> rings;  // radii
  const auto key = [](glm::vec3 p) { return std::tuple(p.x, p.y, p.z); };
  for (std::size_t i = 0; i < solid.spheres.size(); ++i) {
    const Sphere& ball = solid.spheres[i];
    rings[key(ball.center)] = ring_per_ball * ball.radius;
    if (!agrees(agreement * ball.radius, other.spheres, i, std::pair(ball.center, &Sphere::center)))
      scene.rings.push_back({ball.center, ring_per_ball * ball.radius, ball.color, how.ring});
  }
  const auto draw = [&](std::vector<glm::vec4> points, glm::vec3 color) {
    Polyline line{.points = std::move(points), .width = how.line, .color = color};
    cut_into_dashes(line, how.dash, dash_unit * scene.radius);
    scene.polylines.push_back(std::move(line));
  };
  const auto dot = [&](glm::vec3 p) { return glm::vec4(p, how.opacity); };
  // Shorten the rod so that it connects the rings.
  const auto end = [&](glm::vec3 from, glm::vec3 to) {
    const auto found = rings.find(key(from));
    const float length = glm::distance(from, to);
    if (found == rings.end() || found->second >= length) return from;
    return from + found->second / length * (to - from);
  };
  for (std::size_t i = 0; i < solid.cylinders.size(); ++i) {
    const Cylinder& c = solid.cylinders[i];
    if (!agrees(least, other.cylinders, i, std::pair(c.from, &Cylinder::from),
                std::pair(c.to, &Cylinder::to)))
      draw({dot(end(c.from, c.to)), dot(end(c.to, c.from))}, c.color);
  }
  for (std::size_t i = 0; i < solid.cones.size(); ++i) {
    const Cone& c = solid.cones[i];
    if (agrees(least, other.cones, i, std::pair(c.base, &Cone::base), std::pair(c.tip, &Cone::tip)))
      continue;
    const glm::vec3 along = glm::normalize(c.tip - c.base);
    const glm::vec3 upright = std::abs(along.z) < 0.9f ? glm::vec3(0, 0, 1) : glm::vec3(1, 0, 0);
    const glm::vec3 u = c.radius * glm::normalize(glm::cross(along, upright));
    const glm::vec3 v = glm::cross(along, u);
    draw({dot(c.base), dot(c.tip)}, c.color);
    for (const glm::vec3& side : {u, v})
      draw({dot(c.base + side), dot(c.tip), dot(c.base - side)}, c.color);
  }
  for (std::size_t i = 0; i < solid.tubes.size(); ++i) {
    const std::vector<Tube::Point>& points = solid.tubes[i].points;
    const auto same = [&](const Tube::Point& p, const Tube::Point& q) {
      return glm::distance(p.position, q.position) < least;
    };
    if (i < other.tubes.size() &&
        std::equal(points.begin(), points.end(), other.tubes[i].points.begin(),
                   other.tubes[i].points.end(), same))
      continue;
    std::vector<glm::vec4> curve;
    for (const Tube::Point& p : points) curve.push_back(dot(p.position));
    draw(std::move(curve), points.back().color);
  }
}

void add_mounts(const Geometry& geometry, double radius, bool gravity, const PartColors& parts,
                Scene& scene) {
  for (const Geometry::Body& ball : geometry.fixed)
    scene.spheres.push_back(
        {to_float(ball.position), static_cast<float>(radius * ball.size), parts.mount});
  if (const std::span<const Geometry::Link> clamped = fixed_links(geometry); !clamped.empty()) {
    // A round plate with the clamped element protruding.
    const Geometry::Link& element = clamped.front();
    const Vec3 out = (element.to - element.from).normalized();
    scene.cylinders.push_back({to_float(element.from - clamp_depth * radius * out),
                               to_float(element.from), static_cast<float>(clamp_width * radius),
                               parts.mount});
    return;
  }
  for (const Vec3& pivot : geometry.pivots) add_pivot(pivot, radius, gravity, parts.mount, scene);
  for (const Geometry::Link& guide : geometry.guides) {
    Polyline line;
    line.width = guide_width;
    line.color = parts.mount;
    for (const Vec3& p : {guide.from, guide.to})
      line.points.emplace_back(to_float(p), guide_opacity);
    scene.polylines.push_back(std::move(line));
  }
  if (!geometry.curves) return;
  for (const std::vector<Vec3>& curve : *geometry.curves) {
    Polyline line;
    line.width = guide_width;
    line.color = parts.link;
    if (geometry.sphere) line.far_side = far_side;
    for (const Vec3& p : curve) line.points.emplace_back(to_float(p), curve_opacity);
    scene.polylines.push_back(std::move(line));
  }
}

void add_sphere(int degrees, double lines, const PartColors& parts, bool fine, Scene& scene) {
  scene.shell = {true, glm::vec3(0), 1, parts.shell, shell_opacity, fine};
  if (degrees <= 0) return;
  const auto add = [&](int from, int to, const auto& place) {
    Polyline line;
    line.width = graticule_width;
    line.color = parts.link;
    line.far_side = far_side;
    for (int at = from; at <= to; at += fine ? fine_chord : coarse_chord)
      line.points.emplace_back(to_float(lines * place(at)), graticule_opacity);
    scene.polylines.push_back(std::move(line));
  };
  const auto at = [](int latitude, int longitude) {
    const double a = latitude * std::numbers::pi / 180, b = longitude * std::numbers::pi / 180;
    return Vec3(std::cos(a) * std::cos(b), std::cos(a) * std::sin(b), std::sin(a));
  };
  // Only four meridians reach the poles, where many would merge into a spot.
  for (int longitude = 0; longitude < 360; longitude += degrees) {
    const int last = longitude % 90 == 0 ? 90 : 90 - degrees;
    add(-last, last, [&](int latitude) { return at(latitude, longitude); });
  }
  for (int latitude = degrees - 90; latitude < 90; latitude += degrees)
    add(0, 360, [&](int longitude) { return at(latitude, longitude); });
}

void add_arrow(const Vec3& from, const Vec3& along, double thickness, glm::vec3 color,
               Scene& scene) {
  const double length = along.norm();
  if (!(length > thickness)) return;
  const double head = std::min(5 * thickness, 0.6 * length);
  const Vec3 neck = from + (1 - head / length) * along;
  scene.cylinders.push_back(
      {to_float(from), to_float(neck), static_cast<float>(thickness / 2), color});
  scene.cones.push_back({to_float(neck), to_float(from + along),
                         static_cast<float>(std::min(1.6 * thickness, 0.35 * head)), color});
}

}  // namespace twosphere::render
