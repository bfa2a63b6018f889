// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "app/session/plan.h"

namespace twosphere {

/// What `twosphere run` was asked to do, as written on the command line.
struct RunOptions : PlanOptions {
  std::string csv, trajectory, field, save_state;
  std::optional<std::string> threads;
  bool json = false, quiet = false;
  bool strict = false;  ///< a warning of the run makes the exit status 1
  bool check = false;   ///< measures the step map at the end
};

/// Simulates without window, display or graphics. Returns the exit status; messages go to standard
/// error.
int run(RunOptions options);

}  // namespace twosphere
