// SPDX-License-Identifier: GPL-3.0-or-later
// Lennard-Jones molecules on the vertices of an icosphere of k subdivisions, 10·4ᵏ + 2 of them,
// stirred as the preset is, with all pairs or with a cutoff of 2.5 σ. `molecules_force` is one
// gradient, `molecules_step` a step of the variational integrator at h = 0.005 √(642/n), both on
// one thread; `molecules_many` 20 steps at once with a cutoff, and `molecules_lists` two gradients
// for which the lists of neighbours are made anew, both on one thread;
// `molecules_threads` a step with a cutoff on one thread and on two, by the clock;
// `molecules_lammps` steps on one thread against LAMMPS, where `lmp` is installed: its pair loop
// alone, over molecules that rest at the start, by lists that it makes once; in turns, by the
// processor's time;
// `molecules_plain` the gradient of all pairs by a plain loop over all j of every i.
// `accuracy` is the change of the energy over the very steps that were timed, relative to the
// kinetic energy; of gradients the largest difference from the plain loop's relative to the largest
// component.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <numbers>
#include <string>
#include <tuple>
#include <vector>

#include "core/base/file.h"
#include "core/kernels/lennard_jones.h"
#include "core/mechanics/diagnostics.h"
#include "core/scenario/icosphere.h"
#include "core/scenario/initial_conditions.h"
#include "tests/bench/alternation.h"
#include "tests/bench/measure.h"
#include "tests/bench/target.h"
#include "tests/cases.h"
#include "tests/temporary_folder.h"

namespace twosphere::test {
namespace {

State stirred(int subdivisions) {
  constexpr double degree = std::numbers::pi / 180;
  State s;
  s.q = icosphere(subdivisions).vertices;
  s.w = two_vortices(s.q, 1.5, 30 * degree, 15 * degree);
  return s;
}

double step_of(const State& s) { return 0.005 * std::sqrt(642.0 / s.size()); }

/// As "auto" has it for 642, in proportion to the distance of neighbours.
double size(const State& s) { return 0.131 * std::sqrt(642.0 / s.size()); }

std::unique_ptr<const System> molecules(const State& s, bool cutoff) {
  Values values{{"masses", std::vector<double>(static_cast<std::size_t>(s.size()), 1)},
                {"epsilon", {0.01}},
                {"sigma", {size(s)}},
                {"cutoff", {}}};
  if (cutoff) values["cutoff"] = {2.5 * size(s)};
  return system_of("lennard_jones", s.size(), std::move(values));
}

void molecules_plain(benchmark::State& loop) {
  const State s = stirred(static_cast<int>(loop.range(0)));
  Columns g(3, s.size());
  for (auto _ : loop) {
    lennard_jones_kernel::plain_gradient({0.04, size(s) * size(s)}, s.q, g);
    benchmark::DoNotOptimize(g.data());
  }
  loop.SetComplexityN(s.size());
}
BENCHMARK(molecules_plain)->DenseRange(1, 4)->Complexity(benchmark::oNSquared);

void molecules_force(benchmark::State& loop, bool cutoff) {
  const Share alone(1);
  const State s = stirred(static_cast<int>(loop.range(0)));
  const auto system = molecules(s, cutoff);
  Columns g(3, s.size());
  for (auto _ : loop) {
    system->gradient(s.q, g);
    benchmark::DoNotOptimize(g.data());
  }
  loop.SetComplexityN(s.size());
  if (s.size() > 3000) return;
  Columns plain(3, s.size());
  lennard_jones_kernel::Law law{0.04, size(s) * size(s)};
  if (cutoff) law.reach = 6.25 * law.sigma_squared;
  lennard_jones_kernel::plain_gradient(law, s.q, plain);
  loop.counters["accuracy"] = (g - plain).cwiseAbs().maxCoeff() / plain.cwiseAbs().maxCoeff();
}
BENCHMARK_CAPTURE(molecules_force, pairs, false)
    ->DenseRange(1, 4)
    ->Complexity(benchmark::oNSquared);
BENCHMARK_CAPTURE(molecules_force, cutoff, true)->DenseRange(3, 7)->Complexity(benchmark::oN);

void molecules_lists(benchmark::State& loop) {
  const Share alone(1);
  const State s = stirred(static_cast<int>(loop.range(0)));
  const lennard_jones_kernel::Law law{0.04, size(s) * size(s), 6.25 * size(s) * size(s)};
  lennard_jones_kernel::Workspace work;
  const Columns elsewhere = -s.q;
  Columns g(3, s.size());
  for (auto _ : loop)
    for (const Columns* q : {&s.q, &elsewhere}) {
      lennard_jones_kernel::gradient(law, *q, g, work);
      benchmark::DoNotOptimize(g.data());
    }
  loop.SetComplexityN(s.size());
}
BENCHMARK(molecules_lists)->DenseRange(3, 7)->Complexity(benchmark::oN);

void steps(benchmark::State& loop, int subdivisions, bool cutoff) {
  State s = stirred(subdivisions);
  const auto system = molecules(s, cutoff);
  auto integrator = make_integrator("variational");
  integrator->prepare(*system, s);
  const double h = step_of(s);
  const double kinetic = kinetic_energy(*system, s);
  const double before = kinetic + system->potential(s.q);
  for (auto _ : loop)
    if (!integrator->advance(*system, h, s).ok()) {
      loop.SkipWithError("a step was refused");
      break;
    }
  const double after = kinetic_energy(*system, s) + system->potential(s.q);
  loop.counters["accuracy"] = std::abs(after - before) / kinetic;
  loop.SetComplexityN(s.size());
}

void molecules_step(benchmark::State& loop, bool cutoff) {
  const Share alone(1);
  steps(loop, static_cast<int>(loop.range(0)), cutoff);
}
BENCHMARK_CAPTURE(molecules_step, pairs, false)->DenseRange(2, 4)->Complexity(benchmark::oNSquared);
BENCHMARK_CAPTURE(molecules_step, cutoff, true)->DenseRange(3, 7)->Complexity(benchmark::oN);

/// Steps per iteration of molecules_many.
constexpr std::int64_t many = 20;

void molecules_many(benchmark::State& loop) {
  const Share alone(1);
  State s = stirred(static_cast<int>(loop.range(0)));
  const auto system = molecules(s, true);
  auto integrator = make_integrator("variational");
  integrator->prepare(*system, s);
  const double h = step_of(s);
  for (auto _ : loop)
    if (integrator->advance_many(*system, h, many, s) != many) {
      loop.SkipWithError("a step was refused");
      break;
    }
  loop.SetComplexityN(s.size());
}
BENCHMARK(molecules_many)->DenseRange(3, 7)->Complexity(benchmark::oN);

/// The step by one thread and by two in turns, so short that both meet the same machine: medians of
/// their times, and of their ratio. The time is that of two threads.
void molecules_threads(benchmark::State& loop) {
  State s = stirred(static_cast<int>(loop.range(0)));
  const auto system = molecules(s, true);
  auto integrator = make_integrator("variational");
  integrator->prepare(*system, s);
  const double h = step_of(s);
  const auto seconds = [&](int count) {
    constexpr int steps = 5;
    const Share share(count);
    const auto begun = Clock::now();
    for (int k = 0; k < steps; ++k)
      if (!integrator->advance(*system, h, s).ok()) loop.SkipWithError("a step was refused");
    return since(begun) / steps;
  };
  (void)seconds(2);  // lists and threads are there
  std::vector<double> one, two, ratio;
  for (auto _ : loop) {
    one.push_back(seconds(1));
    two.push_back(seconds(2));
    ratio.push_back(one.back() / two.back());
    loop.SetIterationTime(two.back());
  }
  loop.counters["one_ms"] = 1e3 * median(one);
  loop.counters["two_ms"] = 1e3 * median(two);
  loop.counters["ratio"] = median(ratio);
}
BENCHMARK(molecules_threads)
    ->Arg(6)
    ->Arg(8)
    ->UseManualTime()
    ->Iterations(20)
    ->Unit(benchmark::kMillisecond);

/// Steps per second of LAMMPS, whose input is `file`; 0 if it fails.
double by_lammps(const std::string& file) {
  const std::string command = fmt::format("OMP_NUM_THREADS=1 lmp -sf opt -log none -in '{}'", file);
  const std::unique_ptr<FILE, decltype(&::pclose)> run(::popen(command.c_str(), "r"), &::pclose);
  double seconds = 0, steps = 0, percent = 0;
  std::array<char, 256> line;
  while (run && std::fgets(line.data(), line.size(), run.get())) {
    (void)std::sscanf(line.data(), "Loop time of %lf on 1 procs for %lf", &seconds, &steps);
    if (std::string(line.data()).find("% CPU use") != std::string::npos)
      percent = std::atof(line.data());
  }
  return percent > 0 ? steps / (seconds * percent / 100) : 0;
}

void molecules_lammps(benchmark::State& loop, int subdivisions, bool cutoff) {
  const Share alone(1);
  const State start = stirred(subdivisions);
  const double sigma = size(start), reach = cutoff ? 2.5 * sigma : 2.1;
  const std::int64_t steps = cutoff ? 200 : 2000;
  // The input: molecules at rest, which nothing moves.
  const TemporaryFolder folder;
  const std::string data = folder.in("data"), input = folder.in("input");
  std::string atoms = fmt::format(
      "molecules\n\n{} atoms\n1 atom types\n\n-2 2 xlo xhi\n-2 2 ylo yhi\n-2 2 zlo zhi\n\n"
      "Atoms\n\n",
      start.size());
  for (int i = 0; i < start.size(); ++i)
    atoms += fmt::format("{} 1 {} {} {}\n", i + 1, start.q(0, i), start.q(1, i), start.q(2, i));
  (void)write_file(data, atoms);
  (void)write_file(
      input, fmt::format("units lj\natom_style atomic\nboundary f f f\nread_data {}\nmass 1 1\n"
                         "pair_style lj/cut {}\npair_coeff 1 1 0.01 {}\nneighbor {} bin\n"
                         "neigh_modify delay 1000000 every 1000000 check no\nthermo 1000000\n"
                         "run {}\n",
                         data, reach, sigma, 0.3 * sigma, steps));

  const auto system = molecules(start, cutoff);
  const auto by_twosphere = [&] {
    State s = start;
    const auto integrator = make_integrator("variational");
    integrator->prepare(*system, s);
    const double h = step_of(s);
    const std::clock_t begun = std::clock();
    std::int64_t taken = 0;
    if (cutoff)
      taken = integrator->advance_many(*system, h, steps, s);
    else
      while (taken < steps && integrator->advance(*system, h, s).ok()) ++taken;
    const double seconds = static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC;
    return taken < steps ? 0 : static_cast<double>(steps) / seconds;
  };
  compare_speeds(
      loop, steps, by_twosphere, [&] { return by_lammps(input); }, "lammps");
}

constexpr const char* vectors =
    "the loops take what arithmetic with vectors takes: the goal is from a processor with avx512";
constexpr const char* lists =
    "every tenth step or so makes the lists anew, which takes as long as four gradients";
/// Where LAMMPS is.
const bool compared = [] {
  if (std::system("command -v lmp > /dev/null") != 0) return false;
  for (const auto& [name, subdivisions, work, goal, goal_avx512] :
       {std::tuple("642", 3, "molecules, 642, all pairs: a step against LAMMPS' pair loop", 4.6,
                   5.5),
        {"40962", 6, "molecules, 40 962, cutoff 2.5 σ: a step against LAMMPS' pair loop", 2.0, 2.5},
        {"163842", 7, "molecules, 163 842, cutoff 2.5 σ: a step against LAMMPS' pair loop", 1.7,
         2.2}}) {
    const std::string benchmark = std::string("molecules_lammps/") + name;
    benchmark::RegisterBenchmark(benchmark.c_str(), molecules_lammps, subdivisions,
                                 subdivisions > 3)
        ->Apply(by_the_clock);
    add_targets({{work, "times", Target::Bound::at_least, goal, share_of(benchmark),
                  subdivisions > 3 ? lists : vectors, goal_avx512}});
  }
  return true;
}();

auto by_two_threads(int subdivisions) {
  return [=](const Measured& m) {
    return m.counter(fmt::format("molecules_threads/{}/iterations:20/manual_time", subdivisions),
                     "ratio");
  };
}
constexpr const char* memory = "the cores share their memory and what else runs on the machine";
// LAMMPS, as measured beside the plain loops: 710, 121 and 27.7 steps per second.
const bool rows = add_targets(
    {{"molecules, 642, all pairs: steps per second, LAMMPS 710", "1/s", Target::Bound::at_least,
      5 * 710, [](const Measured& m) { return m.rate("molecules_step/pairs/3"); }, vectors},
     {"molecules, 642, all pairs: forces against the plain loop", "times", Target::Bound::at_least,
      2.3,
      [](const Measured& m) { return m.speedup("molecules_force/pairs/3", "molecules_plain/3"); },
      vectors},
     {"molecules, 40 962, cutoff 2.5 σ: steps per second, LAMMPS 121", "1/s",
      Target::Bound::at_least, 500,
      [](const Measured& m) { return m.rate("molecules_step/cutoff/6"); }, vectors},
     {"molecules, 163 842, cutoff 2.5 σ: steps per second, LAMMPS 27.7", "1/s",
      Target::Bound::at_least, 100,
      [](const Measured& m) { return m.rate("molecules_step/cutoff/7"); }, vectors},
     {"molecules, 40 962, cutoff 2.5 σ: forces with lists that are kept, against new ones", "times",
      Target::Bound::at_least, 3,
      [](const Measured& m) {
        return m.speedup("molecules_force/cutoff/6", "molecules_lists/6") / 2;
      },
      "sorting and searching take as long as some gradients"},
     {"molecules, 163 842, cutoff 2.5 σ: 20 steps at once against one by one", "times",
      Target::Bound::at_least, 1.1,
      [](const Measured& m) {
        return static_cast<double>(many) * m.speedup("molecules_many/7", "molecules_step/cutoff/7");
      },
      "the forces are most of a step"},
     {"molecules, 40 962, cutoff 2.5 σ: two threads against one", "times", Target::Bound::at_least,
      1.8, by_two_threads(6), memory},
     {"molecules, 655 362, cutoff 2.5 σ: two threads against one", "times", Target::Bound::at_least,
      1.6, by_two_threads(8), memory}});

}  // namespace
}  // namespace twosphere::test
