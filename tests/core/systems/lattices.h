// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <string_view>

#include "core/systems/site_lattice.h"

namespace twosphere::test {

/// The index of a kind of lattice.
inline double kind_of(std::string_view key) {
  const auto kinds = lattice_kinds();
  return static_cast<double>(
      std::find_if(kinds.begin(), kinds.end(), [&](const auto& kind) { return kind.key == key; }) -
      kinds.begin());
}

inline SiteLattice lattice_of(std::string_view key, double nx, double ny, double nz, bool periodic,
                              double spacing = 1) {
  return SiteLattice({kind_of(key), nx, ny, nz, spacing, periodic ? 1.0 : 0.0});
}

}  // namespace twosphere::test
