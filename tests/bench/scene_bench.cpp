// SPDX-License-Identifier: GPL-3.0-or-later
// Cost of one frame of the scene of every preset, without a window: making the shapes, and drawing
// them off screen at the size that the scene has in a window of 1280x800.
#include <benchmark/benchmark.h>

#include <deque>
#include <string>

#include "core/catalog.h"
#include "core/simulation.h"
#include "core/trail.h"
#include "render/gl.h"
#include "render/offscreen.h"
#include "render/scene_builder.h"

namespace twosphere::render {
namespace {

constexpr int width = 600, height = 710;
constexpr int steps = 40;

struct Moment {
  Snapshot snapshot;
  std::deque<Pose> trail;
};

Moment moment(std::string_view key) {
  auto simulation = Simulation::create(*read_scenario(find_preset(key)->text, key));
  TrailRecorder recorder;
  recorder.configure(4, simulation->system()->size());
  recorder.record(*simulation, 0);
  for (int i = 0; i < steps; ++i) {
    (void)simulation->step();
    if (recorder.due(simulation->time())) recorder.record(*simulation, 0);
  }
  Moment made;
  std::vector<Pose> poses;
  recorder.take(poses);
  made.trail.assign(poses.begin(), poses.end());
  made.snapshot.t = simulation->time();
  made.snapshot.system = simulation->system();
  Snapshot::LaneView& lane = made.snapshot.lanes.emplace_back();
  lane.info = simulation->lane(0).info;
  lane.state = simulation->state(0);
  return made;
}

void build(benchmark::State& loop, std::string_view key, const SceneStyle& style) {
  const Moment now = moment(key);
  SceneMemory memory;
  for (auto _ : loop) benchmark::DoNotOptimize(build_scene(now.snapshot, now.trail, style, memory));
}

void draw(benchmark::State& loop, std::string_view key, const SceneStyle& style) {
  const Moment now = moment(key);
  auto context = Offscreen::create(width, height);
  if (!context) return loop.SkipWithError("there is no EGL");
  auto renderer = Renderer::create();
  if (!renderer) return loop.SkipWithError("no renderer");
  SceneMemory memory;
  Camera camera;
  camera.frame(framing(now.snapshot, style), static_cast<float>(width) / height);
  const Scene scene = build_scene(now.snapshot, now.trail, style, memory);
  const Scene inset = build_inset(now.snapshot, now.trail, style);
  Target corner = (*context)->target();
  corner.x = width - 142;
  corner.y = 10;
  corner.width = corner.height = 132;
  corner.inset = true;
  for (auto _ : loop) {
    (*renderer)->draw(scene, camera, theme(style), (*context)->target());
    if (inset.shell.visible)
      (*renderer)->draw(inset, Camera::beside(camera, 1.16f), theme(style), corner);
    glFinish();
  }
}

[[maybe_unused]] const bool registered = [] {
  const auto add = [](const std::string& name, std::string_view key, const SceneStyle& style) {
    benchmark::RegisterBenchmark(("scene/build/" + name).c_str(), build, key, style)
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("scene/draw/" + name).c_str(), draw, key, style)
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  };
  SceneStyle coarse, field, arrows;
  coarse.fine = field.fine = arrows.fine = false;
  field.field = true;
  arrows.arrows = {true, false, false, true};
  for (const Preset& preset : presets()) add(std::string(preset.key), preset.key, coarse);
  add("lennard_jones/field", "lennard_jones", field);
  add("lennard_jones/arrows", "lennard_jones", arrows);
  return true;
}();

}  // namespace
}  // namespace twosphere::render
