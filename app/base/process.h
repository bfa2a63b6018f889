// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <optional>
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

/// Runs commands as child processes. During its lifetime the ending_signals do not end this
/// process: they are forwarded to the running commands and recorded.
class Processes {
 public:
  Processes();
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;
  ~Processes();

  /// Runs this program with each of the lists of arguments, all at the same time, and waits for
  /// all. Their messages are kept in memory, so that they may tell of a full disk.
  Result<std::vector<ProcessEnd>> run(const std::vector<std::vector<std::string>>& commands);
  /// The received signal, or 0.
  int signal();

 private:
  sigset_t watched_{}, previous_{};
  struct sigaction previous_child_ {};
  int signal_ = 0;
};

}  // namespace twosphere
