// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/rest_options.h"
#include "app/cli/subcommand.h"

/// `twosphere orbits find`.
namespace twosphere {

/// Its options, as written on the command line.
struct OrbitFindOptions {
  std::optional<std::string> from, at, relative, relabel, period, energy, momentum, per_period;
  std::string save;
};
std::vector<SubcommandOption> orbit_find_options(OrbitFindOptions& options);
/// Reads --period, the period near which to look [s]; it is above 0.
double read_period(const std::string& text);

/// Finds a periodic orbit and prints it; returns the exit status.
int orbits_find(const RestOptions& rest, const OrbitFindOptions& options);

}  // namespace twosphere
