// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output_places.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "core/base/exceptions.h"
#include "core/base/file.h"
#include "core/base/json.h"

namespace twosphere {

void OutputPlaces::take(const std::string& path, const char* option) {
  std::error_code unresolved;
  const auto real = std::filesystem::weakly_canonical(
      std::filesystem::current_path() / link_target(path), unresolved);
  const std::string place = path == "-" || unresolved ? path : real.string();
  const auto [other, fresh] = taken_.emplace(place, option);
  if (fresh) return;
  throw Failure(
      {ErrorKind::usage, option,
       path == "-" ? fmt::format("only one output can go to standard output, and {} already does",
                                 other->second)
                   : fmt::format("{} is already written by {}", json::quote(path), other->second)});
}

}  // namespace twosphere
