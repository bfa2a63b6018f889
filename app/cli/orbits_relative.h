// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/rest_options.h"
#include "app/cli/subcommand.h"
#include "core/studies/equilibria.h"

namespace twosphere {

/// The options that `twosphere orbits relative` has beside those of all forms.
struct RelativeOptions {
  std::optional<std::string> about, rate, momentum;
  std::vector<std::string> save_start;  ///< K=FILE
};
std::vector<SubcommandOption> relative_options(RelativeOptions& options);

/// Finds relative equilibria; returns the exit status.
int orbits_relative(const RestOptions& rest, const EquilibriumSearch& search,
                    const RelativeOptions& options);

}  // namespace twosphere
