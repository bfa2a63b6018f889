// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/scenario.h"

namespace twosphere {

/// What `twosphere run` was asked to do, as written on the command line.
struct RunOptions {
  std::string scenario;  ///< a file, "-" for standard input; empty: the preset
  std::string preset;
  std::vector<std::string> integrators;
  std::optional<std::string> step, duration, steps, every;
  std::vector<std::string> set;  ///< path=value
  std::string csv, trajectory, save_state;
  bool json = false, quiet = false;
};

/// Simulates without window, display or graphics. Returns the exit status; messages go to standard
/// error.
int run(RunOptions options);

/// The scenario of a file, of standard input for "-", or, without a path, of a preset.
Result<Scenario> open_scenario(const std::string& path, const std::string& preset,
                               std::vector<std::string>& warnings);

/// "twosphere: PLACE: MESSAGE" on standard error. Returns the exit status of the error.
int complain(const Error& error);

}  // namespace twosphere
