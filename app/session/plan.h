// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/run/simulation.h"
#include "core/scenario/scenario.h"

namespace twosphere {

/// The options of the command line that define the simulation.
struct PlanOptions {
  std::string scenario;  ///< path, "-" for standard input; empty: the preset
  std::string preset;
  std::string branch;  ///< branch of the scenario; empty: its own record
  std::vector<std::string> integrators;
  std::optional<std::string> step, duration, steps, every;
  std::optional<std::string> section, stroboscopic;  ///< expression or period of the section
  std::vector<std::string> signal;                   ///< expressions of its real and imaginary part
  std::vector<std::string> set;                      ///< path=value
};

/// A simulation ready for its first step.
struct PlannedRun {
  Simulation simulation;
  std::int64_t steps = 0;  ///< steps to take, if fixed
  bool fixed = false;      ///< --steps was given; otherwise the run goes to its end time
  double duration = 0;     ///< duration of the scenario [s], for the state file
  std::int64_t every = 0;  ///< steps from row to row, for the state file; not 0 if events change it
  json::Node view{};       ///< of the scenario; null if it has none
};

/// Returns warnings about the scenario in `warnings` and about the plan in `notes`. Errors refer to
/// the options.
Result<PlannedRun> plan_run(const PlanOptions& options, std::vector<std::string>& warnings,
                            std::vector<std::string>& notes);

/// The scenario of a file, also of a live file, of standard input for "-", or, without a path, of a
/// preset.
Result<Scenario> open_scenario(const std::string& path, const std::string& preset,
                               std::vector<std::string>& warnings);

/// The name of the document of the plan in errors: "run.json", "standard input"; empty: a preset.
std::string document_name(const PlanOptions& options);

/// The record to run: that of the branch or, without one, the scenario's own, without its branches.
Result<Scenario> open_record(const PlanOptions& options, std::vector<std::string>& warnings);

/// Fails if an output would overwrite the scenario file, also under another path.
void check_output(const PlanOptions& options, const std::string& output, const char* option);

/// The value of an option: a number in `unit`, or an expression (core/language/evaluate.h).
double number(const std::string& text, const char* option, std::string_view unit);
/// Parses the value of an option as an integer from `min_value` to 2^bits.
std::int64_t count(const std::string& text, const char* option, int bits = 53, int min_value = 1);

/// Prints "twosphere: PLACE: MESSAGE" to standard error, one line each.
void print_messages(const std::vector<std::string>& messages);
/// Prints an error. Returns its exit status.
int report_error(const Error& error);

}  // namespace twosphere
