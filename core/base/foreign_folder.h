// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace twosphere {

/// A folder that may come from someone else. Inside it no symbolic link is followed, and only
/// regular files are opened, so that nothing in it leads to files elsewhere. Names are relative to
/// it, such as "rows/1-of-2.csv". Errors have kind input_output and the whole path.
class ForeignFolder {
 public:
  /// The path itself may have links.
  explicit ForeignFolder(std::string path) : path_(std::move(path)) {}

  std::string inside(std::string_view name) const { return path_ + '/' + std::string(name); }

  /// Opens a file with these flags of open(2), a new one with the permissions that the mask leaves.
  /// Returns its descriptor.
  Result<int> open(const std::string& name, int flags) const;
  /// The text of a file from a byte on; fails with kind usage if the file has more than max_bytes.
  Result<std::string> read(const std::string& name, std::size_t max_bytes,
                           std::size_t from = 0) const;
  /// Writes a file atomically, in place of one, or of a link, that has its name.
  Result<void> write(const std::string& name, std::string_view text) const;
  /// Removes a file, if there is one.
  void remove(const std::string& name) const;
  /// Makes a folder, unless there is one.
  Result<void> make_folder(const std::string& name) const;
  /// The names in one of its folders, sorted; none if there is no such folder.
  Result<std::vector<std::string>> names(const std::string& folder) const;

 private:
  class Place;
  Result<Place> place_of(const std::string& name) const;

  std::string path_;
};

}  // namespace twosphere
