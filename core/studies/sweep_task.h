// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/studies/sweep.h"

namespace twosphere {

/// How a task ended.
enum class TaskStatus : unsigned char {
  done,
  stopped,        ///< a stop condition of the scenario was met, or it came to rest in a basin
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
  std::string folder, name;       ///< of the file in a ForeignFolder; empty: it saves none
  double interval = 60;           ///< computing time between two [s]
  std::function<void()> saved{};  ///< called when a state has been saved
};

/// A task that has ended, or was interrupted.
struct EndedTask {
  std::size_t index = 0;
  std::optional<SweepRow> row{};  ///< none: it was interrupted
  /// The reason of a failure; of another task, how far the samples of its signal reach and where
  /// they mislead, as `twosphere run` says it, why no orbit was found, and FoundOrbit::notes.
  std::string why{};
  double seconds = 0;  ///< its share of the computing time
};

/// Called as tasks are run.
struct TaskCalls {
  std::function<TaskStates(std::size_t task)> begins;  ///< returns where it saves its state
  std::function<void(EndedTask)> ends;
};

/// Runs tasks, each from its saved state if there is one of this sweep (`name`); the results are
/// the same. Where a basin is measured, a run ends when it has settled there, which is looked for
/// at every step; where orbits alone are, none takes a step. Tasks of a group of groups_of_tasks()
/// take their steps together, see Simulation::advance_together(), as long as that is worth it. The
/// measures of a task that fails are those of its run up to there. If `stop` is set, tasks that
/// have begun are interrupted, and save their state if they took a second or more; the others do
/// not begin. An error only if a state cannot be written.
Result<void> run_sweep_tasks(const Sweep& sweep, const std::string& name,
                             std::span<const std::size_t> tasks, const TaskCalls& calls,
                             const std::atomic<bool>& stop);

/// Runs one task. None if it was interrupted. `why`, if given, receives EndedTask::why.
Result<std::optional<SweepRow>> run_sweep_task(const Sweep& sweep, const std::string& name,
                                               std::size_t task, const TaskStates& states,
                                               const std::atomic<bool>& stop,
                                               std::string* why = nullptr);

/// Divides tasks into groups for so many threads. Tasks that differ only in their starts form
/// larger ones if their method takes steps of several runs together and there are enough of them
/// for all threads; the others are alone. Each group stands where its last task is in the order
/// given, incomplete ones at the end.
std::vector<std::vector<std::size_t>> groups_of_tasks(const Sweep& sweep,
                                                      const std::vector<std::size_t>& tasks,
                                                      int threads);

}  // namespace twosphere
