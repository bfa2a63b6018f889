// SPDX-License-Identifier: GPL-3.0-or-later
// What periodic orbits cost: an iteration of Newton's method beside as many steps with the vectors
// of exponents, and the family of 200 orbits of the double pendulum.
#include <benchmark/benchmark.h>

#include <memory>
#include <optional>
#include <utility>

#include "core/catalog.h"
#include "core/mechanics/exponents.h"
#include "core/mechanics/return_map.h"
#include "core/scenario/reader.h"
#include "core/studies/equilibria.h"
#include "core/studies/orbit_family_table.h"
#include "core/studies/orbit_search.h"
#include "tests/bench/target.h"
#include "tests/cases.h"

namespace twosphere::test {
namespace {

constexpr int period_steps = 160;
constexpr std::size_t family_members = 200;

/// The double pendulum, and an orbit of its slow mode 20 J above rest.
struct SlowMode {
  SlowMode() {
    scenario = *read_scenario(find_preset("double_spherical_pendulum")->text, "preset");
    system = std::move(*create_system(scenario));
    rest = *system_at_rest(system, 0, scenario.q);
    OrbitRequest request;
    request.from = OrbitRequest::From::mode;
    request.start = {0, scenario.q, scenario.omega};
    request.energy = 20;
    request.above_rest = true;
    request.steps = period_steps;
    auto orbit = search_orbit(*system, *rest, method, request, [] { return true; });
    if (orbit && *orbit) found = std::move(**orbit);
  }

  const IntegratorInfo& method = method_info("variational4");
  Scenario scenario;
  std::shared_ptr<const System> system, rest;
  std::optional<FoundOrbit> found;
};

void orbit_iteration(benchmark::State& loop) {
  const SlowMode slow;
  if (!slow.found) return loop.SkipWithError("there is no orbit");
  const OrbitPoint& point = slow.found->orbit.point();
  const ReturnMap map(*slow.rest, slow.method, {});
  for (auto _ : loop) {
    const auto image = map.at(PhaseCoordinates(*slow.rest, point.state), point.period / point.steps,
                              point.steps, 0);
    if (!image) return loop.SkipWithError("a step was refused");
  }
}
BENCHMARK(orbit_iteration)->Unit(benchmark::kMicrosecond);

void orbit_exponents(benchmark::State& loop) {
  const SlowMode slow;
  if (!slow.found) return loop.SkipWithError("there is no orbit");
  const OrbitPoint& point = slow.found->orbit.point();
  for (auto _ : loop) {
    State state = point.state;
    const auto integrator = make_integrator(slow.method.key);
    integrator->prepare(*slow.rest, state);
    Exponents exponents(*slow.rest, state, Exponents::max_count(*slow.rest));
    for (int k = 0; k < point.steps; ++k)
      if (!exponents.advance(*slow.rest, *integrator, point.period / point.steps, state).ok())
        return loop.SkipWithError("a step was refused");
  }
}
BENCHMARK(orbit_exponents)->Unit(benchmark::kMicrosecond);

/// With multipliers, bifurcations and T(N) − T(2N) of each.
void orbit_family(benchmark::State& loop) {
  const SlowMode slow;
  if (!slow.found) return loop.SkipWithError("there is no orbit");
  const Scenario first = slow.found->scenario(slow.scenario);
  FamilyRequest request;
  request.to = 1e4;
  request.above_rest = true;
  request.count = family_members;
  for (auto _ : loop) {
    const auto family = continued_family(*slow.system, *slow.rest, first, request,
                                         [](std::size_t) { return true; });
    if (!family || family->members.size() != family_members)
      return loop.SkipWithError("the family ended early");
  }
}
BENCHMARK(orbit_family)->Unit(benchmark::kMillisecond);

const bool added = add_targets(
    {{"Periodic orbits, an iteration, per step with eight vectors by exponents", "",
      Target::Bound::at_most, 1.3,
      [](const Measured& m) { return m.seconds("orbit_iteration") / m.seconds("orbit_exponents"); },
      "it carries one vector more, that of the step"},
     {"Periodic orbits, 200 orbits of a family", "s", Target::Bound::at_most, 1,
      [](const Measured& m) { return m.seconds("orbit_family"); },
      "about four iterations, four times their steps without vectors, and multipliers for each"}});

}  // namespace
}  // namespace twosphere::test
