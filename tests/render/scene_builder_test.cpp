// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/scene_builder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <iterator>
#include <vector>

#include "core/custom/definition.h"
#include "core/mechanics/forwarding_system.h"
#include "core/scenario/icosphere.h"
#include "core/scenario/reader.h"
#include "core/scenario/scenario.h"
#include "render/camera.h"
#include "render/convert.h"
#include "tests/outcome.h"
#include "tests/render/snapshots.h"
#include "tests/runs.h"

namespace twosphere::render::scene_builder_test {
namespace {

using test::chain;
using test::columns;
using test::direction;
using test::geometry_of;
using test::snapshot;

const SceneStyle plain{.trail = false};

// A preset's system with q at the start.
struct Start {
  std::shared_ptr<const System> system;
  Columns q;
  Geometry geometry;
};

Start start(std::string_view key) {
  const Scenario scenario = test::preset(key);
  auto made = find_system(scenario.system)->create(scenario.size(), scenario.parameters);
  Start out{test::value_of(std::move(made)), scenario.q, {}};
  out.geometry = geometry_of(*out.system, out.q);
  return out;
}

Scene scene_of(const Start& s, const SceneStyle& style = plain) {
  return build_scene(snapshot(s.system, s.q), {}, style);
}

TEST(SceneBuilder, ACloudHasADotForEachBodyOfEachMember) {
  for (const char* key : {"double_spherical_pendulum", "three_body", "dipole_array"}) {
    SCOPED_TRACE(key);
    const Start s = start(key);
    Snapshot now = snapshot(s.system, s.q);
    const Eigen::Index n = s.q.cols();
    Columns other = s.q;
    other.col(0) = Vec3(0.6, 0, 0.8);
    now.cloud.emplace().positions.resize(3, 2 * n);
    now.cloud->positions << s.q, other;
    const Scene scene = build_scene(now, {}, plain);
    ASSERT_TRUE(scene.cloud.dots);
    const auto& dots = *scene.cloud.dots;
    ASSERT_EQ(dots.size(), static_cast<std::size_t>(2 * n));
    for (const bool second : {false, true}) {
      const Geometry geometry = geometry_of(*s.system, second ? other : s.q);
      for (std::size_t i = 0; i < geometry.bodies.size(); ++i) {
        const Vec3 place =
            geometry.arrows.empty() ? geometry.bodies[i].position : geometry.arrows[i].to;
        const auto& dot = dots[i + (second ? geometry.bodies.size() : 0)];
        EXPECT_LT(glm::distance(dot.position, to_float(place)), 1e-6f) << i;
        EXPECT_EQ(dot.color, dots[i].color) << "that of the body";
      }
    }
    // Dots are smaller than bodies, which hide those near their centres; many are fainter.
    EXPECT_GT(scene.cloud.radius, 0);
    if (!scene.bodies.empty()) {
      EXPECT_LT(scene.cloud.radius, scene.bodies[0].w);
    }
    EXPECT_GT(scene.cloud.back, scene.cloud.radius);
    const float few = scene.cloud.opacity;
    now.cloud->positions = s.q.replicate(1, 2000);
    EXPECT_LT(build_scene(now, {}, plain).cloud.opacity, few);
    // A hidden lane has none, and neither has a lane without a cloud.
    SceneStyle hidden = plain;
    hidden.hidden = {0};
    EXPECT_FALSE(build_scene(now, {}, hidden).cloud.dots);
    now.cloud->lane = 1;
    EXPECT_FALSE(build_scene(now, {}, plain).cloud.dots);
    now.cloud.reset();
    EXPECT_FALSE(build_scene(now, {}, plain).cloud.dots);
  }
}

TEST(SceneBuilder, DrawsBodiesAndLinksWhereTheFigureHasThem) {
  const auto system = chain(2, 0);
  const Columns q = columns({direction(0.7, 0.2), direction(2.1, -1.3)});
  const Geometry geometry = geometry_of(*system, q);
  const Scene scene = build_scene(snapshot(system, q), {}, plain);
  ASSERT_EQ(scene.spheres.size(), 3u) << "two bodies and the pivot";
  ASSERT_EQ(scene.cylinders.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(scene.spheres[i].center, to_float(geometry.bodies[i].position));
    EXPECT_EQ(scene.cylinders[i].from, to_float(geometry.links[i].from));
    EXPECT_EQ(scene.cylinders[i].to, to_float(geometry.links[i].to));
    EXPECT_LT(scene.cylinders[i].radius, scene.spheres[i].radius / 3) << "slim";
  }
  EXPECT_EQ(scene.spheres[2].center, glm::vec3(0));
  EXPECT_FALSE(scene.gravity);
  EXPECT_FALSE(scene.ground.visible);
  EXPECT_TRUE(scene.polylines.empty());
}

TEST(SceneBuilder, DrawsBallsThatDoNotMove) {
  struct WithBall final : ForwardingSystem {
    using ForwardingSystem::ForwardingSystem;
    void geometry(const Columns& q, Geometry& out) const override {
      ForwardingSystem::geometry(q, out);
      out.fixed.push_back({Vec3(0.5, -0.25, 1), 0.5});
    }
  };
  const std::shared_ptr<const System> bare = chain(2, 0);
  const Columns q = columns({direction(0.7, 0.2), direction(2.1, -1.3)});
  const Scene without = build_scene(snapshot(bare, q), {}, plain),
              with = build_scene(snapshot(std::make_shared<WithBall>(bare), q), {}, plain);
  ASSERT_EQ(with.spheres.size(), without.spheres.size() + 1);
  EXPECT_EQ(with.bodies.size(), without.bodies.size()) << "it is no body";
  const auto ball = std::find_if(with.spheres.begin(), with.spheres.end(), [](const Sphere& s) {
    return s.center == glm::vec3(0.5F, -0.25F, 1);
  });
  ASSERT_NE(ball, with.spheres.end());
  EXPECT_FLOAT_EQ(ball->radius, with.spheres[0].radius / 2);
}

TEST(SceneBuilder, HangsThePivotUnderGravity) {
  const auto system = chain(1);
  const Scene scene = build_scene(snapshot(system, columns({direction(0.5, 0)})), {}, plain);
  EXPECT_TRUE(scene.gravity);
  ASSERT_GT(scene.cylinders.size(), 1u);
  for (std::size_t i = 1; i < scene.cylinders.size(); ++i)
    EXPECT_LT(scene.cylinders[i].to.z, 0) << "the mount is above the pivot";
}

TEST(SceneBuilder, SizesAndFramingDoNotDependOnTheConfiguration) {
  const auto system = chain(3);
  const Scene a = build_scene(
      snapshot(system, columns({direction(0, 0), direction(0, 0), direction(0, 0)})), {}, plain);
  const Scene b = build_scene(
      snapshot(system, columns({direction(3, 0), direction(1, 2), direction(2, 4)})), {}, plain);
  EXPECT_EQ(a.center, b.center);
  EXPECT_EQ(a.radius, b.radius);
  EXPECT_EQ(a.ground.center, b.ground.center);
  ASSERT_EQ(a.spheres.size(), b.spheres.size());
  for (std::size_t i = 0; i < a.spheres.size(); ++i)
    EXPECT_EQ(a.spheres[i].radius, b.spheres[i].radius);
  // The ball for framing holds all that can be reached, bodies included.
  const Extent extent = system->extent();
  EXPECT_GE(a.radius, glm::distance(a.center, to_float(extent.center)) +
                          static_cast<float>(extent.radius) + a.spheres[0].radius - 1e-5f);
  EXPECT_LT(a.radius, 1.2 * extent.radius);
}

TEST(SceneBuilder, BodiesOfALongChainDoNotTouch) {
  for (int n : {2, 10, 40}) {
    Columns q(3, n);
    for (int i = 0; i < n; ++i) q.col(i) = direction(0.1 * i, 0);
    const Scene scene = build_scene(snapshot(chain(n), q), {}, plain);
    EXPECT_LT(2 * scene.spheres[0].radius, 0.5f) << n;
    EXPECT_GT(scene.spheres[0].radius, 0.005 * 0.5 * n) << n;
  }
}

TEST(SceneBuilder, LaysTheGroundBelowEverythingThatCanBeReached) {
  for (int n : {1, 2, 7}) {
    const auto system = chain(n);
    Columns q(3, n);
    for (int i = 0; i < n; ++i) q.col(i) = direction(0, 0);
    const Scene scene = build_scene(snapshot(system, q), {}, plain);
    ASSERT_TRUE(scene.ground.visible);
    const double reach = system->extent().radius;
    float lowest = 0;
    for (const Sphere& s : scene.spheres) lowest = std::max(lowest, s.center.z + s.radius);
    EXPECT_GT(scene.ground.center.z, lowest) << "e3 is down";
    EXPECT_LT(scene.ground.center.z, lowest + 0.1 * reach) << "and close";
    const double lead =
        scene.ground.spacing / std::pow(10, std::floor(std::log10(scene.ground.spacing) + 1e-6));
    EXPECT_TRUE(std::abs(lead - 1) < 1e-4 || std::abs(lead - 2) < 1e-4 || std::abs(lead - 5) < 1e-4)
        << scene.ground.spacing;
    EXPECT_GT(scene.ground.radius / scene.ground.spacing, 4);
    EXPECT_LT(scene.ground.radius / scene.ground.spacing, 40);
  }
  SceneStyle bare = plain;
  bare.ground = false;
  const auto system = chain(1);
  EXPECT_FALSE(build_scene(snapshot(system, columns({direction(0, 0)})), {}, bare).ground.visible);
}

// A conical motion of one body: its trail is a circle.
struct Conical {
  std::shared_ptr<const System> system = chain(1);
  double rate = 2, tilt = 0.8;

  Columns at(double t) const { return columns({direction(tilt, rate * t)}); }
  std::deque<Configuration> configurations(double from, double to, double step,
                                           std::uint64_t generation = 1) const {
    std::deque<Configuration> made;
    for (double t = from; t < to - 1e-9; t += step) made.push_back({generation, t, {at(t)}});
    return made;
  }
};

TEST(SceneBuilder, TrailIsACurveThatFadesAndEndsAtTheBody) {
  const Conical motion;
  const double now = 6, span = 2;
  const SceneStyle style{.trail_span = span};
  const double radius = 0.5 * std::sin(motion.tilt), height = 0.5 * std::cos(motion.tilt);
  // Dense configurations, and so sparse ones that straight pieces between them would be seen.
  for (double step : {0.002, 0.15}) {
    const Scene scene = build_scene(snapshot(motion.system, motion.at(now), now),
                                    motion.configurations(0, now, step), style);
    ASSERT_EQ(scene.polylines.size(), 1u);
    const auto& points = scene.polylines[0].points;
    ASSERT_GT(points.size(), 30u);
    ASSERT_LT(points.size(), 600u);
    EXPECT_EQ(glm::vec3(points.back()), scene.spheres[0].center);
    EXPECT_GT(points.back().w, 0.8f);
    EXPECT_LT(points.front().w, 0.1f);
    for (std::size_t i = 0; i < points.size(); ++i) {
      EXPECT_NEAR(std::hypot(points[i].x, points[i].y), radius, 0.004 * radius);
      EXPECT_NEAR(points[i].z, height, 1e-5);
      if (i == 0) continue;
      EXPECT_GE(points[i].w, points[i - 1].w);
      EXPECT_LT(glm::distance(glm::vec3(points[i]), glm::vec3(points[i - 1])), 0.05 * 0.5);
    }
    // Over the span, and no longer.
    const double turned =
        std::atan2(points.back().y, points.back().x) - std::atan2(points[0].y, points[0].x);
    EXPECT_NEAR(std::remainder(turned - motion.rate * span, 2 * M_PI), 0,
                1.01 * motion.rate * step);
  }
}

// In the frame that turns with it a conical pendulum stands still, with all of its trail.
TEST(SceneBuilder, TrailsTurnWithTheFrame) {
  const Conical motion;
  SceneStyle style{.trail_span = 2};
  style.frame = TurningFrame{Vec3::UnitZ(), motion.rate};
  glm::vec3 place(0);
  for (const double now : {4.0, 6.5}) {
    std::deque<Configuration> trail = motion.configurations(0, now, 0.002);
    for (Configuration& configuration : trail) configuration.time = configuration.t;
    const Scene scene = build_scene(snapshot(motion.system, motion.at(now), now), trail, style);
    ASSERT_EQ(scene.polylines.size(), 1U);
    for (const glm::vec4& p : scene.polylines[0].points)
      EXPECT_LT(glm::distance(glm::vec3(p), scene.spheres[0].center), 1e-5);
    const glm::vec3 seen = scene.turn * scene.spheres[0].center;
    if (now > 5) {
      EXPECT_LT(glm::distance(seen, place), 1e-5);
    }
    place = seen;
    EXPECT_TRUE(test::says(scene.frame, "turns about e₃"));
    // So does the configuration at another time.
    Scene other = build_scene(snapshot(motion.system, motion.at(now), now), {}, style);
    add_configuration(snapshot(motion.system, motion.at(now), now), 0, motion.at(now - 1), style,
                      other, {}, nullptr, now - 1);
    ASSERT_FALSE(other.rings.empty());
    EXPECT_LT(glm::distance(other.rings.back().center, scene.spheres[0].center), 1e-5);
  }
  const Scene resting = scene_of({motion.system, motion.at(1), {}});
  EXPECT_EQ(resting.turn, glm::mat3(1));
  EXPECT_TRUE(resting.frame.empty());
}

TEST(SceneBuilder, TrailOfAnotherRunIsNotShown) {
  const Conical motion;
  const Snapshot now = snapshot(motion.system, motion.at(2), 2);
  EXPECT_TRUE(build_scene(now, motion.configurations(0, 2, 0.01, 7), {}).polylines.empty());
  EXPECT_FALSE(build_scene(now, motion.configurations(0, 2, 0.01, 1), {}).polylines.empty());
  // Poses after the present, as right after a step back, do not count either.
  EXPECT_TRUE(build_scene(now, motion.configurations(2.5, 4, 0.01), {}).polylines.empty());
  SceneStyle none;
  none.trail_span = 0;
  EXPECT_TRUE(build_scene(now, motion.configurations(0, 2, 0.01), none).polylines.empty());
  none = {.trail = false};
  EXPECT_TRUE(build_scene(now, motion.configurations(0, 2, 0.01), none).polylines.empty());
}

// In the reference lane, however many there are.
TEST(SceneBuilder, EachOfAFewBodiesHasAColourOfItsOwn) {
  int with_trails = 0;
  for (const char* key : {"double_spherical_pendulum", "three_body", "pendulum_network",
                          "chain_pendulum", "dipole_array", "conformal_pair"})
    for (const Palette palette : palettes) {
      const Start s = start(key);
      const auto n = static_cast<std::size_t>(s.system->size());
      const std::deque<Configuration> configurations = {{1, 0.0, {s.q}}, {1, 0.5, {s.q}}};
      SceneStyle style{.palette = palette};
      const auto own = [&](std::size_t i) {
        const Color c = body_color(i, n, palette);
        return glm::vec3((c.rgb >> 16) & 0xff, (c.rgb >> 8) & 0xff, c.rgb & 0xff) / 255.0f;
      };
      Snapshot now = snapshot(s.system, s.q, 1);
      const Scene scene = build_scene(now, configurations, style);
      for (std::size_t i = 0; i < n; ++i)
        EXPECT_LT(glm::distance(scene.spheres[i].color, own(i)), 1e-5f) << key << ' ' << i;
      // Trails are as strong as one another and of their bodies' colours.
      std::vector<Polyline> trails;
      for (const Polyline& line : scene.polylines)
        if (line.points.back().w > 0.9f) trails.push_back(line);
      if (!s.geometry.arrows.empty()) continue;
      ASSERT_EQ(trails.size(), n <= 4 ? n : 1) << key;
      for (std::size_t k = 0; k < trails.size(); ++k) {
        EXPECT_EQ(trails[k].width, 2);
        EXPECT_LT(glm::distance(trails[k].color, own(n - trails.size() + k)), 1e-5f) << key;
      }
      style.shade = Shade::lane;
      EXPECT_NE(build_scene(now, configurations, style).spheres[0].color, scene.spheres[0].color)
          << key;
      style.shade.reset();
      now.lanes.push_back(test::lane(s.q, 1, "rk4"));
      EXPECT_EQ(build_scene(now, configurations, style).spheres[0].color, scene.spheres[0].color)
          << key;
      ++with_trails;
    }
  EXPECT_EQ(with_trails, 5 * std::ssize(palettes)) << "all but the magnets";
}

TEST(SceneBuilder, AConfigurationOfThePastIsAnOutline) {
  int with_rings = 0;
  for (const Preset& preset : presets()) {
    const Start s = start(preset.key);
    const Snapshot now = snapshot(s.system, s.q);
    const Scene bare = scene_of(s);
    Scene scene = bare;
    add_configuration(now, 0, s.q, plain, scene);
    EXPECT_EQ(scene.spheres.size(), bare.spheres.size()) << preset.key;
    EXPECT_EQ(scene.dots.size(), bare.dots.size());
    EXPECT_EQ(scene.cylinders.size(), bare.cylinders.size());
    EXPECT_EQ(scene.tubes.size(), bare.tubes.size());
    EXPECT_EQ(scene.cones.size(), bare.cones.size());
    const bool rod = !s.geometry.bending.empty();
    ASSERT_EQ(scene.rings.size(), rod ? 1u : s.geometry.bodies.size()) << preset.key;
    const std::size_t lines = scene.polylines.size() - bare.polylines.size();
    EXPECT_EQ(lines, rod ? 1
                         : (s.geometry.sphere ? 0 : s.geometry.links.size()) +
                               s.geometry.springs.size() + 5 * s.geometry.arrows.size() +
                               s.geometry.frame.size())
        << preset.key;
    for (const Ring& ring : scene.rings) EXPECT_GT(ring.radius, 0);
    if (rod || !s.geometry.arrows.empty()) continue;
    // Where bodies are coloured by a quantity, the outline has the colours that they have without.
    const Scene uncolored = scene_of(s, {.trail = false, .shade = Shade::tension});
    for (std::size_t i = 0; i < scene.rings.size(); ++i) {
      EXPECT_EQ(scene.rings[i].center, bare.spheres[i].center);
      EXPECT_GT(scene.rings[i].radius, bare.spheres[i].radius) << "around the body where they meet";
      if (!is_dense(s.geometry)) {
        EXPECT_EQ(scene.rings[i].color, uncolored.spheres[i].color);
      }
    }
    ++with_rings;
  }
  EXPECT_GE(with_rings, 7) << "all but rods and magnets";
}

TEST(SceneBuilder, AConfigurationOfAnotherRunShowsTheBodiesAndTheRun) {
  const Start s = start("three_body");
  const Snapshot now = snapshot(s.system, s.q);
  const Scene bare = scene_of(s);
  Scene scene = bare;
  const Color of_run = branch_color(1, Palette::dark);
  add_configuration(now, 0, s.q, plain, scene, of_run);
  const std::size_t n = s.geometry.bodies.size();
  ASSERT_EQ(scene.rings.size(), 2 * n);
  const glm::vec3 one = scene.rings[n].color;
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_EQ(scene.rings[i].color, bare.spheres[i].color) << "that of the body";
    EXPECT_EQ(scene.rings[n + i].color, one) << "that of the run";
    EXPECT_NE(scene.rings[i].color, one);
    EXPECT_EQ(scene.rings[n + i].center, scene.rings[i].center);
    EXPECT_GT(scene.rings[n + i].radius, scene.rings[i].radius);
  }
}

TEST(SceneBuilder, FewBodiesTrailAllManyOnlyTheLast) {
  for (int n : {2, 12}) {
    Columns q(3, n);
    std::deque<Configuration> configurations;
    for (int k = 0; k <= 50; ++k) {
      for (int i = 0; i < n; ++i) q.col(i) = direction(0.3 + 0.01 * k, 0.02 * k * (i + 1));
      configurations.push_back({1, 0.02 * k, {q}});
    }
    const Scene scene = build_scene(snapshot(chain(n), q, 1.001), configurations, {});
    ASSERT_EQ(scene.polylines.size(), n == 2 ? 2u : 1u);
    const Polyline& last = scene.polylines.back();
    EXPECT_EQ(glm::vec3(last.points.back()), scene.spheres[static_cast<std::size_t>(n) - 1].center);
    EXPECT_EQ(last.color, scene.spheres[static_cast<std::size_t>(n) - 1].color);
    EXPECT_EQ(scene.polylines[0].points.back().w, last.points.back().w) << "alike in strength";
    EXPECT_EQ(scene.polylines[0].width, last.width);
  }
}

TEST(SceneBuilder, DrawsTheUnitSphereAsMeridiansAndParallelsBeneathItsBodies) {
  for (const char* key : {"three_body", "lennard_jones", "conformal_particle", "conformal_pair"}) {
    const Start s = start(key);
    const Scene scene = scene_of(s);
    ASSERT_EQ(scene.polylines.size(), 24u + 11u) << key << ": every 15 degrees";
    EXPECT_TRUE(scene.shell.visible);
    EXPECT_EQ(scene.shell.radius, 1);
    EXPECT_GE(scene.shell.opacity, 0.15f);
    EXPECT_LE(scene.shell.opacity, 0.25f);
    for (const Polyline& line : scene.polylines) {
      EXPECT_LT(line.far_side, 0.5f);
      for (const glm::vec4& p : line.points) EXPECT_NEAR(glm::length(glm::vec3(p)), 1, 1e-6);
    }
    // Over the faces of a field, not through them: between its points a curve sinks by as much as
    // half a chord's sagitta.
    SceneStyle field = plain;
    field.field = true;
    for (const bool fine : {true, false}) {
      field.fine = fine;
      const Scene over = scene_of(s, field);
      ASSERT_TRUE(over.mesh.shape) << key;
      for (const glm::vec3& corner : over.mesh.shape->vertices)
        ASSERT_LE(glm::length(corner), 1.0001f);
      for (const Polyline& line : over.polylines)
        for (std::size_t i = 1; i < line.points.size(); ++i)
          EXPECT_GT(glm::length(glm::vec3(line.points[i] + line.points[i - 1]) / 2.0f), 1.001f);
    }
    const auto bodies = static_cast<std::size_t>(s.system->size());
    ASSERT_EQ(scene.spheres.size(), bodies) << key;
    for (std::size_t i = 0; i < bodies; ++i) {
      EXPECT_EQ(scene.spheres[i].center, to_float(s.q.col(static_cast<Eigen::Index>(i))));
      EXPECT_GT(scene.spheres[i].radius, 0.01f);
      EXPECT_LT(scene.spheres[i].radius, 0.1f);
    }
    EXPECT_EQ(scene.spheres.front().color == scene.spheres.back().color, bodies != 2 && bodies != 3)
        << key << ": few are told apart";
    if (s.geometry.body_radius > 0) {
      EXPECT_FLOAT_EQ(scene.spheres[0].radius, static_cast<float>(s.geometry.body_radius));
    }
    if (scene.ground.visible) {
      EXPECT_GT(scene.ground.center.z, 1) << key << ": below the sphere";
    }
    EXPECT_EQ(scene.ground.visible, s.system->extent().gravity) << key;
  }
  EXPECT_TRUE(
      build_scene(snapshot(chain(2), columns({direction(0, 0), direction(0, 0)})), {}, plain)
          .polylines.empty());
}

TEST(SceneBuilder, ARingIsLeftOutWithinAShareOfItsOwnBall) {
  const SystemInfo& info = *find_system("chain_pendulum");
  Values values = default_values(info.parameters, 2);
  values["masses"] = {1.0, 1e-3};
  values["lengths"] = {0.5, 0.5};
  const std::shared_ptr<const System> system = test::value_of(info.create(2, values));
  const Vec3 first = direction(0.4, 0), second = direction(0.9, 0);
  const Snapshot alone = snapshot(system, columns({first, second}));
  const Scene scene = build_scene(alone, {}, plain);
  ASSERT_EQ(scene.bodies.size(), 2u);
  ASSERT_LT(scene.bodies[1].w, 0.2f * scene.bodies[0].w);
  for (const std::size_t body : {0u, 1u}) {
    Snapshot now = alone;
    const double by = 0.2 * static_cast<double>(scene.bodies[body].w) / 0.5;
    now.lanes.push_back(test::lane(columns({first, direction(0.9 + by, 0)}), 0, "rk4"));
    EXPECT_EQ(build_scene(now, {}, plain).rings.size(), body == 0 ? 1u : 0u);
  }
}

TEST(SceneBuilder, BodiesOfACrowdLeaveNoTrailAndMagnetsTheirTips) {
  for (const char* key : {"three_body", "lennard_jones", "dipole_array"}) {
    const Start s = start(key);
    const std::deque<Configuration> configurations = {{1, 0.0, {s.q}}, {1, 0.5, {s.q}}};
    const Snapshot now = snapshot(s.system, s.q, 1);
    const std::size_t trails = build_scene(now, configurations, {}).polylines.size() -
                               build_scene(now, configurations, plain).polylines.size();
    const std::size_t few = s.geometry.arrows.empty() ? 3 : 16;  // north poles of magnets
    EXPECT_EQ(trails, s.system->size() == 642 ? 0u : few) << key;
  }
}

TEST(SceneBuilder, SpringsAreCoilsColouredByTheirTension) {
  Start s = start("pendulum_network");
  s.q = columns({direction(0.5, 0), direction(0.5, M_PI), direction(0, 0), direction(0, 0)});
  s.geometry = geometry_of(*s.system, s.q);
  const Scene scene = scene_of(s);
  ASSERT_EQ(s.geometry.springs.size(), 4u);
  ASSERT_EQ(scene.tubes.size(), 4u);
  bool warm = false, cool = false;
  for (std::size_t i = 0; i < 4; ++i) {
    const Geometry::Spring& spring = s.geometry.springs[i];
    const Tube& coil = scene.tubes[i];
    EXPECT_EQ(coil.points.front().position, to_float(spring.from));
    EXPECT_EQ(coil.points.back().position, to_float(spring.to));
    EXPECT_EQ(coil.points.size(), scene.tubes[0].points.size()) << "as many turns as ever";
    const Vec3 along = (spring.to - spring.from).normalized();
    // As many turns: so often it comes by the same side of the axis.
    double widest = 0, turned = 0;
    Vec3 before = Vec3::Zero();
    for (const Tube::Point& p : coil.points) {
      const Vec3 away = Vec3(p.position.x, p.position.y, p.position.z) - spring.from;
      const Vec3 off = away - along.dot(away) * along;
      widest = std::max(widest, off.norm());
      if (before.norm() > 1e-6 && off.norm() > 1e-6)
        turned += std::atan2(along.dot(before.cross(off)), before.dot(off));
      before = off;
    }
    EXPECT_NEAR(widest, 0.5 * scene.spheres[0].radius, 1e-3 * widest);
    EXPECT_NEAR(std::abs(turned) / (2 * M_PI), 9, 0.2);
    const glm::vec3 color = coil.points[0].color;
    EXPECT_EQ(coil.points[50].color, color);
    if (spring.tension > 1e-6) {
      EXPECT_GT(color.r, color.b);
      warm = true;
    } else if (spring.tension < -1e-6) {
      EXPECT_GT(color.b, color.r);
      cool = true;
    }
  }
  EXPECT_TRUE(warm);
  EXPECT_TRUE(cool);
  ASSERT_EQ(scene.bars.size(), 1u);
  EXPECT_EQ(scene.bars[0].unit, "N");
  EXPECT_EQ(scene.bars[0].low, -scene.bars[0].high);
  double greatest = 0;
  for (const Geometry::Spring& spring : s.geometry.springs)
    greatest = std::max(greatest, std::abs(spring.tension));
  EXPECT_GE(scene.bars[0].high, greatest);
  EXPECT_LE(scene.bars[0].high, 2.6 * greatest);
  // At rest all have one colour, near that of the rods.
  s.q = columns({direction(0, 0), direction(0, 0), direction(0, 0), direction(0, 0)});
  const Scene rest = scene_of(s);
  for (const Tube& coil : rest.tubes) {
    EXPECT_EQ(coil.points[0].color, rest.tubes[0].points[0].color);
    EXPECT_LT(glm::distance(coil.points[0].color, rest.cylinders[0].color), 0.1f);
  }
}

TEST(SceneBuilder, DipolesAreArrowsOfTwoColoursOnTheirLattice) {
  const Start s = start("dipole_array");
  const Scene scene = scene_of(s);
  const std::size_t n = s.geometry.arrows.size();
  ASSERT_EQ(n, 16u);
  ASSERT_EQ(scene.cylinders.size(), 2 * n);
  ASSERT_EQ(scene.cones.size(), n);
  ASSERT_EQ(scene.spheres.size(), n);
  EXPECT_EQ(scene.polylines.size(), 24u) << "neighbours on a lattice of 4 by 4";
  for (std::size_t i = 0; i < n; ++i) {
    const Cylinder &south = scene.cylinders[2 * i], &north = scene.cylinders[2 * i + 1];
    const Cone& head = scene.cones[i];
    EXPECT_EQ(south.from, to_float(s.geometry.arrows[i].from));
    EXPECT_EQ(south.to, north.from);
    EXPECT_EQ(north.to, head.base);
    EXPECT_EQ(head.tip, to_float(s.geometry.arrows[i].to));
    EXPECT_GT(head.radius, 1.5f * north.radius);
    EXPECT_GT(north.color.r, 1.5f * north.color.b) << "red";
    EXPECT_EQ(head.color, north.color);
    EXPECT_GT(south.color.b, 1.5f * south.color.r) << "blue";
    EXPECT_EQ(scene.spheres[i].center, north.from) << "a bead at the pivot";
  }
  EXPECT_FALSE(scene.ground.visible);
}

TEST(SceneBuilder, MagnetsAreAsThickAsTheirMoment) {
  Start s = start("dipole_array");
  const SystemInfo& info = *find_system("dipole_array");
  Values values = test::preset("dipole_array").parameters;
  std::vector<double>& moments = values.find("moments")->second;
  moments[3] = moments[3] / 8;
  s.system = test::value_of(info.create(16, values));
  const Scene scene = scene_of(s);
  EXPECT_NEAR(scene.cylinders[6].radius, scene.cylinders[0].radius / 2, 1e-6);
  EXPECT_NEAR(scene.cones[3].radius, scene.cones[0].radius / 2, 1e-6);
}

TEST(SceneBuilder, ARodIsASmoothTubeThroughItsJointsWithAClamp) {
  for (const char* key : {"elastic_rod", "elastic_rod_consistent"}) {
    Start s = start(key);
    for (Eigen::Index i = 0; i < s.q.cols(); ++i)
      s.q.col(i) = direction(M_PI / 2 - 0.1 * static_cast<double>(i + 1), 0);
    s.geometry = geometry_of(*s.system, s.q);
    const Scene scene = scene_of(s);
    ASSERT_EQ(scene.tubes.size(), 1u);
    const Tube& tube = scene.tubes[0];
    const std::size_t links = s.geometry.links.size();
    ASSERT_EQ(links, 11u);
    ASSERT_EQ(tube.points.size(), 8 * links + 1);
    for (std::size_t i = 0; i < links; ++i)
      EXPECT_LT(glm::distance(tube.points[8 * i].position, to_float(s.geometry.links[i].from)),
                1e-6f);
    EXPECT_LT(glm::distance(tube.points.back().position, to_float(s.geometry.links.back().to)),
              1e-6f);
    // No piece turns from the one before by more than a third of a joint's angle.
    for (std::size_t i = 2; i < tube.points.size(); ++i) {
      const glm::vec3 a = glm::normalize(tube.points[i - 1].position - tube.points[i - 2].position);
      const glm::vec3 b = glm::normalize(tube.points[i].position - tube.points[i - 1].position);
      EXPECT_LT(std::acos(std::min(glm::dot(a, b), 1.0f)), 0.034f) << i;
    }
    ASSERT_EQ(scene.cylinders.size(), 1u) << "the clamp";
    EXPECT_EQ(scene.cylinders[0].to, to_float(s.geometry.pivots[0]));
    EXPECT_GT(scene.cylinders[0].radius, 2 * tube.radius);
    ASSERT_EQ(scene.spheres.size(), 1u) << "the tip";
    EXPECT_EQ(scene.spheres[0].center, to_float(s.geometry.bodies.back().position));
  }
}

TEST(SceneBuilder, ARingIsASmoothTubeThatCloses) {
  constexpr int n = 10;
  Start s = start("elastic_rod_consistent");
  const SystemInfo& info = *find_system("elastic_rod");
  Values values{{"elements", {n}}, {"mass", {1}},
                {"length", {1}},   {"stiffness", std::vector<double>(n, 1)},
                {"inertia", {1}},  {"ends", {3}}};
  values.merge(default_values(info.parameters, n));
  s.system = test::value_of(info.create(n, values));
  for (int i = 0; i < n; ++i) s.q.col(i) = direction(M_PI / 2, 2 * M_PI * i / n);
  s.geometry = geometry_of(*s.system, s.q);
  const Scene scene = scene_of(s);
  ASSERT_EQ(scene.tubes.size(), 1u);
  EXPECT_TRUE(scene.cylinders.empty()) << "no clamp";
  const auto& points = scene.tubes[0].points;
  ASSERT_EQ(points.size(), 8u * n + 1);
  EXPECT_LT(glm::distance(points.front().position, points.back().position), 1e-6f);
  EXPECT_EQ(points.front().color, points.back().color);
  // Nor does it turn more where it closes, than elsewhere: a joint's angle is 0.63.
  for (std::size_t i = 1; i < points.size(); ++i) {
    const std::size_t next = i + 1 < points.size() ? i + 1 : 1;
    const glm::vec3 a = glm::normalize(points[i].position - points[i - 1].position);
    const glm::vec3 b = glm::normalize(points[next].position - points[i].position);
    EXPECT_LT(std::acos(std::min(glm::dot(a, b), 1.0f)), 0.25f) << i;
  }
}

TEST(SceneBuilder, ARodShowsTheEnergyOfEachJoint) {
  Start s = start("elastic_rod");
  s.q.colwise() = Vec3(1, 0, 0);
  s.q.rightCols(6).colwise() = direction(M_PI / 2 - 0.3, 0);  // one joint bent, before element 5
  s.geometry = geometry_of(*s.system, s.q);
  const double energy = s.geometry.bending[4];
  EXPECT_NEAR(energy, 500 * std::pow(1 - std::cos(0.3), 2), 1e-9);
  for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(s.geometry.bending[i] > 1e-9, i == 4) << i;
  const Scene scene = scene_of(s);
  ASSERT_EQ(scene.bars.size(), 1u);
  EXPECT_EQ(scene.bars[0].low, 0);
  EXPECT_EQ(scene.bars[0].unit, "J");
  EXPECT_GE(scene.bars[0].high, energy);
  const auto& points = scene.tubes[0].points;
  const glm::vec3 calm = points[0].color, bent = points[8 * 5].color;
  EXPECT_GT(glm::distance(calm, bent), 0.2f);
  EXPECT_EQ(points[8 * 4].color, calm);
  EXPECT_EQ(points.back().color, calm);
  EXPECT_LT(glm::distance(points[8 * 5 - 4].color, 0.5f * (calm + bent)), 1e-5f);
  SceneStyle by_lane = plain;
  by_lane.shade = Shade::lane;
  EXPECT_TRUE(scene_of(s, by_lane).bars.empty());
}

TEST(SceneBuilder, ManyMoleculesAreColouredBySpeed) {
  const Start s = start("lennard_jones");
  Snapshot now = snapshot(s.system, s.q);
  State& state = now.lanes[0].state;
  state.w.col(7) = 0.5 * Vec3(s.q.col(7)).unitOrthogonal();
  const Scene scene = build_scene(now, {}, plain);
  ASSERT_EQ(scene.spheres.size(), 642u);
  ASSERT_EQ(scene.bars.size(), 1u);
  EXPECT_EQ(scene.bars[0], (ColorBar{"speed", "m/s", 0, 0.5, ColorMap::viridis}));
  const auto at = [](double v) {
    const Color c = color_at(ColorMap::viridis, v, Palette::dark);
    return glm::vec3((c.rgb >> 16) & 0xff, (c.rgb >> 8) & 0xff, c.rgb & 0xff) / 255.0f;
  };
  EXPECT_LT(glm::distance(scene.spheres[7].color, at(1)), 1e-5f);
  EXPECT_LT(glm::distance(scene.spheres[8].color, at(0)), 1e-5f);
  // The scale is that of the run so far: a state that is not later changes nothing.
  SceneMemory memory;
  build_scene(now, {}, plain, memory);
  state.w *= 0.1;
  EXPECT_EQ(build_scene(now, {}, plain, memory).bars[0].high, 0.5);
  now.generation = 2;
  EXPECT_NEAR(build_scene(now, {}, plain, memory).bars[0].high, 0.05, 1e-12);
  state.w *= 100;
  state.t = 1;
  observe(*s.system, state, 2, plain, memory);
  EXPECT_NEAR(build_scene(now, {}, plain, memory).bars[0].high, 5, 1e-9);
}

// One early spike takes the colours from nothing that comes after it, and the legend says so.
TEST(SceneBuilder, ASpikeDoesNotWasteTheColours) {
  const Start s = start("lennard_jones");
  Snapshot now = snapshot(s.system, s.q);
  State& state = now.lanes[0].state;
  for (Eigen::Index i = 0; i < s.q.cols(); ++i)
    state.w.col(i) = 0.03 * Vec3(s.q.col(i)).unitOrthogonal();
  const Columns calm = state.w;
  state.w.leftCols(40) *= 100;
  SceneMemory memory;
  const ColorBar first = build_scene(now, {}, plain, memory).bars[0];
  EXPECT_EQ(first.high, 5);
  EXPECT_FALSE(first.clipped);
  state.w = calm;
  for (int k = 1; k <= 50; ++k) {
    state.t = now.t = 0.01 * k;
    build_scene(now, {}, plain, memory);
  }
  const Scene later = build_scene(now, {}, plain, memory);
  EXPECT_NEAR(later.bars[0].high, 0.05, 1e-12);
  EXPECT_TRUE(later.bars[0].clipped);
  EXPECT_EQ(text_at(later.bars[0], 1), "≥ 0.05");
}

TEST(SceneBuilder, TheSphereIsColouredByTheInertiaOfItsPlaces) {
  int varying = 0;
  for (const Preset& preset : presets()) {
    const Start s = start(preset.key);
    const Scene scene = scene_of(s);
    const bool varies = preset.key.starts_with("conformal");
    ASSERT_EQ(scene.shell.zones.size(), varies ? shell_zones + 1 : 0u) << preset.key;
    if (!varies) continue;
    ASSERT_EQ(scene.bars.size(), 1u);
    EXPECT_EQ(scene.bars[0].low, 1);
    const double slope = read_scenario(find_preset(preset.key)->text, preset.key)
                             ->parameters.find("slope")
                             ->second[0];
    EXPECT_NEAR(scene.bars[0].high, 1 + slope, 1e-12) << "m(q) = m (1 + α (e3·q)²)";
    // Greatest at both poles, least at the equator.
    const Color top = color_at(ColorMap::viridis, 1, Palette::dark);
    const Color least = color_at(ColorMap::viridis, 0, Palette::dark);
    const auto rgb = [](Color c) {
      return glm::vec3((c.rgb >> 16) & 0xff, (c.rgb >> 8) & 0xff, c.rgb & 0xff) / 255.0f;
    };
    EXPECT_LT(glm::distance(scene.shell.zones.front(), rgb(top)), 1e-5f);
    EXPECT_LT(glm::distance(scene.shell.zones.back(), rgb(top)), 1e-5f);
    EXPECT_LT(glm::distance(scene.shell.zones[shell_zones / 2], rgb(least)), 1e-5f);
    // By a number of the bodies there is one bar.
    SceneStyle by_speed = plain;
    by_speed.shade = Shade::speed;
    EXPECT_TRUE(scene_of(s, by_speed).shell.zones.empty());
    EXPECT_EQ(scene_of(s, by_speed).bars.size(), 1u);
    ++varying;
  }
  EXPECT_GE(varying, 2);
}

TEST(SceneBuilder, SaysWhatDifferingSizesMean) {
  for (const Preset& preset : presets()) {
    const Start s = start(preset.key);
    float least = 1e9f, most = 0;
    const Scene scene = scene_of(s);
    for (const glm::vec4& body : scene.bodies)
      least = std::min(least, body.w), most = std::max(most, body.w);
    EXPECT_EQ(!scene.sizes.empty(), most > 1.001f * least && s.geometry.bending.empty())
        << preset.key;
  }
}

TEST(SceneBuilder, ACrowdIsDotsWhereSmoothEdgesAreDear) {
  for (const int subdivisions : {3, 4}) {  // 642 and 2562
    const Columns q = icosphere(subdivisions).vertices;
    const auto n = static_cast<std::size_t>(q.cols());
    auto made = find_system("n_body")->create(
        static_cast<int>(n), {{"masses", std::vector<double>(n, 1)}, {"gamma", {1}}});
    const std::shared_ptr<const System> system = std::move(*made);
    for (const bool fine : {true, false}) {
      const Scene scene =
          build_scene(test::snapshot(system, q), {}, {.trail = false, .fine = fine});
      const bool dots = !fine && n > 2000;
      EXPECT_EQ(scene.dots.size(), dots ? n : 0);
      EXPECT_EQ(scene.spheres.size(), dots ? 0 : n);
      EXPECT_EQ(scene.bodies.size(), n);
      for (std::size_t i = 0; i < scene.dots.size(); ++i) {
        ASSERT_EQ(scene.dots[i].center, to_float(q.col(static_cast<Eigen::Index>(i))));
        ASSERT_EQ(scene.dots[i].radius, scene.bodies[i].w);
      }
    }
  }
}

TEST(SceneBuilder, ColoursCanShowAnyQuantityOfABody) {
  for (const char* key : {"double_spherical_pendulum", "dipole_array", "elastic_rod"}) {
    const Start s = start(key);
    Snapshot now = snapshot(s.system, s.q);
    now.lanes[0].state.w.col(0) = Vec3(s.q.col(0)).unitOrthogonal();
    for (const Shade shade : {Shade::speed, Shade::kinetic_energy, Shade::momentum}) {
      SceneStyle style = plain;
      style.shade = shade;
      style.color_map = ColorMap::cividis;
      const Scene scene = build_scene(now, {}, style);
      ASSERT_EQ(scene.bars.size(), 1u) << key;
      EXPECT_EQ(scene.bars[0].label, info(shade).label);
      EXPECT_EQ(scene.bars[0].map, ColorMap::cividis);
      EXPECT_GT(scene.bars[0].high, 0);
    }
  }
}

// The scale is that of the magnitudes; with values of both signs its middle is 0.
TEST(SceneBuilder, ASystemCanNameTheQuantityOfItsColours) {
  Definition d;
  d.bodies = 2;
  d.inertia = "diag(1)";
  d.color = {{"height", "3*q[i].e3"}};
  Values none;
  auto made = translate(d).definition->info().create(2, none);
  const std::shared_ptr<const System> system = std::move(*made);
  Columns q(3, 2);
  q << 0.8, 0, 0, 0, 0.6, 1;
  const Scene above = build_scene(snapshot(system, q), {}, plain);
  ASSERT_EQ(above.bars.size(), 1u);
  EXPECT_EQ(above.bars[0].label, "height");
  EXPECT_EQ(above.bars[0].unit, "");
  EXPECT_EQ(above.bars[0].low, 0);
  EXPECT_EQ(above.bars[0].high, 5);
  EXPECT_EQ(above.bars[0].map, plain.color_map);
  q.col(1) *= -1;
  const Scene both = build_scene(snapshot(system, q), {}, plain);
  EXPECT_EQ(both.bars[0].low, -5);
  EXPECT_EQ(both.bars[0].map, ColorMap::diverging);
  ASSERT_EQ(both.spheres.size(), 2u);
  EXPECT_NE(both.spheres[0].color, both.spheres[1].color);
  SceneStyle chosen = plain;
  chosen.shade = Shade::lane;
  EXPECT_TRUE(build_scene(snapshot(system, q), {}, chosen).bars.empty());
  // Other systems name none.
  const Start other = start("double_spherical_pendulum");
  chosen.shade = Shade::own;
  EXPECT_TRUE(build_scene(snapshot(other.system, other.q), {}, chosen).bars.empty());
}

TEST(SceneBuilder, TheFieldCoversTheSphereInsteadOfACrowd) {
  int covered = 0;
  for (const char* key : {"lennard_jones", "three_body", "double_spherical_pendulum"}) {
    const Start s = start(key);
    Snapshot now = snapshot(s.system, s.q);
    for (Eigen::Index i = 0; i < s.q.cols(); ++i)
      now.lanes[0].state.w.col(i) = Vec3(s.q.col(i)).unitOrthogonal();
    SceneStyle style = plain;
    style.field = true;
    const Scene scene = build_scene(now, {}, style);
    const bool shown = s.geometry.sphere;
    ASSERT_EQ(scene.mesh.shape != nullptr, shown) << key;
    if (!shown) continue;
    EXPECT_EQ(scene.mesh.shape->faces.size(), 5120u);
    EXPECT_EQ(scene.mesh.colors.size(), 5120u);
    EXPECT_EQ(scene.mesh.shape->vertices.size(), 2562u);
    EXPECT_FALSE(scene.shell.visible);
    EXPECT_EQ(scene.spheres.size(), s.q.cols() > 12 ? 0u : static_cast<std::size_t>(s.q.cols()));
    ASSERT_FALSE(scene.bars.empty());
    EXPECT_EQ(scene.bars[0].label, "local kinetic energy");
    EXPECT_DOUBLE_EQ(scene.bars[0].high, 0.5) << "½ m v² of every one";
    ++covered;
  }
  EXPECT_EQ(covered, 2) << "where bodies are on a sphere";
}

TEST(SceneBuilder, WhatASystemOfFirstOrderLacksIsNotShown) {
  const Start s = start("vortex_leapfrog");
  ASSERT_TRUE(s.geometry.sphere);
  const Snapshot now = snapshot(s.system, s.q);
  SceneStyle style = plain;
  style.field = true;
  for (const Shade shade : {Shade::kinetic_energy, Shade::momentum}) {
    style.shade = shade;
    const Scene scene = build_scene(now, {}, style);
    EXPECT_FALSE(scene.mesh.shape);
    EXPECT_TRUE(scene.bars.empty());
  }
  style.arrows[static_cast<std::size_t>(BodyVector::momentum)] = true;
  EXPECT_TRUE(build_scene(now, {}, style).arrow_keys.empty());
  style.arrows[static_cast<std::size_t>(BodyVector::torque)] = true;
  EXPECT_EQ(build_scene(now, {}, style).arrow_keys.size(), 1u);
}

TEST(SceneBuilder, ArrowsStartAtTheBodiesSurfaceAndAreAsLongAsTheirVectors) {
  const auto system = chain(2);
  Snapshot now = snapshot(system, columns({direction(0.7, 0.2), direction(2.1, -1.3)}));
  State& state = now.lanes[0].state;
  state.w.col(0) = 4.0 * Vec3(state.q.col(0)).unitOrthogonal();
  state.w.col(1) = 1.0 * Vec3(state.q.col(1)).unitOrthogonal();
  const Scene bare = build_scene(now, {}, plain);
  for (std::size_t k = 0; k < body_vector_count; ++k) {
    SceneStyle style = plain;
    style.arrows[k] = true;
    const Scene scene = build_scene(now, {}, style);
    ASSERT_EQ(scene.cones.size(), 2u);
    ASSERT_EQ(scene.arrow_keys.size(), 1u);
    const bool of_omega = static_cast<BodyVector>(k) == BodyVector::angular_velocity;
    EXPECT_EQ(scene.spin_tips.size(), of_omega ? 2u : 0u);
    Columns vectors;
    evaluate(static_cast<BodyVector>(k), *system, state, vectors);
    const double longest = scene.arrow_keys[0].longest;
    EXPECT_DOUBLE_EQ(longest, round_up(vectors.colwise().norm().maxCoeff()));
    for (std::size_t i = 0; i < 2; ++i) {
      const Vec3 v = vectors.col(static_cast<Eigen::Index>(i));
      const glm::vec3 foot =
          bare.spheres[i].center + bare.spheres[i].radius * to_float(v.normalized());
      const glm::vec3 shown = scene.cones[i].tip - foot;
      EXPECT_LT(glm::distance(scene.cylinders[scene.cylinders.size() - 2 + i].from, foot), 1e-5f);
      EXPECT_NEAR(glm::length(shown), 0.32 * system->extent().radius * v.norm() / longest, 1e-5);
      EXPECT_NEAR(glm::dot(glm::normalize(shown), to_float(v.normalized())), 1, 1e-5);
      EXPECT_EQ(scene.cones[i].color, scene.arrow_keys[0].color);
      EXPECT_NEAR(glm::length(shown), scene.arrow_keys[0].length * v.norm(), 1e-5);
      if (scene.spin_tips.empty()) continue;
      EXPECT_EQ(scene.spin_tips[i], std::pair(static_cast<int>(i), scene.cones[i].tip));
    }
  }
  EXPECT_TRUE(bare.cones.empty());
  EXPECT_TRUE(bare.arrow_keys.empty());
}

TEST(SceneBuilder, ArrowsKeepTheirScaleWhileOneIsDragged) {
  Snapshot now = snapshot(chain(2), columns({direction(0.7, 0.2), direction(2.1, -1.3)}));
  State& state = now.lanes[0].state;
  state.w.col(0) = 1.0 * Vec3(state.q.col(0)).unitOrthogonal();
  SceneStyle style = plain;
  style.arrows[static_cast<std::size_t>(BodyVector::angular_velocity)] = true;
  SceneMemory memory;
  const auto scale = [&] { return build_scene(now, {}, style, memory).arrow_keys.at(0).length; };
  const double before = scale();
  now.shows_edit = true;
  state.w.col(0) *= 7;
  EXPECT_EQ(scale(), before);
  now.shows_edit = false;
  EXPECT_LT(scale(), before) << "afterwards the longest fits again";
}

TEST(SceneBuilder, TellsWhereTheBodiesAre) {
  for (const Preset& preset : presets()) {
    const Start s = start(preset.key);
    const Scene scene = scene_of(s);
    ASSERT_EQ(scene.bodies.size(), static_cast<std::size_t>(s.system->size())) << preset.key;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
      EXPECT_EQ(glm::vec3(scene.bodies[i]), to_float(s.geometry.bodies[i].position));
      EXPECT_GT(scene.bodies[i].w, 0);
    }
  }
}

TEST(SceneBuilder, TheInsetShowsEveryDirectionOnOneSphere) {
  for (const Preset& preset : presets()) {
    const Start s = start(preset.key);
    const Scene inset = build_inset(snapshot(s.system, s.q), {}, plain);
    EXPECT_EQ(inset.shell.visible, !s.geometry.sphere) << preset.key;
    ASSERT_EQ(inset.spheres.size(), s.geometry.sphere ? 0u : s.geometry.bodies.size());
    for (std::size_t i = 0; i < inset.spheres.size(); ++i)
      EXPECT_EQ(inset.spheres[i].center, to_float(s.q.col(static_cast<Eigen::Index>(i))));
    EXPECT_FALSE(inset.ground.visible);
  }
}

// Great circles, with configurations so far apart that chords would cut through the sphere.
TEST(SceneBuilder, TrailsOnTheSphereFollowIt) {
  const Start s = start("three_body");
  std::deque<Configuration> configurations;
  const auto at = [](double t) {
    return columns({direction(M_PI / 2, t), direction(t, 0), direction(1, t)});
  };
  for (double t = 0; t < 2; t += 0.4) configurations.push_back({1, t, {at(t)}});
  const Scene scene = build_scene(snapshot(s.system, at(2), 2), configurations, {});
  ASSERT_EQ(scene.polylines.size(), 35u + 3u);
  for (std::size_t k = 35; k < 38; ++k) {
    const auto& points = scene.polylines[k].points;
    ASSERT_GT(points.size(), 30u);
    for (const glm::vec4& p : points) {
      EXPECT_NEAR(glm::length(glm::vec3(p)), 1, 1e-6);
      if (k < 37) {
        EXPECT_NEAR(k == 35 ? p.z : p.y, 0, 1e-6) << "the equator, and a meridian";
      }
    }
  }
}

// From the opening direction every configuration of no more energy is in the picture, and it is
// filled.
TEST(SceneBuilder, FramesTheWholeMotion) {
  for (const Preset& preset : presets())
    for (const float aspect : {0.8f, 1.6f}) {
      const Start s = start(preset.key);
      const Snapshot now = snapshot(s.system, s.q);
      const Framing framed = framing(now, plain);
      Camera camera;
      camera.frame(framed, aspect);
      const glm::mat4 whole = camera.projection(aspect) * camera.view();
      float widest = 0;
      const auto see = [&](glm::vec3 p) {
        const glm::vec4 clip = whole * glm::vec4(p, 1);
        const float x = std::abs(clip.x / clip.w), y = std::abs(clip.y / clip.w);
        EXPECT_LT(x, 1) << preset.key;
        EXPECT_LT(y, 1) << preset.key;
        widest = std::max({widest, x, y});
      };
      const Scene scene = scene_of(s);
      for (const glm::vec4& body : scene.bodies) see(glm::vec3(body));
      if (framed.boxed) {
        // What the box and the ball have in common.
        glm::vec2 least(1), most(-1);
        for (int k = 0; k < 5000; ++k) {
          const Vec3 way = direction(std::acos(1 - (2 * k + 1) / 5000.0), 2.39996 * k);
          const glm::vec3 p = glm::clamp(framed.center + framed.radius * to_float(way),
                                         framed.middle - framed.half, framed.middle + framed.half);
          see(p);
          const glm::vec4 clip = whole * glm::vec4(p, 1);
          least = glm::min(least, glm::vec2(clip.x, clip.y) / clip.w);
          most = glm::max(most, glm::vec2(clip.x, clip.y) / clip.w);
        }
        // It fills the picture from edge to edge, one way or the other.
        EXPECT_GT(std::max(most.x - least.x, most.y - least.y), 1.9f) << preset.key;
      } else {
        EXPECT_TRUE(s.geometry.sphere) << preset.key;
      }
    }
}

Snapshot two_lanes(std::string_view other = "rk4") {
  Snapshot both = snapshot(chain(2), columns({direction(0.7, 0.2), direction(1.1, -1.3)}));
  both.lanes.push_back(test::lane(columns({direction(0.8, 0.2), direction(1.2, -1)}), 0, other));
  return both;
}

Color from(glm::vec3 shade) {
  Color color;
  for (int i = 0; i < 3; ++i)
    color.rgb = color.rgb << 8 | static_cast<std::uint32_t>(std::lround(255 * shade[i]));
  return color;
}

TEST(SceneBuilder, OtherLanesAreRingsAndLinesInTheirOwnColour) {
  const Snapshot both = two_lanes();
  for (const Palette palette : palettes) {
    const SceneStyle style{.trail = false, .palette = palette};
    const Scene scene = build_scene(both, {}, style);
    Snapshot one = both;
    one.lanes.resize(1);
    const Scene alone = build_scene(one, {}, style);
    ASSERT_EQ(scene.spheres.size(), alone.spheres.size()) << "the reference is filled";
    for (std::size_t i = 0; i < alone.spheres.size(); ++i)
      EXPECT_EQ(scene.spheres[i].color, alone.spheres[i].color) << "in the colours of its bodies";
    const glm::vec3 green = rgb(lane_style("rk4", palette).color);
    ASSERT_EQ(scene.rings.size(), 2u);
    for (const Ring& ring : scene.rings) {
      EXPECT_EQ(ring.color, green) << key(palette);
      EXPECT_EQ(ring.width, 2);
    }
    ASSERT_EQ(scene.polylines.size(), 2u) << "its links";
    for (const Polyline& line : scene.polylines) {
      EXPECT_EQ(line.color, green) << key(palette);
      EXPECT_EQ(line.width, 2);
      EXPECT_EQ(line.points.back().w, 1) << "as strong as the colour";
    }
  }
}

TEST(SceneBuilder, TheReferenceIsDrawnInFullAndHiddenLanesAreNot) {
  const Snapshot both = two_lanes("variational");
  const SceneStyle style{.trail = false, .shade = Shade::lane};
  const auto alone = [&](std::size_t lane) {
    Snapshot one = both;
    one.lanes = {both.lanes[lane]};
    return build_scene(one, {}, style);
  };
  SceneStyle second = style;
  second.reference = 1;
  const Scene first_full = build_scene(both, {}, style),
              second_full = build_scene(both, {}, second);
  EXPECT_EQ(first_full.spheres[1].center, alone(0).spheres[1].center);
  EXPECT_EQ(first_full.spheres[1].color, alone(0).spheres[1].color);
  EXPECT_EQ(first_full.rings[1].center, alone(1).spheres[1].center);
  EXPECT_EQ(second_full.spheres[1].center, alone(1).spheres[1].center);
  EXPECT_EQ(second_full.rings[1].center, alone(0).spheres[1].center);
  EXPECT_NE(second_full.spheres[1].color, alone(0).spheres[1].color)
      << "a second lane of a kind has another colour";

  SceneStyle hidden = style;
  hidden.hidden = {0};
  const Scene rest = build_scene(both, {}, hidden);
  ASSERT_EQ(rest.spheres.size(), alone(1).spheres.size());
  EXPECT_EQ(rest.spheres[0].center, alone(1).spheres[0].center);
  EXPECT_TRUE(rest.rings.empty());
  hidden.hidden = {0, 1};
  EXPECT_TRUE(build_scene(both, {}, hidden).spheres.empty());
}

// A ring within 0.3 radii of its ball would only thicken its outline.
TEST(SceneBuilder, WhereLanesAgreeOnlyTheReferenceIsDrawn) {
  for (const char* system :
       {"double_spherical_pendulum", "pendulum_network", "elastic_rod", "dipole_array"}) {
    const Start begin = start(system);
    Snapshot now = snapshot(begin.system, begin.q);
    const SceneStyle style{.trail = false};
    const Scene alone = build_scene(now, {}, style);
    for (const char* method : {"rk4", "heun"}) {
      Snapshot::LaneView other = now.lanes[0];
      other.info = find_integrator(method);
      now.lanes.push_back(other);
    }
    const Scene all = build_scene(now, {}, style);
    EXPECT_TRUE(all.rings.empty()) << system;
    EXPECT_EQ(all.polylines.size(), alone.polylines.size()) << system;
    EXPECT_EQ(all.spheres.size(), alone.spheres.size()) << system;
  }
  Snapshot now = snapshot(chain(1), columns({direction(1, 0)}));
  const float radius = build_scene(now, {}, {}).spheres[0].radius;
  for (const double share : {0.25, 0.35}) {
    const double angle = share * static_cast<double>(radius) / 0.5;
    now.lanes.resize(1);
    now.lanes.push_back(test::lane(columns({direction(1 + angle, 0)}), 0, "rk4"));
    EXPECT_EQ(build_scene(now, {}, {}).rings.size(), share < 0.3 ? 0u : 1u);
  }
}

// No part of the colour of a lane, of a body or of another run is lost in the background.
TEST(SceneBuilder, WhatIsDrawnStandsOutInEveryTheme) {
  for (const Palette palette : palettes)
    for (const LaneColors colors : {LaneColors::own, LaneColors::paper}) {
      const Theme ground = theme({.palette = palette});
      const auto least = [&](glm::vec3 color, double opacity) {
        double worst = 21;
        for (const glm::vec3 paper : {ground.background_top, ground.background_bottom})
          worst = std::min(worst, contrast(mix(from(paper), from(color), opacity), from(paper)));
        return worst;
      };
      for (const IntegratorInfo& method : integrators()) {
        const Snapshot both = two_lanes(method.key);
        const SceneStyle style{.trail = false, .palette = palette, .lane_colors = colors};
        const Scene scene = build_scene(both, {}, style);
        for (const Ring& ring : scene.rings) EXPECT_GE(least(ring.color, 1), 3) << method.key;
        for (const Polyline& line : scene.polylines)
          EXPECT_GE(least(line.color, static_cast<double>(line.points.back().w)), 3) << method.key;
      }
      for (int run = 0; run < branch_color_count; ++run) {
        Scene scene;
        const Snapshot both = two_lanes();
        add_configuration(both, 1, both.lanes[1].state.q, {.palette = palette}, scene,
                          branch_color(run, palette));
        for (const Polyline& line : scene.polylines)
          EXPECT_GE(least(line.color, static_cast<double>(line.points.back().w)), 3) << run;
      }
    }
}

TEST(SceneBuilder, AConfigurationIsDrawnOnlyWhereItDiffersFromTheOneBesideIt) {
  const Snapshot both = two_lanes();
  const Columns &first = both.lanes[0].state.q, &second = both.lanes[1].state.q;
  Scene same, differs;
  add_configuration(both, 1, first, {}, same, {}, &first);
  EXPECT_TRUE(same.rings.empty() && same.polylines.empty());
  add_configuration(both, 1, second, {}, differs, {}, &first);
  EXPECT_EQ(differs.rings.size(), 2u);
}

TEST(SceneBuilder, ThemesKeepTextReadable) {
  const auto luminance = [](glm::vec3 c) {
    const auto linear = [](float x) {
      return x <= 0.04045f ? x / 12.92f : std::pow((x + 0.055f) / 1.055f, 2.4f);
    };
    return 0.2126f * linear(c.r) + 0.7152f * linear(c.g) + 0.0722f * linear(c.b);
  };
  for (const Palette palette : palettes) {
    const Theme t = theme({.palette = palette});
    for (glm::vec3 paper : {t.background_top, t.background_bottom}) {
      const float a = luminance(t.text) + 0.05f, b = luminance(paper) + 0.05f;
      EXPECT_GT(std::max(a, b) / std::min(a, b), 4.5f);
    }
  }
}

TEST(SceneBuilder, WithoutASystemThereIsNothing) {
  const Scene scene = build_scene(Snapshot{}, {}, {});
  EXPECT_TRUE(scene.spheres.empty());
  EXPECT_FALSE(scene.ground.visible);
}

}  // namespace
}  // namespace twosphere::render::scene_builder_test
