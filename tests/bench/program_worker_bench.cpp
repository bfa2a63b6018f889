// SPDX-License-Identifier: GPL-3.0-or-later
// What the time line costs a run. `worker_speed` compares a worker with the double pendulum, which
// keeps checkpoints and a trail as for a window, while another thread takes in its rows, with
// `twosphere run` on the worker's core. As good as nothing is sampled, one step in a thousand, or
// every step.
#include <benchmark/benchmark.h>
#include <sched.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "core/base/file.h"
#include "core/catalog.h"
#include "core/scenario/reader.h"
#include "core/scenario/writer.h"
#include "core/worker/worker.h"
#include "tests/bench/headless.h"
#include "tests/bench/home.h"
#include "tests/bench/measure.h"
#include "tests/bench/target.h"

namespace twosphere::test {
namespace {

/// Steps per second of a worker on a core; 0 if it does not come to its end.
double by_worker(const Scenario& scenario, std::int64_t steps, int core) {
  cpu_set_t before, one;
  CPU_ZERO(&one);
  CPU_SET(core, &one);
  (void)::sched_getaffinity(0, sizeof before, &before);
  (void)::sched_setaffinity(0, sizeof one, &one);  // its thread inherits that
  Worker worker(std::move(*Simulation::create(scenario)));
  (void)::sched_setaffinity(0, sizeof before, &before);
  worker.send(TrailSpan{4});
  worker.send(Pace{Pacing::fastest});
  const auto begun = Clock::now();
  worker.send(Play{});
  std::vector<SampleRows> rows;
  while (since(begun) < 600) {
    const bool finished = worker.snapshot().state == RunState::finished;
    worker.drain_samples(rows);
    worker.give_back(rows);
    if (finished) return static_cast<double>(steps) / since(begun);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return 0;
}

void worker_speed(benchmark::State& loop, std::int64_t every) {
  Scenario scenario = *read_scenario(find_preset("double_spherical_pendulum")->text, "preset");
  const std::int64_t steps = long_runs() ? 4'000'000 : 300'000;
  scenario.duration = static_cast<double>(steps) * scenario.lanes[0].step;
  scenario.every = every;
  const Home home;
  const std::string file = home.in("scenario.json");
  (void)write_file(file, write_scenario(scenario));
  const int core = ::sched_getcpu();
  compare_speeds(
      loop, steps, [&] { return by_worker(scenario, steps, core); },
      [&] { return headless(file, core); }, "headless");
}
BENCHMARK_CAPTURE(worker_speed, unsampled, 1'000'000'000)->Apply(by_the_clock);
BENCHMARK_CAPTURE(worker_speed, one_in_1000, 1000)->Apply(by_the_clock);
BENCHMARK_CAPTURE(worker_speed, sampled, 1)->Apply(by_the_clock);

constexpr auto at_least = Target::Bound::at_least;
constexpr const char* rows = "rows are handed to another thread, with a state from time to time";
[[maybe_unused]] const bool targets = add_targets({
    {"worker with checkpoints and a trail against `twosphere run`, nothing sampled", "1", at_least,
     0.95, share_of("worker_speed/unsampled"), "a checkpoint is kept about every 20 ms"},
    {"the same, one step in 1000 sampled", "1", at_least, 0.95,
     share_of("worker_speed/one_in_1000"), rows},
    {"the same, every step sampled", "1", at_least, 0.9, share_of("worker_speed/sampled"), rows},
});

}  // namespace
}  // namespace twosphere::test
