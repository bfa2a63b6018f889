// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace twosphere {

/// A file that is appended to, locked as long as it is open, so that no second process writes it
/// and others can tell whether its writer still exists. File systems without locks are taken as
/// they are.
class AppendedFile {
 public:
  AppendedFile() = default;
  AppendedFile(AppendedFile&& other) noexcept;
  AppendedFile& operator=(AppendedFile&& other) noexcept;
  ~AppendedFile();

  /// Opens or creates a file. Fails if another process holds it: "is being written: " and `by`.
  static Result<AppendedFile> open(const std::string& path, std::string_view by);
  /// The same of a file that is open with O_RDWR and O_APPEND; errors call it `path`.
  static Result<AppendedFile> hold(int descriptor, const std::string& path, std::string_view by);
  Result<void> truncate(std::size_t bytes);
  /// Writes the text at the end; part of it may be there if that fails.
  Result<void> append(std::string_view text);
  /// Waits until the text is on disk.
  Result<void> sync();

  /// Whether another process holds the file, given its path or open for reading; false without
  /// locks.
  static bool is_held(const std::string& path);
  static bool is_held(int descriptor);

 private:
  std::string path_;
  int descriptor_ = -1;
};

}  // namespace twosphere
