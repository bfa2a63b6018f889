// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mechanics/state.h"
#include "core/mechanics/system.h"

namespace twosphere {

/// The factor s ≥ 0 of all ω that gives a state the energy E: s² T + V = E, s = √((E − V)/T). NaN
/// if E < V, or if T = 0 and E ≠ V.
double scale_to_energy(const System& system, const State& state, double energy);

}  // namespace twosphere
