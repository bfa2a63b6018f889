// SPDX-License-Identifier: GPL-3.0-or-later
// What the program adds to its steps. `program_run` compares `twosphere run` of a preset, as good
// as nothing sampled or every step, with a plain loop over Integrator::advance() on the same core,
// which does nothing else but keep the time; `fast_unsampled` compares that of the double
// pendulum, with nothing sampled, with plain loops over the two links, compiled for this processor.
#include <benchmark/benchmark.h>
#include <sched.h>

#include <string>
#include <vector>

#include "core/base/file.h"
#include "core/catalog.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/reader.h"
#include "core/scenario/scenario.h"
#include "core/scenario/writer.h"
#include "tests/bench/headless.h"
#include "tests/bench/home.h"
#include "tests/bench/measure.h"
#include "tests/bench/plain_start.h"
#include "tests/bench/program_pendulum.h"
#include "tests/bench/target.h"
#include "tests/cases.h"

namespace twosphere::test {
namespace {

/// Steps per second of the scenario's method in a plain loop; 0 if a step is refused.
double plain_loop(const Scenario& scenario, std::int64_t steps) {
  const auto system = system_of(scenario.system, scenario.size(), scenario.parameters);
  const double h = scenario.lanes[0].step;
  State state{0, scenario.q, scenario.omega};
  auto integrator = make_integrator(scenario.lanes[0].type);
  integrator->prepare(*system, state);
  const auto begun = Clock::now();
  for (std::int64_t k = 1; k <= steps; ++k) {
    if (!integrator->advance(*system, h, state).ok()) return 0;
    state.t = static_cast<double>(k) * h;
  }
  return static_cast<double>(steps) / since(begun);
}

/// The same for the double pendulum by fast_pendulum().
double fast_loop(const Scenario& scenario, std::int64_t steps) {
  const PlainStart start = plain_start(scenario);
  const auto begun = Clock::now();
  const bool fine = fast_pendulum(start, scenario.lanes[0].step, steps);
  return fine ? static_cast<double>(steps) / since(begun) : 0;
}

void program_run(benchmark::State& loop, const char* preset, const std::vector<Setting>& settings,
                 std::int64_t every, double (*plain)(const Scenario&, std::int64_t) = plain_loop) {
  Scenario scenario = *with_settings(*read_scenario(find_preset(preset)->text, "preset"), settings);
  const std::int64_t steps = long_runs() ? 4'000'000 : 300'000;
  scenario.duration = static_cast<double>(steps) * scenario.lanes[0].step;
  scenario.every = every;
  const Home home;
  const std::string file = home.in("scenario.json");
  (void)write_file(file, write_scenario(scenario));
  cpu_set_t before, one;
  const int core = ::sched_getcpu();
  CPU_ZERO(&one);
  CPU_SET(core, &one);
  (void)::sched_getaffinity(0, sizeof before, &before);
  (void)::sched_setaffinity(0, sizeof one, &one);
  compare_speeds(
      loop, steps, [&] { return headless(file, core); }, [&] { return plain(scenario, steps); },
      "plain");
  (void)::sched_setaffinity(0, sizeof before, &before);
}
constexpr std::int64_t none = 1'000'000'000;
constexpr const char* pendulum = "double_spherical_pendulum";
const std::vector<Setting> variational{{"integrator.type", "variational"}},
    rk4{{"integrator.type", "rk4"}},
    weak{{"system.gamma", 1e-6}};  // so that no step of a long run is refused as bodies meet
BENCHMARK_CAPTURE(program_run, unsampled, pendulum, variational, none)->Apply(by_the_clock);
BENCHMARK_CAPTURE(program_run, fast_unsampled, pendulum, variational, none, fast_loop)
    ->Apply(by_the_clock);
BENCHMARK_CAPTURE(program_run, sampled, pendulum, variational, 1)->Apply(by_the_clock);
BENCHMARK_CAPTURE(program_run, rk4_unsampled, pendulum, rk4, none)->Apply(by_the_clock);
BENCHMARK_CAPTURE(program_run, bodies_sampled, "three_body", weak, 1)->Apply(by_the_clock);

constexpr auto at_least = Target::Bound::at_least;
[[maybe_unused]] const bool targets = add_targets({
    {"double pendulum, `twosphere run` against a plain loop, nothing sampled", "1", at_least, 0.95,
     share_of("program_run/unsampled"),
     "the work, the counts and the wish to stop are looked at in every step"},
    {"the same against plain loops over its links, compiled with -O3 -march=native -ffast-math",
     "1", at_least, 0.95, share_of("program_run/fast_unsampled"),
     "operations are not fused and keep their order, and the number of links is not built in"},
    {"double pendulum, `twosphere run` against a plain loop, every step sampled", "1", at_least,
     0.75, share_of("program_run/sampled"),
     "every quantity of every row is measured and watched, of several rows together"},
    {"the same by rk4, nothing sampled", "1", at_least, 0.95, share_of("program_run/rk4_unsampled"),
     "the work, the counts and the wish to stop are looked at in every step"},
    {"three bodies, `twosphere run` against a plain loop, every step sampled", "1", at_least, 0.7,
     share_of("program_run/bodies_sampled"),
     "every quantity of every row is measured and watched, of several rows together"},
});

}  // namespace
}  // namespace twosphere::test
