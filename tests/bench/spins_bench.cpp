// SPDX-License-Identifier: GPL-3.0-or-later
// 64 × 64 spins with exchange, Dzyaloshinskii-Moriya interaction, anisotropy and field, as the
// preset skyrmion has them. `spins_step` is a step of the spherical midpoint method at h = 0.05 s
// on one thread, with the sweeps of the lattice or with those of all systems; `accuracy` is the
// change of the energy over the very steps that were timed, relative to the energy above that of
// aligned spins. `sweeps` and `per_sweep_ns`, of a spin, are those of the last step.
#include <benchmark/benchmark.h>

#include <cmath>
#include <memory>

#include "core/mechanics/forwarding_system.h"
#include "core/run/simulation.h"
#include "core/scenario/reader.h"
#include "tests/bench/measure.h"
#include "tests/bench/target.h"
#include "tests/cases.h"

namespace twosphere::test {
namespace {

/// Does not forward the sweeps of a lattice.
class SweptLikeAll final : public ForwardingSystem {
 public:
  using ForwardingSystem::ForwardingSystem;
};

void spins_step(benchmark::State& loop, bool of_lattice) {
  const Share alone(1);
  const Scenario scenario = *read_scenario(find_preset("skyrmion")->text, "skyrmion");
  std::shared_ptr<const System> system = *Simulation::make_system(scenario);
  if (!of_lattice) system = std::make_shared<SweptLikeAll>(system);
  State state{0, scenario.q, scenario.omega};
  const auto integrator = make_integrator("spherical_midpoint");
  integrator->prepare(*system, state);
  const double before = system->potential(state.q);
  StepReport last;
  const auto begun = Clock::now();
  std::int64_t steps = 0;
  for (auto _ : loop) {
    last = integrator->advance(*system, 0.05, state);
    ++steps;
    if (!last.ok()) {
      loop.SkipWithError("a step was refused");
      break;
    }
  }
  const double seconds = since(begun) / static_cast<double>(steps);
  const Columns up = Vec3(0, 0, 1).replicate(1, state.q.cols());
  loop.counters["accuracy"] =
      std::abs(system->potential(state.q) - before) / (before - system->potential(up));
  loop.counters["sweeps"] = last.sweeps;
  loop.counters["per_sweep_ns"] = 1e9 * seconds / last.sweeps / state.size();
}
BENCHMARK_CAPTURE(spins_step, lattice, true);
BENCHMARK_CAPTURE(spins_step, all_systems, false);

const bool rows = add_targets(
    {{"spins, 64 × 64, h = 0.05 s: steps per second", "1/s", Target::Bound::at_least, 1000,
      [](const Measured& m) { return m.rate("spins_step/lattice"); },
      "13 sweeps, of which each has four divisions and a root per spin"},
     {"spins, 64 × 64: sweeps of the lattice against those of all systems", "times",
      Target::Bound::at_least, 1.5,
      [](const Measured& m) { return m.speedup("spins_step/lattice", "spins_step/all_systems"); },
      "divisions, which are the same, are a third of a sweep"}});

}  // namespace
}  // namespace twosphere::test
