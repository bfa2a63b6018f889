// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace twosphere {

/// A folder of files that is created completely or not at all. It is written under a temporary name
/// in the same directory and renamed by commit(). If the target already exists, the two folders are
/// exchanged in one file system operation, so a complete folder exists at any time; on file systems
/// without this operation (NFS, FAT) neither exists for an instant. An existing folder is replaced
/// only if `replaceable` accepts every name in it; otherwise open() and commit() fail. Without
/// commit() the destructor removes the temporary folder. Temporary folders left by killed processes
/// are removed by the next call of open() in the same directory.
class AtomicFolder {
 public:
  using NameFilter = std::function<bool(std::string_view)>;
  /// The file system calls used, with the return values of rename(2): 0, or −1 and errno. Tests
  /// pass one that supports less.
  struct FileSystem {
    int (*exchange)(const char* one, const char* other);  ///< exchanges two names in one operation
    int (*rename)(const char* from, const char* to);
  };
  static const FileSystem& of_the_system();

  /// Fails if the folder cannot be created or replaced.
  static Result<AtomicFolder> open(const std::string& path, NameFilter replaceable,
                                   const FileSystem& files = of_the_system());
  AtomicFolder(AtomicFolder&&) noexcept;
  AtomicFolder& operator=(AtomicFolder&&) noexcept;
  ~AtomicFolder();

  /// Writes one complete file.
  Result<void> write(const std::string& name, std::string_view content);
  Result<void> commit();

 private:
  explicit AtomicFolder(const FileSystem& files) : files_(files) {}
  void drop();
  void release();
  /// Moves the folder to its target by two renames. `previous` returns the path of the previous
  /// folder, if there was one.
  Result<void> replace(std::string& previous);
  /// Fails unless the target does not exist or may be replaced.
  Result<void> check() const;

  std::string path_;       // as given
  std::string target_;     // symbolic links resolved
  std::string temporary_;  // empty after commit()
  int descriptor_ = -1;    // descriptor of the temporary folder, locked
  NameFilter replaceable_;
  FileSystem files_;
};

}  // namespace twosphere
