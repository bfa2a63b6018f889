// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/described_file.h"

namespace twosphere {

Result<DescribedFile> DescribedFile::open(const std::string& path, bool description) {
  auto opened = AtomicFile::open(path);
  if (!opened) return opened.error();
  DescribedFile file(std::move(*opened));
  if (!description || !file.table_.regular()) return file;
  opened = AtomicFile::open(path + ".json");
  if (!opened) return opened.error();
  file.description_ = std::move(*opened);
  return file;
}

Result<void> DescribedFile::commit(std::string_view description) {
  if (auto done = table_.commit(); !done || !description_) return done;
  description_->write(description);
  return description_->commit();
}

Result<void> write_described(const std::string& path, std::string_view table,
                             std::string_view description) {
  auto file = DescribedFile::open(path);
  if (!file) return file.error();
  file->write(table);
  return file->commit(description);
}

}  // namespace twosphere
