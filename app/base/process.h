// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace twosphere {

/// A folder of its own under $TMPDIR (/tmp), removed with all that is in it.
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

/// This program with these arguments, in a process of its own.
struct Invocation {
  std::vector<std::string> words;
  std::string messages;  ///< the file that takes its standard error; it has no other output
};

/// Runs commands in processes of their own. While it exists Ctrl-C, SIGTERM and SIGHUP do not end
/// this process: they are handed on to the running commands and noted.
class Processes {
 public:
  Processes();
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;
  ~Processes();

  /// Runs them at the same time and waits for all. Their exit statuses, 128 + signal for one that a
  /// signal ended.
  Result<std::vector<int>> run(const std::vector<Invocation>& commands);
  /// The signal that came, or 0.
  int signal();

 private:
  sigset_t watched_{}, former_{};
  struct sigaction former_child_ {};
  int signal_ = 0;
};

}  // namespace twosphere
