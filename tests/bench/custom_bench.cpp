// SPDX-License-Identifier: GPL-3.0-or-later
// Systems written as text, by both back ends, against the built-in ones that they describe: a step
// of `variational` from the start of the preset, and the gradient of 100 bodies that attract one
// another. `translate` is the time from the text of a definition to a system, `compile` from that
// to its machine code, `first_step` from another text for a run that continues, as Apply sends it
// to the worker of a window, to the first step that is taken with it.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/catalog.h"
#include "core/custom/definition.h"
#include "core/program/back_end.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/reader.h"
#include "core/scenario/writer.h"
#include "core/worker/worker.h"
#include "tests/bench/measure.h"
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

/// Which of a system's ways: "text" by the best back end, "tape", "built_in".
std::unique_ptr<const System> made(const std::string& way, const SystemInfo& info, int n,
                                   const Values& values) {
  (void)custom::force_back_end(way == "tape" ? "tape" : "");
  auto system = info.create(n, values);
  (void)custom::force_back_end("");
  if (!system) return nullptr;
  (void)(*system)->back_end();
  return std::move(*system);
}

void step(benchmark::State& loop, const std::string& way, const std::string& preset) {
  const Scenario scenario = *read_scenario(find_preset(preset)->text, preset);
  const auto system = made(way, info_of(scenario), scenario.size(), scenario.parameters);
  if (!system) return loop.SkipWithError("no system");
  const State start{0, scenario.q, scenario.omega};
  State state = start;
  const auto method = make_integrator("variational");
  const double h = scenario.lanes[0].step;
  int taken = 0;
  for (auto _ : loop) {
    // Again from the start, before bodies meet.
    if (taken++ % 500 == 0) method->prepare(*system, state = start);
    if (!method->advance(*system, h, state).ok()) {
      loop.SkipWithError("a step was refused");
      break;
    }
  }
}

/// n bodies of 1 kg as the text of the preset; other values of `other` make other structures.
std::unique_ptr<const System> attraction(const std::string& way, int n, int other = 0) {
  const Scenario three = *read_scenario(find_preset("custom/three_body")->text, "three_body");
  Definition definition = three.definition->definition();
  definition.bodies = n;
  definition.parameters[0].value.assign(static_cast<std::size_t>(n), 1);
  if (other > 0) definition.potential += " + (q[0].q[1])^" + std::to_string(2 + other);
  const CompileResult translation = translate(std::move(definition));
  Values values{{"m", std::vector<double>(static_cast<std::size_t>(n), 1)}, {"gamma", {1}}};
  return made(way, translation.definition->info(), n, values);
}

void gradient(benchmark::State& loop, const std::string& way) {
  const int n = static_cast<int>(loop.range(0));
  const auto system = way == "built_in" ? system_of("n_body", n, {{"masses", {1}}, {"gamma", {1}}})
                                        : attraction(way, n);
  const State state = generic_start(n, everywhere, 0, 5);
  Columns g(3, n);
  for (auto _ : loop) {
    system->gradient(state.q, g);
    benchmark::DoNotOptimize(g.data());
  }
}
BENCHMARK_CAPTURE(gradient, text, "text")->Name("custom_gradient/text")->Arg(10)->Arg(100);
BENCHMARK_CAPTURE(gradient, tape, "tape")->Name("custom_gradient/tape")->Arg(10)->Arg(100);
BENCHMARK_CAPTURE(gradient, built_in, "built_in")
    ->Name("custom_gradient/built_in")
    ->Arg(10)
    ->Arg(100);

/// From the text of 20 bodies, each time a new one, to machine code. Once the library is loaded.
void compilation(benchmark::State& loop) {
  static int other = 0;
  (void)custom::code_is_possible();
  for (auto _ : loop) {
    const auto system = attraction("text", 20, ++other % 60 + 1);
    benchmark::DoNotOptimize(system.get());
  }
}
// Few, because texts repeat after 60.
BENCHMARK(compilation)->Name("custom_compile")->Unit(benchmark::kMillisecond)->Iterations(20);

void translation(benchmark::State& loop) {
  const Scenario scenario =
      *read_scenario(find_preset("custom/double_pendulum")->text, "double_pendulum");
  for (auto _ : loop) {
    const CompileResult made = translate(scenario.definition->definition());
    const auto system = made.definition->info().create(scenario.size(), scenario.parameters);
    benchmark::DoNotOptimize(system->get());
  }
}
BENCHMARK(translation)->Name("custom_translate")->Unit(benchmark::kMillisecond);

/// Each time another text, by the back ends of the window.
void first_step(benchmark::State& loop, const std::string& preset, int bodies) {
  Scenario scenario = *read_scenario(find_preset(preset)->text, preset);
  if (bodies > 0) {
    const Columns q = generic_start(bodies, everywhere, 0, 5).q;
    scenario = *with_settings(
        scenario, {{"system.bodies", json::Node::whole(bodies)},
                   {"system.parameters.m", json::Node::numbers(std::vector<double>(q.cols(), 1))},
                   {"initial", start_document(q, 0 * q)}});
  }
  scenario.duration = 1e6 * scenario.lanes[0].step;
  const std::string text = scenario.definition->definition().potential;
  custom::compile_in_background(true);
  {
    Worker worker(std::move(*Simulation::create(std::move(scenario))));
    worker.send(Play{});
    static int other = 0;
    for (auto _ : loop) {
      const auto begun = Clock::now();
      const auto changed = worker.send(Change{
          {{"system.potential", fmt::format("{} + 1e-9*(q[0].e1)^{}", text, 2 + ++other % 60)}}});
      while (worker.snapshot().commands < changed) std::this_thread::yield();
      if (worker.snapshot().error) loop.SkipWithError("the text was refused");
      const std::int64_t steps = worker.snapshot().steps;
      while (worker.snapshot().steps == steps && since(begun) < 10) std::this_thread::yield();
      loop.SetIterationTime(since(begun));
    }
  }
  custom::compile_in_background(false);
}
BENCHMARK_CAPTURE(first_step, magnets, "custom/magnetic_pendulum", 0)
    ->Name("custom_first_step/magnets")
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime()
    ->Iterations(20);
BENCHMARK_CAPTURE(first_step, bodies, "custom/three_body", 20)
    ->Name("custom_first_step/20_bodies")
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime()
    ->Iterations(20);

std::string step_of(const std::string& twin, const char* which) {
  return "custom_step/" + twin + "/" + which;
}

Target ratio(const std::string& work, double goal, const std::string& twin, const char* why) {
  return {work,
          "×",
          Target::Bound::at_most,
          goal,
          ratio_of(step_of(twin, "text"), step_of(twin, "built_in")).value,
          why};
}

/// By machine code, by the tape and built in, and the ratios to that.
Table::Row text_row(const std::string& work, const std::string& family, const std::string& size) {
  const auto name = [&](const char* way) {
    return size.empty() ? step_of(family, way) : fmt::format("{}/{}/{}", family, way, size);
  };
  return {work,
          {time_of(name("text")), time_of(name("tape")), time_of(name("built_in")),
           ratio_of(name("text"), name("built_in")), ratio_of(name("tape"), name("built_in"))}};
}
const bool tables = add_table(
    {.key = "texts",
     .head = "| CPU time | machine code | tape | built in | code/built in | tape/built in |",
     .rows = {text_row("double pendulum", "double_pendulum", ""),
              text_row("pendula joined by springs", "spring_network", ""),
              text_row("elastic rod, 10 elements", "elastic_rod", ""),
              text_row("three bodies", "three_body", ""),
              text_row("conformal pair, m(q)", "conformal_pair", ""),
              text_row("4 × 4 magnets", "dipoles", ""), text_row("642 molecules", "molecules", ""),
              text_row("the gradient of 10 bodies", "custom_gradient", "10"),
              text_row("the gradient of 100 bodies", "custom_gradient", "100")}});

constexpr const char* pairs =
    "roots and quotients of double precision, and a product and a sum for each of the built-in "
    "kernel's fused operations";
[[maybe_unused]] const bool registered = [] {
  for (const Twin& twin : twins())
    for (const auto& [way, preset] :
         {std::pair("text", twin.text), {"tape", twin.text}, {"built_in", twin.built_in}})
      benchmark::RegisterBenchmark(step_of(twin.name, way).c_str(),
                                   [way = std::string(way), preset = preset](
                                       benchmark::State& loop) { step(loop, way, preset); });
  return add_targets(
      {ratio("a step of the double pendulum as text, compared with the built-in one", 1.05,
             "double_pendulum", "other work on the machine"),
       ratio("the same, three bodies", 1.5, "three_body", "other work on the machine"),
       ratio("the same, 642 molecules", 2, "molecules", pairs),
       {"the gradient of 100 bodies as text, compared with the built-in one", "×",
        Target::Bound::at_most, 1.1,
        ratio_of("custom_gradient/text/100", "custom_gradient/built_in/100").value, pairs},
       {"a step of the conformal pair, m(q), compared with one of the double pendulum", "×",
        Target::Bound::at_most, 4.3,
        ratio_of("custom_step/conformal_pair/built_in", "custom_step/double_pendulum/built_in")
            .value,
        "matrices for any number of bodies, which a pair does not need, are a third of it"},
       {"from the text of 20 bodies to machine code", "ms", Target::Bound::at_most, 60,
        [](const Measured& m) { return 1e3 * m.seconds("custom_compile/iterations:20"); },
        "other work on the machine"},
       {"from Apply to the first step with another text, 20 bodies", "ms", Target::Bound::at_most,
        60,
        [](const Measured& m) {
          return 1e3 * m.seconds("custom_first_step/20_bodies/iterations:20/manual_time");
        },
        "other work on the machine"}});
}();

}  // namespace
}  // namespace twosphere::test
