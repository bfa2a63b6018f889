// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/run/simulation.h"

namespace twosphere {

/// Measures the properties of a step of the lane at its current state (core/mechanics/step_map.h)
/// and adds them to a summary, each with its rounding level. A failed measurement is replaced by
/// its reason. Ends early on a signal.
void add_step_check(json::Node& summary, Simulation& simulation, int lane);

}  // namespace twosphere
