// SPDX-License-Identifier: GPL-3.0-or-later
// What the time line costs a run. `worker_speed` runs so many steps of the double pendulum by a
// worker, which keeps checkpoints as for a window, while another thread takes in its rows, and then
// as many by `twosphere run` on the worker's core, 21 times at full length: `share` is the median
// over the rounds of the first speed over the second. As good as nothing is sampled, one step in a
// thousand, or every step.
#include <benchmark/benchmark.h>
#include <sched.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "core/base/file.h"
#include "core/catalog.h"
#include "core/run/worker.h"
#include "core/scenario/reader.h"
#include "core/scenario/writer.h"
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
  for (auto _ : loop) {
    std::vector<double> worker, alone, shares;  // steps/s
    for (int round = long_runs() ? 21 : 1; round > 0; --round) {
      worker.push_back(by_worker(scenario, steps, core));
      alone.push_back(headless(file, core));
      if (worker.back() == 0 || alone.back() == 0) {
        loop.SkipWithError("the run fails");
        break;
      }
      shares.push_back(worker.back() / alone.back());
    }
    if (shares.empty()) break;
    loop.SetIterationTime(static_cast<double>(steps) / median(worker));
    loop.counters["steps/s"] = median(worker);
    loop.counters["headless"] = median(alone);
    loop.counters["share"] = median(shares);
  }
}
void by_the_clock(benchmark::internal::Benchmark* of) {
  of->UseManualTime()->Iterations(1)->Repetitions(1)->Unit(benchmark::kMillisecond);
}
BENCHMARK_CAPTURE(worker_speed, unsampled, 1'000'000'000)->Apply(by_the_clock);
BENCHMARK_CAPTURE(worker_speed, one_in_1000, 1000)->Apply(by_the_clock);
BENCHMARK_CAPTURE(worker_speed, sampled, 1)->Apply(by_the_clock);

auto share_of(std::string which) {
  return [=](const Measured& m) {
    return m.counter("worker_speed/" + which + "/iterations:1/repeats:1/manual_time", "share");
  };
}
constexpr auto at_least = Target::Bound::at_least;
constexpr const char* rows = "rows are handed to another thread, with a state from time to time";
[[maybe_unused]] const bool targets = add_targets({
    {"worker with checkpoints against `twosphere run`, nothing sampled", "1", at_least, 0.95,
     share_of("unsampled"), "a checkpoint is kept about every 20 ms"},
    {"the same, one step in 1000 sampled", "1", at_least, 0.95, share_of("one_in_1000"), rows},
    {"the same, every step sampled", "1", at_least, 0.9, share_of("sampled"), rows},
});

}  // namespace
}  // namespace twosphere::test
