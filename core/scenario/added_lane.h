// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/document.h"
#include "core/mechanics/system.h"
#include "core/scenario/scenario.h"

/// Lanes that begin during a run.
namespace twosphere {

/// The name of a lane to which none is given: "rk4", or "rk4.2" and so on where that is taken.
std::string unused_name(const std::string& type, const document::Names& taken);

/// Whether a lane can be added to these, so many in all: its step must divide the run's. The place
/// of the error is "step", "from" or empty.
Result<void> check_added_lane(const AddedLane& added, const std::vector<LaneSpec>& lanes);

/// Reads what an event adds to the lanes of then: settings as in "lanes", and "from", the index of
/// a lane. `taken`: names of other lanes. Throws a Failure with the place.
AddedLane read_added_lane(const document::Value& section, const System& system,
                          const std::vector<LaneSpec>& lanes, const document::Names& taken);
/// The same; places in errors begin with "add_lane".
Result<AddedLane> added_lane(const json::Node& node, const System& system,
                             const std::vector<LaneSpec>& lanes, const document::Names& taken);

/// Makes room among the lanes that an event means: from index `index` on they are counted one
/// further.
void shift_lanes(Event& event, std::size_t index);

}  // namespace twosphere
