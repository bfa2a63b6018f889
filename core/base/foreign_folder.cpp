// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/foreign_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "core/base/file.h"

namespace twosphere {

namespace {

namespace fs = std::filesystem;

constexpr int folder_flags = O_PATH | O_DIRECTORY | O_CLOEXEC;

Error system_failure(std::string path, int number) {
  return {ErrorKind::input_output, std::move(path), std::generic_category().message(number)};
}

/// Why the last call on a name in an open folder failed.
Error failure_at(int folder, const std::string& name, std::string path) {
  const int number = errno;
  struct stat status {};
  const bool link =
      ::fstatat(folder, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(status.st_mode);
  if (!link) return system_failure(std::move(path), number);
  return {ErrorKind::input_output, std::move(path),
          "is a symbolic link, and none is followed in this folder"};
}

}  // namespace

/// The open folder that a name lies in.
class ForeignFolder::Place {
 public:
  Place(int descriptor, std::string last) : descriptor_(descriptor), last_(std::move(last)) {}
  Place(Place&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)), last_(std::move(other.last_)) {}
  ~Place() {
    if (descriptor_ >= 0) (void)::close(descriptor_);
  }

  int descriptor() const { return descriptor_; }
  const std::string& last() const { return last_; }  ///< of the parts of the name
  /// Enters the folder `last`, in which the name continues with another part. Whether it could.
  bool enter(std::string next) {
    const int inner = ::openat(descriptor_, last_.c_str(), folder_flags | O_NOFOLLOW);
    if (inner < 0) return false;
    (void)::close(std::exchange(descriptor_, inner));
    last_ = std::move(next);
    return true;
  }
  /// The path of a name in this very folder, whatever now has the folder's name.
  std::string path(const std::string& name) const {
    return fmt::format("/proc/self/fd/{}/{}", descriptor_, name);
  }

 private:
  int descriptor_;
  std::string last_;
};

Result<ForeignFolder::Place> ForeignFolder::place_of(const std::string& name) const {
  const int root = ::open(path_.c_str(), folder_flags);
  if (root < 0) return system_failure(inside(name), errno);
  std::size_t end = name.find('/');
  Place place(root, name.substr(0, end));
  while (end != name.npos) {
    const std::size_t begin = end + 1, next = name.find('/', begin);
    if (!place.enter(name.substr(begin, next - begin)))
      return failure_at(place.descriptor(), place.last(), inside(name.substr(0, end)));
    end = next;
  }
  return place;
}

Result<int> ForeignFolder::open(const std::string& name, int flags) const {
  const auto place = place_of(name);
  if (!place) return place.error();
  // Nothing but a file is waited for.
  constexpr int more = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  const int file = ::openat(place->descriptor(), place->last().c_str(), flags | more, 0666);
  if (file < 0) return failure_at(place->descriptor(), place->last(), inside(name));
  struct stat status {};
  if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode)) return file;
  (void)::close(file);
  return Error{ErrorKind::input_output, inside(name), "is not a regular file"};
}

Result<std::string> ForeignFolder::read(const std::string& name, std::size_t max_bytes,
                                        std::size_t from) const {
  const auto descriptor = open(name, O_RDONLY);
  if (!descriptor) return descriptor.error();
  std::FILE* file = ::fdopen(*descriptor, "r");
  if (file && ::fseeko(file, static_cast<off_t>(from), SEEK_SET) == 0)
    return read_file(file, inside(name), max_bytes);
  const int number = errno;
  (void)(file ? std::fclose(file) : ::close(*descriptor));
  return system_failure(inside(name), number);
}

Result<void> ForeignFolder::write(const std::string& name, std::string_view text) const {
  const auto place = place_of(name);
  if (!place) return place.error();
  auto file = AtomicFile::replace(place->path(place->last()), inside(name));
  if (!file) return file.error();
  file->write(text);
  return file->commit();
}

void ForeignFolder::remove(const std::string& name) const {
  if (const auto place = place_of(name))
    (void)::unlinkat(place->descriptor(), place->last().c_str(), 0);
}

Result<void> ForeignFolder::make_folder(const std::string& name) const {
  const auto place = place_of(name);
  if (!place) return place.error();
  if (::mkdirat(place->descriptor(), place->last().c_str(), 0777) != 0 && errno != EEXIST)
    return failure_at(place->descriptor(), place->last(), inside(name));
  if (const auto made = place_of(name + '/'); !made) return made.error();
  return {};
}

Result<std::vector<std::string>> ForeignFolder::names(const std::string& folder) const {
  std::vector<std::string> found;
  std::error_code error;
  const auto place = place_of(folder + '/');
  if (!place) {
    if (fs::symlink_status(inside(folder), error).type() == fs::file_type::not_found) return found;
    return place.error();
  }
  for (fs::directory_iterator entry(place->path(""), error), end; !error && entry != end;
       entry.increment(error))
    found.push_back(entry->path().filename().string());
  if (error) return Error{ErrorKind::input_output, inside(folder), error.message()};
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace twosphere
