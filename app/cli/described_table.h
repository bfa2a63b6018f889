// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "app/session/plan.h"
#include "core/base/file.h"

namespace twosphere {

/// A table that a command writes, completely or not at all, and, beside a regular file FILE, its
/// description FILE.json.
class DescribedTable {
 public:
  /// `option`: that names the path. Fails also if the table would overwrite the scenario.
  static Result<DescribedTable> open(const PlanOptions& plan, const std::string& path,
                                     const char* option, std::string_view description);

  void write(std::string_view text) { table_.write(text); }
  bool failed() const { return table_.failed(); }
  Result<void> commit();

 private:
  explicit DescribedTable(AtomicFile table) : table_(std::move(table)) {}

  AtomicFile table_;
  std::optional<AtomicFile> description_;
};

}  // namespace twosphere
