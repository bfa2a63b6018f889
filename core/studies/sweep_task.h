// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <atomic>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/studies/sweep.h"

namespace twosphere {

/// How a task ended.
enum class TaskStatus {
  done,
  stopped,     ///< a stop condition of the scenario was met
  refused,     ///< its values are not allowed, or a step could not be taken
  not_finite,  ///< a value was not finite
  missing,     ///< it was not run yet
};
inline constexpr std::array<std::string_view, 5> task_statuses{"done", "stopped", "refused",
                                                               "not_finite", "missing"};
inline std::string_view name(TaskStatus status) {
  return task_statuses[static_cast<std::size_t>(status)];
}

constexpr bool failed(TaskStatus status) {
  return status == TaskStatus::refused || status == TaskStatus::not_finite;
}

/// The result of a task: the same on every machine of one instruction set level.
struct SweepRow {
  std::size_t task = 0;
  TaskStatus status = TaskStatus::missing;
  std::vector<double> values;  ///< one per measure; NaN if there is none
};

/// Where and how often a long task saves its exact state.
struct TaskStates {
  std::string path;      ///< of the file; empty: it saves none
  double interval = 60;  ///< computing time between two [s]
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
