// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sweep_grid.h"

namespace twosphere {

std::vector<SubcommandOption> grid_options(GridOptions& options) {
  return {
      {"--axis", "PATH=VALUES",
       "vary the setting PATH (as in --set) over these values: FROM:TO:COUNT, FROM:TO:COUNT:log, "
       "or "
       "values separated by commas; repeat the option for a grid, whose last axis varies fastest",
       &options.axes},
      {"--same-energy", "",
       "scale all angular velocities by one factor so that every start has the energy of the "
       "scenario",
       &options.same_energy}};
}

std::vector<SubcommandOption> member_options(GridOptions& options) {
  return {
      {"--members", "M", "take M nearby starts; with axes, M for every point of the grid",
       &options.members},
      {"--spread", "S", "standard deviation of the starts from that of member 0 [rad and rad/s]",
       &options.spread},
      {"--seed", "S", "seed for the random starts; the default is 1", &options.seed}};
}

Result<Sweep> plan_grid(const PlanOptions& plan, const GridOptions& options,
                        const std::string& command, std::vector<std::string>& warnings,
                        std::vector<std::string>& notes) {
  if (auto start = check_start(plan, command); !start) return start.error();
  auto planned = plan_run(plan, warnings, notes);
  if (!planned) return planned.error();
  Sweep sweep = sweep_of(planned->simulation.record());
  sweep.same_energy = options.same_energy;
  for (const std::string& text : options.axes) {
    auto axis = parse_axis(text, &sweep.scenario);
    if (!axis) return Error{axis.error().kind, "--axis", axis.error().text()};
    sweep.axes.push_back(std::move(*axis));
  }
  if (options.members) {
    const auto members = count(*options.members, "--members", 20);
    if (!members) return members.error();
    sweep.members = static_cast<int>(*members);
  }
  if (options.spread) {
    const auto spread = number(*options.spread, "--spread", "1");
    if (!spread) return spread.error();
    if (*spread == 0) return misuse("--spread", "must be above 0 and at most 0.1");
    sweep.spread = *spread;
  }
  if (options.seed) {
    const auto seed = count(*options.seed, "--seed", 53, 0);
    if (!seed) return seed.error();
    sweep.seed = static_cast<std::uint64_t>(*seed);
  }
  return sweep;
}

Error of_option(const Error& error) {
  return {error.kind, error.location == "scenario" ? error.location : "--" + error.location,
          error.message};
}

}  // namespace twosphere
