// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "app/base/signals.h"

extern char** environ;

namespace twosphere {

namespace {

Error failure(const std::string& location, int number) {
  return {ErrorKind::input_output, location, std::generic_category().message(number)};
}

/// A child process and the file in memory that has its messages.
struct Child {
  pid_t process = 0;
  int messages = -1;
};

Result<Child> start(const std::vector<std::string>& args, const sigset_t& mask) {
  const std::string location = "twosphere " + args.front();
  Child child{.messages = ::memfd_create("messages", MFD_CLOEXEC)};
  if (child.messages < 0) return failure(location, errno);
  std::vector<char*> arguments{const_cast<char*>("twosphere")};
  for (const std::string& arg : args) arguments.push_back(const_cast<char*>(arg.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&files, child.messages, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &mask);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  const int number = ::posix_spawn(&child.process, "/proc/self/exe", &files, &attributes,
                                   arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (number == 0) return child;
  (void)::close(child.messages);
  return failure(location, number);
}

/// Holds back the ending_signals, and the news of children that end, during its lifetime.
class HeldSignals {
 public:
  HeldSignals() {
    sigemptyset(&held_);
    sigaddset(&held_, SIGCHLD);
    for (const int signal : ending_signals) sigaddset(&held_, signal);
    pthread_sigmask(SIG_BLOCK, &held_, &previous_);
    // The parent process may have set SIGCHLD to be ignored.
    struct sigaction remember {};
    remember.sa_handler = SIG_DFL;
    sigaction(SIGCHLD, &remember, &previous_child_);
  }
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
  ~HeldSignals() {
    sigaction(SIGCHLD, &previous_child_, nullptr);
    pthread_sigmask(SIG_SETMASK, &previous_, nullptr);
  }

  const sigset_t& held() const { return held_; }
  const sigset_t& previous() const { return previous_; }

 private:
  sigset_t held_{}, previous_{};
  struct sigaction previous_child_ {};
};

/// The text of a file in memory, which is closed.
std::string take_messages(int descriptor) {
  std::string text(std::size_t{1} << 16, '\0');
  const ssize_t length = ::pread(descriptor, text.data(), text.size(), 0);
  (void)::close(descriptor);
  text.resize(length > 0 ? static_cast<std::size_t>(length) : 0);
  return text;
}

}  // namespace

Result<TemporaryFolder> TemporaryFolder::create() {
  const char* given = std::getenv("TMPDIR");
  const std::string parent = given && *given ? given : "/tmp";
  std::string path = parent + "/twosphere-XXXXXX";
  if (!::mkdtemp(path.data())) return failure(parent, errno);
  return TemporaryFolder(std::move(path));
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})) {}

TemporaryFolder::~TemporaryFolder() {
  if (path_.empty()) return;
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

Result<std::vector<ProcessEnd>> run_processes(
    const std::vector<std::vector<std::string>>& commands) {
  const HeldSignals signals;
  std::vector<ProcessEnd> ends(commands.size());
  if (caught_signal() != 0) return ends;
  std::vector<std::pair<Child, std::size_t>> running;
  std::optional<Error> error;
  for (std::size_t i = 0; i < commands.size() && !error; ++i) {
    if (const auto child = start(commands[i], signals.previous()))
      running.emplace_back(*child, i);
    else
      error = child.error();
  }
  int forwarded = 0;
  while (true) {
    std::erase_if(running, [&](const auto& one) {
      const auto& [child, index] = one;
      int status = 0;
      if (::waitpid(child.process, &status, WNOHANG) != child.process) return false;
      ends[index] = {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
                     take_messages(child.messages)};
      return true;
    });
    if (running.empty()) break;
    // A signal may also reach another thread, which records it.
    constexpr timespec patience{.tv_sec = 0, .tv_nsec = 100'000'000};
    int caught = ::sigtimedwait(&signals.held(), nullptr, &patience);
    if (caught <= 0 && forwarded == 0) caught = caught_signal();
    if (caught <= 0 || caught == SIGCHLD) continue;
    forwarded = caught;
    for (const auto& one : running) ::kill(one.first.process, caught);
  }
  if (forwarded != 0) (void)::raise(forwarded);  // recorded when it is no longer held
  if (error) return *error;
  return ends;
}

}  // namespace twosphere
