// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/atomic_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/temporary.h"

namespace twosphere {

namespace {

namespace fs = std::filesystem;

Error failure(const std::string& path, const std::error_code& code) {
  return {ErrorKind::input_output, path, code.message()};
}

Error failure(const std::string& path) {
  return failure(path, {errno != 0 ? errno : EIO, std::generic_category()});
}

/// Whether the last call failed because the file system cannot exchange two names.
bool cannot_exchange() { return errno == EINVAL || errno == ENOSYS || errno == ENOTSUP; }

}  // namespace

const AtomicFolder::FileSystem& AtomicFolder::of_the_system() {
  static const FileSystem system{
      [](const char* one, const char* other) {
        return ::renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE);
      },
      [](const char* from, const char* to) { return std::rename(from, to); }};
  return system;
}

Result<AtomicFolder> AtomicFolder::open(const std::string& path, NameFilter replaceable,
                                        const FileSystem& files) {
  AtomicFolder folder(files);
  folder.path_ = path;
  folder.replaceable_ = std::move(replaceable);
  std::error_code code;
  // The target, with symbolic links resolved.
  fs::path target = fs::current_path(code) / path;
  if (!target.has_filename()) target = target.parent_path();  // a trailing slash
  if (!code) target = fs::weakly_canonical(link_target(target.string()), code);
  if (code) return failure(path, code);
  folder.target_ = target.string();
  if (auto free = folder.check(); !free) return free.error();
  // Create and lock a temporary folder with a new name in the same directory.
  temporary::remove_abandoned(folder_of(folder.target_));
  do {
    folder.temporary_ = temporary::name(folder_of(folder.target_), ".d");
    if (::mkdir(folder.temporary_.c_str(), 0777) != 0) continue;
    folder.descriptor_ = ::open(folder.temporary_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder.descriptor_ < 0) return failure(path);
    temporary::lock(folder.descriptor_);
    return folder;
  } while (errno == EEXIST);
  const int number = errno;
  folder.temporary_.clear();
  return failure(path, {number, std::generic_category()});
}

Result<void> AtomicFolder::check() const {
  std::error_code code;
  const fs::file_status status = fs::status(target_, code);
  if (status.type() == fs::file_type::not_found) return {};
  if (code) return failure(path_, code);
  if (!fs::is_directory(status)) return failure(path_, {ENOTDIR, std::generic_category()});
  fs::directory_iterator entry(target_, code);
  for (; !code && entry != fs::directory_iterator(); entry.increment(code))
    if (const std::string name = entry->path().filename().string(); !replaceable_(name))
      return Error{ErrorKind::input_output, path_,
                   fmt::format("the folder already exists and contains {}, which this command did "
                               "not write; choose another name",
                               json::quote(name))};
  if (code) return failure(path_, code);
  return {};
}

AtomicFolder::AtomicFolder(AtomicFolder&& other) noexcept : files_(other.files_) {
  *this = std::move(other);
}

AtomicFolder& AtomicFolder::operator=(AtomicFolder&& other) noexcept {
  if (this == &other) return *this;
  drop();
  path_ = std::exchange(other.path_, {});
  target_ = std::exchange(other.target_, {});
  temporary_ = std::exchange(other.temporary_, {});
  descriptor_ = std::exchange(other.descriptor_, -1);
  replaceable_ = std::exchange(other.replaceable_, {});
  files_ = other.files_;
  return *this;
}

AtomicFolder::~AtomicFolder() { drop(); }

void AtomicFolder::drop() {
  std::error_code ignored;
  if (!temporary_.empty()) fs::remove_all(temporary_, ignored);
  temporary_.clear();
  release();
}

void AtomicFolder::release() {
  if (descriptor_ >= 0) (void)::close(descriptor_);
  descriptor_ = -1;
}

Result<void> AtomicFolder::write(const std::string& name, std::string_view content) {
  const std::string path = temporary_ + '/' + name, shown_path = (fs::path(path_) / name).string();
  errno = 0;
  std::FILE* file = std::fopen(path.c_str(), "we");
  if (!file) return failure(shown_path);
  const bool written = std::fwrite(content.data(), 1, content.size(), file) == content.size();
  const int number = errno;
  if (std::fclose(file) == 0 && written) return {};
  if (!written) errno = number;
  return failure(shown_path);
}

Result<void> AtomicFolder::commit() {
  if (auto free = check(); !free) return free;
  // One call for all files: an fsync() for each would wait for the disk as many times.
  if (::syncfs(descriptor_) != 0) return failure(path_);
  // Exchange with an existing folder, else rename.
  errno = 0;
  std::string previous;  // current path of the previous folder
  if (files_.exchange(temporary_.c_str(), target_.c_str()) == 0) {
    previous = temporary_;
  } else if (errno == ENOENT) {
    if (files_.rename(temporary_.c_str(), target_.c_str()) != 0) return failure(path_);
  } else if (cannot_exchange()) {
    if (auto done = replace(previous); !done) return done;
  } else {
    return failure(path_);
  }
  temporary_.clear();
  temporary::sync_folder(folder_of(target_));
  std::error_code ignored;
  if (!previous.empty()) fs::remove_all(previous, ignored);
  release();
  return {};
}

// In between, the previous folder has a name that remove_abandoned() does not match: if the process
// is killed then, that folder is the only copy.
Result<void> AtomicFolder::replace(std::string& previous) {
  const std::string aside = temporary_ + ".former";
  errno = 0;
  const bool present = files_.rename(target_.c_str(), aside.c_str()) == 0;
  if (!present && errno != ENOENT) return failure(path_);
  if (files_.rename(temporary_.c_str(), target_.c_str()) != 0) {
    const Error error = failure(path_);
    if (present) (void)files_.rename(aside.c_str(), target_.c_str());
    return error;
  }
  if (present) previous = aside;
  return {};
}

}  // namespace twosphere
