// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/mechanics/integrator.h"
#include "core/mechanics/system.h"
#include "core/scenario/scenario.h"

namespace twosphere {

/// Why a method has no tangent map for a system with these parameters: because of the method, or of
/// what acts. Empty if it has one.
std::string why_no_tangent_map(const IntegratorInfo& method, const System& system,
                               const Values& parameters);

/// Whether a condition needs what not every method or system has.
bool need_methods(const std::vector<StopCondition>& stop);
/// Fails at "stop[i].quantity" if a condition is on an indicator of chaos, for which a method of
/// the lanes has no tangent map, and at "stop[i].at" if the crossing of a bound is to be found
/// within a step in a heat bath.
Result<void> check_conditions(const std::vector<StopCondition>& stop,
                              const std::vector<LaneSpec>& lanes, const System& system,
                              const Values& parameters);

}  // namespace twosphere
