// SPDX-License-Identifier: GPL-3.0-or-later
// What tangent vectors cost: steps of chains and of close bodies alone and with vectors, and tasks
// of a sweep that measures the MEGNO of the double pendulum, beside plain loops of the same method.
#include <benchmark/benchmark.h>

#include <atomic>
#include <cstdint>
#include <numeric>
#include <vector>

#include "core/catalog.h"
#include "core/mechanics/exponents.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/reader.h"
#include "core/studies/sweep_task.h"
#include "tests/bench/plain_pendulum.h"
#include "tests/bench/plain_start.h"
#include "tests/bench/target.h"
#include "tests/cases.h"

namespace twosphere::test {
namespace {

/// A step of the preset's method, with this number of vectors; 0: alone.
void followed(benchmark::State& loop, const char* key, const char* method) {
  const auto scenario = read_scenario(find_preset(key)->text, "preset");
  const auto system = create_system(*scenario);
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

/// A map over two settings of a measure of the double pendulum.
Sweep map_of(const char* measure, double duration, std::int64_t every) {
  const auto scenario = read_scenario(find_preset("double_spherical_pendulum")->text, "preset");
  Sweep sweep{.scenario = *scenario};
  sweep.scenario.duration = duration;
  sweep.scenario.every = every;
  for (const char* text : {"system.gravity=1:20:40", "initial.omega[1][1]=-3:3:60"})
    sweep.axes.push_back(*parse_axis(text));
  sweep.measures.push_back(*parse_measure(measure, *scenario));
  return sweep;
}
/// The MEGNO after 10⁴ steps.
Sweep megno_sweep() { return map_of("megno", 100, 1000); }
constexpr std::size_t next_task = 97;

/// One task after the other.
void run_tasks(benchmark::State& loop, const Sweep& sweep) {
  const std::atomic<bool> never = false;
  std::size_t task = 0;
  for (auto _ : loop) {
    const auto row = run_sweep_task(sweep, "", task, {}, never);
    benchmark::DoNotOptimize(row);
    task = (task + next_task) % sweep.tasks();
  }
}

void sweep_task(benchmark::State& loop, const char* measure, double duration, std::int64_t every) {
  run_tasks(loop, map_of(measure, duration, every));
}
BENCHMARK_CAPTURE(sweep_task, start, "energy_error.last", 0.1, 1000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sweep_task, last, "energy_error.last", 100, 1000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sweep_task, rows, "energy_error.max", 100, 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sweep_task, spectrum, "lyapunov[7]", 100, 1000)->Unit(benchmark::kMillisecond);

/// 10⁴ steps of tasks that differ in their starts: one after the other, or in groups.
void sweep_starts(benchmark::State& loop, bool together, const char* preset, const char* axis,
                  const char* measure) {
  const auto scenario = read_scenario(find_preset(preset)->text, "preset");
  Sweep sweep{.scenario = *scenario};
  sweep.scenario.duration = 1e4 * scenario->lanes[0].step;
  sweep.scenario.every = 1000;
  sweep.axes.push_back(*parse_axis(axis));
  sweep.measures.push_back(*parse_measure(measure, *scenario));
  std::vector<std::size_t> tasks(sweep.tasks());
  std::iota(tasks.begin(), tasks.end(), 0);
  const auto groups = groups_of_tasks(sweep, tasks, together ? 1 : static_cast<int>(tasks.size()));
  const std::atomic<bool> never = false;
  std::size_t next = 0, done = 0;
  const TaskCalls calls{[](std::size_t) { return TaskStates{}; },
                        [&](const EndedTask&) { ++done; }};
  for (auto _ : loop) {
    (void)run_sweep_tasks(sweep, "", groups[next], calls, never);
    next = (next + 1) % groups.size();
  }
  loop.counters["time/task"] = benchmark::Counter(
      static_cast<double>(done), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
constexpr const char *two = "double_spherical_pendulum", *turns = "initial.omega[1][1]=-3:3:64",
                     *springs = "pendulum_network", *pulls = "initial.omega[0][1]=0:1:64",
                     *last = "energy_error.last";
BENCHMARK_CAPTURE(sweep_starts, pendulum_alone, false, two, turns, last);
BENCHMARK_CAPTURE(sweep_starts, pendulum_together, true, two, turns, last);
BENCHMARK_CAPTURE(sweep_starts, springs_alone, false, springs, pulls, last);
BENCHMARK_CAPTURE(sweep_starts, springs_together, true, springs, pulls, last);
BENCHMARK_CAPTURE(sweep_starts, megno_alone, false, two, turns, "megno");
BENCHMARK_CAPTURE(sweep_starts, megno_together, true, two, turns, "megno");

void megno_map(benchmark::State& loop) {
  run_tasks(loop, megno_sweep());
  loop.counters["steps"] = benchmark::Counter(1e4, benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(megno_map)->Unit(benchmark::kMillisecond);

struct WithVector {
  static constexpr bool followed = true;
};

/// The same tasks in plain loops.
void megno_plain(benchmark::State& loop) {
  const Sweep sweep = megno_sweep();
  const double h = sweep.scenario.lanes[0].step;
  std::size_t task = 0;
  for (auto _ : loop) {
    PlainPendulum<WithVector> pendulum(plain_start(*sweep_scenario(sweep, task)));
    bool fine = true;
    for (int k = 0; fine && k < 10'000; ++k) fine = pendulum.step(h);
    if (!fine) loop.SkipWithError("a step was refused");
    double megno = pendulum.megno();
    benchmark::DoNotOptimize(megno);
    task = (task + next_task) % sweep.tasks();
  }
  loop.counters["steps"] = benchmark::Counter(1e4, benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(megno_plain)->Unit(benchmark::kMillisecond);

/// What each of eight vectors adds to a step, relative to the step alone.
Cell each_of_eight(const std::string& family) {
  return {[family](const Measured& m) {
            const double alone = m.seconds(family + "/0");
            return (m.seconds(family + "/8") - alone) / 8 / alone;
          },
          Cell::As::ratio};
}
Table::Row followed_row(const std::string& work, const std::string& name) {
  const std::string family = "followed/" + name;
  return {work,
          {time_of(family + "/0"), time_of(family + "/1"), time_of(family + "/8"),
           each_of_eight(family)}};
}
const bool vectors = add_table(
    {.key = "tangent vectors",
     .head = "| a step, CPU time | alone | 1 vector | 8 vectors | each of eight, per step alone |",
     .rows = {followed_row("double pendulum, `variational`", "double_pendulum"),
              followed_row("chain of 10, `variational`", "chain_10"),
              followed_row("three bodies, `rotation6`", "three_body")}});
const bool tasks = add_table(
    {.key = "tasks",
     .head = "| a task of the double pendulum, alone | CPU time |",
     .rows = {
         {"10 steps, `energy_error.last`: reading and checking the scenario",
          {time_of("sweep_task/start")}},
         {"10⁴ steps, `energy_error.last`", {time_of("sweep_task/last")}},
         {"10⁴ steps, `energy_error.max`, a row at every step", {time_of("sweep_task/rows")}},
         {"10⁴ steps, `megno`", {time_of("megno_map")}},
         {"10⁴ steps, `lyapunov[7]`: all eight exponents", {time_of("sweep_task/spectrum")}},
         {"10⁴ steps, `megno`, in plain loops over the two links", {time_of("megno_plain")}}}});
const bool together =
    add_table({.key = "tasks together",
               .head = "| a task of 10⁴ steps, CPU time | alone | together |",
               .rows = {{"double pendulum, eleven rows",
                         {time_counted("sweep_starts/pendulum_alone", "time/task"),
                          time_counted("sweep_starts/pendulum_together", "time/task")}},
                        {"pendula joined by springs, eleven rows",
                         {time_counted("sweep_starts/springs_alone", "time/task"),
                          time_counted("sweep_starts/springs_together", "time/task")}},
                        {"double pendulum, `megno`",
                         {time_counted("sweep_starts/megno_alone", "time/task"),
                          time_counted("sweep_starts/megno_together", "time/task")}}}});

const bool added = add_targets({
    {"Double pendulum, a tangent vector of eight, per step alone", "steps", Target::Bound::at_most,
     0.6, each_of_eight("followed/double_pendulum").value,
     "a step alone is so short that small loops count"},
});

}  // namespace
}  // namespace twosphere::test
