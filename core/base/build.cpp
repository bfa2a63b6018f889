// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/build.h"

#include <fftw3.h>
#include <fmt/format.h>
#include <hwy/highway.h>

#include <Eigen/Core>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/base/simd_level.h"
#include "core/base/version.h"

namespace twosphere {

json::Node provenance() {
  json::Node root = json::Node::object();
  root.set("program", "twosphere");
  root.set("version", version);
  if (!revision().empty()) root.set("revision", revision());
  root.set("compiler", compiler);
  root.set("isa", isa_level());
  return root;
}

std::string core_libraries() {
  // "fftw-3.3.10-sse2-avx"
  std::string_view fftw = fftw_version;
  fftw.remove_prefix(fftw.find('-') + 1);
  fftw = fftw.substr(0, fftw.find('-'));
  return fmt::format(
      "Eigen {}.{}.{}, FFTW {}, fmt {}.{}.{}, Highway {}.{}.{}, nlohmann-json {}.{}.{}",
      EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION, fftw, FMT_VERSION / 10000,
      FMT_VERSION / 100 % 100, FMT_VERSION % 100, HWY_MAJOR, HWY_MINOR, HWY_PATCH,
      NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH);
}

}  // namespace twosphere
