// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/reader.h"
#include "core/scenario/scenario.h"
#include "tests/outcome.h"

namespace twosphere::test {

/// Six spins on a ring, exchange alone: a system of every method of first order.
inline Scenario six_spins() {
  return value_of(read_scenario(R"({"twosphere": 1,
    "system": {"type": "spins", "lattice": {"type": "chain", "size": [6], "periodic": true}},
    "initial": {"q": [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0.6, 0.8, 0], [0, 0.6, 0.8],
                      [0.8, 0, 0.6]]},
    "integrator": {"type": "spherical_midpoint", "step": 0.05}, "duration": 10})",
                                "six spins"));
}

}  // namespace twosphere::test
