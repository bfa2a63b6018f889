// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/mechanics/state.h"
#include "core/mechanics/system.h"

namespace twosphere {

/// Extends a box by what a geometry has: bodies and fixed balls, pivots, and the ends of links,
/// springs, arrows and guides. What is not finite is left out.
void extend_box(const Geometry& geometry, Box& box);

/// A box around everything that System::geometry() has within this time [s] of a state, as rk45
/// finds it with tolerances of 1e-4 [m]. None if that takes more than about 50 ms, which is counted
/// in operations, so that the result is the same on every machine. A motion that cannot be followed
/// to its end, or not in that time, counts if a fifth of it is known.
std::optional<Box> motion_box(const System& system, const State& state, double seconds);

}  // namespace twosphere
