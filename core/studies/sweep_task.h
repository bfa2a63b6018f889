// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/studies/sweep.h"

namespace twosphere {

/// How a task ended.
enum class TaskStatus : unsigned char {
  done,
  stopped,        ///< a stop condition of the scenario was met
  refused,        ///< its values are not allowed, or a step could not be taken
  not_finite,     ///< a value was not finite
  missing,        ///< it was not run yet
  out_of_memory,  ///< there was not enough memory for it alone
  crashed,        ///< the process that ran it ended, twice
};
inline constexpr std::array<std::string_view, 7> task_statuses{
    "done", "stopped", "refused", "not_finite", "missing", "out_of_memory", "crashed"};
inline std::string_view name(TaskStatus status) {
  return task_statuses[static_cast<std::size_t>(status)];
}

/// Whether a task ended because of the machine, so that another try may end differently.
constexpr bool broke_off(TaskStatus status) {
  return status == TaskStatus::out_of_memory || status == TaskStatus::crashed;
}
constexpr bool failed(TaskStatus status) {
  return status == TaskStatus::refused || status == TaskStatus::not_finite || broke_off(status);
}

/// The result of a task: the same on every machine of one instruction set level, unless it broke
/// off.
struct SweepRow {
  std::size_t task = 0;
  TaskStatus status = TaskStatus::missing;
  std::vector<double> values;  ///< one per measure; NaN if there is none
};

/// Where and how often a long task saves its exact state.
struct TaskStates {
  std::string path;               ///< of the file; empty: it saves none
  double interval = 60;           ///< computing time between two [s]
  std::function<void()> saved{};  ///< called when a state has been saved
};

/// Runs a task, or goes on from its saved state if there is one of this sweep (`name`); the result
/// is the same. The measures of a task that fails are those of its run up to there. None if `stop`
/// was set; the state is then saved if the task took a second or more. `why`, if given, receives
/// the reason of a failure. An error only if the state cannot be written.
Result<std::optional<SweepRow>> run_sweep_task(const Sweep& sweep, const std::string& name,
                                               std::size_t task, const TaskStates& states,
                                               const std::atomic<bool>& stop,
                                               std::string* why = nullptr);

}  // namespace twosphere
