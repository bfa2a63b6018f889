// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "core/result.h"

namespace twosphere {

/// A folder of files that appears whole or not at all: written under a temporary name beside its
/// place, renamed on commit(). A folder that is there already is replaced then, but only where
/// `own` knows every name in it: anything else is somebody's and refused. Dropped without commit,
/// it leaves nothing.
class AtomicFolder {
 public:
  using Own = std::function<bool(std::string_view)>;

  /// Fails at once if the place cannot be written.
  static Result<AtomicFolder> open(const std::string& path, Own own);
  AtomicFolder(AtomicFolder&&) noexcept;
  AtomicFolder& operator=(AtomicFolder&&) noexcept;
  ~AtomicFolder();

  /// A whole file of that name.
  Result<void> write(const std::string& name, std::string_view content);
  Result<void> commit();

 private:
  AtomicFolder() = default;
  void drop();
  /// Whether the place is free or may be replaced.
  Result<void> check() const;

  std::string path_;       // as given
  std::string place_;      // behind symbolic links
  std::string temporary_;  // empty once it is in its place
  Own own_;
};

}  // namespace twosphere
