// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/document.h"
#include "core/mechanics/system.h"
#include "core/scenario/scenario.h"

/// Reads the sections of a scenario's document and checks each. Internal to the scenario's readers;
/// what is wrong is thrown as a Failure with its place.
namespace twosphere::document {

/// The record of the system that "system" names.
const SystemInfo& read_system_type(const Value& section);
/// The system for a start q, its key and parameters.
std::unique_ptr<const System> read_system(const Value& section, const Columns& q, std::string& type,
                                          Values& parameters);
/// Fails at what the error's place, a path from here, names; as far as the document has it.
[[noreturn]] void fail_at(Value at, const Error& error);

/// The entries of "lanes".
std::vector<Value> listed_lanes(const Value& lanes);
/// The name is left empty where none is given. `more` keys are somebody else's.
LaneSpec read_lane(const Value& section, bool named, const System& system, const Names& more = {});
/// Names the lanes; rejects duplicate names and steps that do not divide the largest one.
void check_lanes(const std::vector<Value>& places, std::vector<LaneSpec>& lanes);

/// The duration, not more than 2^53 steps of any lane.
double read_duration(const Value& root);
/// Conditions on quantities that the system's samples have.
std::vector<StopCondition> read_stop(const Value& list, const SystemInfo& system);

}  // namespace twosphere::document
