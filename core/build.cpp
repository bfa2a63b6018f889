// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/build.h"

#include <fmt/format.h>

#include <Eigen/Core>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/json.h"

namespace twosphere {

std::string_view isa_level() {
#ifdef __x86_64__
  return "sse2";
#else
  return "generic";
#endif
}

Result<void> check_forced_isa() {
  const char* forced = std::getenv("TWOSPHERE_ISA");
  if (forced && *forced && forced != isa_level())
    return Error{ErrorKind::usage, "TWOSPHERE_ISA",
                 fmt::format("{} is not an instruction set level of this program; allowed: {}",
                             json::quote(forced), isa_level())};
  return {};
}

std::string core_libraries() {
  return fmt::format("Eigen {}.{}.{}, fmt {}.{}.{}, nlohmann-json {}.{}.{}", EIGEN_WORLD_VERSION,
                     EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION, FMT_VERSION / 10000,
                     FMT_VERSION / 100 % 100, FMT_VERSION % 100, NLOHMANN_JSON_VERSION_MAJOR,
                     NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH);
}

}  // namespace twosphere
