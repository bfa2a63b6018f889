// SPDX-License-Identifier: GPL-3.0-or-later
// What the camera frames of a run.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <glm/common.hpp>
#include <vector>

#include "core/scenario/reader.h"
#include "core/scenario/scenario.h"
#include "render/camera.h"
#include "render/convert.h"
#include "render/scene_builder.h"
#include "tests/render/snapshots.h"
#include "tests/runs.h"

namespace twosphere::render::framing_test {
namespace {

using test::geometry_of;
using test::snapshot;

const SceneStyle plain{.trail = false};

// Also of a text, whose points are linear in q: it is not seen edge-on.
TEST(Framing, AFlatLatticeIsSeenFromAbove) {
  const auto elevation = [](std::string_view preset) {
    auto simulation = Simulation::create(test::preset(preset));
    Snapshot now = snapshot(simulation->system(), simulation->state(0).q);
    return framing(now, plain).elevation;
  };
  EXPECT_GT(elevation("custom/lebwohl_lasher"), elevation("custom/pendulum") + 0.1F);
}

/// The larger share of width and height of the picture that a run fills in its first 5 s.
double filled(Simulation simulation) {
  constexpr float aspect = 1.6F;
  const System& system = *simulation.system();
  Camera camera;
  camera.frame(framing(twosphere::snapshot(simulation), plain), aspect);
  const glm::mat4 whole = camera.projection(aspect) * camera.view();
  glm::vec2 least(1e9F), most(-1e9F);
  const auto see = [&](const Vec3& x) {
    const glm::vec4 clip = whole * glm::vec4(to_float(x), 1);
    const glm::vec2 at = glm::vec2(clip) / clip.w;
    least = glm::min(least, at);
    most = glm::max(most, at);
  };
  const double end = simulation.elapsed() + std::min(5.0, simulation.end_time());
  const auto stride = std::max<std::int64_t>(1, std::llround(0.02 / simulation.grid_step()));
  while (simulation.elapsed() < end) {
    Geometry geometry;
    system.geometry(simulation.state(0), geometry);
    for (const Vec3& pivot : geometry.pivots) see(pivot);
    for (const Geometry::Body& body : geometry.bodies) see(body.position);
    for (const Geometry::Link& link : geometry.links) see(link.from), see(link.to);
    for (const Geometry::Arrow& arrow : geometry.arrows) see(arrow.from), see(arrow.to);
    if (simulation.advance_to(simulation.steps() + stride)) break;
  }
  EXPECT_LT(std::max({-least.x, -least.y, most.x, most.y}), 1) << "and stays in it";
  return std::max(most.x - least.x, most.y - least.y) / 2;
}

TEST(Framing, DoesNotDependOnThePlannedEnd) {
  for (const Preset& preset : custom_presets()) {
    auto simulation = Simulation::create(*read_scenario(preset.text, preset.key));
    ASSERT_TRUE(simulation) << preset.key;
    Snapshot now = twosphere::snapshot(*simulation);
    now.end_time = 10;
    const Framing one = framing(now, plain);
    now.end_time = 1e4;
    const Framing other = framing(now, plain);
    EXPECT_EQ(one.center, other.center) << preset.key;
    EXPECT_EQ(one.middle, other.middle) << preset.key;
    EXPECT_EQ(one.half, other.half) << preset.key;
  }
}

TEST(Framing, TheMotionFillsMuchOfThePicture) {
  std::vector<Preset> all(presets().begin(), presets().end());
  all.insert(all.end(), custom_presets().begin(), custom_presets().end());
  for (const Preset& preset : all) {
    auto simulation = Simulation::create(*read_scenario(preset.text, preset.key));
    ASSERT_TRUE(simulation) << preset.key;
    if (geometry_of(*simulation->system(), simulation->state(0).q).sphere) continue;
    EXPECT_GT(filled(std::move(*simulation)), 0.45) << preset.key;
  }
  // Where a text draws things, and how large, does not matter.
  for (const char* figure :
       {R"~("rod(p, p + 0.1 m*q[i])", "ball(p + 0.1 m*q[i])")~",
        R"~("ball(p + 2 m*e1.q[i]*q[i])")~", R"~("arrow(p, p + 3 m*q[i])")~"}) {
    const std::string text =
        std::string(R"~({"twosphere": 1, "system": {"type": "custom", "bodies": 1,
          "parameters": {"p": {"value": [4, 0, -2], "unit": "m"}}, "inertia": "diag(1)",
          "potential": "-9.81*e3.q[0]", "figure": [)~") +
        figure + R"~(]}, "initial": {"q": [[0.28, 0, 0.96]], "omega": [[0, 0, 0]]},
          "integrator": {"type": "variational", "step": 0.01}, "duration": 20})~";
    auto simulation = Simulation::create(*read_scenario(text, "text"));
    ASSERT_TRUE(simulation) << figure;
    EXPECT_GT(filled(std::move(*simulation)), 0.45) << figure;
  }
}

}  // namespace
}  // namespace twosphere::render::framing_test
