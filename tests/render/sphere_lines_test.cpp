// SPDX-License-Identifier: GPL-3.0-or-later
// What is drawn of systems of first order on the sphere: lines of equal energy and the inertia
// ellipsoid of tops, the streamlines of vortices.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <array>
#include <chrono>
#include <glm/geometric.hpp>
#include <memory>
#include <set>

#include "core/catalog.h"
#include "core/mechanics/system.h"
#include "core/scenario/scenario.h"
#include "render/camera.h"
#include "render/convert.h"
#include "render/scene_builder.h"
#include "tests/outcome.h"
#include "tests/render/snapshots.h"
#include "tests/runs.h"

namespace twosphere::render::sphere_lines_test {
namespace {

using test::snapshot;

const SceneStyle bare{.trail = false, .graticule = false};

struct Start {
  std::shared_ptr<const System> system;
  Columns q;
};

Start start(std::string_view key) {
  const Scenario scenario = test::preset(key);
  auto made = find_system(scenario.system)->create(scenario.size(), scenario.parameters);
  return {test::value_of(std::move(made)), scenario.q};
}

TEST(Tops, HaveLinesOfEqualEnergyThatAreFaintBehindTheSphere) {
  const Start s = start("tumbling_tops");
  const Scene scene = build_scene(snapshot(s.system, s.q), {}, bare);
  Geometry geometry;
  s.system->geometry(s.q, geometry);
  ASSERT_EQ(scene.polylines.size(), geometry.curves->size());
  for (const Polyline& line : scene.polylines) {
    EXPECT_LT(line.far_side, 1);
    EXPECT_EQ(line.points.front(), line.points.back());
  }
}

TEST(Tops, HaveTheirInertiaEllipsoidInTheMiddle) {
  const Start s = start("tumbling_tops");
  SceneMemory memory;
  const Scene scene = build_scene(snapshot(s.system, s.q), {}, bare, memory);
  Geometry geometry;
  s.system->geometry(s.q, geometry);
  ASSERT_TRUE(scene.mesh.shape);
  EXPECT_EQ(scene.mesh.colors.size(), scene.mesh.shape->faces.size());
  for (const glm::vec3& p : scene.mesh.shape->vertices)
    EXPECT_NEAR(glm::length(p / glm::vec3(geometry.ellipsoid.x(), geometry.ellipsoid.y(),
                                          geometry.ellipsoid.z())),
                1, 1e-5F);
  EXPECT_EQ(build_scene(snapshot(s.system, s.q), {}, bare, memory).mesh.shape, scene.mesh.shape)
      << "the renderer keeps it";
  // There is no kinetic energy, of which a field would cover it.
  SceneStyle field = bare;
  field.field = true;
  EXPECT_EQ(build_scene(snapshot(s.system, s.q), {}, field, memory).mesh.shape, scene.mesh.shape);
}

TEST(Vortices, HaveStreamlinesOfBothSigns) {
  const Start s = start("vortex_leapfrog");
  const Scene scene = build_scene(snapshot(s.system, s.q), {}, bare);
  std::set<std::array<float, 3>> colors;
  for (const Polyline& line : scene.polylines) {
    colors.insert({line.color.r, line.color.g, line.color.b});
    for (const glm::vec4& p : line.points) EXPECT_NEAR(glm::length(glm::vec3(p)), 1, 1e-6F);
  }
  EXPECT_EQ(colors.size(), 3U) << "and of 0 between them";
  EXPECT_GE(scene.polylines.size(), 9U);
  SceneStyle without = bare;
  without.streamlines = false;
  EXPECT_TRUE(build_scene(snapshot(s.system, s.q), {}, without).polylines.empty());
}

TEST(Vortices, HaveTheStreamlinesOfTheInstantWhereTheyRest) {
  const Start s = start("vortex_leapfrog");
  SceneMemory memory;
  const auto first_point = [&](const Columns& q, RunState state) {
    Snapshot now = snapshot(s.system, q);
    now.state = state;
    return build_scene(now, {}, bare, memory).polylines.front().points.front();
  };
  const Columns turned = Eigen::AngleAxisd(0.3, Vec3::UnitZ()).toRotationMatrix() * s.q;
  const glm::vec4 before = first_point(s.q, RunState::paused);
  EXPECT_NE(first_point(turned, RunState::paused), before);
  EXPECT_EQ(first_point(s.q, RunState::paused), before);
  memory.streamlines.found = std::chrono::steady_clock::now() + std::chrono::hours(1);
  EXPECT_EQ(first_point(turned, RunState::running), before) << "so soon after the last ones";
  EXPECT_NE(first_point(turned, RunState::paused), before);
}

TEST(Vortices, OnOneSideOfTheSphereFaceTheViewer) {
  for (const char* key : {"vortex_leapfrog", "tumbling_tops"}) {
    const Start s = start(key);
    Camera camera;
    camera.frame(framing(snapshot(s.system, s.q), bare), 1.5F);
    const Vec3 middle = s.q.rowwise().mean().normalized();
    const glm::vec3 towards = glm::normalize(camera.eye() - camera.target());
    EXPECT_GT(glm::dot(towards, to_float(middle)), 0.9F) << key;
  }
  const Start around = start("vortex_polygons");
  EXPECT_EQ(framing(snapshot(around.system, around.q), bare).azimuth, 0) << "on no side";
}

}  // namespace
}  // namespace twosphere::render::sphere_lines_test
