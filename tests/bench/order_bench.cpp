// SPDX-License-Identifier: GPL-3.0-or-later
// Example 1, the double spherical pendulum, at h = 0.01 s by every method of the catalogue that can
// treat it: time of a step, as `energy_error` the mean |E − E₀| [J] over its 100 s, and as
// `iterations` the mean number of iterations in a step that the method reports. Methods of order 2
// also at the step at which they cost as much as `variational4` at 0.01 s.
#include <benchmark/benchmark.h>

#include <cmath>

#include "core/catalog.h"
#include "core/mechanics/diagnostics.h"
#include "core/scenario/reader.h"
#include "core/scenario/scenario.h"
#include "tests/bench/target.h"
#include "tests/cases.h"

namespace twosphere::test {
namespace {

void example1(benchmark::State& loop, const char* method, double h) {
  const auto scenario = read_scenario(find_preset("double_spherical_pendulum")->text, "preset");
  const auto system = system_of("chain_pendulum", 2, scenario->parameters);
  State state;
  state.q = scenario->q;
  state.w = scenario->omega;
  auto integrator = make_integrator(method);
  integrator->prepare(*system, state);
  const double start = total_energy(*system, state);
  const long steps = std::lround(scenario->duration / h);
  double sum = 0, iterations = 0;
  for (long k = 0; k < steps; ++k) {
    const StepReport report = integrator->advance(*system, h, state);
    if (!report.ok()) {
      loop.SkipWithError("a step was refused");
      return;
    }
    iterations += report.iterations;
    integrator->complete(*system, state);
    sum += std::abs(total_energy(*system, state) - start);
  }
  for (auto _ : loop) {
    if (integrator->advance(*system, h, state).ok()) continue;
    loop.SkipWithError("a step was refused");
    break;
  }
  loop.counters["energy_error"] = sum / static_cast<double>(steps + 1);
  loop.counters["iterations"] = iterations / static_cast<double>(steps);
}
BENCHMARK_CAPTURE(example1, variational, "variational", 0.01);
BENCHMARK_CAPTURE(example1, variational_fine, "variational", 0.002);
BENCHMARK_CAPTURE(example1, variational4, "variational4", 0.01);
BENCHMARK_CAPTURE(example1, variational6, "variational6", 0.01);
BENCHMARK_CAPTURE(example1, variational8, "variational8", 0.01);
BENCHMARK_CAPTURE(example1, variational_cayley, "variational_cayley", 0.01);
BENCHMARK_CAPTURE(example1, rk4, "rk4", 0.01);

constexpr const char* one_by_one =
    "the steps of a composition, and the corrections of each, wait for one another";
constexpr const char* no_machine = "no machine can be the reason: the method is at fault";
const bool added = add_targets({
    {"Example 1, variational4, h = 0.01", "ns/step", Target::Bound::at_most, 1700,
     [](const Measured& m) { return 1e9 * m.seconds("example1/variational4"); }, one_by_one},
    {"Example 1, variational4, h = 0.01, mean energy error", "J", Target::Bound::at_most, 1.2e-7,
     [](const Measured& m) { return m.counter("example1/variational4", "energy_error"); },
     no_machine},
    {"Example 1, variational6, h = 0.01", "ns/step", Target::Bound::at_most, 1700,
     [](const Measured& m) { return 1e9 * m.seconds("example1/variational6"); }, one_by_one},
    {"Example 1, variational6, h = 0.01, mean energy error", "J", Target::Bound::at_most, 1.2e-7,
     [](const Measured& m) { return m.counter("example1/variational6", "energy_error"); },
     no_machine},
});

}  // namespace
}  // namespace twosphere::test
