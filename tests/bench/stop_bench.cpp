// SPDX-License-Identifier: GPL-3.0-or-later
// What a stop condition on an expression costs, which is evaluated after every step, and a measure
// of a run: steps of chains with them and alone.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "core/run/simulation.h"
#include "core/scenario/reader.h"
#include "core/studies/measured_lane.h"
#include "tests/bench/target.h"

namespace twosphere::test {
namespace {

constexpr int steps_at_once = 100;

/// A run of a chain of n links that hangs aside, with few rows.
Result<Simulation> hanging_chain(int n, const std::string& more) {
  const std::vector<std::string> q(static_cast<std::size_t>(n), "[0.6, 0, 0.8]"),
      still(static_cast<std::size_t>(n), "[0, 0, 0]");
  const auto scenario = read_scenario(
      fmt::format(
          R"({{"twosphere": 1, "system": {{"type": "chain_pendulum", "masses": 1, "lengths": {}}},
              "initial": {{"q": [{}], "omega": [{}]}}, "every": 1000000, "duration": 1e6,
              "integrator": {{"type": "variational", "step": 0.001}}{}}})",
          10.0 / n, fmt::join(q, ", "), fmt::join(still, ", "), more),
      "chain");
  if (!scenario) return scenario.error();
  return Simulation::create(*scenario);
}

/// `watched`: nothing, a stop condition that is never met, the largest kinetic energy so far.
void watched_step(benchmark::State& loop, const std::string& watched) {
  auto run = hanging_chain(
      static_cast<int>(loop.range(0)),
      watched == "stop" ? R"(, "stop": [{"expression": "q[0].e1", "above": 2}])" : "");
  if (!run) return loop.SkipWithError(run.error().text().c_str());
  const auto largest = parse_measure("kinetic_energy.max", run->record());
  auto measured = MeasuredLane::create({*largest}, run->record());
  if (watched == "extreme") run->observe([&](Simulation& at) { return measured->see(at); });
  for (auto _ : loop)
    if (run->advance_to(run->steps() + steps_at_once) || run->stopped())
      return loop.SkipWithError("a step was refused");
}
BENCHMARK_CAPTURE(watched_step, alone, "alone")->Arg(2)->Arg(64);
BENCHMARK_CAPTURE(watched_step, stop, "stop")->Arg(2)->Arg(64);
BENCHMARK_CAPTURE(watched_step, extreme, "extreme")->Arg(2)->Arg(64);

/// What a stop condition adds to a step, relative to the step alone.
double added_by_stop(const Measured& m, int links) {
  const double alone = m.seconds(fmt::format("watched_step/alone/{}", links));
  return (m.seconds(fmt::format("watched_step/stop/{}", links)) - alone) / alone;
}
const bool watched_targets = add_targets(
    {{"Double pendulum, a stop condition, per step alone", "steps", Target::Bound::at_most, 0.8,
      [](const Measured& m) { return added_by_stop(m, 2); },
      "a step alone is so short that the evaluation of one text counts"},
     {"Chain of 64, a stop condition, per step alone", "steps", Target::Bound::at_most, 0.05,
      [](const Measured& m) { return added_by_stop(m, 64); },
      "the difference of two times that nearly agree is mostly noise"}});

}  // namespace
}  // namespace twosphere::test
