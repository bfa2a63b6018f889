// SPDX-License-Identifier: GPL-3.0-or-later
// Systems written as text against the built-in ones that they describe: a step of `variational`
// from the start of the preset, and the gradient of 100 bodies that attract one another.
// `translate` is the time from the text of a definition to a system.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/catalog.h"
#include "core/custom/definition.h"
#include "core/scenario/reader.h"
#include "tests/bench/target.h"
#include "tests/cases.h"

namespace twosphere::test {
namespace {

struct Twin {
  std::string name, text, built_in;
};
const std::vector<Twin>& twins() {
  static const std::vector<Twin> list{
      {"double_pendulum", "custom/double_pendulum", "double_spherical_pendulum"},
      {"three_body", "custom/three_body", "three_body"},
      {"spring_network", "custom/spring_network", "pendulum_network"},
      {"elastic_rod", "custom/elastic_rod", "elastic_rod"},
      {"dipoles", "custom/dipoles", "dipole_array"},
      {"molecules", "custom/molecules", "lennard_jones"},
      {"conformal_pair", "custom/conformal_pair", "conformal_pair"}};
  return list;
}

void step(benchmark::State& loop, const std::string& preset) {
  const Scenario scenario = *read_scenario(find_preset(preset)->text, preset);
  const auto system = info_of(scenario).create(scenario.size(), scenario.parameters);
  if (!system) return loop.SkipWithError(system.error().text().c_str());
  const State start{0, scenario.q, scenario.omega};
  State state = start;
  const auto method = make_integrator("variational");
  const double h = scenario.lanes[0].step;
  int taken = 0;
  for (auto _ : loop) {
    // Again from the start, before bodies meet.
    if (taken++ % 500 == 0) method->prepare(**system, state = start);
    if (!method->advance(**system, h, state).ok()) {
      loop.SkipWithError("a step was refused");
      break;
    }
  }
}

/// n bodies of 1 kg, as built in or as the text of the preset.
std::unique_ptr<const System> attraction(int n, bool text) {
  if (!text) return system_of("n_body", n, {{"masses", {1}}, {"gamma", {1}}});
  const Scenario three = *read_scenario(find_preset("custom/three_body")->text, "three_body");
  Definition definition = three.kind->definition();
  definition.bodies = n;
  definition.parameters[0].value.assign(static_cast<std::size_t>(n), 1);
  const Translation made = translate(std::move(definition));
  Values values{{"m", std::vector<double>(static_cast<std::size_t>(n), 1)}, {"gamma", {1}}};
  auto system = made.kind->info().create(n, values);
  return system ? std::move(*system) : nullptr;
}

void gradient(benchmark::State& loop, bool text) {
  const int n = static_cast<int>(loop.range(0));
  const auto system = attraction(n, text);
  const State state = generic_start(n, everywhere, 0, 5);
  Columns g(3, n);
  for (auto _ : loop) {
    system->gradient(state.q, g);
    benchmark::DoNotOptimize(g.data());
  }
}
BENCHMARK_CAPTURE(gradient, text, true)->Name("custom_gradient/text")->Arg(10)->Arg(100);
BENCHMARK_CAPTURE(gradient, built_in, false)->Name("custom_gradient/built_in")->Arg(10)->Arg(100);

void translation(benchmark::State& loop) {
  const Scenario scenario =
      *read_scenario(find_preset("custom/double_pendulum")->text, "double_pendulum");
  for (auto _ : loop) {
    const Translation made = translate(scenario.kind->definition());
    const auto system = made.kind->info().create(scenario.size(), scenario.parameters);
    benchmark::DoNotOptimize(system->get());
  }
}
BENCHMARK(translation)->Name("custom_translate")->Unit(benchmark::kMillisecond);

std::string step_of(const std::string& twin, const char* which) {
  return "custom_step/" + twin + "/" + which;
}

Target ratio(const std::string& work, double goal, const std::string& twin, const char* why) {
  return {work,
          "×",
          Target::Bound::at_most,
          goal,
          [twin](const Measured& m) {
            return m.seconds(step_of(twin, "text")) / m.seconds(step_of(twin, "built_in"));
          },
          why};
}

constexpr const char* tape = "the tape runs its instructions one by one, without machine code";
[[maybe_unused]] const bool registered = [] {
  for (const Twin& twin : twins())
    for (const auto& [which, preset] : {std::pair("text", twin.text), {"built_in", twin.built_in}})
      benchmark::RegisterBenchmark(
          step_of(twin.name, which).c_str(),
          [preset = preset](benchmark::State& loop) { step(loop, preset); });
  return add_targets(
      {ratio("a step of the double pendulum as text, compared with the built-in one", 1.25,
             "double_pendulum", tape),
       ratio("the same, three bodies", 3, "three_body", tape),
       {"the gradient of 100 bodies as text, compared with the built-in one", "×",
        Target::Bound::at_most, 15,
        [](const Measured& m) {
          return m.seconds("custom_gradient/text/100") / m.seconds("custom_gradient/built_in/100");
        },
        tape},
       {"from the text of the double pendulum to a system", "ms", Target::Bound::at_most, 60,
        [](const Measured& m) { return 1e3 * m.seconds("custom_translate"); }, tape}});
}();

}  // namespace
}  // namespace twosphere::test
