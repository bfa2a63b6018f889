// SPDX-License-Identifier: GPL-3.0-or-later
// A chain on a base that flies, as it is drawn: where it is, its frame, its trail and its thrust.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vector_relational.hpp>
#include <vector>

#include "core/mechanics/turning_frame.h"
#include "core/output/page_rows.h"
#include "core/run/simulation.h"
#include "core/run/trail.h"
#include "core/scenario/initial_conditions.h"
#include "core/worker/snapshot.h"
#include "render/camera.h"
#include "render/convert.h"
#include "render/scene_builder.h"
#include "render/web_page.h"
#include "tests/runs.h"

namespace twosphere::render::free_base_scene_test {
namespace {

const SceneStyle plain{.trail = false};

Vec3 base_at(Simulation& run) { return base_of(run.state(0), *run.system())->position; }

TEST(FreeBaseScene, IsDrawnWhereItHasFlown) {
  Simulation run = test::start(test::pulled_drone(), 500);
  const State& state = run.state(0);
  ASSERT_GT(base_at(run).norm(), 0.5);
  Geometry flown, about;
  run.system()->geometry(state, flown);
  run.system()->geometry(state.q, about);
  for (std::size_t i = 0; i < flown.bodies.size(); ++i)
    EXPECT_LT((flown.bodies[i].position - about.bodies[i].position - state.x).norm(), 1e-14) << i;
  EXPECT_LT((flown.links.front().from - base_at(run)).norm(), 1e-14);
  ASSERT_EQ(flown.frame.size(), 2u);
  for (const Geometry::Link& arm : flown.frame)
    EXPECT_LT(((arm.from + arm.to) / 2 - base_at(run)).norm(), 1e-14);
  const Scene scene = build_scene(twosphere::snapshot(run), {}, plain);
  for (std::size_t i = 0; i < flown.bodies.size(); ++i)
    EXPECT_EQ(scene.spheres[i].center, to_float(flown.bodies[i].position)) << i;
  EXPECT_LT(glm::distance(scene.center, to_float(Vec3(state.x))), 1e-6f);
}

TEST(FreeBaseScene, HasAnArrowForTheThrust) {
  Simulation run = test::start(test::pulled_drone(), 5000);
  SceneStyle style = plain;
  const Scene scene = build_scene(twosphere::snapshot(run), {}, style);
  ASSERT_EQ(scene.cones.size(), 1u);
  // At the end it carries the weight, against e3.
  const glm::vec3 along = scene.cones[0].tip - to_float(base_at(run));
  EXPECT_LT(glm::length(glm::vec2(along)), 0.05f * glm::length(along));
  EXPECT_LT(along.z, 0);
  EXPECT_NEAR(glm::length(along), 0.32 * run.system()->extent().radius, 0.01);
  style.thrust = false;
  EXPECT_TRUE(build_scene(twosphere::snapshot(run), {}, style).cones.empty());
  Simulation in_orbit = test::start(test::preset("tether_satellite"), 5);
  EXPECT_TRUE(build_scene(twosphere::snapshot(in_orbit), {}, plain).cones.empty());
}

TEST(FreeBaseScene, HasATrailInSpace) {
  Simulation run = test::start(test::pulled_drone());
  TrailRecorder recorder;
  recorder.configure(2, run.system()->size());
  while (run.steps() < 400) {
    if (recorder.due(run.elapsed())) recorder.record(run, 1);
    test::march(run, 1);
  }
  std::vector<Configuration> taken;
  recorder.take(taken);
  ASSERT_GT(taken.size(), 100u);
  EXPECT_EQ(taken.back().lanes.front().cols(), run.system()->size() + 1);
  Snapshot now = twosphere::snapshot(run);
  now.generation = 1;
  const Scene scene =
      build_scene(now, {taken.begin(), taken.end()}, {.trail_span = 2, .streamlines = false});
  // Of the load, then of the base.
  ASSERT_EQ(scene.polylines.size(), 2u);
  Geometry geometry;
  run.system()->geometry(run.state(0), geometry);
  const auto end = [&](std::size_t i) { return glm::vec3(scene.polylines[i].points.back()); };
  const auto begin = [&](std::size_t i) { return glm::vec3(scene.polylines[i].points.front()); };
  EXPECT_LT(glm::distance(end(0), to_float(geometry.bodies.back().position)), 1e-5f);
  EXPECT_LT(glm::distance(end(1), to_float(base_at(run))), 1e-5f);
  EXPECT_LT(glm::length(begin(1)), 0.02f) << "it began at the origin";
}

TEST(FreeBaseScene, HasEachMemberOfACloudWhereThatHasFlown) {
  Simulation run = test::start(test::pulled_drone(), 500);
  Snapshot now = twosphere::snapshot(run);
  State other = now.lanes[0].state;
  other.q.col(0) = Vec3::UnitX();
  other.x += Vec3(0.3, -0.2, 0.1);
  const Eigen::Index n = other.q.cols();
  Columns& members = now.cloud.emplace().positions;
  members.resize(3, 2 * (n + 1));
  members << positions(now.lanes[0].state), positions(other);
  const Scene scene = build_scene(now, {}, plain);
  ASSERT_TRUE(scene.cloud.dots);
  const auto& dots = *scene.cloud.dots;
  ASSERT_EQ(dots.size(), static_cast<std::size_t>(2 * n));
  Geometry geometry;
  run.system()->geometry(other, geometry);
  for (std::size_t i = 0; i < geometry.bodies.size(); ++i)
    EXPECT_LT(glm::distance(dots[geometry.bodies.size() + i].position,
                            to_float(geometry.bodies[i].position)),
              1e-6f)
        << i;
  // The inset has the directions alone.
  const Scene inset = build_inset(now, {}, plain);
  ASSERT_TRUE(inset.cloud.dots);
  ASSERT_EQ(inset.cloud.dots->size(), static_cast<std::size_t>(2 * n));
  EXPECT_EQ((*inset.cloud.dots)[static_cast<std::size_t>(n)].position, glm::vec3(1, 0, 0));
}

TEST(FreeBaseScene, IsFramedWithItsFirstMotion) {
  Simulation run = test::start(test::pulled_drone());
  const Framing framed = framing(twosphere::snapshot(run), plain);
  ASSERT_TRUE(framed.boxed);
  Camera camera;
  camera.frame(framed, 1.6F);
  const glm::mat4 whole = camera.projection(1.6F) * camera.view();
  const double reach = run.system()->extent().radius;
  EXPECT_LT(std::max({framed.half.x, framed.half.y, framed.half.z}), 2.5 * reach);
  for (int k = 0; k < 5; ++k) {
    test::march(run, 200);
    const glm::vec3 off = glm::abs(to_float(base_at(run)) - framed.middle);
    EXPECT_TRUE(glm::all(glm::lessThan(off, framed.half))) << run.elapsed();
    const glm::vec4 seen = whole * glm::vec4(to_float(base_at(run)), 1);
    EXPECT_LT(std::max(std::abs(seen.x), std::abs(seen.y)), seen.w) << run.elapsed();
  }
  // One that falls for ever is seen near its start.
  Simulation falling = test::start(test::with(test::pulled_drone(), "system.thrust",
                                              test::value_of(json::parse("[0, 0, 0]", "text"))));
  const Framing thrown = framing(twosphere::snapshot(falling), plain);
  EXPECT_LT(thrown.half.z, 3 * reach);
  EXPECT_GT(thrown.half.z, reach);
}

TEST(FreeBaseScene, HasItsTrailInTheStillOfAPage) {
  Simulation run = test::start(test::pulled_drone());
  PageRows rows(1);
  for (int k = 0; k < 40; ++k) {
    rows.add(run);
    test::march(run, 10);
  }
  rows.add(run);
  const Snapshot end = twosphere::snapshot(run);
  const auto still = [&](bool trail) {
    return test::value_of(web_page_still({.end = end,
                                          .record = run.record(),
                                          .markers = run.markers(),
                                          .rows = rows,
                                          .texts = {},
                                          .style = {.trail = trail}}));
  };
  EXPECT_NE(still(true).pixels, still(false).pixels);
}

TEST(FreeBaseScene, IsFramedWhereAFrameThatTurnsHasIt) {
  Simulation run = test::start(test::pulled_drone(), 500);
  const Snapshot now = twosphere::snapshot(run);
  SceneStyle style = plain;
  const Framing resting = framing(now, style);
  style.frame = TurningFrame{Vec3::UnitX(), 0.5};
  const Framing turning = framing(now, style);
  const glm::mat3 turn = build_scene(now, {}, style).turn;
  EXPECT_GT(glm::distance(resting.middle, turning.middle), 0.1f);
  EXPECT_LT(glm::distance(turn * resting.middle, turning.middle), 1e-5f);
  EXPECT_LT(glm::distance(turn * resting.center, turning.center), 1e-5f);
  EXPECT_NEAR(resting.half.x, turning.half.x, 1e-5f);
  EXPECT_GE(turning.half.z, resting.half.z * std::abs(turn[2][2]));
}

}  // namespace
}  // namespace twosphere::render::free_base_scene_test
