// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/subcommand.h"
#include "core/studies/sweep.h"

namespace twosphere {

/// The options that say the points of a sweep or the starts of a study, as written on the command
/// line.
struct GridOptions {
  std::vector<std::string> axes;
  std::optional<std::string> members, spread, seed;
  bool same_energy = false;
};

/// The axes of the grid, and what holds for all its starts.
std::vector<SubcommandOption> grid_options(GridOptions& options);
/// The nearby starts.
std::vector<SubcommandOption> member_options(GridOptions& options);
/// A sweep of the planned scenario over these points, without measures. Prints the warnings of the
/// plan. `command`: for errors.
Sweep plan_grid(const PlanOptions& plan, const GridOptions& options, const std::string& command);
/// The error of a check of core/studies/sweep_plan.h, at its option.
Error of_option(const Error& error);

}  // namespace twosphere
