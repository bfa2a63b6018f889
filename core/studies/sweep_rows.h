// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/studies/sweep_lines.h"

/// The rows in the folder of a sweep, and what is said of them.
namespace twosphere {

/// Whether a row takes the place of an earlier one of its task: of none, or of one that broke off.
bool replaces(const SweepRow& row, const SweepRow& earlier);

/// Every row of a folder, by task: those that are missing have that status. Rows of another sweep,
/// or two rows of one task that differ although neither broke off, are an error.
Result<std::vector<SweepRow>> read_rows(const SweepFolder& folder);
/// The rows of a folder as they are written, by this process or others.
class SweepReader {
 public:
  explicit SweepReader(SweepFolder folder) : folder_(std::move(folder)) {}

  const SweepFolder& folder() const { return folder_; }
  /// The rows that have been added since the last call. Only what is new of the files is read. A
  /// row may come twice, if a part was run again. Fails as read_rows() does for rows of another
  /// sweep.
  Result<std::vector<SweepRow>> read();

 private:
  SweepFolder folder_;
  std::map<std::string, std::size_t> read_;  // bytes, by name
};

/// Why a task broke off; empty if that is not known.
std::string reason_of(const SweepFolder& folder, std::size_t task);

/// The remark on the samples of the signal, or on the orbit, of a task that has not failed, as
/// EndedTask::why; empty if nothing is. The second: of all tasks.
std::string note_of(const SweepFolder& folder, std::size_t task);
std::map<std::size_t, std::string> notes_of(const SweepFolder& folder);

/// Mean computing time of a task [s], over those in `times`; 0 if there are none.
double mean_task_time(const SweepFolder& folder);

}  // namespace twosphere
