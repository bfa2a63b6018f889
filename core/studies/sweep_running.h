// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/base/foreign_folder.h"

namespace twosphere {

/// The record of the tasks that the process of a part is in, for the next one, should it be killed:
/// running/K-of-N.txt, a line of fixed length for each task with the number of processes that have
/// been in it since its last saved state, this one included.
class RunningTasks {
 public:
  /// Begins a record with what an earlier one left behind.
  static Result<std::unique_ptr<RunningTasks>> open(const ForeignFolder& folder,
                                                    const std::string& name,
                                                    const std::map<std::size_t, int>& left_behind);
  RunningTasks() = default;
  RunningTasks(const RunningTasks&) = delete;
  RunningTasks& operator=(const RunningTasks&) = delete;
  ~RunningTasks();

  void begin(std::size_t task);
  /// It has saved a state.
  void saved(std::size_t task);
  /// It has ended.
  void end(std::size_t task);
  /// It was stopped: as if it had not begun.
  void withdraw(std::size_t task);

  /// The tasks of a record, and in each how many processes have ended since its last saved state.
  static std::map<std::size_t, int> read(const ForeignFolder& folder, const std::string& name);

 private:
  struct Line {
    std::size_t task = 0;
    int processes = -1;  // below 0: free
  };
  /// The line of a task, or a free one.
  std::size_t line_of(std::size_t task) const;
  void set(std::size_t task, int processes);
  void write(std::size_t line) const;

  std::mutex mutex_;
  std::vector<Line> lines_;
  int descriptor_ = -1;
};

}  // namespace twosphere
