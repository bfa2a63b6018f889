// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"

namespace twosphere {

/// A new folder in $TMPDIR (/tmp), removed with its contents by the destructor.
class TemporaryFolder {
 public:
  static Result<TemporaryFolder> create();
  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder();

  std::string file(const std::string& name) const { return path_ + '/' + name; }

 private:
  explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

/// How a child process ended.
struct ProcessEnd {
  int status = 0;          ///< exit status; 128 + signal if it was ended by a signal
  std::string messages{};  ///< its standard error; other output is discarded
};

/// Runs this program with each of the lists of arguments, all at the same time, as child processes,
/// and waits for all. Their messages are kept in memory, so that they may tell of a full disk.
/// Needs watch_signals(): one of the ending_signals that arrives meanwhile is forwarded to the
/// commands, and is then the caught_signal(); where there is one before, no command begins.
Result<std::vector<ProcessEnd>> run_processes(
    const std::vector<std::vector<std::string>>& commands);

}  // namespace twosphere
