// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace twosphere {

/// A file that appears whole or not at all: written under a temporary name beside its place,
/// renamed on commit(). "-" or "/dev/stdout" is standard output; that and what is not a regular
/// file (a device, a pipe) is written directly. Opening fails at once if the place cannot be
/// written. Dropped without commit, it leaves nothing; what a program that was killed has left
/// there, the next one to write there removes. A file that is there already keeps its permissions.
class AtomicFile {
 public:
  static Result<AtomicFile> open(const std::string& path);
  AtomicFile(AtomicFile&&) noexcept;
  AtomicFile& operator=(AtomicFile&&) noexcept;
  ~AtomicFile();

  /// Errors (full disk, removed directory) are kept and reported by commit().
  void write(std::string_view text);
  Result<void> commit();
  /// Whether a write has failed: nothing more will come of this file.
  bool failed() const { return failure_ != 0; }
  /// Whether it is a file with a place of its own, not standard output, a device or a pipe.
  bool regular() const { return !place_.empty(); }
  /// Where a regular file is until commit(): for another program that writes it.
  const std::string& temporary() const { return temporary_; }

 private:
  AtomicFile() = default;
  void drop();

  std::string path_;       // as given
  std::string place_;      // behind symbolic links
  std::string temporary_;  // empty: written directly
  std::FILE* file_ = nullptr;
  int failure_ = 0;  // errno of the first failure
};

/// A whole file at once: text to path, atomically.
Result<void> write_file(const std::string& path, std::string_view text);
/// The text of a file, "-" for standard input; kind input_output if it cannot be read, usage if it
/// is larger than max_bytes.
Result<std::string> read_file(const std::string& path, std::size_t max_bytes);

}  // namespace twosphere
