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

// Parts of it:

/// System, lanes and sampling: a scenario without its start and its past.
json::Node settings_document(const Scenario& scenario);
/// The scenario with this as its start, which is most of the document of many bodies.
json::Node document_with_start(const Scenario& scenario, json::Node initial);
/// The value of "initial".
json::Node start_document(const Columns& q, const Columns& omega);
/// [x, y, z] of every body.
json::Node columns_document(const Columns& values);
/// The value of "stop" in files and settings.
json::Node to_json(const std::vector<StopCondition>& conditions);
/// The setting that makes the whole list of lanes what it is in this scenario.
Setting lanes_setting(const Scenario& scenario);

}  // namespace twosphere
