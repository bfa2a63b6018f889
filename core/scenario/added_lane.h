// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/mechanics/system.h"
#include "core/scenario/document.h"
#include "core/scenario/scenario.h"

/// Lanes that are added during a run.
namespace twosphere {

/// The name of a lane that has none: "rk4", or "rk4.2" and so on if it is taken.
std::string unused_name(const std::string& type, const document::Names& taken);

/// Whether a lane can be added to these of a run of so many bodies: their number is limited, and
/// its step must divide that of the run. The location of the error is "step", "from" or empty.
Result<void> check_added_lane(const AddedLane& added, const std::vector<LaneSpec>& lanes,
                              int bodies);

/// Reads the lane that an event adds to the `lanes` of that time: settings as in "lanes", and
/// "from", the index of a lane. `system`: as for read_lane(), of so many bodies. `taken`: names of
/// other lanes. Throws a Failure with the location.
AddedLane read_added_lane(const document::Value& section, const System* system, int bodies,
                          const std::vector<LaneSpec>& lanes, const document::Names& taken);
/// The same without exceptions; locations of errors begin with "add_lane".
Result<AddedLane> added_lane(const json::Node& node, const System& system,
                             const std::vector<LaneSpec>& lanes, const document::Names& taken);

/// Adjusts the lane indices in an event to a lane inserted at `index`: indices from there on
/// increase by one.
void shift_lanes(Event& event, std::size_t index);

}  // namespace twosphere
