// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/build.h"

#include <fmt/format.h>
#include <hwy/highway.h>

#include <Eigen/Core>
#include <nlohmann/json.hpp>

namespace twosphere {

std::string core_libraries() {
  return fmt::format("Eigen {}.{}.{}, fmt {}.{}.{}, Highway {}.{}.{}, nlohmann-json {}.{}.{}",
                     EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION,
                     FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100, HWY_MAJOR,
                     HWY_MINOR, HWY_PATCH, NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR,
                     NLOHMANN_JSON_VERSION_PATCH);
}

}  // namespace twosphere
