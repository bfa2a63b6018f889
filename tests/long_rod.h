// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <vector>

namespace twosphere::test {

/// The file of a damped rod of 100 elements, whose equilibria take many seconds to find.
inline std::string long_rod() {
  constexpr std::size_t elements = 100;
  const auto each = [](const char* value) {
    return fmt::format("{}", fmt::join(std::vector<std::string>(elements, value), ", "));
  };
  return fmt::format(R"({{"twosphere": 1,
    "system": {{"type": "elastic_rod", "elements": {}, "mass": 0.055, "length": 1.1,
      "gravity": 9.81, "stiffness": 1000, "damping": 1, "clamp_direction": [1, 0, 0],
      "inertia": "published"}},
    "initial": {{"q": [{}], "omega": [{}]}},
    "integrator": {{"type": "variational", "step": 0.0001}}, "duration": 1}})",
                     elements, each("[1, 0, 0]"), each("[0, 0, 0]"));
}

}  // namespace twosphere::test
