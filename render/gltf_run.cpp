// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/gltf_run.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <map>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "core/mechanics/system.h"
#include "core/output/body_quantity.h"
#include "core/output/gltf.h"
#include "core/output/page_rows.h"
#include "core/output/point_stream.h"
#include "render/convert.h"
#include "render/geometry_shapes.h"
#include "render/scene_builder.h"

namespace twosphere::render {

namespace {

constexpr std::size_t max_frames = 4000;
constexpr double max_numbers = 1.6e7;  // of the frames: 64 MB
constexpr int ball_rings = 12, wire_sides = 8;
constexpr float sphere_opacity = 0.15f;
constexpr double max_turned = std::numbers::pi / 2;  // between times of a frame that turns [rad]
constexpr double max_turns = 1e5;                    // such times of a file
constexpr double same_slope = 1e-3;                  // of the time over that elapsed, ±1

/// GltfRun::error.
double straight_error(const PointRows& rows, const std::vector<std::size_t>& frames) {
  const std::size_t n = 3 * rows.points;
  double worst = 0;
  for (std::size_t f = 0; f + 1 < frames.size(); ++f) {
    const std::size_t from = frames[f], to = frames[f + 1];
    const double begin = rows.times[from], length = rows.times[to] - begin;
    for (std::size_t row = from + 1; row < to; ++row) {
      const double share = (rows.times[row] - begin) / length;
      for (std::size_t i = 0; i < n; i += 3) {
        double square = 0;
        for (std::size_t k = i; k < i + 3; ++k) {
          const double a = rows.positions[from * n + k], b = rows.positions[to * n + k],
                       away = a + share * (b - a) - rows.positions[row * n + k];
          square += away * away;
        }
        worst = std::max(worst, square);
      }
    }
  }
  return std::sqrt(worst);
}

/// As few frames as keep to gltf_error, or to the room that there is.
std::vector<std::size_t> straight_frames(const PointRows& rows) {
  const double room = max_numbers / static_cast<double>(std::max<std::size_t>(10 * rows.points, 1));
  const auto most = std::clamp(static_cast<std::size_t>(room), std::size_t{2}, max_frames);
  std::size_t stride = (rows.times.size() + most - 1) / most;
  std::vector<std::size_t> frames = frame_rows(rows, stride).rows;
  while (2 * stride < rows.times.size()) {
    const auto fewer = frame_rows(rows, 2 * stride).rows;
    if (straight_error(rows, fewer) > gltf_error) break;
    frames = fewer;
    stride *= 2;
  }
  // Times are of single precision, and ascend.
  double before = -1;
  std::erase_if(frames, [&](std::size_t row) {
    const auto time = static_cast<double>(static_cast<float>(rows.times[row] - rows.times.front()));
    return time <= std::exchange(before, std::max(before, time));
  });
  return frames;
}

/// e3 down is y up: x, −z, y.
Eigen::Quaterniond y_up() {
  return Eigen::Quaterniond(Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitX()));
}

std::array<float, 4> numbers_of_turn(const Eigen::Quaterniond& turn) {
  return {static_cast<float>(turn.x()), static_cast<float>(turn.y()), static_cast<float>(turn.z()),
          static_cast<float>(turn.w())};
}

/// How the root turns.
struct RootTurn {
  std::vector<float> times{};  ///< as those of the file, ascending
  std::vector<std::array<float, 4>> rotations{};
};
/// Against a frame: TurningFrame::turn() at so many times that each is at most `max_turned` from
/// the one before. None if these would be more than `max_turns`.
std::optional<RootTurn> turn_of_root(const TurningFrame& frame, const PageRows& rows) {
  const std::vector<PageRow>& list = rows.states();
  const auto time = [&list](std::size_t row) { return list[row].lanes.front().t; };
  const auto slope = [&](std::size_t row) {
    return (time(row + 1) - time(row)) / (list[row + 1].elapsed - list[row].elapsed);
  };
  RootTurn out;
  const auto add = [&](double elapsed, double t) {
    const auto at = static_cast<float>(elapsed - list.front().elapsed);
    if (!out.times.empty() && at <= out.times.back()) return;
    // The half angle is continuous in t, so that successive quaternions are near each other.
    const double half = -frame.rate * t / 2;
    const Vec3 part = std::sin(half) * frame.axis;
    out.times.push_back(at);
    out.rotations.push_back(
        numbers_of_turn(y_up() * Eigen::Quaterniond(std::cos(half), part.x(), part.y(), part.z())));
  };
  add(list.front().elapsed, time(0));
  // From one row at which the direction of time changes to the next it turns evenly.
  for (std::size_t from = 0; from + 1 < list.size();) {
    std::size_t to = from + 1;
    while (to + 1 < list.size() && std::abs(slope(to) - slope(from)) < same_slope) ++to;
    const double way = list[to].elapsed - list[from].elapsed, passed = time(to) - time(from);
    const double parts = std::max(1.0, std::ceil(std::abs(frame.rate * passed) / max_turned));
    if (!(static_cast<double>(out.times.size()) + parts <= max_turns)) return {};
    for (int k = 1; k <= static_cast<int>(parts); ++k) {
      const double share = k / parts;
      add(list[from].elapsed + share * way, time(from) + share * passed);
    }
    from = to;
  }
  return out;
}

Vec3 to_double(const glm::vec3& p) {
  return {static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z)};
}

std::array<float, 3> triple(const Vec3& v) {
  const glm::vec3 p = to_float(v);
  return {p.x, p.y, p.z};
}
std::array<float, 3> triple(double x, double y, double z) { return triple(Vec3(x, y, z)); }

/// A rod along y.
GltfSurface straight_rod(double low, double high, double radius) {
  GltfSurface out;
  add_revolution(std::array<GltfRing, 2>{{{0, low, 0, -1}, {radius, low, 0, -1}}}, out);
  add_revolution(std::array<GltfRing, 2>{{{radius, low, 1, 0}, {radius, high, 1, 0}}}, out);
  add_revolution(std::array<GltfRing, 2>{{{radius, high, 0, 1}, {0, high, 0, 1}}}, out);
  return out;
}
GltfSurface round_ball(double y, double radius) {
  std::vector<GltfRing> profile;
  for (int k = 0; k <= ball_rings; ++k) {
    const double angle = std::numbers::pi * k / ball_rings,
                 out = k == 0 || k == ball_rings ? 0 : std::sin(angle), up = -std::cos(angle);
    profile.push_back({radius * out, y + radius * up, out, up});
  }
  GltfSurface surface;
  add_revolution(profile, surface);
  return surface;
}
GltfSurface arrow_head(double low, double high, double radius) {
  const double side = std::hypot(high - low, radius);
  const double out = (high - low) / side, up = radius / side;
  GltfSurface surface;
  add_revolution(std::array<GltfRing, 2>{{{0, low, 0, -1}, {radius, low, 0, -1}}}, surface);
  add_revolution(std::array<GltfRing, 2>{{{radius, low, out, up}, {0, high, out, up}}}, surface);
  return surface;
}

/// A coil along y from 0 to 1, of radius 1, that is round wire where it is `length` long and of
/// radius `across`.
GltfSurface round_coil(const Tube& wire, double length, double across) {
  GltfSurface out;
  const std::size_t count = wire.points.size();
  const auto place = [&](std::size_t i) { return to_double(wire.points[i].position); };
  Vec3 aside = Vec3::UnitX();
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 along = (place(std::min(i + 1, count - 1)) - place(i == 0 ? 0 : i - 1)).normalized();
    aside = (aside - aside.dot(along) * along).normalized();
    const Vec3 third = along.cross(aside);
    for (int k = 0; k < wire_sides; ++k) {
      const double angle = 2 * std::numbers::pi * k / wire_sides;
      const Vec3 normal = std::cos(angle) * aside + std::sin(angle) * third,
                 p = place(i) + static_cast<double>(wire.radius) * normal;
      out.points.push_back(triple(p.x() / across, p.y() / length, p.z() / across));
      const Vec3 scaled(across * normal.x(), length * normal.y(), across * normal.z());
      out.normals.push_back(triple(scaled.normalized()));
    }
  }
  for (std::size_t i = 0; i + 1 < count; ++i)
    for (std::size_t k = 0; k < wire_sides; ++k) {
      const std::size_t a = i * wire_sides + k, b = i * wire_sides + (k + 1) % wire_sides;
      for (const std::size_t corner : {a, b, a + wire_sides, b, b + wire_sides, a + wire_sides})
        out.corners.push_back(static_cast<std::uint16_t>(corner));
    }
  return out;
}

/// Collects the nodes of a run.
class RunSolids {
 public:
  RunSolids(const Snapshot& now, const RunPoints& points, std::vector<std::size_t> frames)
      : now_(now), points_(points), frames_(std::move(frames)), file_(times()) {
    ball_ = file_.surface(round_ball(0, 1));
    rod_ = file_.surface(straight_rod(0, 1, 1));
  }

  std::string bytes(const std::string& title, const std::optional<RootTurn>& turn) {
    root_ =
        file_.group(title, {.rotation = turn ? turn->rotations.front() : numbers_of_turn(y_up())});
    for (std::size_t lane = 0; lane < now_.lanes.size(); ++lane) add_lane(lane);
    if (turn && turn->times.size() > 1) file_.turn(root_, turn->times, turn->rotations);
    return file_.bytes(title);
  }

 private:
  std::vector<float> times() const {
    std::vector<float> out;
    for (const std::size_t row : frames_)
      out.push_back(static_cast<float>(points_.rows.times[row] - points_.rows.times.front()));
    return out;
  }

  /// Where a point of a lane is at a frame [m].
  Vec3 at(std::size_t lane, std::size_t point, std::size_t frame) const {
    const PointRows& rows = points_.rows;
    const float* p =
        rows.positions.data() + 3 * (frames_[frame] * rows.points + points_.of_lane[lane][point]);
    return rows.center + rows.radius * to_double({p[0], p[1], p[2]});
  }

  std::vector<GltfPlace> ball_places(std::size_t lane, std::size_t point, double radius) const {
    std::vector<GltfPlace> out;
    for (std::size_t f = 0; f < frames_.size(); ++f)
      out.push_back(
          {.translation = triple(at(lane, point, f)), .scale = triple(radius, radius, radius)});
    return out;
  }

  /// Of a solid along y that reaches from one point to another. `across`: its scale across; none:
  /// that along. The turns between frames are the shortest.
  template <class From, class To>
  static std::vector<GltfPlace> places_between(std::size_t frames, const From& from, const To& to,
                                               std::optional<double> across) {
    std::vector<GltfPlace> out;
    Vec3 before = Vec3::UnitY();
    Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
    for (std::size_t f = 0; f < frames; ++f) {
      const Vec3 begin = from(f), way = to(f) - begin;
      const double length = way.norm();
      if (length > 0) {
        const Vec3 along = way / length;
        turn = (Eigen::Quaterniond(smallest_turn(before, along)) * turn).normalized();
        before = along;
      }
      const double wide = across.value_or(length);
      out.push_back({.translation = triple(begin),
                     .rotation = numbers_of_turn(turn),
                     .scale = triple(wide, length, wide)});
    }
    return out;
  }
  /// Of one from this point to the next.
  std::vector<GltfPlace> rod_places(std::size_t lane, std::size_t from,
                                    std::optional<double> across) const {
    return places_between(
        frames_.size(), [&](std::size_t f) { return at(lane, from, f); },
        [&](std::size_t f) { return at(lane, from + 1, f); }, across);
  }
  /// Of a rod that does not move.
  static std::vector<GltfPlace> rod_place(const glm::vec3& from, const glm::vec3& to,
                                          double across) {
    return places_between(
        1, [&](std::size_t) { return to_double(from); }, [&](std::size_t) { return to_double(to); },
        across);
  }

  void add_lane(std::size_t lane) {
    SceneStyle style{.trail = false,
                     .ground = false,
                     .graticule = false,
                     .palette = Palette::light,
                     .streamlines = false,
                     .thrust = false};
    now_.system->geometry(now_.lanes[lane].state, geometry_);
    // One lane has the colours of its bodies, several have their own; none is by value.
    if (now_.lanes.size() > 1 || default_shade(*now_.system, geometry_) != Shade::lane)
      style.shade = Shade::lane;
    for (std::size_t i = 0; i < now_.lanes.size(); ++i)
      if (i != lane) style.hidden.insert(static_cast<int>(i));
    const Scene scene = build_scene(now_, {}, style);
    if (lane == 0) add_fixed(scene);
    group_ = file_.group(now_.lanes[lane].name, {}, root_);
    if (geometry_.bending.empty())
      add_parts(scene, lane);
    else
      add_bent_rod(scene, lane);
  }

  void add_ball(const std::string& name, const Sphere& ball, std::size_t lane, std::size_t point) {
    file_.node(name, file_.mesh({{ball_, to_color(ball.color)}}), group_,
               ball_places(lane, point, static_cast<double>(ball.radius)));
  }

  void add_parts(const Scene& scene, std::size_t lane) {
    const Geometry& g = geometry_;
    for (std::size_t i = 0; i < g.bodies.size() && g.arrows.empty(); ++i)
      add_ball(fmt::format("body {}", i + 1), scene.spheres[i], lane, i);
    for (std::size_t i = 0; i < g.links.size(); ++i) {
      const Cylinder& c = scene.cylinders[i];
      file_.node(fmt::format("rod {}", i + 1), file_.mesh({{rod_, to_color(c.color)}}), group_,
                 rod_places(lane, link_point(g, i), static_cast<double>(c.radius)));
    }
    for (std::size_t i = 0; i < g.frame.size(); ++i) {
      const Cylinder& c = scene.cylinders[g.links.size() + 2 * g.arrows.size() + i];
      file_.node(fmt::format("frame {}", i + 1), file_.mesh({{rod_, to_color(c.color)}}), group_,
                 rod_places(lane, frame_point(g, i), static_cast<double>(c.radius)));
    }
    const double radius = body_radius(g, now_.system->extent().radius);
    std::size_t tubes = 0;
    for (std::size_t i = 0; i < g.springs.size(); ++i) {
      const Geometry::Spring& spring = g.springs[i];
      if (spring.from == spring.to) continue;  // it has no tube
      const Color color = to_color(scene.tubes[tubes++].points.front().color);
      const double length = spring.relaxed > 0 ? spring.relaxed : (spring.to - spring.from).norm();
      const auto [surface, across] = coil(length, radius);
      file_.node(fmt::format("spring {}", i + 1), file_.mesh({{surface, color}}), group_,
                 rod_places(lane, spring_point(g, i), across));
    }
    for (std::size_t i = 0; i < g.arrows.size(); ++i)
      file_.node(fmt::format("magnet {}", i + 1), magnet(scene, i), group_,
                 rod_places(lane, arrow_point(g, i), {}));
  }

  /// An elastic rod: straight elements with balls at the joints.
  void add_bent_rod(const Scene& scene, std::size_t lane) {
    const Tube& tube = scene.tubes.front();
    const std::size_t links = geometry_.links.size(), pieces = (tube.points.size() - 1) / links;
    const auto radius = static_cast<double>(tube.radius);
    const auto color = [&](std::size_t joint) { return tube.points[joint * pieces].color; };
    for (std::size_t i = 0; i < links; ++i) {
      const std::size_t from = link_point(geometry_, i);
      add_ball(fmt::format("joint {}", i + 1), {{}, tube.radius, color(i)}, lane, from);
      file_.node(fmt::format("rod {}", i + 1), file_.mesh({{rod_, to_color(color(i))}}), group_,
                 rod_places(lane, from, radius));
    }
    add_ball("tip", scene.spheres.front(), lane, link_point(geometry_, links) - 1);
  }

  /// What comes in the scene after what moves.
  void add_fixed(const Scene& scene) {
    const ShapeCounts counts = shape_counts(geometry_);
    group_ = file_.group("mounts", {}, root_);
    for (std::size_t i = counts.spheres; i < scene.spheres.size(); ++i) {
      const Sphere& s = scene.spheres[i];
      file_.node("ball", file_.mesh({{ball_, to_color(s.color)}}), group_,
                 std::array{GltfPlace{.translation = {s.center.x, s.center.y, s.center.z},
                                      .scale = {s.radius, s.radius, s.radius}}});
    }
    for (std::size_t i = counts.cylinders; i < scene.cylinders.size(); ++i) {
      const Cylinder& c = scene.cylinders[i];
      file_.node("rod", file_.mesh({{rod_, to_color(c.color)}}), group_,
                 rod_place(c.from, c.to, static_cast<double>(c.radius)));
    }
    if (!scene.polylines.empty()) {
      const int line = file_.surface({.points = {{0, 0, 0}, {0, 1, 0}}});
      for (const Polyline& guide : scene.polylines) {
        if (guide.points.size() > 2) {
          GltfSurface curve;
          for (const glm::vec4& p : guide.points) curve.points.push_back({p.x, p.y, p.z});
          file_.node("curve", file_.mesh({{file_.surface(curve), to_color(guide.color)}}), group_,
                     std::array{GltfPlace{}});
          continue;
        }
        file_.node("guide", file_.mesh({{line, to_color(guide.color)}}), group_,
                   rod_place(guide.points.front(), guide.points.back(), 1));
      }
    }
    if (const Vec3& axes = geometry_.ellipsoid; !axes.isZero(0))
      file_.node(
          "ellipsoid", file_.mesh({{ball_, to_color(scene.mesh.colors.front())}}), group_,
          std::array{GltfPlace{.scale = {static_cast<float>(axes.x()), static_cast<float>(axes.y()),
                                         static_cast<float>(axes.z())}}});
    if (const Shell& shell = scene.shell; shell.visible)
      file_.node(
          "sphere", file_.mesh({{ball_, to_color(shell.color)}}, sphere_opacity), group_,
          std::array{GltfPlace{.translation = {shell.center.x, shell.center.y, shell.center.z},
                               .scale = {shell.radius, shell.radius, shell.radius}}});
  }

  /// The surface of a coil that is round wire at this length, and its radius [m].
  std::pair<int, double> coil(double length, double radius) {
    Geometry one;
    one.springs.push_back({Vec3::Zero(), length * Vec3::UnitY()});
    Scene scene;
    add_geometry(one, radius, look_in(glm::vec3(1)), {}, false, scene);
    const Tube& wire = scene.tubes.front();
    double across = 0;
    for (const Tube::Point& p : wire.points)
      across = std::max(across, static_cast<double>(std::hypot(p.position.x, p.position.z)));
    const auto [found, fresh] = coils_.try_emplace(std::lround(1000 * length / across), 0);
    if (fresh) found->second = file_.surface(round_coil(wire, length, across));
    return {found->second, across};
  }

  /// The mesh of a magnet, in units of its length.
  int magnet(const Scene& scene, std::size_t i) {
    const std::size_t first = geometry_.links.size() + 2 * i;
    const Cylinder &south = scene.cylinders[first], &north = scene.cylinders[first + 1];
    const Cone& head = scene.cones[i];
    const Sphere& bead = scene.spheres[i];
    const float length = glm::distance(south.from, head.tip);
    const auto share = [length](float x) { return static_cast<double>(x / length); };
    const double neck = share(glm::distance(south.from, head.base));
    const auto key = std::array{std::lround(1e5 * share(south.radius)), std::lround(1e5 * neck)};
    const auto [found, fresh] = magnets_.try_emplace(key);
    if (fresh)
      found->second = {file_.surface(straight_rod(0, 0.5, share(south.radius))),
                       file_.surface(straight_rod(0.5, neck, share(north.radius))),
                       file_.surface(arrow_head(neck, 1, share(head.radius))),
                       file_.surface(round_ball(0.5, share(bead.radius)))};
    const auto& parts = found->second;
    return file_.mesh({{parts[0], to_color(south.color)},
                       {parts[1], to_color(north.color)},
                       {parts[2], to_color(head.color)},
                       {parts[3], to_color(bead.color)}});
  }

  const Snapshot& now_;
  const RunPoints& points_;
  std::vector<std::size_t> frames_;
  GltfFile file_;
  int root_ = 0, group_ = 0, ball_ = 0, rod_ = 0;
  Geometry geometry_;  // of the lane in progress
  std::map<long, int> coils_;
  std::map<std::array<long, 2>, std::array<int, 4>> magnets_;
};

}  // namespace

Result<GltfRun> gltf_run(const Snapshot& end, const Scenario& record, const PageRows& rows,
                         const std::optional<TurningFrame>& frame) {
  if (rows.states().empty())
    return Error{ErrorKind::numerical, "", "a glTF file needs at least one row of the run"};
  const Snapshot now = at_row(end, rows, rows.states().back());
  Geometry geometry;
  now.system->geometry(now.lanes.front().state, geometry);
  if (auto fits = check_gltf_nodes(geometry, now.lanes.size()); !fits) return fits.error();

  const RunPoints points = run_points(rows);
  if (auto finite = check_finite(points.rows); !finite) return finite.error();
  std::vector<std::size_t> frames = straight_frames(points.rows);
  const auto turn = frame ? turn_of_root(*frame, rows) : std::optional<RootTurn>();
  GltfRun out{.bytes = {},
              .frames = frames.size(),
              .error = straight_error(points.rows, frames),
              .turns = turn.has_value()};
  const std::string title =
      record.title.empty() ? std::string(info_of(record).title) : record.title;
  out.bytes = RunSolids(now, points, std::move(frames)).bytes(title, turn);
  return out;
}

}  // namespace twosphere::render
