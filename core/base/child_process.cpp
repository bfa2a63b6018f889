// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <string_view>
#include <system_error>

namespace twosphere {

namespace {

constexpr int look_interval = 50;  // [ms]

/// The work of the copy; it never returns.
[[noreturn]] void run_copy(const std::function<std::string()>& work, pid_t parent, int pipe) {
  (void)::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  std::string text;
  try {
    text = work();
  } catch (const std::exception&) {
    std::abort();
  }
  for (std::string_view rest = text; !rest.empty();) {
    const ssize_t written = ::write(pipe, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) ::_exit(1);
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  ::_exit(0);
}

}  // namespace

Result<std::optional<ChildEnd>> run_child_process(const std::function<std::string()>& work,
                                                  const std::function<bool()>& proceed) {
  const auto failure = [] {
    return Error{
        ErrorKind::input_output, "",
        fmt::format("no process can be started: {}", std::generic_category().message(errno))};
  };
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return failure();
  const pid_t parent = ::getpid(), child = ::fork();
  if (child == 0) run_copy(work, parent, ends[1]);
  const Error error = failure();
  (void)::close(ends[1]);
  ChildEnd end;
  bool wanted = true;
  while (child > 0 && wanted) {
    pollfd ready{ends[0], POLLIN, 0};
    if (::poll(&ready, 1, look_interval) > 0) {
      std::array<char, 4096> block{};
      const ssize_t count = ::read(ends[0], block.data(), block.size());
      if (count == 0) break;
      if (count > 0) end.text.append(block.data(), static_cast<std::size_t>(count));
    }
    wanted = proceed();
  }
  (void)::close(ends[0]);
  if (child < 0) return error;
  if (!wanted) (void)::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!wanted) return std::optional<ChildEnd>();
  end.returned = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (WIFSIGNALED(status))
    end.text = fmt::format("signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)));
  else if (!end.returned)
    end.text = fmt::format("exit status {}", WEXITSTATUS(status));
  return std::optional(std::move(end));
}

}  // namespace twosphere
