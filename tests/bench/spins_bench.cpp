// SPDX-License-Identifier: GPL-3.0-or-later
// 64 × 64 spins with exchange, Dzyaloshinskii-Moriya interaction, anisotropy and field, as the
// preset skyrmion has them. `spins_step` is a step of the spherical midpoint method at h = 0.05 s
// on one thread, of the lattice, row by row, or of the same bonds as a list; `accuracy` is the
// change of the energy over the very steps that were timed, relative to the energy above that of
// aligned spins. `sweeps` and `per_sweep_ns`, of a spin, are those of the last step.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdint>
#include <memory>

#include "core/run/simulation.h"
#include "core/scenario/reader.h"
#include "core/systems/site_lattice.h"
#include "tests/bench/measure.h"
#include "tests/bench/target.h"
#include "tests/cases.h"

namespace twosphere::test {
namespace {

void spins_step(benchmark::State& loop, bool of_lattice) {
  const Share alone(1);
  Scenario scenario = *read_scenario(find_preset("skyrmion")->text, "skyrmion");
  if (!of_lattice) {
    std::vector<double>&lattice = scenario.parameters["lattice"],
    &bonds = scenario.parameters["bonds"], &exchange = scenario.parameters["exchange"];
    // Bonds across the border lead the other way between the positions, which costs the same.
    for (const SiteBond& bond : SiteLattice(lattice).bonds())
      bonds.insert(bonds.end(), {double(bond.first), double(bond.second)});
    const Columns places = SiteLattice(lattice).positions();
    scenario.parameters["positions"].assign(places.data(), places.data() + places.size());
    exchange.assign(bonds.size() / 2, exchange[0]);
    lattice.clear();
  }
  const auto system = *Simulation::make_system(scenario);
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
BENCHMARK_CAPTURE(spins_step, bonds, false);

const bool rows = add_targets(
    {{"spins, 64 × 64, h = 0.05 s: steps per second", "1/s", Target::Bound::at_least, 1000,
      [](const Measured& m) { return m.rate("spins_step/lattice"); },
      "a step takes 21 sweeps to rounding, of 15 ns for each spin with avx2, all of it arithmetic"},
     {"spins, 64 × 64: the lattice row by row against its bonds as a list", "times",
      Target::Bound::at_least, 1.5,
      [](const Measured& m) { return m.speedup("spins_step/lattice", "spins_step/bonds"); },
      "the gradient is about a third of a sweep of the lattice"}});

}  // namespace
}  // namespace twosphere::test
