// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sweep_grid.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/simd_level.h"
#include "core/base/version.h"
#include "core/run/simulation.h"
#include "core/studies/sweep_collect.h"

namespace twosphere {

std::vector<SubcommandOption> grid_options(GridOptions& options) {
  return {
      {"--axis", "PATH=VALUES",
       "give a setting, as of --set, these values: FROM:TO:COUNT, FROM:TO:COUNT:log, or values "
       "separated by commas; repeat the option for a grid, whose last axis runs fastest",
       &options.axes},
      {"--members", "M", "take M nearby starts of every point; of a cloud 1 to 4096, by default 64",
       &options.members},
      {"--spread", "S",
       "standard deviation of the starts from that of member 0 [rad and rad/s]; of a cloud by "
       "default 1e-6",
       &options.spread},
      {"--seed", "S", "of the random numbers of the starts; the default is 1", &options.seed},
      {"--same-energy", "",
       "give every start the energy of the scenario, by one factor of all angular velocities",
       &options.same_energy}};
}

Result<Sweep> plan_grid(const PlanOptions& plan, const GridOptions& options,
                        const std::string& command, std::vector<std::string>& warnings,
                        std::vector<std::string>& notes) {
  if (auto start = check_start(plan, command); !start) return start.error();
  auto planned = plan_run(plan, warnings, notes);
  if (!planned) return planned.error();
  Sweep sweep{.scenario = planned->simulation.record(),
              .same_energy = options.same_energy,
              .version = version,
              .isa = std::string(isa_level())};
  if (sweep.scenario.continuation)
    return misuse(command, "it runs from a start, not from a saved state");
  if (recorded_lanes(sweep.scenario).size() != 1)
    return misuse(command,
                  "the scenario has several integrators; choose one by --integrator, "
                  "or compare them by --axis integrator.type=ID,ID");
  for (const std::string& text : options.axes) {
    auto axis = parse_axis(text);
    if (!axis) return Error{axis.error().kind, "--axis", axis.error().text()};
    for (const SweepAxis& other : sweep.axes)
      if (variable_name(other.path.text()) == variable_name(axis->path.text()))
        return misuse("--axis", fmt::format("{} is given twice", axis->path.text()));
    sweep.axes.push_back(std::move(*axis));
  }
  if (options.members) {
    const auto members = count(*options.members, "--members", 20);
    if (!members) return members.error();
    sweep.members = static_cast<int>(*members);
    if (sweep.members > 1 && !options.spread)
      return misuse("--spread", "is missing; it says how far the members begin from one another");
  }
  if (options.spread) {
    const auto spread = number(*options.spread, "--spread", "1");
    if (!spread) return spread.error();
    if (!(*spread > 0 && *spread <= 0.1))
      return misuse("--spread", "must be above 0 and at most 0.1");
    sweep.spread = *spread;
  }
  if (options.seed) {
    const auto seed = count(*options.seed, "--seed");
    if (!seed) return seed.error();
    sweep.seed = static_cast<std::uint64_t>(*seed);
  }
  double size = 1;
  for (const std::size_t length : sweep.shape()) size *= static_cast<double>(length);
  if (size > static_cast<double>(Sweep::most_tasks))
    return misuse("--axis", fmt::format("{:.3g} tasks are more than {}", size, Sweep::most_tasks));
  return sweep;
}

Result<void> check_grid(const Sweep& sweep) {
  const auto attributed = [](const Error& error, const char* option) {
    return Error{error.kind, option, error.text()};
  };
  std::optional<Error> first;
  for (const std::size_t task : {std::size_t{0}, sweep.tasks() / 2, sweep.tasks() - 1}) {
    const auto begins = [&]() -> Result<void> {
      auto scenario = sweep_scenario(sweep, task);
      if (!scenario) return attributed(scenario.error(), "--axis");
      if (scenario->lanes.size() != 1) return misuse("--axis", "the number of lanes cannot change");
      auto run = Simulation::create(std::move(*scenario));
      if (!run) return attributed(run.error(), "--axis");
      if (sweep.vectors() == 0) return {};
      if (auto follows = run->follow_exponents(sweep.vectors()); !follows)
        return attributed(follows.error(), "--measure");
      return {};
    }();
    if (begins) return {};
    if (!first) first = begins.error();
  }
  return *first;
}

}  // namespace twosphere
