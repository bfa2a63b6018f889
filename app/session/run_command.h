// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "core/base/result.h"
#include "core/scenario/scenario.h"

namespace twosphere {

/// A word as a POSIX shell reads it: in single quotes where it has to be.
std::string shell_quoted(const std::string& word);

/// A run, and the file that it can be had from.
struct RepeatableRun {
  Scenario record;         ///< start and events, with `every`
  std::int64_t steps = 0;  ///< taken; 0: the whole duration is meant
  std::string path;        ///< of the scenario file that it came from, or empty
};

/// The `twosphere run …` line that repeats it, row for row: from its file or a preset, with
/// the settings that are others. What the line comes to was compared. An error, for a person, where
/// it takes a file that is not there: for events, for a system or title of no preset.
Result<std::string> run_command(const RepeatableRun& run);

}  // namespace twosphere
