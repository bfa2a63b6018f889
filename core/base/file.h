// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace twosphere {

/// The folder that a path lies in: "." without a slash, "/" of what lies there.
std::string folder_of(const std::string& path);

/// The path that is written by this one: that to which a symbolic link leads, whether there
/// is anything yet or not.
std::string link_target(std::string path);

/// A file that is written completely or not at all. It is written under a temporary name in the
/// same directory and renamed by commit(). "-" or "/dev/stdout" is standard output; standard output
/// and anything that is not a regular file (a device, a pipe) is written directly. open() fails if
/// the path is not writable. Without commit() the destructor removes the temporary file. Temporary
/// files left by killed processes are removed by the next call of open() in the same directory. An
/// existing file keeps its permissions.
class AtomicFile {
 public:
  /// A new file has the permissions `mode` as far as the mask leaves them.
  static Result<AtomicFile> open(const std::string& path, mode_t mode = 0666);
  /// Opens a file that takes the place of whatever has this path: of a symbolic link, too. Errors
  /// call it `name`.
  static Result<AtomicFile> replace(const std::string& path, const std::string& name);
  AtomicFile(AtomicFile&&) noexcept;
  AtomicFile& operator=(AtomicFile&&) noexcept;
  ~AtomicFile();

  /// Errors (full disk, removed directory) are stored and reported by commit().
  void write(std::string_view text);
  Result<void> commit();
  /// Whether a write has failed; commit() will fail too.
  bool failed() const { return failure_ != 0; }
  /// Whether this is a regular file, not standard output, a device or a pipe.
  bool regular() const { return !target_.empty(); }
  /// The temporary path of a regular file until commit(), for another program that writes it.
  const std::string& temporary() const { return temporary_; }

 private:
  AtomicFile() = default;
  Result<void> create(mode_t mode);
  void drop();

  std::string path_;       // as given
  std::string target_;     // symbolic links resolved
  std::string temporary_;  // empty: written directly
  std::FILE* file_ = nullptr;
  int failure_ = 0;  // errno of the first failure
};

/// Writes `text` to `path` atomically. `mode`: as for AtomicFile::open().
Result<void> write_file(const std::string& path, std::string_view text, mode_t mode = 0666);
/// The text of a file; "-" is standard input. Fails with kind input_output if it cannot be read,
/// and with kind usage if it is larger than max_bytes.
Result<std::string> read_file(const std::string& path, std::size_t max_bytes);
/// The same of an open file, from where it stands; closes it unless it is standard input.
Result<std::string> read_file(std::FILE* file, const std::string& location, std::size_t max_bytes);
/// The first bytes of a regular file, at most `count`, by which its kind is known; none of anything
/// else, as a pipe gives what it holds only once, to the first who opens it.
std::string first_bytes(const std::string& path, std::size_t count);

}  // namespace twosphere
