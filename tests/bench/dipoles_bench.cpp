// SPDX-License-Identifier: GPL-3.0-or-later
// Forces and steps of magnets on lattices and anywhere, with the plain loop over pairs as the
// baseline in the same binary. `accuracy` of a force is its largest difference from the plain one
// relative to the largest force, of a step the energy error of the very run that was timed relative
// to the kinetic energy.
#include <benchmark/benchmark.h>

#include <cmath>
#include <random>

#include "core/kernels/dipoles.h"
#include "core/mechanics/diagnostics.h"
#include "core/run/simulation.h"
#include "tests/bench/target.h"
#include "tests/cases.h"

namespace twosphere::test {
namespace {

constexpr double spacing = 0.024;  // [m]

/// Rows and columns of the lattice of n magnets: square, but for 56 and 63.
std::pair<int, int> shape(int n) {
  const int rows = n == 56 || n == 63 ? 7 : static_cast<int>(std::lround(std::sqrt(n)));
  return {rows, n / rows};
}

Columns lattice_pivots(int n) {
  const int columns = shape(n).second;
  Columns pivots(3, n);
  for (int i = 0; i < n; ++i) pivots.col(i) = spacing * Vec3(i % columns, i / columns, 0);
  return pivots;
}

/// As many as on the lattice, in a cube of the same density, each at its own place.
Columns scattered_pivots(int n) {
  std::mt19937 generator(83);
  std::uniform_real_distribution<double> off(-0.25, 0.25);
  const int side = static_cast<int>(std::ceil(std::cbrt(n)));
  Columns pivots(3, n);
  for (int i = 0; i < n; ++i)
    pivots.col(i) =
        spacing * (Vec3(i % side, i / side % side, i / side / side) + drawn(off, generator));
  return pivots;
}

Eigen::VectorXd moments(int n) { return Eigen::VectorXd::Constant(n, 0.1); }

Columns directions(int n) { return generic_start(n, 1, 2, 81).q; }

enum class Way { plain, dense, fourier, pairs };

std::unique_ptr<const dipole_kernel::Coupling> coupling(Way way, const Columns& pivots) {
  const int n = static_cast<int>(pivots.cols());
  const auto [rows, columns] = shape(n);
  if (way == Way::dense) return dipole_kernel::dense(pivots, moments(n));
  if (way == Way::fourier) return dipole_kernel::lattice(rows, columns, spacing, moments(n));
  return dipole_kernel::pairs(pivots, moments(n));
}

void force(benchmark::State& loop, Way way, Columns (*pivots_of)(int)) {
  const int n = static_cast<int>(loop.range(0));
  const Columns pivots = pivots_of(n), q = directions(n);
  Columns g(3, n), plain(3, n);
  dipole_kernel::plain_multiply(pivots, moments(n), q, plain);
  if (way == Way::plain) {
    const Eigen::VectorXd nu = moments(n);
    for (auto _ : loop) dipole_kernel::plain_multiply(pivots, nu, q, g);
  } else {
    const auto k = coupling(way, pivots);
    for (auto _ : loop) k->multiply(q, g);
  }
  loop.counters["accuracy"] = (g - plain).cwiseAbs().maxCoeff() / plain.cwiseAbs().maxCoeff();
  loop.SetComplexityN(n);
}

template <int... sizes>
void of_sizes(benchmark::internal::Benchmark* family) {
  (family->Arg(sizes), ...);
}
/// Lattices on both sides of where FFT becomes cheaper than the matrix.
constexpr auto about_the_crossover = of_sizes<16, 25, 36, 49, 56, 63, 64, 100>;

void lattice_force(benchmark::State& loop, Way way) { force(loop, way, lattice_pivots); }
BENCHMARK_CAPTURE(lattice_force, plain, Way::plain)
    ->Apply(of_sizes<16, 63, 256, 1024, 4096>)
    ->Complexity(benchmark::oNSquared);
BENCHMARK_CAPTURE(lattice_force, dense, Way::dense)
    ->Apply(about_the_crossover)
    ->Complexity(benchmark::oNSquared);
BENCHMARK_CAPTURE(lattice_force, fourier, Way::fourier)
    ->Apply(about_the_crossover)
    ->Apply(of_sizes<256, 1024, 4096, 16384>)
    ->Complexity(benchmark::oNLogN);

void scattered_force(benchmark::State& loop, Way way) { force(loop, way, scattered_pivots); }
BENCHMARK_CAPTURE(scattered_force, plain, Way::plain)->Arg(128)->Arg(256)->Arg(1024);
BENCHMARK_CAPTURE(scattered_force, dense, Way::dense)
    ->Apply(of_sizes<64, 96, 128, 160, 192, 256>)
    ->Complexity(benchmark::oNSquared);
BENCHMARK_CAPTURE(scattered_force, pairs, Way::pairs)
    ->Apply(of_sizes<64, 96, 128, 160, 192, 256, 1024>)
    ->Complexity(benchmark::oNSquared);

/// Parameters of the preset's magnets, where `pivots` says: a lattice or positions.
Values magnets(int n, const std::string& where, std::vector<double> pivots) {
  const auto size = static_cast<std::size_t>(n);
  Values values{{"masses", std::vector<double>(size, 0.05)},
                {"lengths", std::vector<double>(size, 0.02)},
                {"moments", std::vector<double>(size, 0.1)},
                {"positions", {}},
                {"lattice", {}}};
  values[where] = std::move(pivots);
  return values;
}
Values on_lattice(int n) {
  const auto [rows, columns] = shape(n);
  return magnets(n, "lattice", {double(rows), double(columns), spacing});
}
Values scattered(int n) {
  const Columns pivots = scattered_pivots(n);
  return magnets(n, "positions", {pivots.data(), pivots.data() + pivots.size()});
}

/// One step of the VI.
void step(benchmark::State& loop, Values (*values)(int)) {
  const int n = static_cast<int>(loop.range(0));
  const auto system = system_of("dipole_array", n, values(n));
  State state = generic_start(n, 1, 2, 81);
  const double start = total_energy(*system, state);
  auto integrator = make_integrator("variational");
  integrator->prepare(*system, state);
  for (auto _ : loop) {
    if (!integrator->advance(*system, 3e-4, state).ok()) {
      loop.SkipWithError("a step was refused");
      break;
    }
  }
  integrator->complete(*system, state);
  const double end = total_energy(*system, state);
  loop.counters["accuracy"] = std::abs(end - start) / (end - system->potential(state.q));
  loop.SetComplexityN(n);
}
void lattice_step(benchmark::State& loop) { step(loop, on_lattice); }
BENCHMARK(lattice_step)
    ->Apply(of_sizes<16, 63, 64, 256, 1024, 4096>)
    ->Complexity(benchmark::oNLogN);
void scattered_step(benchmark::State& loop) { step(loop, scattered); }
BENCHMARK(scattered_step)->Apply(of_sizes<128, 129, 256, 1024>);

/// One step of the run with all that is counted and watched, as `twosphere run` takes it between
/// samples.
void lattice_run(benchmark::State& loop) {
  const int n = static_cast<int>(loop.range(0));
  Scenario scenario;
  scenario.system = "dipole_array";
  scenario.parameters = on_lattice(n);
  const State start = generic_start(n, 1, 2, 81);
  scenario.q = start.q;
  scenario.omega = start.w;
  scenario.lanes = {{"variational", 3e-4, {}, "variational"}};
  scenario.duration = 3e9;
  auto made = Simulation::create(scenario);
  for (auto _ : loop) {
    if (made->step()) {
      loop.SkipWithError("a step was refused");
      break;
    }
  }
  loop.counters["accuracy"] = made->sample(0)[Quantity::energy_error];
}
BENCHMARK(lattice_run)->Arg(16)->Arg(1024);

/// The times of a family for lattices of 4 × 4 to 64 × 64; small ones by another family.
std::vector<Cell> lattices(const std::string& family, const std::string& small) {
  std::vector<Cell> cells;
  for (const int n : {16, 63, 256, 1024, 4096})
    cells.push_back(time_of((n < 63 ? small : family) + "/" + std::to_string(n)));
  return cells;
}
const bool magnets_table = add_table(
    {.key = "magnets",
     .head = "| n magnets on a lattice, CPU time | 4 × 4 | 7 × 9 | 16 × 16 | 32 × 32 | 64 × 64 |",
     .rows = {
         {"`variational`, a step", lattices("lattice_step", "lattice_step")},
         {"the field: matrix up to 49, then FFT",
          lattices("lattice_force/fourier", "lattice_force/dense")},
         {"the field by a plain sum over pairs",
          lattices("lattice_force/plain", "lattice_force/plain")},
     }});

constexpr const char* transforms = "nine tenths of a step are the field, by FFTW's transforms";
constexpr const char* matrix = "half of a step is the field, a product with a matrix";
const bool targets = add_targets({
    {"dipoles 4×4: VI steps", "1/s", Target::Bound::at_least, 0.8e6,
     [](const Measured& m) { return m.rate("lattice_step/16"); }, matrix},
    {"dipoles 32×32: VI steps", "1/s", Target::Bound::at_least, 7000,
     [](const Measured& m) { return m.rate("lattice_step/1024"); }, transforms},
    {"dipoles 64×64: VI steps", "1/s", Target::Bound::at_least, 1700,
     [](const Measured& m) { return m.rate("lattice_step/4096"); }, transforms},
    {"dipoles 4×4: force, against the plain loop", "×", Target::Bound::at_least, 1,
     [](const Measured& m) {
       return m.speedup("lattice_force/dense/16", "lattice_force/plain/16");
     },
     "the plain loop over so few is fast, too"},
});

}  // namespace
}  // namespace twosphere::test
