// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/subcommand.h"
#include "app/session/plan.h"
#include "core/base/described_file.h"
#include "core/base/file.h"
#include "core/mechanics/system.h"
#include "core/scenario/scenario.h"
#include "core/studies/equilibria.h"

/// What the commands have in common that look at a system at rest.
namespace twosphere {

struct RestOptions : PlanOptions {
  std::string csv;
  std::optional<std::string> threads;
  bool json = false;
};
/// The options of the start, --set, --threads and --json. `verb` as for start_options().
std::vector<SubcommandOption> rest_options(RestOptions& options, const std::string& verb);

/// One of what a command finds, by its number, and the file of a scenario that begins in it, which
/// is opened.
struct SavedStart {
  std::size_t number;
  AtomicFile file;
};
/// Opens the files of the texts K=FILE. Fails as OutputPlaces::take() and check_output() do, also
/// for the table of the command.
std::vector<SavedStart> open_starts(const RestOptions& options,
                                    const std::vector<std::string>& texts, const char* option);

/// A system with a configuration from which equilibria are looked for.
struct RestPlan {
  Scenario scenario;  ///< at its start, or a saved state, with its present settings
  std::shared_ptr<const System> system;
  std::shared_ptr<const System> rest;  ///< the ExaminedSystem
  Columns q, omega;                    ///< the present configuration, and its velocities
  int threads = 1;
  std::optional<DescribedFile> csv;  ///< opened, if there is one
};
/// The system that a command examines in the place of that of a run: system_at_rest(), or
/// orbit_system().
using ExaminedSystem = Result<std::shared_ptr<const System>> (*)(std::shared_ptr<const System>,
                                                                 double t, const Columns& q);
/// Plans the run of a command, prints its warnings, watches for signals, and opens the table.
RestPlan plan_rest(const RestOptions& options, const std::string& command,
                   ExaminedSystem examined = system_at_rest);

}  // namespace twosphere
