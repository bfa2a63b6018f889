// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace twosphere {

/// A folder of files that appears whole or not at all: written under a temporary name beside its
/// place, renamed on commit(). A folder that is there already changes places with it in one
/// operation of the file system, so that there is a whole one at any time; only where the file
/// system has none (NFS, FAT) there is an instant with neither. It is replaced only where `own`
/// knows every name in it: anything else is somebody's and refused. Dropped without commit, it
/// leaves nothing; what a program that was killed has left, the next one to write there removes.
class AtomicFolder {
 public:
  using Own = std::function<bool(std::string_view)>;
  /// What the file system is asked for, as rename(2): 0, or −1 and errno. Tests give one that can
  /// do less.
  struct FileSystem {
    int (*exchange)(const char* one, const char* other);  ///< two names, in one operation
    int (*rename)(const char* from, const char* to);
  };
  static const FileSystem& of_the_system();

  /// Fails at once if the place cannot be written.
  static Result<AtomicFolder> open(const std::string& path, Own own,
                                   const FileSystem& files = of_the_system());
  AtomicFolder(AtomicFolder&&) noexcept;
  AtomicFolder& operator=(AtomicFolder&&) noexcept;
  ~AtomicFolder();

  /// A whole file of that name.
  Result<void> write(const std::string& name, std::string_view content);
  Result<void> commit();

 private:
  explicit AtomicFolder(const FileSystem& files) : files_(files) {}
  void drop();
  void release();
  /// Puts it in its place by two renames; `former`: where that leaves the one before, if any.
  Result<void> replace(std::string& former);
  /// Whether the place is free or may be replaced.
  Result<void> check() const;

  std::string path_;       // as given
  std::string place_;      // behind symbolic links
  std::string temporary_;  // empty once it is in its place
  int held_ = -1;          // the temporary folder, open and locked
  Own own_;
  FileSystem files_;
};

}  // namespace twosphere
