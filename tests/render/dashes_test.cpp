// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/dashes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <deque>
#include <glm/geometric.hpp>
#include <vector>

#include "core/catalog.h"
#include "core/run/trail.h"
#include "core/worker/snapshot.h"
#include "render/convert.h"
#include "render/painter.h"
#include "render/pick.h"
#include "render/scene_builder.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::render::dashes_test {
namespace {

float between(const glm::vec4& a, const glm::vec4& b) {
  return glm::distance(glm::vec3(a), glm::vec3(b));
}

/// The lengths along a curve of its strokes and gaps in turn, from its last point on.
struct Part {
  bool drawn;
  float length;
  glm::vec3 middle;
};
std::vector<Part> parts_of(const Polyline& line) {
  std::vector<Part> parts;
  std::vector<glm::vec4> piece;
  const auto end = [&](bool drawn) {
    if (piece.size() > 1) {
      float length = 0;
      for (std::size_t i = 0; i + 1 < piece.size(); ++i) length += between(piece[i], piece[i + 1]);
      float left = length / 2;
      std::size_t i = 0;
      while (i + 2 < piece.size() && left > between(piece[i], piece[i + 1])) {
        left -= between(piece[i], piece[i + 1]);
        ++i;
      }
      const float chord = between(piece[i], piece[i + 1]);
      const glm::vec3 a(piece[i]), b(piece[i + 1]);
      parts.push_back({drawn, length, chord > 0 ? a + left / chord * (b - a) : a});
    }
    piece.clear();
  };
  for (auto point = line.points.rbegin(); point != line.points.rend(); ++point) {
    const bool gap = point->w < 0;
    if (!piece.empty() && gap != (piece.back().w < 0)) end(gap);
    piece.push_back(*point);
  }
  end(piece.back().w >= 0);
  return parts;
}

TEST(Dashes, AreNotEndlessOnTheCurveOfALaneThatRunsAway) {
  for (const float far : {1e6f, 1e30f}) {
    Polyline line;
    line.points = {{0, 0, 0, 1}, {far, 0, 0, 1}, {-far, 0, 0, 1}};
    cut_into_dashes(line, Dash::dash_dot, 0.01f);
    EXPECT_LT(line.points.size(), 50'000u);
    EXPECT_EQ(line.points.front(), glm::vec4(0, 0, 0, 1)) << "solid up to its beginning";
  }
}

TEST(Dashes, HaveTheLengthsOfTheirPatternFromTheEndOn) {
  for (const Dash dash : all_dashes) {
    Polyline line;
    for (int i = 0; i <= 100; ++i) {
      const float angle = 0.03f * static_cast<float>(i);
      line.points.emplace_back(std::cos(angle), std::sin(angle), 0, 0.5f);
    }
    const Polyline whole = line;
    cut_into_dashes(line, dash, 0.02f);
    const auto pattern = dash_pattern(dash);
    if (dash == Dash::solid) {
      EXPECT_EQ(line.points, whole.points);
      continue;
    }
    EXPECT_EQ(line.points.back(), whole.points.back());
    const std::vector<Part> parts = parts_of(line);
    ASSERT_GT(parts.size(), 10u);
    // Chords of an arc that is cut are as long together as the arc's own.
    for (std::size_t k = 0; k + 1 < parts.size(); ++k) {
      EXPECT_EQ(parts[k].drawn, k % 2 == 0);
      if (parts[k].drawn) {
        EXPECT_NEAR(parts[k].length, 0.02f * pattern[k % pattern.size()], 1e-4f) << k;
      }
    }
  }
}

TEST(Dashes, OfTwoPointsOrNoneAreCut) {
  Polyline line;
  cut_into_dashes(line, Dash::dashed, 1);
  EXPECT_TRUE(line.points.empty());
  line.points = {{0, 0, 0, 1}, {10, 0, 0, 0}};
  cut_into_dashes(line, Dash::dashed, 1);
  ASSERT_EQ(line.points.size(), 7u) << "two strokes of 3, each with a gap of 2 after it";
  EXPECT_EQ(line.points[6], glm::vec4(10, 0, 0, 0));
  EXPECT_NEAR(line.points[5].x, 7, 1e-5f);
  EXPECT_NEAR(line.points[5].w, 0.3f, 1e-5f) << "alpha is interpolated";
  EXPECT_EQ(line.points[4].w, -1);
  EXPECT_EQ(line.points[3].w, -1);
  EXPECT_NEAR(line.points[3].x, 5, 1e-5f);
}

// The trail of the second lane, in a picture without colours, long after the two have parted.
TEST(Dashes, AreSeenAlongATrailInAGreyPicture) {
  constexpr int width = 960, height = 600;
  Scenario scenario = test::preset();
  scenario.lanes.push_back(scenario.lanes.front());
  scenario.lanes[1].type = "rk4";
  scenario.lanes[1].name = "rk4";
  scenario.lanes[1].values = default_values(find_integrator("rk4")->parameters, 0);
  Simulation run = test::value_of(Simulation::create(scenario));
  const SceneStyle style{.ground = false};
  TrailRecorder recorder;
  recorder.configure(style.trail_span, run.system()->size() * run.lane_count());
  while (run.time() < 60) {
    ASSERT_FALSE(run.step().has_value());
    if (recorder.due(run.elapsed())) recorder.record(run, 0);
  }
  std::vector<Configuration> configurations;
  recorder.take(configurations);
  const Snapshot now = twosphere::snapshot(run);
  const std::deque<Configuration> path(configurations.begin(), configurations.end());
  const Scene whole = build_scene(now, path, style);
  const glm::vec3 color = rgb(style_of_lane(now, 1, style).color);
  Scene trail;
  for (const Polyline& line : whole.polylines)
    if (line.color == color && line.points.size() > 40) trail.polylines.push_back(line);
  ASSERT_EQ(trail.polylines.size(), 1u);
  trail.polylines[0].far_side = 1;

  Camera camera;
  camera.frame(framing(now, style), static_cast<float>(width) / height);
  const auto painter = test::value_of(Painter::create(width, height));
  const Theme ground = theme(style);
  const Image image = painter->paint(trail, camera, ground, false);
  const Image empty = painter->paint(Scene(), camera, ground, false);
  const auto grey = [](const Image& of, int x, int y) {
    const std::uint8_t* p = of.at(x, y);
    return 0.299 * p[0] + 0.587 * p[1] + 0.114 * p[2];
  };
  const float unit = dash_unit * whole.radius;
  const auto pattern = dash_pattern(style_of_lane(now, 1, style).dash);
  ASSERT_FALSE(pattern.empty());
  int strokes = 0, gaps = 0;
  const std::vector<Part> parts = parts_of(trail.polylines[0]);
  for (std::size_t k = 0; k + 1 < parts.size() && k < 12; ++k) {
    EXPECT_NEAR(parts[k].length, unit * pattern[k % pattern.size()], 0.1f * unit) << k;
    const glm::vec3 at = parts[k].middle;
    const Vec3 middle(static_cast<double>(at.x), static_cast<double>(at.y),
                      static_cast<double>(at.z));
    const auto seen = test::value_of(project(middle, camera, glm::vec2(width, height)));
    const int x = static_cast<int>(seen.x), y = static_cast<int>(seen.y);
    const double light = grey(image, x, y) - grey(empty, x, y);
    if (parts[k].drawn)
      strokes += light > 30;
    else
      gaps += light < 15;
  }
  EXPECT_GE(strokes, 5) << "of 6";
  EXPECT_GE(gaps, 5) << "of 6";
}

}  // namespace
}  // namespace twosphere::render::dashes_test
