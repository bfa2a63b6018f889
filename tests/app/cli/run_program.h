// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/file.h"
#include "tests/app/child.h"
#include "tests/outcome.h"
#include "tests/sanitized.h"
#include "tests/temporary_folder.h"

/// Runs the real program in child processes, in an empty folder and without a display.
namespace twosphere {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Words = std::vector<std::string>;

/// The words of a text, which spaces part.
inline Words operator""_words(const char* text, std::size_t size) {
  std::istringstream in(std::string(text, size));
  return {std::istream_iterator<std::string>(in), {}};
}

/// The words, and more behind them.
inline Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

struct Outcome {
  int status = -1;  // 1000 + signal if it was ended by one
  std::string out, err;
};

class CommandLine : public testing::Test {
 protected:
  std::string in(const std::string& name) const { return folder_.in(name); }
  std::string text(const std::string& name) const {
    const auto read = read_file(in(name), std::size_t{1} << 28);
    return read ? *read : "unreadable: " + read.error().text();
  }
  std::size_t count() const { return folder_.count(); }

  pid_t launch(const Words& words, const std::function<void()>& prepare = {}) {
    return start(Words{TWOSPHERE_PROGRAM} + words, prepare);
  }

  /// Any program, the first word.
  pid_t start(Words words, const std::function<void()>& prepare) {
    return start_child(std::move(words), [&] {
      const auto to = [](const std::string& path, int descriptor, int flags) {
        ::dup2(::open(path.c_str(), flags, 0600), descriptor);
      };
      to(fs::exists(in(".in")) ? in(".in") : "/dev/null", 0, O_RDONLY);
      to(in(".out"), 1, O_WRONLY | O_CREAT | O_TRUNC);
      to(in(".err"), 2, O_WRONLY | O_CREAT | O_TRUNC);
      for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}) ::unsetenv(name);
      if (::chdir(folder_.path().c_str()) != 0) ::_exit(126);
      if (prepare) prepare();
    });
  }

  Outcome finish(pid_t child) {
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    Outcome outcome{WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status), text(".out"),
                    text(".err")};
    for (const char* name : {".in", ".out", ".err"}) fs::remove(in(name));
    return outcome;
  }

  /// Whether a program is writing a file in the folder.
  bool writes() const {
    const auto is_temporary = [](const fs::directory_entry& entry) {
      return entry.path().filename().string().starts_with(".twosphere-");
    };
    return std::any_of(fs::directory_iterator(folder_.path()), {}, is_temporary);
  }

  /// Sends a signal to a program so long after it has begun its work, or, where that cannot be told
  /// by `begun`, after it handles the signal: on a busy machine that takes its time.
  static void interrupt(pid_t child, int signal, std::chrono::milliseconds at_work,
                        const std::function<bool()>& begun = {}) {
    const auto is_handled = [&] {
      std::ifstream status("/proc/" + std::to_string(child) + "/status");
      for (std::string line; std::getline(status, line);)
        if (line.starts_with("SigCgt:"))
          return (std::stoull(line.substr(7), nullptr, 16) >> (signal - 1) & 1) != 0;
      return false;
    };
    const auto is_ready = [&] { return is_handled() && (!begun || begun()); };
    bool ready = false;
    for (int k = 0; k < 2000 && !(ready = is_ready()); ++k) std::this_thread::sleep_for(10ms);
    ASSERT_TRUE(ready) << signal;
    std::this_thread::sleep_for(at_work);
    ASSERT_EQ(::kill(child, signal), 0);
  }

  /// How long a program at work takes to end after a signal, with its status [s]: where other
  /// programs hold it up, the shortest of three times.
  double time_to_end(const Words& words, int signal, std::chrono::milliseconds at_work,
                     const std::function<bool()>& begun = {}) {
    double shortest = std::numeric_limits<double>::infinity();
    for (int attempt = 0; attempt < 3 && shortest >= 1; ++attempt) {
      const pid_t child = launch(words);
      interrupt(child, signal, at_work, begun);
      const auto asked = std::chrono::steady_clock::now();
      const Outcome o = finish(child);
      EXPECT_EQ(o.status, 128 + signal) << o.err;
      const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - asked;
      shortest = std::min(shortest, taken.count());
    }
    return shortest;
  }

  Outcome run(const Words& words, const std::string& input = "",
              const std::function<void()>& prepare = {}) {
    if (!input.empty()) {
      EXPECT_TRUE(write_file(in(".in"), input));
    }
    return finish(launch(words, prepare));
  }

  /// The same of a program that must succeed; otherwise the test ends.
  Outcome succeed(const Words& words, const std::string& input = "",
                  const std::function<void()>& prepare = {},
                  const test::Caller& at = test::Caller::here()) {
    Outcome outcome = run(words, input, prepare);
    if (outcome.status != 0) test::end_test(at, outcome.out + outcome.err);
    return outcome;
  }

  /// The program `render`. The processor draws, so that pictures are the same wherever the tests
  /// run.
  Outcome render(const Words& more,
                 const Words& source = {"--preset", "double_spherical_pendulum"}) {
    return run(Words{"render"} + source + more, "", draw_by_processor);
  }
  static void draw_by_processor() { ::setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1); }

  const test::TemporaryFolder folder_;
};

/// Whether without_threads() is possible: no sanitizer has a use for such stacks.
inline constexpr bool can_withhold_threads = !test::sanitized;
/// Prepares a program that can start no thread: their stacks would be larger than all the address
/// space there is.
inline void without_threads() {
  rlimit stack{};
  ::getrlimit(RLIMIT_STACK, &stack);
  stack.rlim_cur = rlim_t{1} << 46;
  ::setrlimit(RLIMIT_STACK, &stack);
}

inline std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    out.push_back(text.substr(at, end - at));
    if (out.back().ends_with('\r')) out.back().pop_back();
    at = end + 1;
  }
  return out;
}

}  // namespace twosphere
