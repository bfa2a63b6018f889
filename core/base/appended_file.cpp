// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/appended_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace twosphere {

namespace {

Error failed_call(const std::string& path) {
  return {ErrorKind::input_output, path, std::generic_category().message(errno)};
}

}  // namespace

AppendedFile::AppendedFile(AppendedFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

AppendedFile& AppendedFile::operator=(AppendedFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

AppendedFile::~AppendedFile() {
  if (descriptor_ >= 0) (void)::close(descriptor_);
}

Result<AppendedFile> AppendedFile::open(const std::string& path, std::string_view by) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor < 0) return failed_call(path);
  return hold(descriptor, path, by);
}

Result<AppendedFile> AppendedFile::hold(int descriptor, const std::string& path,
                                        std::string_view by) {
  AppendedFile file;
  file.path_ = path;
  file.descriptor_ = descriptor;
  if (::flock(file.descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return Error{ErrorKind::input_output, path, fmt::format("is being written: {}", by)};
  return file;
}

Result<void> AppendedFile::truncate(std::size_t bytes) {
  if (::ftruncate(descriptor_, static_cast<off_t>(bytes)) != 0) return failed_call(path_);
  return {};
}

Result<void> AppendedFile::append(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor_, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return failed_call(path_);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Result<void> AppendedFile::sync() {
  if (::fdatasync(descriptor_) != 0 && errno != EINVAL) return failed_call(path_);
  return {};
}

bool AppendedFile::is_held(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool held = is_held(descriptor);
  (void)::close(descriptor);
  return held;
}

bool AppendedFile::is_held(int descriptor) {
  if (::flock(descriptor, LOCK_SH | LOCK_NB) != 0) return errno == EWOULDBLOCK;
  (void)::flock(descriptor, LOCK_UN);
  return false;
}

}  // namespace twosphere
