// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/camera.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

namespace twosphere::render::camera_test {
namespace {

// Normalised device coordinates.
glm::vec3 project(const Camera& camera, glm::vec3 p, float aspect) {
  const glm::vec4 clip = camera.projection(aspect) * camera.view() * glm::vec4(p, 1);
  return glm::vec3(clip) / clip.w;
}

// Points of a sphere, evenly spread.
std::vector<glm::vec3> points_of_ball(glm::vec3 center, float radius) {
  std::vector<glm::vec3> points;
  constexpr int count = 2000;
  for (int i = 0; i < count; ++i) {
    const float z = 1 - 2 * (static_cast<float>(i) + 0.5f) / count;
    const float turn = 2.399963f * static_cast<float>(i), r = std::sqrt(1 - z * z);
    points.push_back(center + radius * glm::vec3(r * std::cos(turn), r * std::sin(turn), z));
  }
  return points;
}

TEST(Camera, StandsInAFrameThatIsTurned) {
  Camera camera;
  camera.frame({0.2f, -0.1f, 0.3f}, 1, 1.5f);
  camera.orbit(0.4f, 0.2f);
  const glm::mat3 turn(0, 0.6f, -0.8f, 1, 0, 0, 0, -0.8f, -0.6f);  // by columns
  ASSERT_NEAR(glm::determinant(turn), 1, 1e-6f);
  const Camera turned = camera.in_frame(turn);
  for (const glm::vec3 p : {glm::vec3(1, 0, 0), glm::vec3(0.3f, -0.5f, 0.7f)}) {
    const glm::vec4 seen = turned.view() * glm::vec4(p, 1),
                    wanted = camera.view() * glm::vec4(turn * p, 1);
    EXPECT_LT(glm::distance(seen, wanted), 1e-5f);
  }
  EXPECT_LT(glm::distance(turn * turned.eye(), camera.eye()), 1e-5f);
  EXPECT_LT(glm::distance(turn * turned.target(), camera.target()), 1e-6f);
  EXPECT_EQ(turned.where(), camera.where()) << "it is placed in the frame";
  EXPECT_EQ(turned.in_frame(glm::mat3(1)).view(), camera.view());
}

TEST(Camera, FramesABallEntirelyAndTightly) {
  const glm::vec3 center(0.3f, -2, 5);
  for (float aspect : {0.4f, 1.0f, 1.6f, 3.5f})
    for (float radius : {0.01f, 1.0f, 250.0f}) {
      Camera camera;
      camera.frame(center, radius, aspect);
      float reach = 0;
      for (glm::vec3 p : points_of_ball(center, radius)) {
        const glm::vec3 ndc = project(camera, p, aspect);
        reach = std::max({reach, std::abs(ndc.x), std::abs(ndc.y)});
        EXPECT_LT(std::abs(ndc.z), 1);
      }
      EXPECT_LT(reach, 1) << aspect << " " << radius;
      EXPECT_GT(reach, 0.92f) << aspect << " " << radius;
    }
}

TEST(Camera, LeavesFreeWhatTitleAndCaptionCover) {
  for (const bool boxed : {false, true})
    for (const float aspect : {0.6f, 1.0f, 2.0f})
      for (const float covered : {0.05f, 0.2f, 0.4f}) {
        Framing framing{.center = {0.3f, -2, 5}, .radius = 2};
        framing.boxed = boxed;
        framing.middle = framing.center + glm::vec3(0.2f, 0, 0.5f);
        framing.half = {0.8f, 0.7f, 1.5f};
        Camera camera;
        camera.frame(framing, ViewShape{aspect, covered});
        float right = 0, top = -1, bottom = 1;
        for (glm::vec3 p : points_of_ball(framing.center, framing.radius)) {
          if (boxed)
            p = framing.middle + glm::clamp(p - framing.middle, -framing.half, framing.half);
          const glm::vec3 ndc = project(camera, p, aspect);
          right = std::max(right, std::abs(ndc.x));
          top = std::max(top, ndc.y);
          bottom = std::min(bottom, ndc.y);
        }
        const float free = 1 - 2 * covered;
        EXPECT_LT(top, free) << boxed << " " << aspect << " " << covered;
        EXPECT_GT(bottom, -1) << boxed << " " << aspect << " " << covered;
        EXPECT_LT(right, 1) << boxed << " " << aspect << " " << covered;
        EXPECT_TRUE(right > 0.85f || top - bottom > 0.85f * (1 + free))
            << boxed << " " << aspect << " " << covered << ": as large as possible";
      }
}

TEST(Camera, OpensRightHandedWithE1RightAndE3Down) {
  Camera camera;
  camera.frame({0, 0, 0}, 1, 1.6f);
  const glm::vec3 origin = project(camera, {0, 0, 0}, 1.6f);
  const glm::vec3 e1 = project(camera, {0.5f, 0, 0}, 1.6f) - origin;
  const glm::vec3 e2 = project(camera, {0, 0.5f, 0}, 1.6f) - origin;
  const glm::vec3 e3 = project(camera, {0, 0, 0.5f}, 1.6f) - origin;
  EXPECT_NEAR(origin.x, 0, 1e-6);
  EXPECT_NEAR(origin.y, 0, 1e-6);
  EXPECT_GT(e1.x, 0.1f);
  EXPECT_NEAR(e1.y, 0, 1e-6);
  EXPECT_LT(e3.y, -0.1f);
  EXPECT_NEAR(e3.x, 0, 1e-6);
  EXPECT_LT(e2.z, 0) << "e2 points towards the viewer";
  EXPECT_LT(e2.y, 0) << "who stands a little above";
  EXPECT_NEAR(glm::determinant(glm::mat3(camera.view())), 1, 1e-5) << "no mirror image";
  EXPECT_GT(camera.eye().y, 0);
  EXPECT_LT(camera.eye().z, 0);
}

TEST(Camera, OrbitsAroundTheTargetAndStopsAtTheZenith) {
  Camera camera;
  camera.frame({1, 2, 3}, 1, 1);
  const float distance = glm::distance(camera.eye(), camera.target());
  const glm::vec3 before = camera.eye();
  camera.orbit(0.3f, 0);
  EXPECT_GT(camera.eye().x, before.x) << "to the viewer's right";
  EXPECT_NEAR(camera.eye().z, before.z, 1e-5);
  camera.orbit(0, 0.3f);
  EXPECT_LT(camera.eye().z, before.z) << "up";
  EXPECT_NEAR(glm::distance(camera.eye(), camera.target()), distance, 1e-4);
  for (float far : {100.0f, -100.0f}) {
    camera.orbit(0, far);
    const glm::vec3 from = camera.eye() - camera.target();
    EXPECT_NEAR(from.x, 0, 1e-5);
    EXPECT_NEAR(from.y, 0, 1e-5);
    EXPECT_EQ(from.z<0, far> 0);
    EXPECT_NEAR(glm::determinant(glm::mat3(camera.view())), 1, 1e-5);
  }
}

TEST(Camera, PanKeepsTheSceneUnderThePointer) {
  const glm::vec2 viewport(1000, 600);
  const float aspect = viewport.x / viewport.y;
  Camera camera;
  camera.frame({1, 0, 2}, 3, aspect);
  camera.orbit(0.7f, -0.2f);
  const glm::vec3 point = camera.target();
  const auto pixel = [&] {
    const glm::vec3 ndc = project(camera, point, aspect);
    return glm::vec2(0.5f + 0.5f * ndc.x, 0.5f - 0.5f * ndc.y) * viewport;
  };
  const glm::vec2 before = pixel();
  camera.pan({120, -75}, viewport);
  EXPECT_NEAR(pixel().x - before.x, 120, 0.01);
  EXPECT_NEAR(pixel().y - before.y, -75, 0.01);
}

TEST(Camera, ZoomHalvesTheDistanceInEightSteps) {
  Camera camera;
  camera.frame({0, 0, 0}, 2, 1);
  const float distance = glm::length(camera.eye());
  camera.zoom(8);
  EXPECT_NEAR(glm::length(camera.eye()), distance / 2, 1e-4);
  camera.zoom(-8);
  EXPECT_NEAR(glm::length(camera.eye()), distance, 1e-4);
  camera.zoom(1e4f);
  EXPECT_GT(glm::length(camera.eye()), 0.01f);
  camera.zoom(-1e4f);
  EXPECT_LT(glm::length(camera.eye()), 1000);
}

TEST(Camera, LooksAlongAxes) {
  for (int axis = 0; axis < 3; ++axis)
    for (bool opposite : {false, true}) {
      Camera camera;
      camera.frame({0, 0, 0}, 1, 1);
      camera.look_along(axis, opposite);
      glm::vec3 expected(0);
      expected[axis] = opposite ? -1 : 1;
      EXPECT_NEAR(glm::distance(glm::normalize(camera.eye()), expected), 0, 1e-5)
          << axis << opposite;
      // What is nearer to the eye along the axis lies on the same line of sight.
      const glm::vec3 ndc = project(camera, 0.5f * expected, 1);
      EXPECT_NEAR(ndc.x, 0, 1e-5);
      EXPECT_NEAR(ndc.y, 0, 1e-5);
      if (axis != 2) {
        EXPECT_LT(project(camera, {0, 0, 1}, 1).y, -0.1f) << "e3 stays down";
      }
    }
}

TEST(Camera, FitKeepsTheDirection) {
  Camera camera;
  camera.frame({0, 0, 0}, 1, 1);
  camera.orbit(0.5f, 0.4f);
  const glm::vec3 before = glm::normalize(camera.eye() - camera.target());
  camera.pan({30, 40}, {100, 100});
  camera.fit({1, 1, 1}, 4, 1);
  EXPECT_EQ(camera.target(), glm::vec3(1, 1, 1));
  EXPECT_NEAR(glm::distance(glm::normalize(camera.eye() - camera.target()), before), 0, 1e-5);
}

TEST(Camera, CutsNothingOffNearTheScene) {
  int before_the_eye = 0;
  for (float azimuth : {0.0f, 1.0f, 2.5f})
    for (float elevation : {-0.5f, 0.0f, 0.8f})
      for (float steps : {-20.0f, 0.0f, 12.0f, 24.0f}) {
        Camera camera;
        camera.frame({0, 0, 0}, 1, 1.5f);
        camera.orbit(azimuth, elevation);
        camera.zoom(steps);
        const float distance = glm::length(camera.eye());
        for (glm::vec3 p : points_of_ball({0, 0, 0}, 2.5f)) {
          const glm::vec4 clip = camera.projection(1.5f) * camera.view() * glm::vec4(p, 1);
          if (clip.w < 0.02f * distance) continue;  // behind the eye or touching it
          EXPECT_LT(std::abs(clip.z), clip.w);
          ++before_the_eye;
        }
      }
  EXPECT_GT(before_the_eye, 60'000);
}

}  // namespace
}  // namespace twosphere::render::camera_test
