// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sweep_grid.h"

#include <fmt/format.h>

#include "core/scenario/setting.h"
#include "core/scenario/writer.h"

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
      {"--members", "M", "take M nearby starts for each start", &options.members},
      {"--spread", "S", "standard deviation of the starts from that of member 0 [rad and rad/s]",
       &options.spread},
      {"--seed", "S", "seed for the random starts; the default is 1", &options.seed}};
}

Sweep plan_grid(const PlanOptions& plan, const GridOptions& options, const std::string& command) {
  check_start(plan, command);
  Sweep sweep = sweep_of(planned_run(plan).simulation.record());
  sweep.same_energy = options.same_energy;
  for (const std::string& text : options.axes) {
    sweep.axes.push_back(must(parse_axis(text, &sweep.scenario), [](const Error& error) {
      return Error{error.kind, "--axis", error.text()};
    }));
  }
  const json::Node root = to_json(sweep.scenario);
  for (const std::string& text : plan.set)
    for (const SweepAxis& axis : sweep.axes) {
      const SettingPath path = text.substr(0, text.find('='));
      if (canonical(path, root).within(canonical(axis.path, root)))
        throw misuse("--set", fmt::format("{} is of no effect, as --axis sets {}", path.text(),
                                          axis.path.text()));
    }
  read_count(options.members, "--members", 20, sweep.members);
  read_number(options.spread, "--spread", "1", sweep.spread);
  if (options.spread && sweep.spread == 0)
    throw misuse("--spread", "must be above 0 and at most 0.1");
  read_count(options.seed, "--seed", 53, sweep.seed, 0);
  return sweep;
}

Error of_option(const Error& error) {
  return {error.kind, error.location == "scenario" ? error.location : "--" + error.location,
          error.message};
}

}  // namespace twosphere
