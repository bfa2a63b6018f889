// SPDX-License-Identifier: GPL-3.0-or-later
// 64 × 64 spins with exchange, Dzyaloshinskii-Moriya interaction, anisotropy and field, as the
// preset skyrmion has them. `spins_step` is a step of the spherical midpoint method at h = 0.05 s
// on one thread, of the lattice, row by row, or of the same bonds as a list; `accuracy` is the
// change of the energy over the very steps that were timed, relative to the energy above that of
// aligned spins. `sweeps` and `per_sweep_ns`, of a spin, are those of the last step.
//
// 1024 × 1024 spins, as far as sublattice_rotation takes them: without the anisotropy. `million` is
// a step at h = 0.05 s, on one thread or on two, and a plain loop that turns the two sublattices of
// this lattice about the same gradient, without the parts of q that its digits cannot hold;
// `accuracy` is the change of the energy per step and spin [J].
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>

#include "core/mechanics/sphere.h"
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

constexpr int side = 1024;
constexpr double million_step = 0.05, million_dm = 0.3, million_field = 0.03;  // [s], [J]

Scenario million_spins() {
  return *read_scenario(R"({"twosphere": 1, "system": {"type": "spins", "strength": -1,
      "lattice": {"type": "square", "size": [1024, 1024], "periodic": true}, "exchange": 1,
      "dm": {"type": "bulk", "value": 0.3}, "field": [0, 0, 0.03]},
    "initial": {"generator": {"type": "random", "seed": 1}},
    "integrator": {"type": "sublattice_rotation", "step": 0.05}, "duration": 1})",
                        "million");
}

void measure_energy(benchmark::State& loop, const System& system, const Columns& from,
                    const Columns& to, std::int64_t steps) {
  loop.counters["accuracy"] = std::abs(system.potential(to) - system.potential(from)) /
                              static_cast<double>(steps * from.cols());
}

void million(benchmark::State& loop, int count) {
  const Share share(count);
  const Scenario scenario = million_spins();
  const auto system = *Simulation::make_system(scenario);
  State state{0, scenario.q, scenario.omega};
  const auto integrator = make_integrator("sublattice_rotation");
  integrator->prepare(*system, state);
  std::int64_t steps = 0;
  for (auto _ : loop) {
    ++steps;
    if (integrator->advance(*system, million_step, state).ok()) continue;
    loop.SkipWithError("a step was refused");
    break;
  }
  measure_energy(loop, *system, scenario.q, state.q, steps);
}
BENCHMARK_CAPTURE(million, one_thread, 1)->UseRealTime();
BENCHMARK_CAPTURE(million, two_threads, 2)->UseRealTime();

/// Turns the spins of a sublattice of strength −1 for h.
void plain_turn(double h, int sublattice, Columns& q) {
  const Vec3 b(0, 0, million_field);
  for (int y = 0; y < side; ++y) {
    const int up = (y + 1) % side, down = (y + side - 1) % side;
    for (int x = (y + sublattice) % 2; x < side; x += 2) {
      const auto at = [&q](int column, int row) { return Vec3(q.col(row * side + column)); };
      const Vec3 right = at((x + 1) % side, y), left = at((x + side - 1) % side, y);
      const Vec3 above = at(x, up), below = at(x, down), from = at(x, y);
      const Vec3 g =
          -b - (right + left + above + below) -
          million_dm * ((right - left).cross(Vec3::UnitX()) + (above - below).cross(Vec3::UnitY()));
      const double length = g.norm(), angle = -h * length, half = std::sin(angle / 2);
      const Vec3 n = g / length, across = n.cross(from);
      q.col(y * side + x) += std::sin(angle) * across + 2 * half * half * n.cross(across);
    }
  }
}

void million_plain(benchmark::State& loop) {
  const Scenario scenario = million_spins();
  const auto system = *Simulation::make_system(scenario);
  Columns q = scenario.q;
  std::int64_t steps = 0;
  for (auto _ : loop) {
    plain_turn(million_step / 2, 0, q);
    plain_turn(million_step, 1, q);
    plain_turn(million_step / 2, 0, q);
    ++steps;
  }
  measure_energy(loop, *system, scenario.q, q, steps);
}
BENCHMARK(million_plain)->UseRealTime();

const bool rows = add_targets(
    {{"spins, 64 × 64, h = 0.05 s: steps per second", "1/s", Target::Bound::at_least, 1000,
      [](const Measured& m) { return m.rate("spins_step/lattice"); },
      "a step takes 21 sweeps to rounding, of 15 ns for each spin with avx2, all of it arithmetic"},
     {"spins, 64 × 64: the lattice row by row against its bonds as a list", "times",
      Target::Bound::at_least, 1.5,
      [](const Measured& m) { return m.speedup("spins_step/lattice", "spins_step/bonds"); },
      "the gradient is about a third of a sweep of the lattice"},
     {"spins, 1024 × 1024, sublattice rotation: steps per second, one thread", "1/s",
      Target::Bound::at_least, 8,
      [](const Measured& m) { return m.rate("million/one_thread/real_time"); },
      "a step turns three spins for every two, each by sums without rounding errors"},
     {"spins, 1024 × 1024, sublattice rotation: against a plain loop", "times",
      Target::Bound::at_least, 0.5,
      [](const Measured& m) {
        return m.speedup("million/one_thread/real_time", "million_plain/real_time");
      },
      "the loop knows its lattice, and lets rounding errors of q add up"},
     {"spins, 1024 × 1024, sublattice rotation: two threads against one", "times",
      Target::Bound::at_least, 1.7,
      [](const Measured& m) {
        return m.speedup("million/two_threads/real_time", "million/one_thread/real_time");
      },
      "the cores share their memory and what else runs on the machine"}});

}  // namespace
}  // namespace twosphere::test
