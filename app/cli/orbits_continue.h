// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/rest_options.h"
#include "app/cli/subcommand.h"

/// `twosphere orbits continue`.
namespace twosphere {

/// Its options, as written on the command line.
struct OrbitContinueOptions {
  std::string folder;
  std::optional<std::string> over, to, count, bifurcate;
};
std::vector<SubcommandOption> orbit_continue_options(OrbitContinueOptions& options);

/// Follows the family of an orbit and writes its folder; returns the exit status.
int orbits_continue(RestOptions rest, OrbitContinueOptions options);

}  // namespace twosphere
