// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/renderer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>

#include "render/gl.h"
#include "render/offscreen.h"
#include "render/scene_builder.h"
#include "tests/outcome.h"
#include "tests/render/snapshots.h"

namespace twosphere::render::renderer_test {
namespace {

using test::error_of, test::says, test::value_of;

constexpr int width = 480, height = 300;
constexpr float aspect = static_cast<float>(width) / height;

const Theme dark = theme({.palette = Palette::dark}), light = theme({.palette = Palette::light});

// One context and renderer for all tests; each picture is drawn from nothing.
struct RendererTest : testing::Test {
  static void SetUpTestSuite() {
    offscreen_ = value_of(Offscreen::create(width, height)).release();
    renderer_ = value_of(Renderer::create()).release();
  }
  static void TearDownTestSuite() {
    delete renderer_;
    delete offscreen_;
  }
  void SetUp() override { camera_.frame({0, 0, 0}, 1, aspect); }
  void TearDown() override { EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR)); }

  Image draw(const Scene& scene, const Theme& theme = dark) const {
    renderer_->draw(scene, camera_, theme, offscreen_->target());
    return offscreen_->read();
  }

  // Where a point is seen, in pixels from the upper left corner.
  glm::vec2 seen(glm::vec3 p) const {
    const glm::vec4 clip = camera_.projection(aspect) * camera_.view() * glm::vec4(p, 1);
    return {(0.5f + 0.5f * clip.x / clip.w) * width, (0.5f - 0.5f * clip.y / clip.w) * height};
  }
  // The point of the plane through the target across the line of sight that is seen at a pixel.
  glm::vec3 across(glm::vec2 pixel) const {
    const glm::vec3 o(0), x(camera_.view()[0][0], camera_.view()[1][0], camera_.view()[2][0]);
    const glm::vec3 y(camera_.view()[0][1], camera_.view()[1][1], camera_.view()[2][1]);
    const float scale = 1 / (seen(x * 0.01f).x - seen(o).x) * 0.01f;
    return scale * ((pixel.x - width / 2) * x - (pixel.y - height / 2) * y);
  }

  static inline Offscreen* offscreen_ = nullptr;
  static inline Renderer* renderer_ = nullptr;
  Camera camera_;
};

glm::vec3 color_at(const Image& image, glm::vec2 p) {
  const std::uint8_t* c = image.at(static_cast<int>(p.x), static_cast<int>(p.y));
  return glm::vec3(c[0], c[1], c[2]) / 255.0f;
}

float brightness(const Image& image, glm::vec2 p) {
  const glm::vec3 c = color_at(image, p);
  return (c.r + c.g + c.b) / 3;
}

// Angle of the colour around the grey axis.
double hue(glm::vec3 c) { return std::atan2(std::sqrt(3.0) * (c.g - c.b), 2.0 * c.r - c.g - c.b); }

int largest_difference(const Image& a, const Image& b) {
  int worst = 0;
  for (std::size_t i = 0; i < a.pixels.size(); ++i)
    worst = std::max(worst, std::abs(a.pixels[i] - b.pixels[i]));
  return worst;
}

std::vector<glm::vec2> differing(const Image& a, const Image& b) {
  std::vector<glm::vec2> places;
  for (int y = 0; y < a.height; ++y)
    for (int x = 0; x < a.width; ++x)
      if (!std::equal(a.at(x, y), a.at(x, y) + 4, b.at(x, y)))
        places.emplace_back(static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f);
  return places;
}

Scene pendulum() {
  const auto system = test::chain(2);
  const auto configuration = [](double t) {
    return test::columns({test::direction(0.9, 2 * t), test::direction(1.3, 1.2 * t + 2)});
  };
  std::deque<Configuration> trail;
  for (double t = 0; t < 2; t += 0.01) trail.push_back({1, t, {configuration(t)}});
  return build_scene(test::snapshot(system, configuration(2), 2), trail, {});
}

TEST_F(RendererTest, EmptySceneIsTheBackgroundAndTheCornerAxes) {
  for (const Theme& t : {dark, light}) {
    const Image image = draw({}, t);
    for (int y = 0; y < height; y += 7) {
      const glm::vec3 expected =
          glm::mix(t.background_top, t.background_bottom, (static_cast<float>(y) + 0.5f) / height);
      EXPECT_LT(glm::distance(color_at(image, {width - 1, y}), expected), 2.0 / 255) << y;
    }
    for (std::size_t i = 3; i < image.pixels.size(); i += 4) ASSERT_EQ(image.pixels[i], 255);
  }
}

TEST_F(RendererTest, SameSceneGivesTheSameBytes) {
  const Scene scene = pendulum();
  camera_.frame(scene.center, scene.radius, aspect);
  const Image first = draw(scene);
  draw({}, light);
  const Image second = draw(scene);
  EXPECT_TRUE(first.pixels == second.pixels);
  for (std::size_t i = 3; i < first.pixels.size(); i += 4) ASSERT_EQ(first.pixels[i], 255);
}

TEST_F(RendererTest, BodiesAreSeenWhereTheyAreInTheirColour) {
  for (const Theme& t : {dark, light}) {
    Scene scene;
    scene.spheres = {{{0.5f, 0.1f, -0.3f}, 0.12f, {0.34f, 0.71f, 0.91f}},
                     {{-0.4f, -0.6f, 0.4f}, 0.12f, {0.84f, 0.37f, 0.1f}},
                     {{0.1f, 0.5f, 0.6f}, 0.12f, {0.1f, 0.62f, 0.45f}}};
    const Image image = draw(scene, t);
    for (const Sphere& s : scene.spheres) {
      const glm::vec3 c = color_at(image, seen(s.center));
      EXPECT_LT(std::abs(std::remainder(hue(c) - hue(s.color), 2 * M_PI)), 0.25);
      EXPECT_GT(glm::length(c), 0.5f * glm::length(s.color));
    }
  }
}

TEST_F(RendererTest, RemovingABodyChangesExactlyItsPlace) {
  Scene scene;
  const float radius = 0.15f;
  scene.spheres = {{{0.5f, 0, 0.2f}, radius, {0.3f, 0.7f, 0.9f}},
                   {{-0.5f, 0, -0.2f}, radius, {0.3f, 0.7f, 0.9f}}};
  const glm::vec3 gone = scene.spheres[1].center;
  const Image with = draw(scene);
  scene.spheres.pop_back();
  const Image without = draw(scene);
  const auto places = differing(with, without);
  const float pixels = seen(gone + glm::vec3(radius, 0, 0)).x - seen(gone).x;
  EXPECT_NEAR(static_cast<float>(places.size()), M_PI * pixels * pixels, 8 * pixels);
  for (glm::vec2 p : places) EXPECT_LT(glm::distance(p, seen(gone)), 1.05f * pixels + 1.5f);
}

TEST_F(RendererTest, NearerThingsHideFartherOnesInAnyOrder) {
  const Sphere near{{0, 0.5f, 0}, 0.2f, {0.9f, 0.1f, 0.1f}};
  const Sphere far{{0, -0.5f, 0}, 0.5f, {0.1f, 0.1f, 0.9f}};
  const Cylinder rod{{-0.9f, 0, 0}, {0.9f, 0, 0}, 0.05f, {0.1f, 0.9f, 0.1f}};
  camera_.look_along(1, false);
  Scene scene;
  scene.cylinders = {rod};
  scene.spheres = {near, far};
  const Image a = draw(scene);
  scene.spheres = {far, near};
  const Image b = draw(scene);
  EXPECT_EQ(largest_difference(a, b), 0);
  const glm::vec2 middle(width / 2, height / 2);
  const float unit = seen({1, 0, 0}).x - middle.x;
  const auto strongest = [&](glm::vec2 p) {
    const glm::vec3 c = color_at(a, p);
    return c.r > c.g && c.r > c.b ? 'r' : c.g > c.b ? 'g' : 'b';
  };
  EXPECT_EQ(strongest(middle), 'r');
  EXPECT_EQ(strongest(middle + glm::vec2(0.33f * unit, 0)), 'g');
  EXPECT_EQ(strongest(middle + glm::vec2(0, 0.3f * unit)), 'b');
}

// Coverage is continuous: what moves by a quarter of a pixel changes no pixel by much more than a
// quarter of the contrast. Without smoothing pixels of the outline flip as a whole.
// So that two lanes that nearly agree do not make two-coloured balls.
TEST_F(RendererTest, WhatIsPutBackIsHiddenByWhatItRunsInto) {
  const glm::vec3 red(0.9f, 0.2f, 0.2f), green(0.2f, 0.9f, 0.2f);
  const glm::vec3 toward = glm::normalize(camera_.eye());
  Scene scene;
  scene.spheres = {{glm::vec3(0), 0.3f, red}};
  scene.cylinders = {{across({60, 40}), across({420, 40}), 0.04f, red}};
  scene.cones = {{across({60, 260}), across({160, 260}), 0.06f, red}};
  scene.tubes = {{{{across({240, 260}), red}, {across({420, 260}), red}}, 0.04f, 0}};
  const Image alone = draw(scene);
  const glm::vec3 step = 0.05f * toward + across({width / 2 + 12, height / 2});
  const auto add = [&](float back) {
    Scene both = scene;
    both.spheres.push_back({step, 0.29f, green, back});
    Cylinder rod = scene.cylinders[0];
    rod.from += step, rod.to += step, rod.color = green, rod.radius = 0.035f, rod.back = back;
    both.cylinders.push_back(rod);
    Cone head = scene.cones[0];
    head.base += step, head.tip += step, head.color = green, head.back = back;
    both.cones.push_back(head);
    Tube tube = scene.tubes[0];
    for (Tube::Point& p : tube.points) p.position += step, p.color = green;
    tube.back = back;
    both.tubes.push_back(tube);
    return draw(both);
  };
  const Image mixed = add(0), apart = add(0.8f);
  int hidden = 0, stuck_out = 0, on_edges = 0, seen_beside = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const glm::vec2 p(x, y);
      const glm::vec3 before = color_at(alone, p);
      const bool is_red = before.r > 1.8f * before.g && before.r > 0.3f;
      const auto is_green = [&](const Image& i) { return color_at(i, p).g > color_at(i, p).r; };
      if (is_red) {
        ++hidden;
        stuck_out += is_green(mixed);
        on_edges += is_green(apart);
      }
      seen_beside += !is_red && is_green(apart) && color_at(apart, p).g > 0.3f;
    }
  EXPECT_GT(hidden, 5000);
  EXPECT_GT(stuck_out, 1000) << "without being put back";
  EXPECT_LT(on_edges, 0.005 * hidden) << "pixels that red covers in part";
  EXPECT_GT(seen_beside, 300) << "and beside it all the same";
}

TEST_F(RendererTest, RingsAreOutlinesOnly) {
  Scene scene;
  const Image empty = draw(scene);
  const glm::vec3 yellow(0.9f, 0.8f, 0.1f);
  scene.rings = {{glm::vec3(0), 0.5f, yellow}};
  const Image ring = draw(scene);
  const glm::vec2 middle = seen({0, 0, 0});
  EXPECT_EQ(color_at(ring, middle), color_at(empty, middle));
  const float radius = glm::distance(camera_.eye(), glm::vec3(0));
  const float edge = 0.5f / std::sqrt(radius * radius - 0.25f) * radius;  // seen across the middle
  for (int k = 0; k < 24; ++k) {
    const double a = 2 * M_PI * k / 24;
    const glm::vec2 out(std::cos(a), std::sin(a));
    const float pixels = glm::distance(seen(edge * glm::normalize(across(middle + out))), middle);
    float brightest = 0;
    for (float at = pixels - 4; at < pixels + 3; at += 0.5f) {
      const glm::vec3 c = color_at(ring, middle + at * out);
      if (c.r > 2 * c.b) brightest = std::max(brightest, c.r);
    }
    EXPECT_GT(brightest, 0.6f) << k;
    EXPECT_LT(glm::distance(color_at(ring, middle + 0.9f * pixels * out),
                            color_at(empty, middle + 0.9f * pixels * out)),
              0.02f);
  }
  // What is in front hides it.
  scene.spheres = {{0.7f * glm::normalize(camera_.eye()), 0.6f, {0.2f, 0.2f, 0.9f}}};
  const Image covered = draw(scene);
  scene.rings.clear();
  EXPECT_EQ(largest_difference(covered, draw(scene)), 0);
}

TEST_F(RendererTest, OutlinesAreSmooth) {
  camera_.orbit(0.2f, 0.1f);
  const glm::vec3 step = across({width / 2 + 0.25f, height / 2 + 0.1f});
  const auto worst_change = [&](const auto& make) {
    return largest_difference(draw(make(glm::vec3(0)), light), draw(make(step), light));
  };
  const auto ball = [](glm::vec3 p) {
    Scene scene;
    scene.spheres = {{p, 0.31f, {0, 0, 0}}};
    return scene;
  };
  const auto rod = [](glm::vec3 p) {
    Scene scene;
    scene.cylinders = {
        {p + glm::vec3(-0.5f, 0.2f, -0.3f), p + glm::vec3(0.5f, -0.2f, 0.4f), 0.04f, {0, 0, 0}}};
    return scene;
  };
  const auto plate = [](glm::vec3 p) {
    Scene scene;
    scene.cylinders = {{p, p + glm::vec3(0.02f, 0.1f, 0.1f), 0.5f, {0, 0, 0}}};
    return scene;
  };
  const auto line = [](glm::vec3 p) {
    Scene scene;
    scene.polylines = {
        {{{p.x - 0.7f, p.y, p.z - 0.3f, 1}, {p.x + 0.6f, p.y, p.z + 0.5f, 1}}, 3, {0, 0, 0}}};
    return scene;
  };
  const std::array changes = {worst_change(ball), worst_change(rod), worst_change(plate),
                              worst_change(line)};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    EXPECT_GT(changes[i], 15) << i << ": nothing moved";
    EXPECT_LT(changes[i], 140) << i << ": about 250 if it were not";
  }
}

TEST_F(RendererTest, ARodStopsAtTheBallItEndsIn) {
  // Seen from the side the rod is in front of nothing of the ball, and leaves no gap before it.
  camera_.look_along(1, false);
  Scene scene;
  scene.spheres = {{{0.5f, 0, 0}, 0.2f, {0.9f, 0.1f, 0.1f}}};
  const Image ball = draw(scene);
  scene.cylinders = {{{-0.5f, 0, 0}, {0.5f, 0, 0}, 0.05f, {0.1f, 0.9f, 0.1f}}};
  const Image both = draw(scene);
  const float left = seen({0.3f, 0, 0}).x;
  for (float x = seen({-0.48f, 0, 0}).x; x < seen({0.5f, 0, 0}).x; x += 1) {
    const glm::vec3 c = color_at(both, {x, height / 2});
    EXPECT_GT(std::max(c.r, c.g), 0.3f) << x;
    if (x < left - 2) {
      EXPECT_GT(c.g, 2 * c.r) << x;
    }
    if (x > left + 2) {
      EXPECT_EQ(c, color_at(ball, {x, height / 2})) << x;
    }
  }
}

TEST_F(RendererTest, TrailIsSeenAllAlongFadesAndIsHiddenByBodies) {
  Scene scene;
  Polyline line{{}, 2, {1, 1, 1}};
  for (int i = 0; i <= 300; ++i) {
    const float s = static_cast<float>(i) / 300, turn = 5 * s;
    line.points.emplace_back(0.7f * std::cos(turn), 0.7f * std::sin(turn), 0.4f * s, s);
  }
  const Image empty = draw(scene);
  scene.polylines = {line};
  const Image image = draw(scene);
  float before = 0;
  for (std::size_t i = 30; i < 290; ++i) {
    const glm::vec2 p = seen(line.points[i]);
    const float gain = brightness(image, p) - brightness(empty, p);
    EXPECT_GT(gain, 0.45f * line.points[i].w) << i;
    EXPECT_LT(gain, line.points[i].w) << i;
    if (i % 50 == 0) {
      EXPECT_GT(gain, before);
      before = gain;
    }
  }
  const glm::vec3 point(line.points[200]);
  scene.spheres = {{point + 0.2f * glm::normalize(camera_.eye() - point), 0.1f, {0.5f, 0, 0}}};
  const glm::vec3 hidden = color_at(draw(scene), seen(point));
  EXPECT_GT(hidden.r, 2 * hidden.b);
}

TEST_F(RendererTest, CurvesOnASphereAreDimmerOnTheFarSide) {
  const Image empty = draw({});
  const glm::vec3 toward = glm::normalize(camera_.eye());
  const glm::vec3 aside = glm::normalize(glm::cross(toward, glm::vec3(0, 0, 1)));
  const auto gain = [&](float side, float far_side) {
    Polyline line{{}, 4, {1, 1, 1}, far_side};
    for (int i = -10; i <= 10; ++i) {
      const float s = 0.03f * static_cast<float>(i);
      line.points.emplace_back(0.7f * (side * std::cos(s) * toward + std::sin(s) * aside), 0.8f);
    }
    Scene scene;
    scene.polylines = {line};
    const glm::vec2 p = seen(line.points[10]);
    return brightness(draw(scene), p) - brightness(empty, p);
  };
  EXPECT_NEAR(gain(1, 0.25f), gain(1, 1), 0.01f) << "the near side as ever";
  EXPECT_NEAR(gain(-1, 0.25f), 0.25f * gain(-1, 1), 0.02f);
  EXPECT_GT(gain(-1, 1), 0.5f);
}

// The area covered is length times width, and no pixel is blended twice at the joints.
TEST_F(RendererTest, CurvesHaveTheirWidthAndNoGapsOrBlotsAtJoints) {
  const auto gains = [&](const Polyline& line) {
    Scene scene;
    const Image empty = draw(scene);
    scene.polylines = {line};
    const Image image = draw(scene);
    std::vector<float> gain;
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const glm::vec2 p(x, y);
        const float g = brightness(image, p) - brightness(empty, p);
        if (g > 0.002f) gain.push_back(g / (1 - brightness(empty, p)));
      }
    return gain;
  };
  for (float thickness : {1.5f, 2.0f, 5.0f})
    for (int pieces : {1, 9, 700}) {
      // A gentle arc, in pieces longer and much shorter than a pixel.
      Polyline line{{}, thickness, {1, 1, 1}};
      double length = 0;
      glm::vec2 last(0);
      for (int i = 0; i <= pieces; ++i) {
        const float s = static_cast<float>(i) / static_cast<float>(pieces) - 0.5f;
        const glm::vec2 pixel(width / 2 + 200 * s, height / 2 + 60 * s + 100 * s * s);
        line.points.emplace_back(across(pixel), 0.5f);
        if (i > 0) length += glm::distance(pixel, last);
        last = pixel;
      }
      double area = 0;
      float most = 0;
      for (float g : gains(line)) {
        area += g / 0.5;
        most = std::max(most, g);
      }
      const double expected = length * thickness + M_PI / 4 * thickness * thickness;
      EXPECT_NEAR(area / expected, 1, 0.03) << thickness << " " << pieces;
      EXPECT_LT(most, 0.5f + 0.02f) << thickness << " " << pieces;
    }
}

TEST_F(RendererTest, CurvesBehindTheEyeDoNotShow) {
  Scene scene;
  const glm::vec3 eye = camera_.eye(), away = glm::normalize(eye);
  const Image empty = draw(scene);
  scene.polylines = {
      {{{eye + 3.0f * away + glm::vec3(-1, 0, 0), 1}, {eye + 2.0f * away, 1}}, 2, {1, 1, 1}}};
  EXPECT_EQ(largest_difference(draw(scene), empty), 0);
  // From behind the eye into the picture: the part in front is seen.
  scene.polylines = {{{{eye + away + glm::vec3(0, 0, 0.3f), 1}, {0.2f, 0, 0.1f, 1}}, 2, {1, 1, 1}}};
  const Image part = draw(scene);
  EXPECT_GT(brightness(part, seen({0.2f, 0, 0.1f})), 0.4f);
}

TEST_F(RendererTest, ABodyDarkensTheGroundBelowItMoreWhenItIsLow) {
  camera_.orbit(0, 0.4f);
  for (const Theme& t : {dark, light}) {
    Scene scene;
    scene.ground = {true, {0, 0, 0.5f}, 3, 10};
    const glm::vec2 below = seen({0.3f, 0.2f, 0.5f});
    const float bare = brightness(draw(scene, t), below);
    const auto dimming = [&](float z) {
      scene.spheres = {{{0.3f, 0.2f, z}, 0.08f, {1, 1, 1}}};
      EXPECT_GT(glm::distance(seen(scene.spheres[0].center), below), 15) << "it is in the way";
      return bare - brightness(draw(scene, t), below);
    };
    const float high = dimming(-0.5f), low = dimming(0.3f);
    EXPECT_GT(high, 1.0f / 255);
    EXPECT_GT(low, high + 8.0f / 255);
    // Not from below the ground.
    Camera up = camera_;
    std::swap(camera_, up);
    camera_.orbit(0, -0.9f);
    const glm::vec2 seen_below = seen({0.3f, 0.2f, 0.5f});
    const float with = brightness(draw(scene, t), seen_below);
    scene.spheres[0].center.x += 0.9f;
    EXPECT_NEAR(brightness(draw(scene, t), seen_below), with, 1.5f / 255);
    std::swap(camera_, up);
  }
}

TEST_F(RendererTest, GridHasItsSpacingAndFades) {
  camera_.look_along(2, true);  // from above
  Scene scene;
  const Image empty = draw(scene);
  scene.ground = {true, {0, 0, 0.2f}, 0.9f, 0.25f};
  const Image image = draw(scene);
  const auto gain = [&](glm::vec3 p) {
    return brightness(image, seen(p)) - brightness(empty, seen(p));
  };
  for (int i = -2; i <= 2; ++i) {
    const float x = 0.25f * static_cast<float>(i);
    EXPECT_GT(gain({x, 0.1f, 0.2f}), gain({x + 0.12f, 0.1f, 0.2f}) + 3.0f / 255) << i;
  }
  EXPECT_GT(gain({0, 0.1f, 0.2f}), 1.3f * gain({0.5f, 0.1f, 0.2f})) << "fades";
  EXPECT_NEAR(gain({1.0f, 0.1f, 0.2f}), 0, 1e-3f);
}

TEST_F(RendererTest, LabelsStandBeyondTheCornerAxes) {
  Scene scene;
  scene.gravity = true;
  const AxisLabels labels = renderer_->draw(scene, camera_, dark, offscreen_->target());
  const Image image = offscreen_->read();
  ASSERT_TRUE(labels.has_gravity);
  for (glm::vec2 p : {labels.tips[0], labels.tips[1], labels.tips[2], labels.gravity}) {
    EXPECT_GT(p.x, 5);
    EXPECT_LT(p.x, 170);
    EXPECT_GT(p.y, height - 140);
    EXPECT_LT(p.y, height - 5);
  }
  EXPECT_GT(labels.tips[0].x, labels.tips[1].x + 20) << "e1 to the right";
  EXPECT_GT(labels.tips[2].y, labels.tips[0].y + 20) << "e3 down";
  // On the way from e3's label to e1's height there is the arrow, in its colour.
  const glm::vec3 tip = color_at(image, labels.tips[2] - glm::vec2(0, 30));
  EXPECT_GT(tip.b, tip.r + 0.1f);
  scene.gravity = false;
  const Image without =
      (renderer_->draw(scene, camera_, dark, offscreen_->target()), offscreen_->read());
  for (glm::vec2 p : differing(image, without)) EXPECT_LT(std::abs(p.x - labels.gravity.x), 10);
  EXPECT_FALSE(differing(image, without).empty());
}

TEST_F(RendererTest, LabelsOfArrowsThatLieOnEachOtherStandApart) {
  // 20 logical pixels are the height of a label at 1.5 times the size.
  for (float elevation = -1.55f; elevation < 1.56f; elevation += 0.1f)
    for (float azimuth = -3.1f; azimuth < 3.15f; azimuth += 0.2f) {
      camera_.go({{0, 0, 0}, azimuth, elevation, 5});
      const AxisLabels labels = renderer_->draw({}, camera_, dark, offscreen_->target());
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = i + 1; k < 3; ++k)
          EXPECT_GT(glm::distance(labels.tips[i], labels.tips[k]), 20)
              << elevation << ' ' << azimuth << ' ' << i << k;
    }
}

TEST_F(RendererTest, KeepsToItsRectangle) {
  const Scene scene = pendulum();
  camera_.frame(scene.center, scene.radius, 1);
  Target target = offscreen_->target();
  target.width = target.height = 200;
  renderer_->draw(scene, camera_, dark, target);
  const Image corner = offscreen_->read();

  draw({}, light);
  target.x = 130;
  target.y = 60;
  renderer_->draw(scene, camera_, dark, target);
  const Image moved = offscreen_->read();
  const Image white = draw({}, light);
  int worst = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const int u = x - 130, v = y - (height - 60 - 200);
      const bool inside = u >= 0 && u < 200 && v >= 0 && v < 200;
      const std::uint8_t* expected = inside ? corner.at(u, height - 200 + v) : white.at(x, y);
      for (int c = 0; c < 4; ++c)
        worst = std::max(worst, std::abs(moved.at(x, y)[c] - expected[c]));
    }
  EXPECT_LE(worst, 3);
}

TEST_F(RendererTest, LabelsAreInLogicalPixels) {
  auto large = [&](float ratio) {
    Target target = offscreen_->target(ratio);
    return renderer_->draw({}, camera_, dark, target).tips[0];
  };
  const glm::vec2 one = large(1), two = large(2);
  EXPECT_NEAR(one.x, two.x, 1e-3);
  EXPECT_NEAR(height - one.y, height / 2.0f - two.y, 1e-3);
}

TEST_F(RendererTest, LeavesTheStateAsOtherDrawingExpectsIt) {
  glDepthMask(GL_FALSE);
  glEnable(GL_CULL_FACE);
  glCullFace(GL_FRONT_AND_BACK);
  glEnable(GL_BLEND);
  glBlendEquation(GL_MAX);
  glColorMask(GL_FALSE, GL_TRUE, GL_FALSE, GL_TRUE);
  glDepthFunc(GL_NEVER);
  const Scene scene = pendulum();
  const Image after_others = draw(scene);
  EXPECT_TRUE(after_others.pixels == draw(scene).pixels);
  GLboolean depth_mask = GL_FALSE, color_mask[4];
  glGetBooleanv(GL_DEPTH_WRITEMASK, &depth_mask);
  glGetBooleanv(GL_COLOR_WRITEMASK, color_mask);
  EXPECT_TRUE(depth_mask);
  for (GLboolean mask : color_mask) EXPECT_TRUE(mask);
  for (GLenum off : {GL_BLEND, GL_DEPTH_TEST, GL_CULL_FACE, GL_SCISSOR_TEST, GL_STENCIL_TEST,
                     GL_FRAMEBUFFER_SRGB, GL_SAMPLE_ALPHA_TO_COVERAGE})
    EXPECT_FALSE(glIsEnabled(off)) << off;
  GLint bound = -1;
  for (GLenum name : {GL_CURRENT_PROGRAM, GL_VERTEX_ARRAY_BINDING, GL_ARRAY_BUFFER_BINDING}) {
    glGetIntegerv(name, &bound);
    EXPECT_EQ(bound, 0);
  }
}

TEST_F(RendererTest, ProgramsNameWhatIsWrong) {
  constexpr std::array<std::string_view, 1> unknown = {"no_such_uniform"};
  EXPECT_TRUE(says(error_of(gl::Program::create("sphere", unknown)).text(), "no_such_uniform"));
  EXPECT_TRUE(says(error_of(gl::Program::create("no_such_shader")).text(), "no_such_shader"));
}

TEST_F(RendererTest, NothingToDrawOnIsNoError) {
  Target target = offscreen_->target();
  target.width = 0;
  renderer_->draw(pendulum(), camera_, dark, target);
}

TEST(Offscreen, RefusesImpossibleSizes) {
  for (int size : {0, -3, 1 << 24}) {
    EXPECT_TRUE(says(error_of(Offscreen::create(size, 10)).text(), std::to_string(size) + "x10"));
  }
}

TEST(Offscreen, RowsComeFromTheTop) {
  auto context = value_of(Offscreen::create(8, 6));
  const Target target = context->target();
  glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
  glDisable(GL_SCISSOR_TEST);
  glClearColor(1, 0, 0, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  glEnable(GL_SCISSOR_TEST);
  glScissor(0, 0, 8, 2);  // the two rows at the bottom
  glClearColor(0, 0, 1, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  const Image image = context->read();
  ASSERT_EQ(image.width, 8);
  ASSERT_EQ(image.height, 6);
  for (int y = 0; y < 6; ++y) EXPECT_EQ(image.at(3, y)[2], y < 4 ? 0 : 255) << y;
}

TEST_F(RendererTest, DotsLookLikeBallsAndHideOneAnotherByDepth) {
  const glm::vec3 near = camera_.eye() / glm::length(camera_.eye());
  const Sphere ball{across({150, 120}), 0.25f, {0.9f, 0.3f, 0.2f}};
  const Sphere behind{ball.center - 0.6f * near, 0.2f, {0.1f, 0.8f, 0.2f}};
  const Sphere small{across({330, 180}), 0.02f, {0.2f, 0.4f, 0.9f}};
  for (const bool reversed : {false, true}) {
    Scene balls, dots;
    balls.spheres = {ball, behind, small};
    if (reversed) std::reverse(balls.spheres.begin(), balls.spheres.end());
    dots.dots = balls.spheres;
    const Image exact = draw(balls), image = draw(dots), empty = draw({});
    for (const glm::vec2 p : {seen(ball.center), seen(ball.center) + glm::vec2(20, -12),
                              seen(ball.center) + glm::vec2(-18, 14), seen(small.center)})
      EXPECT_LT(glm::distance(color_at(image, p), color_at(exact, p)), 0.1) << p.x << " " << p.y;
    const auto covered = static_cast<double>(differing(image, empty).size());
    const auto expected = static_cast<double>(differing(exact, empty).size());
    EXPECT_NEAR(covered / expected, 1, 0.1);
  }
}

}  // namespace
}  // namespace twosphere::render::renderer_test
