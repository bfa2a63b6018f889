// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/scenario/scenario.h"

namespace twosphere {

/// The scenario with these settings applied in order, then checked as a whole. A change of
/// integrator.type drops the keys that the new method lacks. "integrator…" is the one lane of a
/// scenario that has one; "lanes" is the whole list, "lanes[i]…" one of them. Places in errors are
/// paths. `exact_start`: the start is taken bit for bit, like that of a saved state.
Result<Scenario> with_settings(const Scenario& scenario, const std::vector<Setting>& settings,
                               std::vector<std::string>* warnings = nullptr,
                               bool exact_start = false);
Result<Scenario> with_setting(const Scenario& scenario, const SettingPath& path,
                              const json::Node& value);

/// The fewest settings that turn the system's parameters, the start, the lanes, duration, sampling
/// and stop conditions of one scenario into the other's. Another number of lanes is another list. A
/// stride that `to` leaves open is given as the number that it comes to.
std::vector<Setting> differences(const Scenario& from, const Scenario& to);

/// `next` with all that cannot change while running as it is at `present`: the start, sampling,
/// parameters that take a reset, names of lanes, another list of lanes, and the list at all if
/// `lanes_wait`.
Scenario live_settings(const Scenario& present, Scenario next, bool lanes_wait);
/// Whether these settings change a run with the settings `present` as it goes on, and do not only
/// wait for Rewind. Settings that are refused change nothing.
bool acts_at_once(const Scenario& present, const std::vector<Setting>& settings);

}  // namespace twosphere
