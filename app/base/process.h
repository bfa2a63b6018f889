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

/// A run of this program as a child process.
struct Invocation {
  std::vector<std::string> args;
  std::string messages;  ///< file for its standard error; other output is discarded
};

/// Runs commands as child processes. During its lifetime the ending_signals do not end this
/// process: they are forwarded to the running commands and recorded.
class Processes {
 public:
  Processes();
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;
  ~Processes();

  /// Runs the commands in parallel and waits for all. Returns their exit statuses, 128 + signal for
  /// one that was ended by a signal.
  Result<std::vector<int>> run(const std::vector<Invocation>& commands);
  /// The received signal, or 0.
  int signal();

 private:
  sigset_t watched_{}, previous_{};
  struct sigaction previous_child_ {};
  int signal_ = 0;
};

}  // namespace twosphere
