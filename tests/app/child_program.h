// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QStringList>
#include <array>
#include <csignal>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/app/child.h"

namespace twosphere {

/// A program in a separate process. Not a QProcess, after whose start the thread sanitizer knows
/// no more which threads wait for which.
class ChildProgram {
 public:
  using Variables = std::vector<std::pair<std::string, std::string>>;

  /// Its standard output can be read if it is `piped`; else it is that of this process.
  ChildProgram(const QString& program, const QStringList& arguments, bool piped,
               const Variables& variables = {}) {
    std::vector<std::string> words{program.toStdString()};
    for (const QString& argument : arguments) words.push_back(argument.toStdString());
    std::array<int, 2> pipe{-1, -1};
    if (piped && ::pipe(pipe.data()) != 0) return;
    child_ = start_child(std::move(words), [&] {
      for (const auto& [name, value] : variables) ::setenv(name.c_str(), value.c_str(), 1);
      if (!piped) return;
      ::dup2(pipe[1], STDOUT_FILENO);
      ::close(pipe[0]);
      ::close(pipe[1]);
    });
    if (piped) ::close(pipe[1]);
    output_ = pipe[0];
  }
  ~ChildProgram() {
    if (running()) (void)kill();
    if (output_ >= 0) ::close(output_);
  }
  ChildProgram(const ChildProgram&) = delete;
  ChildProgram& operator=(const ChildProgram&) = delete;

  bool running() {
    return !ended_ && !(ended_ = child_ < 0 || ::waitpid(child_, &status_, WNOHANG) != 0);
  }
  /// Kills it and waits for its end. Whether it was still running.
  bool kill() {
    ::kill(child_, SIGKILL);
    wait();
    return WIFSIGNALED(status_);
  }
  /// Waits for its end and returns its exit status; −1 if a signal ended it.
  int wait() {
    if (!ended_) ended_ = ::waitpid(child_, &status_, 0) == child_;
    return WIFEXITED(status_) ? WEXITSTATUS(status_) : -1;
  }
  /// All that it writes until its end.
  std::string output() {
    std::string text;
    std::array<char, 1 << 16> block;
    for (ssize_t n = 0; (n = ::read(output_, block.data(), block.size())) > 0;)
      text.append(block.data(), static_cast<std::size_t>(n));
    return text;
  }

 private:
  pid_t child_ = -1;
  int output_ = -1, status_ = 0;
  bool ended_ = false;
};

/// What the command line writes to standard output; expects success.
inline std::string output_of_program(const QStringList& arguments) {
  ChildProgram program(QStringLiteral(TWOSPHERE_PROGRAM), arguments, true);
  std::string text = program.output();
  EXPECT_EQ(program.wait(), 0) << arguments.join(QLatin1Char(' ')).toStdString();
  return text;
}

}  // namespace twosphere
