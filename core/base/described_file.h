// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/file.h"

namespace twosphere {

/// A table and, beside a regular file PATH, its description PATH.json. Both are opened from the
/// start and written completely or not at all.
class DescribedFile {
 public:
  /// `description`: whether there is one.
  static Result<DescribedFile> open(const std::string& path, bool description = true);

  void write(std::string_view text) { table_.write(text); }
  /// Whether a write has failed; commit() will fail too.
  bool failed() const { return table_.failed(); }
  /// Writes the description only beside a table that was written.
  Result<void> commit(std::string_view description);

 private:
  explicit DescribedFile(AtomicFile table) : table_(std::move(table)) {}

  AtomicFile table_;
  std::optional<AtomicFile> description_;
};

/// Writes a table and its description.
Result<void> write_described(const std::string& path, std::string_view table,
                             std::string_view description);

}  // namespace twosphere
