// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/run/simulation.h"
#include "core/scenario/scenario.h"

namespace twosphere {

/// What to simulate, as written on the command line.
struct PlanOptions {
  std::string scenario;  ///< a file, "-" for standard input; empty: the preset
  std::string preset;
  std::vector<std::string> integrators;
  std::optional<std::string> step, duration, steps, every;
  std::vector<std::string> set;  ///< path=value
};

/// A simulation ready for its first step.
struct PlannedRun {
  Simulation simulation;
  std::int64_t steps = 0;  ///< to take, if fixed
  bool fixed = false;      ///< --steps was given; otherwise the run goes to its end time
  double duration = 0;     ///< of the scenario [s], for the state file
  std::int64_t every = 0;  ///< likewise
};

/// `warnings` are of the scenario, `notes` of the plan. Places in errors are options.
Result<PlannedRun> plan_run(const PlanOptions& options, std::vector<std::string>& warnings,
                            std::vector<std::string>& notes);

/// The scenario of a file, of standard input for "-", or, without a path, of a preset.
Result<Scenario> open_scenario(const std::string& path, const std::string& preset,
                               std::vector<std::string>& warnings);

/// Refuses an output in the place of the scenario that is read, however it is written.
Result<void> keep_scenario(const PlanOptions& options, const std::string& output,
                           const char* option);

/// What was given to an option, as a finite number.
Result<double> number(const std::string& text, const char* option);
/// The same as a whole number from 1 to 2^bits.
Result<std::int64_t> count(const std::string& text, const char* option, int bits = 53);

/// "twosphere: PLACE: MESSAGE" on standard error, a line each.
void print_messages(const std::vector<std::string>& messages);
/// The same of an error. Returns its exit status.
int report_error(const Error& error);

}  // namespace twosphere
