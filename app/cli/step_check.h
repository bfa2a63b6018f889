// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/run/simulation.h"

namespace twosphere {

/// Measures what a step of the lane does at its present state, core/mechanics/step_map.h, and adds
/// it to a summary, each number beside the one that rounding alone would give. What cannot be
/// measured is said in words in its place. Ends early on a signal.
void add_step_check(json::Node& summary, Simulation& simulation, int lane);

}  // namespace twosphere
