// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/temporary.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <optional>

#include "core/base/parse_number.h"

namespace twosphere::temporary {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = ".twosphere-", folder_ending = ".d";

/// The process that created this name, if it has the form ".twosphere-PID-N" or
/// ".twosphere-PID-N.d".
std::optional<pid_t> writer(std::string_view name) {
  if (!name.starts_with(prefix)) return {};
  if (name.ends_with(folder_ending)) name.remove_suffix(folder_ending.size());
  name.remove_prefix(prefix.size());
  const std::size_t dash = name.find('-');
  if (dash == name.npos || !parse_number<unsigned>(name.substr(dash + 1))) return {};
  const auto process = parse_number<pid_t>(name.substr(0, dash));
  return process && *process > 0 ? process : std::nullopt;
}

/// Whether it belongs to this user and no process has locked it.
bool is_free(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return false;
  struct stat status {};
  const bool own = ::fstat(descriptor, &status) == 0 && status.st_uid == ::geteuid() &&
                   (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode));
  const bool held = ::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  (void)::close(descriptor);
  return own && !held;
}

}  // namespace

std::string name(const std::string& folder, std::string_view ending) {
  static std::atomic<unsigned> counter{0};
  return fmt::format("{}/{}{}-{}{}", folder, prefix, ::getpid(), counter.fetch_add(1), ending);
}

void lock(int descriptor) { (void)::flock(descriptor, LOCK_EX | LOCK_NB); }

void remove_abandoned(const std::string& folder) {
  std::error_code ignored;
  fs::directory_iterator entry(folder, ignored);
  for (; !ignored && entry != fs::directory_iterator(); entry.increment(ignored)) {
    const std::string name = entry->path().filename().string();
    const auto process = writer(name);
    // Both conditions are needed: the process number of another machine may not exist here, and a
    // file that was just created is not locked yet.
    if (!process || ::kill(*process, 0) == 0 || errno != ESRCH) continue;
    if (!is_free(entry->path().string())) continue;
    std::error_code refused;
    fs::remove_all(entry->path(), refused);
  }
}

void sync_folder(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  (void)::fsync(descriptor);
  (void)::close(descriptor);
}

}  // namespace twosphere::temporary
