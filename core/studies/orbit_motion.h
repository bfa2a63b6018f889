// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/base/result.h"
#include "core/mechanics/system.h"
#include "core/studies/orbit_search.h"

namespace twosphere {

/// Configurations of an orbit over its whole period, evenly spaced to a step and at most `count` of
/// them, from the start on. They are in the frame in which it closes: of a relative orbit that
/// turns about its axis at the rate φ/T. `rest`: its system_at_rest(). Costs the steps of a period;
/// fails like one of them, and if this thread is interrupted.
Result<std::vector<Columns>> orbit_motion(const System& rest, const FoundOrbit& orbit, int count);

}  // namespace twosphere
