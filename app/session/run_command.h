// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "core/base/result.h"
#include "core/scenario/scenario.h"

namespace twosphere {

/// Quotes a word for a POSIX shell if necessary.
std::string shell_quoted(const std::string& word);

/// A run and the file from which it can be repeated.
struct RepeatableRun {
  Scenario record;         ///< start and events, with `every`
  std::int64_t steps = 0;  ///< steps taken; 0: the whole duration
  std::string path;        ///< path of its scenario file, or empty
};

/// The `twosphere run …` command that repeats a run row by row, from its file or a preset with the
/// settings that differ. The result of the command is compared with the run. Fails with a message
/// for the user if the run needs a file that does not exist: with events, or with a system or title
/// that no preset has.
Result<std::string> run_command(const RepeatableRun& run);

}  // namespace twosphere
