// SPDX-License-Identifier: GPL-3.0-or-later
// Every preset's picture, at the time of its picture on the page of presets, against a stored one,
// tests/golden/pictures/PRESET.png. After an intended change of the scenes look at the new pictures
// and store them:
//   export TWOSPHERE_PICTURES=$PWD/tests/golden/pictures
//   ctest --test-dir build/release -R golden_picture_test
#include <gtest/gtest.h>
#include <stb/stb_image.h>
#include <stb/stb_image_write.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <glm/geometric.hpp>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "core/catalog.h"
#include "core/run/simulation.h"
#include "core/run/trail.h"
#include "core/studies/view_frame.h"
#include "render/painter.h"
#include "render/scene_builder.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::render::golden_picture_test {
namespace {

using test::value_of;

constexpr int width = 320, height = 200;
// The processor's own rounding and another release of Mesa may move a few pixels.
constexpr int tolerance = 8, clear = 40;  // of 255
constexpr double allowed = 0.01;          // share of pixels beyond the first
constexpr int allowed_clearly = 12;       // number of pixels beyond the second

struct Look {
  std::string preset;
  double time = 0;  // [s]
  bool light = false, arrows = false, field = false;
  std::optional<TurningFrame> frame = {};
};

// The time of the preset's picture on the page of presets [s]: "NAME TIME" a line, * for all
// others.
double picture_time(std::string_view preset) {
  std::ifstream file(TWOSPHERE_SOURCE_DIR "/resources/pictures/presets/times");
  double time = 0;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name;
    double at = 0;
    if (words >> name >> at; name == preset || (name == "*" && time == 0)) time = at;
  }
  EXPECT_GT(time, 0) << preset;
  return time;
}

/// The frame that the view of a preset has.
std::optional<TurningFrame> frame_of(std::string_view key) {
  const Scenario scenario = test::preset(key);
  const auto choice = value_of(frame_of_view(scenario.view));
  if (!choice) return {};
  const Simulation run = test::start(scenario);
  return value_of(turning_frame(*choice, run.record(), *run.system()));
}

Look look_of(std::string_view preset) {
  Look look{std::string(preset), picture_time(preset)};
  look.frame = frame_of(preset);
  return look;
}

// Every preset as on the page of presets, and what none of these show, each by its name.
std::map<std::string, Look> looks() {
  std::map<std::string, Look> all;
  for (const Preset& preset : presets()) all[std::string(preset.key)] = look_of(preset.key);
  for (const auto& [name, preset, change] :
       {std::tuple("light_ground", "chain_pendulum", &Look::light),
        {"arrows", "chain_pendulum", &Look::arrows},
        {"kinetic_energy_field", "lennard_jones", &Look::field}}) {
    Look look = look_of(preset);
    look.*change = true;
    all[name] = look;
  }
  return all;
}

struct Moment {
  Snapshot snapshot;
  std::deque<Configuration> trail;
  SceneStyle style;
  SceneMemory memory;
};

Moment moment(const Look& look) {
  const std::string& key = look.preset;
  auto simulation = Simulation::create(test::preset(key));
  EXPECT_TRUE(simulation) << key;
  Moment made;
  made.style.trail_span = 1;
  made.style.palette = look.light ? Palette::light : Palette::dark;
  made.style.field = look.field;
  made.style.frame = look.frame;
  if (look.arrows) made.style.arrows = {true, false, true, false};
  TrailRecorder recorder;
  recorder.configure(made.style.trail_span, simulation->system()->size());
  recorder.record(*simulation, 0);
  while (simulation->time() < look.time - 1e-9) {
    EXPECT_FALSE(simulation->step());
    if (!recorder.due(simulation->time())) continue;
    recorder.record(*simulation, 0);
    observe(*simulation->system(), simulation->state(0), 0, made.style, made.memory);
  }
  std::vector<Configuration> configurations;
  recorder.take(configurations);
  made.trail.assign(configurations.begin(), configurations.end());
  made.snapshot.t = made.snapshot.elapsed = simulation->time();
  made.snapshot.system = simulation->system();
  Snapshot::LaneView& lane = made.snapshot.lanes.emplace_back();
  lane.info = simulation->lane(0).info;
  lane.state = simulation->state(0);
  return made;
}

Image paint(Painter& painter, const Moment& now, const Scene& scene) {
  Camera camera;
  camera.frame(framing(now.snapshot, now.style), static_cast<float>(width) / height);
  return painter.paint(scene, camera, theme(now.style), false);
}

// How many pixels differ by more than this in some channel.
int differing(const Image& a, const Image& b, int by) {
  int count = 0;
  for (int y = 0; y < a.height; ++y)
    for (int x = 0; x < a.width; ++x) {
      int worst = 0;
      for (int c = 0; c < 3; ++c) worst = std::max(worst, std::abs(a.at(x, y)[c] - b.at(x, y)[c]));
      count += worst > by;
    }
  return count;
}

testing::AssertionResult alike(const Image& a, const Image& b) {
  if (a.width != b.width || a.height != b.height)
    return testing::AssertionFailure() << "sizes differ";
  const int some = differing(a, b, tolerance), many = differing(a, b, clear);
  if (some <= allowed * a.width * a.height && many <= allowed_clearly)
    return testing::AssertionSuccess() << some << " pixels differ, " << many << " clearly";
  return testing::AssertionFailure() << some << " pixels differ, " << many << " clearly";
}

Image load(const std::string& path) {
  Image image;
  int channels = 0;
  if (stbi_uc* data = stbi_load(path.c_str(), &image.width, &image.height, &channels, 4)) {
    image.pixels.assign(data, data + std::size_t{4} * static_cast<unsigned>(image.width) *
                                         static_cast<unsigned>(image.height));
    stbi_image_free(data);
  }
  return image;
}

Image stored(const std::string& name) {
  return load(TWOSPHERE_SOURCE_DIR "/tests/golden/pictures/" + name + ".png");
}

void compare(const std::string& name, const Image& image) {
  if (const char* folder = std::getenv("TWOSPHERE_PICTURES")) {
    const std::string path = std::string(folder) + "/" + name + ".png";
    ASSERT_NE(stbi_write_png(path.c_str(), image.width, image.height, 4, image.pixels.data(), 0), 0)
        << path;
    return;
  }
  EXPECT_TRUE(alike(image, stored(name))) << name;
}

// Of so many arrows one is too small to be seen: a share of them is taken away.
constexpr std::size_t crowd = 64, crowd_share = 16;

// Takes a body away, of the largest the nearest to the viewer: a ball with those that it covers, a
// magnet, or the end of the rod; of a crowd of arrows the nearest sixteenth.
void remove_body(const Moment& now, Scene& scene) {
  Camera camera;
  camera.frame(framing(now.snapshot, now.style), static_cast<float>(width) / height);
  const auto apart = [&](std::size_t i) {
    return glm::distance(glm::vec3(scene.bodies[i]), camera.eye());
  };
  std::vector<std::size_t> nearest(scene.bodies.size());
  std::iota(nearest.begin(), nearest.end(), std::size_t{0});
  std::stable_sort(nearest.begin(), nearest.end(), [&](std::size_t a, std::size_t b) {
    const float one = scene.bodies[a].w, other = scene.bodies[b].w;
    return one != other ? one > other : apart(a) < apart(b);
  });
  Geometry geometry;
  now.snapshot.system->geometry(now.snapshot.lanes[0].state.q, geometry);
  if (!geometry.bending.empty()) {
    scene.tubes[0].points.resize(scene.tubes[0].points.size() * 10 / 11);
    scene.spheres.clear();
  } else if (const std::size_t arrows = geometry.arrows.size(); arrows > 0) {
    nearest.resize(arrows > crowd ? arrows / crowd_share : 1);
    std::sort(nearest.rbegin(), nearest.rend());  // from the last on
    for (const std::size_t i : nearest) {
      const auto at = static_cast<std::ptrdiff_t>(i);
      scene.spheres.erase(scene.spheres.begin() + at);
      scene.cones.erase(scene.cones.begin() + at);
      scene.cylinders.erase(scene.cylinders.begin() + 2 * at, scene.cylinders.begin() + 2 * at + 2);
    }
  } else {
    // With it those that hide behind it.
    const Sphere gone = scene.spheres[nearest.front()];
    std::erase_if(scene.spheres, [&gone](const Sphere& ball) {
      return glm::distance(ball.center, gone.center) < gone.radius;
    });
  }
}

struct GoldenPicture : testing::Test {
  void SetUp() override { painter_ = value_of(Painter::create(width, height)); }
  std::unique_ptr<Painter> painter_;
};

TEST_F(GoldenPicture, EveryPresetLooksAsStored) {
  for (const auto& [name, look] : looks()) {
    Moment now = moment(look);
    const Scene scene = build_scene(now.snapshot, now.trail, now.style, now.memory);
    compare(name, paint(*painter_, now, scene));
  }
}

TEST_F(GoldenPicture, ABodyLessIsSeen) {
  if (std::getenv("TWOSPHERE_PICTURES")) GTEST_SKIP() << "the pictures are being stored";
  for (const Preset& preset : presets()) {
    const std::string key(preset.key);
    Moment now = moment(look_of(key));
    Scene scene = build_scene(now.snapshot, now.trail, now.style, now.memory);
    remove_body(now, scene);
    EXPECT_FALSE(alike(paint(*painter_, now, scene), stored(key))) << key;
  }
}

// Without the ground and the corner axes, which turn with the frame.
TEST_F(GoldenPicture, OfARelativeOrbitIsTheSameAfterAPeriodInItsFrameOnly) {
  const std::string key = "relative_orbit";
  const double period = value_of(test::preset(key).orbit).period;
  Camera camera;
  const auto picture = [&](int periods, bool in_frame) {
    Look look = look_of(key);
    look.time = periods * period;
    if (!in_frame) look.frame.reset();
    Moment now = moment(look);
    now.style.ground = false;
    const Scene scene = build_scene(now.snapshot, now.trail, now.style, now.memory);
    if (periods == 1)
      camera.frame(framing(now.snapshot, now.style), static_cast<float>(width) / height);
    const PicturePart whole{scene, camera, {0, 0, width, height}, false};
    return painter_->paint(std::span(&whole, 1), theme(now.style), false);
  };
  for (const bool in_frame : {true, false}) {
    const auto first = picture(1, in_frame);
    EXPECT_EQ(static_cast<bool>(alike(first, picture(2, in_frame))), in_frame);
  }
}

TEST(PictureInParts, IsTheSameAsInOne) {
  auto screen = value_of(Offscreen::create(width, height));
  auto renderer = value_of(Renderer::create());
  const auto looked_at = [&](const Moment& now, const Scene& scene, int rows) {
    Camera camera;
    camera.frame(framing(now.snapshot, now.style), static_cast<float>(width) / height);
    Target target = screen->target();
    renderer->draw({}, camera, theme({.palette = Palette::light}), target);
    for (target.rows = rows; target.first_row < height; target.first_row += rows)
      renderer->draw(scene, camera, theme(now.style), target);
    return screen->read().pixels;
  };
  for (const auto& [key, look] : looks()) {
    Moment now = moment(look);
    const Scene scene = build_scene(now.snapshot, now.trail, now.style, now.memory);
    const auto whole = looked_at(now, scene, height);
    for (const int rows : {1, 37, 64, 199}) {
      if (rows == 1 && key != "lennard_jones") continue;
      EXPECT_TRUE(looked_at(now, scene, rows) == whole) << key << ", " << rows;
    }
  }
}

}  // namespace
}  // namespace twosphere::render::golden_picture_test
