// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/described_table.h"

#include <utility>

namespace twosphere {

Result<DescribedTable> DescribedTable::open(const PlanOptions& plan, const std::string& path,
                                            const char* option, std::string_view description) {
  if (auto done = check_output(plan, path, option); !done) return done.error();
  auto opened = AtomicFile::open(path);
  if (!opened) return opened.error();
  DescribedTable out(std::move(*opened));
  if (!out.table_.regular()) return out;
  opened = AtomicFile::open(path + ".json");
  if (!opened) return opened.error();
  out.description_ = std::move(*opened);
  out.description_->write(description);
  return out;
}

Result<void> DescribedTable::commit() {
  if (auto done = table_.commit(); !done) return done;
  return description_ ? description_->commit() : Result<void>();
}

}  // namespace twosphere
