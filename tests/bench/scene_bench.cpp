// SPDX-License-Identifier: GPL-3.0-or-later
// Cost of one frame of the scene of every preset, without a window: making the shapes, and drawing
// them off screen at the size that the scene has in a window of 1280x800.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cmath>
#include <deque>
#include <optional>
#include <string>

#include "core/catalog.h"
#include "core/run/live_cloud.h"
#include "core/run/simulation.h"
#include "core/run/trail.h"
#include "core/scenario/icosphere.h"
#include "core/scenario/initial_conditions.h"
#include "core/scenario/reader.h"
#include "render/gl.h"
#include "render/offscreen.h"
#include "render/scene_builder.h"

namespace twosphere::render {
namespace {

constexpr int width = 600, height = 710;
constexpr int steps = 40;

struct Moment {
  Snapshot snapshot;
  std::deque<Configuration> trail;
};

/// With `members`, a cloud follows the run.
Moment moment(std::string_view key, int members = 0) {
  auto simulation = Simulation::create(*read_scenario(find_preset(key)->text, key));
  std::optional<LiveCloud> cloud;
  if (members > 0) cloud.emplace(CloudPlan{{.members = members, .spread = 0.1}}, *simulation);
  TrailRecorder recorder;
  recorder.configure(4, simulation->system()->size());
  recorder.record(*simulation, 0);
  for (int i = 0; i < steps; ++i) {
    (void)simulation->step();
    if (cloud) cloud->advance(*simulation, simulation->steps() - 1);
    if (recorder.due(simulation->time())) recorder.record(*simulation, 0);
  }
  Moment made;
  std::vector<Configuration> configurations;
  recorder.take(configurations);
  made.trail.assign(configurations.begin(), configurations.end());
  made.snapshot.t = made.snapshot.elapsed = simulation->time();
  made.snapshot.system = simulation->system();
  Snapshot::LaneView& lane = made.snapshot.lanes.emplace_back();
  lane.info = simulation->lane(0).info;
  lane.state = simulation->state(0);
  if (cloud) cloud->show(*simulation, made.snapshot.cloud.emplace());
  return made;
}

/// Molecules on an icosphere; of so many the energy is not worked out.
Moment crowd(int subdivisions) {
  const Columns q = icosphere(subdivisions).vertices;
  const double n = static_cast<double>(q.cols());
  auto system = find_system("lennard_jones")
                    ->create(static_cast<int>(q.cols()),
                             {{"masses", std::vector<double>(static_cast<std::size_t>(n), 1)},
                              {"epsilon", {0.01}},
                              {"sigma", {3 / std::sqrt(n)}},
                              {"cutoff", {7 / std::sqrt(n)}}});
  Moment made;
  made.snapshot.system = std::move(*system);
  Snapshot::LaneView& lane = made.snapshot.lanes.emplace_back();
  lane.info = find_integrator("variational");
  lane.state = {0, q, two_vortices(q, 1.5, 0.5, 0.25)};
  return made;
}

void build(benchmark::State& loop, const Moment& now, const SceneStyle& style) {
  SceneMemory memory;
  for (auto _ : loop) benchmark::DoNotOptimize(build_scene(now.snapshot, now.trail, style, memory));
}

void draw(benchmark::State& loop, const Moment& now, const SceneStyle& style) {
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
  const auto add = [](const std::string& name, const SceneStyle& style, const auto& make) {
    benchmark::RegisterBenchmark(("scene/build/" + name).c_str(), [=](benchmark::State& loop) {
      build(loop, make(), style);
    })->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("scene/draw/" + name).c_str(),
                                 [=](benchmark::State& loop) { draw(loop, make(), style); })
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  };
  const auto preset = [](std::string_view key) { return [key] { return moment(key); }; };
  SceneStyle coarse, field, arrows;
  coarse.fine = field.fine = arrows.fine = false;
  field.field = true;
  arrows.arrows = {true, false, false, true};
  for (const Preset& p : presets()) add(std::string(p.key), coarse, preset(p.key));
  add("double_spherical_pendulum/cloud_1024", coarse,
      [] { return moment("double_spherical_pendulum", 1024); });
  add("lennard_jones/field", field, preset("lennard_jones"));
  add("lennard_jones/arrows", arrows, preset("lennard_jones"));
  for (const int subdivisions : {5, 7})  // 10 242 and 163 842
    add(fmt::format("molecules/{}", 10 * (1 << 2 * subdivisions) + 2), coarse,
        [=] { return crowd(subdivisions); });
  return true;
}();

}  // namespace
}  // namespace twosphere::render
