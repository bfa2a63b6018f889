// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/scenario/scenario.h"

namespace twosphere {

/// The scenario as a document: every parameter explicit, lists in full. read_scenario(to_json(s))
/// gives s, bit for bit.
json::Node to_json(const Scenario& scenario);
std::string write_scenario(const Scenario& scenario);

/// How much of a scenario a document says in which it is edited. The rest stays as it is.
enum class EditScope {
  whole,
  without_start,  ///< "initial" is an empty object
  settings,       ///< nor the past, nor those parameters of the system that are not set
};
/// The least that these settings can be made in.
EditScope edit_scope(const std::vector<Setting>& settings, const Scenario& scenario);
json::Node edit_document(const Scenario& scenario, const std::vector<Setting>& settings,
                         EditScope scope);

// Parts of it:

/// System, lanes and sampling: a scenario without its start and its past.
json::Node settings_document(const Scenario& scenario);
/// The value of "initial".
json::Node start_document(const Columns& q, const Columns& omega);
/// [x, y, z] of every body.
json::Node columns_document(const Columns& values);
/// The value of "stop" in files and settings.
json::Node to_json(const std::vector<StopCondition>& conditions);
/// A lane; its name where that is not the default.
json::Node lane_document(const LaneSpec& lane, const std::string& default_name = {});
/// What an event that adds a lane says of it.
json::Node added_lane_document(const AddedLane& added);
/// The value of "lanes".
json::Node lanes_document(const Scenario& scenario);
/// The setting that makes the whole list of lanes what it is in this scenario.
Setting lanes_setting(const Scenario& scenario);

}  // namespace twosphere
