// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/base/document.h"
#include "core/scenario/scenario.h"

/// Reads what happens during a run: events, and branches with their own events. Internal to the
/// readers of scenarios; errors are thrown as a Failure with their location.
namespace twosphere::document {

/// Reads a key that must be true or omitted.
bool read_true(const Value& value);
/// `least`: the smallest number of steps.
Pull read_pull(const Value& section, int bodies, std::int64_t least);

/// Reads the events of a scenario that has none yet. Each is checked with the settings that the
/// earlier events lead to.
void read_events(const Value& list, Scenario& scenario);
/// Reads the branches. The events of each follow the shared events of the scenario.
void read_branches(const Value& list, Scenario& scenario);

}  // namespace twosphere::document
