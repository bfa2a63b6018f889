// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "app/base/progress.h"
#include "core/base/described_file.h"

namespace twosphere {

/// Writes a table and its description. `each` passes the header and these rows, as texts, to a
/// function until that returns false. False if it was cancelled; then nothing was written.
template <class Each>
Result<bool> write_table(const std::string& path, std::size_t rows, const Each& each,
                         std::string_view description, Progress& progress) {
  auto file = DescribedFile::open(path);
  if (!file) return file.error();
  const auto all = static_cast<double>(rows + 1);
  double written = 0;
  each([&](std::string_view part) {
    file->write(part);
    progress.share = ++written / all;
    return !file->failed() && !progress.cancelled;
  });
  if (progress.cancelled && !file->failed()) return false;
  if (auto done = file->commit(description); !done) return done.error();
  return true;
}

}  // namespace twosphere
