// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/scenario/scenario.h"

namespace twosphere {

/// The scenario with these settings applied in order. What is set, and all that depends on it, is
/// read and checked at the end; the rest is copied. A change of
/// integrator.type removes the keys that the new method lacks. "integrator…" refers to the only
/// lane of a scenario, "lanes" to the whole list, "lanes[i]…" to one of its lanes. Locations of
/// errors are paths. `exact_start`: the start is taken bit for bit, like that of a saved state.
Result<Scenario> with_settings(const Scenario& scenario, const std::vector<Setting>& settings,
                               std::vector<std::string>* warnings = nullptr,
                               bool exact_start = false);
/// The same for a scenario before its run, where another step is no other experiment: its events,
/// branches and pulls keep their times, see keep_times(). Those among the settings count the new
/// step.
Result<Scenario> with_settings_at_same_times(const Scenario& scenario,
                                             const std::vector<Setting>& settings,
                                             std::vector<std::string>* warnings = nullptr);
Result<Scenario> with_setting(const Scenario& scenario, const SettingPath& path,
                              const json::Node& value);

/// The fewest settings that change the system's parameters, start, lanes, duration, sampling and
/// stop conditions of `from` into those of `to`. If the number of lanes differs, the list is set as
/// a whole. If `to` has no stride, its default value is given.
std::vector<Setting> differences(const Scenario& from, const Scenario& to);

/// `next`, but with everything that cannot change during a run as in `present`: the start, the
/// sampling, parameters that need a reset, a list of lanes of different length, and the whole list
/// if `lanes_wait`.
Scenario live_settings(const Scenario& present, Scenario next, bool lanes_wait);
/// Whether these settings change a run with the settings `present` while it runs, and do not only
/// wait for Rewind. Settings that are refused change nothing.
bool acts_at_once(const Scenario& present, const std::vector<Setting>& settings);

}  // namespace twosphere
