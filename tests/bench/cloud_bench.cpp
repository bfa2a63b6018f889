// SPDX-License-Identifier: GPL-3.0-or-later
// A cloud of double pendula that follows a run: a step of all members on all processors, and the
// distances that a row takes. What its dots cost is in scene_bench.cpp.
#include <benchmark/benchmark.h>

#include <string>
#include <utility>

#include "core/catalog.h"
#include "core/run/live_cloud.h"
#include "core/scenario/reader.h"
#include "tests/bench/target.h"

namespace twosphere::test {
namespace {

Simulation pendulum() {
  return std::move(*Simulation::create(
      *read_scenario(find_preset("double_spherical_pendulum")->text, "preset")));
}

void cloud_step(benchmark::State& loop) {
  Simulation run = pendulum();
  LiveCloud cloud({{.members = static_cast<int>(loop.range(0)), .spread = 1e-3}}, run);
  for (auto _ : loop) {
    if (run.step() || !cloud.advance(run, run.steps() - 1)) return loop.SkipWithError("refused");
  }
}
BENCHMARK(cloud_step)->Arg(64)->Arg(1024)->Arg(4096)->UseRealTime()->Unit(benchmark::kMicrosecond);

void cloud_row(benchmark::State& loop) {
  Simulation run = pendulum();
  LiveCloud cloud({{.members = static_cast<int>(loop.range(0)), .spread = 1e-3}}, run);
  for (auto _ : loop) benchmark::DoNotOptimize(cloud.measure(run, false));
}
BENCHMARK(cloud_row)->Arg(1024)->Unit(benchmark::kMicrosecond);

const bool added = add_targets({
    {"a cloud of 1024 double pendula in real time, its steps and rows, one thread", "s per s",
     Target::Bound::at_most, 0.1,
     [](const Measured& m) {
       return 100 * (m.seconds("cloud_step/1024/real_time") + m.seconds("cloud_row/1024"));
     },
     ""},
    {"its 2048 dots in a picture, compared with the picture without", "×", Target::Bound::at_most,
     1.25,
     [](const Measured& m) {
       const std::string picture = "scene/draw/double_spherical_pendulum";
       return m.seconds(picture + "/cloud_1024/real_time") / m.seconds(picture + "/real_time");
     },
     ""},
});

}  // namespace
}  // namespace twosphere::test
