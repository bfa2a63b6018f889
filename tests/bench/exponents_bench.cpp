// SPDX-License-Identifier: GPL-3.0-or-later
// What tangent vectors cost: steps of chains and of close bodies alone and with vectors, and tasks
// of a sweep that measures the MEGNO of the double pendulum.
#include <benchmark/benchmark.h>

#include <atomic>
#include <cmath>

#include "core/catalog.h"
#include "core/mechanics/exponents.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/reader.h"
#include "core/studies/sweep_task.h"
#include "tests/bench/target.h"
#include "tests/cases.h"

namespace twosphere::test {
namespace {

/// A step of the preset's method, with this number of vectors; 0: alone.
void followed(benchmark::State& loop, const char* key, const char* method) {
  const auto scenario = read_scenario(find_preset(key)->text, "preset");
  const auto system = info_of(*scenario).create(scenario->size(), scenario->parameters);
  State state{0, scenario->q, scenario->omega};
  auto integrator = make_integrator(method);
  integrator->prepare(**system, state);
  const double h = scenario->lanes[0].step;
  const auto count = static_cast<int>(loop.range(0));
  std::optional<Exponents> exponents;
  if (count > 0) exponents.emplace(**system, state, count);
  for (auto _ : loop) {
    const StepReport report = exponents ? exponents->advance(**system, *integrator, h, state)
                                        : integrator->advance(**system, h, state);
    state.t += h;
    if (report.ok()) continue;
    loop.SkipWithError("a step was refused");
    break;
  }
}
BENCHMARK_CAPTURE(followed, double_pendulum, "double_spherical_pendulum", "variational")
    ->Arg(0)
    ->Arg(1)
    ->Arg(8);
BENCHMARK_CAPTURE(followed, chain_10, "chain_pendulum", "variational")->Arg(0)->Arg(1)->Arg(8);
BENCHMARK_CAPTURE(followed, three_body, "close_encounters", "rotation6")->Arg(0)->Arg(1)->Arg(8);

/// A task of 10⁴ steps of a map over two settings, with its MEGNO.
void megno_map(benchmark::State& loop) {
  const auto scenario = read_scenario(find_preset("double_spherical_pendulum")->text, "preset");
  Sweep sweep{.scenario = *scenario};
  sweep.scenario.every = 1000;
  for (const char* text : {"system.gravity=1:20:40", "initial.omega[1][1]=-3:3:60"})
    sweep.axes.push_back(*parse_axis(text));
  sweep.measures.push_back(*parse_measure("megno", info_of(*scenario), 2));
  const std::atomic<bool> never = false;
  std::size_t task = 0;
  for (auto _ : loop) {
    const auto row = run_sweep_task(sweep, "", task, {}, never);
    benchmark::DoNotOptimize(row);
    task = (task + 97) % sweep.tasks();
  }
  loop.counters["steps"] = benchmark::Counter(1e4, benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(megno_map)->Unit(benchmark::kMillisecond);

const bool added = add_targets({
    {"Double pendulum, a tangent vector of eight, per step alone", "steps", Target::Bound::at_most,
     0.6,
     [](const Measured& m) {
       const double alone = m.seconds("followed/double_pendulum/0");
       return (m.seconds("followed/double_pendulum/8") - alone) / 8 / alone;
     },
     "the vectors are carried one by one, each by two products with the Hessian and two solutions"},
});

}  // namespace
}  // namespace twosphere::test
