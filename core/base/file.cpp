// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "core/base/temporary.h"

namespace twosphere {

namespace {

std::string reason(int number) { return std::generic_category().message(number); }

Error failure(const std::string& path, int number) {
  return {ErrorKind::input_output, path == "-" ? "standard output" : path, reason(number)};
}

}  // namespace

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

std::string link_target(std::string path) {
  namespace fs = std::filesystem;
  // More links than the system follows are an error when the path is opened.
  std::error_code none;
  for (int links = 0; links < 40 && fs::is_symlink(fs::symlink_status(path, none)); ++links) {
    const fs::path to = fs::read_symlink(path, none);
    if (none) break;
    path = (fs::path(folder_of(path)) / to).string();  // `to` if that is absolute
  }
  return path;
}

Result<AtomicFile> AtomicFile::open(const std::string& path, mode_t mode) {
  AtomicFile file;
  file.path_ = path;
  if (path == "-" || path == "/dev/stdout") {
    file.path_ = "-";
    file.file_ = stdout;
    return file;
  }
  // Fail early if the path is a directory or not writable.
  struct stat status {};
  const bool present = ::stat(path.c_str(), &status) == 0;
  if (!present && errno != ENOENT) return failure(path, errno);
  if (present && S_ISDIR(status.st_mode)) return failure(path, EISDIR);
  if (present && ::access(path.c_str(), W_OK) != 0) return failure(path, errno);
  // /dev/fd/3 may refer to a regular file, but is written as a stream.
  const bool stream = path.starts_with("/dev/") || path.starts_with("/proc/");
  if (present && (stream || !S_ISREG(status.st_mode))) {
    file.file_ = std::fopen(path.c_str(), "we");
    if (!file.file_) return failure(path, errno);
    return file;
  }
  file.target_ = link_target(path);
  if (auto created = file.create(mode); !created) return created.error();
  if (present) (void)::fchmod(::fileno(file.file_), status.st_mode & 07777);
  return file;
}

Result<AtomicFile> AtomicFile::replace(const std::string& path, const std::string& name) {
  AtomicFile file;
  file.path_ = name;
  file.target_ = path;
  if (auto created = file.create(0666); !created) return created.error();
  return file;
}

/// Creates and locks a temporary file with a new name in the directory of the target.
Result<void> AtomicFile::create(mode_t mode) {
  const std::string folder = folder_of(target_);
  temporary::remove_abandoned(folder);
  int descriptor = -1;
  do {
    temporary_ = temporary::name(folder);
    descriptor = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  } while (descriptor < 0 && errno == EEXIST);
  if (descriptor < 0) {
    const int number = errno;
    temporary_.clear();
    return failure(path_, number);
  }
  temporary::lock(descriptor);
  file_ = ::fdopen(descriptor, "w");
  if (!file_) {
    const int number = errno;
    (void)::close(descriptor);
    drop();
    return failure(path_, number);
  }
  return {};
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept { *this = std::move(other); }

AtomicFile& AtomicFile::operator=(AtomicFile&& other) noexcept {
  if (this == &other) return *this;
  drop();
  path_ = std::exchange(other.path_, {});
  target_ = std::exchange(other.target_, {});
  temporary_ = std::exchange(other.temporary_, {});
  file_ = std::exchange(other.file_, nullptr);
  failure_ = other.failure_;
  return *this;
}

AtomicFile::~AtomicFile() { drop(); }

void AtomicFile::drop() {
  if (file_ && file_ != stdout) (void)std::fclose(file_);
  if (!temporary_.empty()) (void)::unlink(temporary_.c_str());
  file_ = nullptr;
  temporary_.clear();
}

void AtomicFile::write(std::string_view text) {
  if (failure_ != 0 || text.empty()) return;
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size())
    failure_ = errno != 0 ? errno : EIO;
}

Result<void> AtomicFile::commit() {
  const auto check = [this](int result) {
    if (result != 0 && failure_ == 0) failure_ = errno != 0 ? errno : EIO;
  };
  errno = 0;
  // The data must be on disk before the file is renamed.
  check(std::fflush(file_));
  if (!temporary_.empty() && failure_ == 0) check(::fsync(::fileno(file_)));
  if (file_ != stdout) check(std::fclose(std::exchange(file_, nullptr)));
  if (!temporary_.empty() && failure_ == 0) {
    check(::rename(temporary_.c_str(), target_.c_str()));
    if (failure_ == 0) temporary_.clear();
    temporary::sync_folder(folder_of(target_));
  }
  drop();
  if (failure_ != 0) return failure(path_, failure_);
  return {};
}

Result<void> write_file(const std::string& path, std::string_view text, mode_t mode) {
  auto file = AtomicFile::open(path, mode);
  if (!file) return file.error();
  file->write(text);
  return file->commit();
}

Result<std::string> read_file(const std::string& path, std::size_t max_bytes) {
  const std::string location = path == "-" ? "standard input" : path;
  std::FILE* file = path == "-" ? stdin : std::fopen(path.c_str(), "re");
  if (!file) return Error{ErrorKind::input_output, location, reason(errno)};
  return read_file(file, location, max_bytes);
}

Result<std::string> read_file(std::FILE* file, const std::string& location, std::size_t max_bytes) {
  const Error too_large{ErrorKind::usage, location,
                        fmt::format("is larger than {} MiB", max_bytes >> 20)};
  // Reject a large regular file before reading it.
  struct stat status {};
  if (::fstat(::fileno(file), &status) == 0 && S_ISREG(status.st_mode) &&
      static_cast<std::uintmax_t>(status.st_size) > max_bytes) {
    if (file != stdin) (void)std::fclose(file);
    return too_large;
  }
  // A file of unknown size is read up to the limit.
  std::string text;
  char buffer[1 << 16];
  std::size_t got = 0;
  errno = 0;
  while (text.size() <= max_bytes && (got = std::fread(buffer, 1, sizeof buffer, file)) > 0)
    text.append(buffer, got);
  const int number = std::ferror(file) ? (errno != 0 ? errno : EIO) : 0;
  if (file != stdin) (void)std::fclose(file);
  if (number != 0) return Error{ErrorKind::input_output, location, reason(number)};
  if (text.size() > max_bytes) return too_large;
  return text;
}

std::string first_bytes(const std::string& path, std::size_t count) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown)) return {};
  std::string bytes(count, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(bytes.data(), std::ssize(bytes));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

}  // namespace twosphere
