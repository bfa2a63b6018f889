// SPDX-License-Identifier: GPL-3.0-or-later
// A step of one member of an ensemble, alone and together with others in the elements of a vector:
// chains of equal links, and uncoupled bodies, these by `rotation6`, too, with what its kicks and
// rotations take in plain loops. `time/step` is per member and step.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/catalog.h"
#include "core/integrators/compensated_direction.h"
#include "core/kernels/n_body.h"
#include "core/mechanics/random_state.h"
#include "core/scenario/reader.h"
#include "tests/bench/target.h"
#include "tests/cases.h"

namespace twosphere::test {
namespace {

struct Start {
  std::unique_ptr<const System> system;
  State state;
  double step;  // h [s]
};

Start chain(int n) {
  const auto size = static_cast<std::size_t>(n);
  return {system_of("chain_pendulum", n,
                    {{"masses", std::vector<double>(size, 1)},
                     {"lengths", std::vector<double>(size, 0.5)}}),
          generic_start(n, 0.5, 0.5, 52), 1e-3};
}

/// The start of a preset, with its step.
Start start_of(const char* key) {
  const Scenario scenario = *read_scenario(find_preset(key)->text, "preset");
  Start start{
      system_of(scenario.system, scenario.size(), scenario.parameters), {}, scenario.lanes[0].step};
  start.state.q = scenario.q;
  start.state.w = scenario.omega;
  return start;
}

/// Two bodies at 0.01 rad from one another on a circular orbit, of period 2π/√(2/0.01³) s, and a
/// third one far from them.
Start encounter() {
  Start start{system_of("n_body", 3, {{"masses", {1, 1, 1}}, {"gamma", {1}}}), {}, 1e-5};
  const double half = 0.005, rate = std::sqrt(2 / 1e-6);
  start.state.q.resize(3, 3);
  start.state.q << std::sin(half), -std::sin(half), 0, std::cos(half), std::cos(half), 0, 0, 0, 1;
  start.state.w.resize(3, 3);
  start.state.w.setZero();
  // q̇ = ω × q along ±e3 with half the relative speed.
  start.state.w.col(0) = start.state.q.col(0).cross(Vec3(0, 0, half * rate));
  start.state.w.col(1) = start.state.q.col(1).cross(Vec3(0, 0, -half * rate));
  return start;
}

/// A square lattice of magnets.
Start magnets(int side) {
  const int n = side * side;
  const auto all = [n](double value) {
    return std::vector<double>(static_cast<std::size_t>(n), value);
  };
  const double along = side;
  return {system_of("dipole_array", n,
                    {{"masses", all(0.05)},
                     {"lengths", all(0.02)},
                     {"moments", all(0.1)},
                     {"positions", {}},
                     {"lattice", {along, along, 0.024}}}),
          generic_start(n, 1, 0.5, 71), 3e-4};
}

/// Ten times a hundred steps of as many members as go together, from near one start.
void ensemble(benchmark::State& loop, const Start& start, bool together,
              const char* method = "variational") {
  const System& system = *start.system;
  constexpr std::int64_t steps = 100;
  constexpr int rounds = 10;
  auto first = make_integrator(method);
  State state = start.state;
  first->prepare(system, state);
  const std::size_t width = first->width(system);
  std::vector<State> starts(width, state), states;
  std::vector<std::unique_ptr<Integrator>> integrators;
  for (std::size_t m = 0; m < width; ++m) {
    scatter(starts[m].q, starts[m].w, 1e-4, m, 1);
    integrators.push_back(make_integrator(method));
  }
  for (auto _ : loop) {
    loop.PauseTiming();
    states = starts;
    std::vector<Integrator::Member> members;
    for (std::size_t m = 0; m < width; ++m) {
      integrators[m]->prepare(system, states[m]);
      members.push_back({integrators[m].get(), &states[m]});
    }
    loop.ResumeTiming();
    for (int round = 0; round < rounds; ++round) {
      std::int64_t taken = 0;
      if (together) {
        taken = integrators[0]->advance_together(system, start.step, steps, members);
      } else {
        for (std::size_t m = 0; m < width; ++m)
          for (taken = 0; taken < steps; ++taken)
            if (!integrators[m]->advance(system, start.step, states[m]).ok()) break;
      }
      if (taken < steps) return loop.SkipWithError("a step was refused");
    }
  }
  loop.counters["members"] = static_cast<double>(width);
  loop.counters["time/step"] = benchmark::Counter(
      static_cast<double>(width) * rounds * steps,
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// As many kicks and rotations as `rotation6` has, of bodies of 1 kg that attract one another, each
/// body by itself.
class PlainRotations {
 public:
  explicit PlainRotations(const Scenario& start)
      : gamma_(start.parameters.at("gamma")[0]),
        q_(start.q),
        e_(Columns::Zero(3, q_.cols())),
        w_(start.omega),
        g_(3, q_.cols()) {
    n_body_kernel::plain_gradient(gamma_, q_, g_, &e_);
  }

  void step(double h) {
    constexpr int rotations = 11;
    for (Eigen::Index i = 0; i < q_.cols(); ++i)
      e_.col(i) += length_correction(q_.col(i), e_.col(i));
    for (int k = 0; k < rotations; ++k) {
      kick(h / (rotations + 1));
      rotate(h / rotations);
      n_body_kernel::plain_gradient(gamma_, q_, g_, &e_);
    }
    kick(h / (rotations + 1));
  }
  const Columns& q() const { return q_; }

 private:
  void kick(double s) {
    for (Eigen::Index i = 0; i < q_.cols(); ++i) {
      const Vec3 q = q_.col(i), w = w_.col(i) - s * q.cross(Vec3(g_.col(i)));
      w_.col(i) = w - q * (q.dot(w) / q.squaredNorm());
    }
  }
  void rotate(double s) {
    for (Eigen::Index i = 0; i < q_.cols(); ++i) {
      const Vec3 q = q_.col(i), w = w_.col(i);
      const double speed = w.norm(), half = speed * s / 2, sine = std::sin(half);
      add_compensated(2 * sine * std::cos(half) / speed * w.cross(q) - 2 * sine * sine * q, i, q_,
                      e_);
    }
  }

  double gamma_;
  Columns q_, e_, w_, g_;
};

void plain_rotations(benchmark::State& loop) {
  const Scenario scenario = *read_scenario(find_preset("three_body")->text, "preset");
  constexpr int steps = 1000;
  for (auto _ : loop) {
    PlainRotations bodies(scenario);
    for (int k = 0; k < steps; ++k) bodies.step(scenario.lanes[0].step);
    if (!bodies.q().allFinite()) return loop.SkipWithError("a step was refused");
  }
  loop.counters["time/step"] = benchmark::Counter(
      steps, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(plain_rotations)->Name("ensemble/plain/rotations");

void chains(benchmark::State& loop, bool together) {
  ensemble(loop, chain(static_cast<int>(loop.range(0))), together);
}
void links(benchmark::internal::Benchmark* b) {
  for (const int n : {1, 2, 5, 10}) b->Arg(n);
}
BENCHMARK_CAPTURE(chains, alone, false)->Name("ensemble/alone")->Apply(links);
BENCHMARK_CAPTURE(chains, together, true)->Name("ensemble/together")->Apply(links);

const std::vector<std::pair<std::string, Start (*)()>> uncoupled{
    {"three_bodies", [] { return start_of("three_body"); }},
    {"close_encounters", encounter},
    {"springs", [] { return start_of("pendulum_network"); }},
    {"twelve_bodies",
     [] {
       const std::vector<double> masses(12, 1);
       return Start{system_of("n_body", 12, {{"masses", masses}, {"gamma", {0.002}}}),
                    generic_start(12, everywhere, 0.4, 71), 1e-3};
     }},
    {"magnets_4", [] { return magnets(2); }},
    {"magnets_9", [] { return magnets(3); }},
    {"molecules", [] {
       const std::vector<double> masses(12, 1);
       return Start{system_of("lennard_jones", 12,
                              {{"masses", masses}, {"epsilon", {0.05}}, {"sigma", {0.8}}}),
                    generic_start(12, everywhere, 0.3, 53), 1e-3};
     }}};

const bool registered = [] {
  for (const auto& [name, start] : uncoupled)
    for (const bool together : {false, true})
      benchmark::RegisterBenchmark(
          ((together ? "ensemble/together/" : "ensemble/alone/") + name).c_str(),
          [start = start, together](benchmark::State& loop) { ensemble(loop, start(), together); });
  for (const bool together : {false, true})
    benchmark::RegisterBenchmark(
        together ? "ensemble/together/rotations" : "ensemble/alone/rotations",
        [together](benchmark::State& loop) {
          ensemble(loop, start_of("three_body"), together, "rotation6");
        });
  return true;
}();

/// How many times faster members go together than alone, at the least of several systems.
auto gain(std::vector<std::string> names) {
  return [names = std::move(names)](const Measured& m) {
    double least = std::numeric_limits<double>::infinity();
    for (const std::string& name : names) {
      const double gain = m.speedup("ensemble/together/" + name, "ensemble/alone/" + name);
      if (std::isnan(gain)) return gain;
      least = std::min(least, gain);
    }
    return least;
  };
}
Table::Row gain_row(const std::string& work, const std::string& name) {
  const std::string alone = "ensemble/alone/" + name, together = "ensemble/together/" + name;
  return {work,
          {time_counted(alone, "time/step"),
           time_counted(together, "time/step"),
           {gain({name}), Cell::As::ratio}}};
}
const bool members = add_table(
    {.key = "ensembles",
     .head = "| a member's step, CPU time | alone | together | ratio |",
     .rows = {gain_row("chain of 1 link", "1"), gain_row("2 links", "2"), gain_row("5 links", "5"),
              gain_row("10 links", "10"), gain_row("three bodies", "three_bodies"),
              gain_row("three bodies, `rotation6`", "rotations"),
              gain_row("three bodies, two of them 0.01 rad apart", "close_encounters"),
              gain_row("four pendula joined by springs", "springs"),
              gain_row("twelve bodies", "twelve_bodies"), gain_row("twelve molecules", "molecules"),
              gain_row("2 × 2 magnets", "magnets_4"), gain_row("3 × 3 magnets", "magnets_9")},
     .of_level = true});

/// How many times faster a member goes than by PlainRotations, alone or together with others.
auto gain_over_plain(std::string way) {
  return [way = std::move(way)](const Measured& m) {
    return m.counter("ensemble/plain/rotations", "time/step") /
           m.counter("ensemble/" + way + "/rotations", "time/step");
  };
}

const bool added = add_targets({
    {"chains of 1 to 10 links, members of an ensemble together against alone", "1",
     Target::Bound::at_least, 4, gain({"1", "2", "5", "10"}),
     "the iteration of all continues until the last has converged", 7},
    {"three bodies, close encounters, springs: members of an ensemble together against alone", "1",
     Target::Bound::at_least, 4, gain({"three_bodies", "close_encounters", "springs"}),
     "a division or root of a whole vector takes several times as long as that of one number", 6},
    {"three bodies, `rotation6`: alone against each body by itself", "1", Target::Bound::at_least,
     2, gain_over_plain("alone"),
     "three bodies fill three elements of a vector, and each operation waits for the one before"},
    {"the same, members of an ensemble together", "1", Target::Bound::at_least, 5,
     gain_over_plain("together"),
     "a division or root of a whole vector takes several times as long as that of one number"},
});

}  // namespace
}  // namespace twosphere::test
