// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "core/mechanics/system.h"
#include "core/scenario/document.h"
#include "core/scenario/scenario.h"

/// Reads the settings in a document, all of them or some, and checks that they fit together.
/// Internal to the readers of scenarios; errors are thrown as a Failure with their location.
namespace twosphere::document {

/// "initial", or its location if the document has none.
Value start_section(const Value& root);
/// Reads "system", and checks that the start of the scenario is possible in it. `former`: as for
/// read_system().
std::unique_ptr<const System> read_system_at_start(const Value& root, Scenario& scenario,
                                                   const Values* former = nullptr);
/// Creates the system of a scenario that has been checked; an error would be located at `section`.
std::unique_ptr<const System> checked_system(const Value& section, const Scenario& scenario);

/// The entries of "lanes", or the only lane.
std::vector<Value> lane_entries(const Value& root, int bodies);
/// Reads the lanes of a run of so many bodies. `system`: as for read_lane(). `saved`: of a saved
/// state, so that its keys are allowed, too.
std::vector<LaneSpec> read_lanes(const Value& root, int bodies, const System* system, bool saved);

/// Reads the title and the description, if they are given.
void read_title(const Value& root, Scenario& scenario);
/// Reads duration, every, stop, section, signal and plots, as far as they are given.
void read_rest(const Value& root, Scenario& scenario);
/// Fails at a stop condition that a lane or the system does not have: check_conditions().
void check_following(const Value& root, const Scenario& scenario, const System& system);

/// The checks of settings, beside those of each alone.
enum class SettingsCheck {
  at_start,  ///< that they fit together, and what holds at the start only
  running,   ///< that they fit together: for an event, since the state has left the start
  none,      ///< nothing for which a system would have to be created
};
/// Reads the sections that the document has into a scenario, and checks what depends on them. Other
/// settings are kept. Returns the system if "system" was read and one was created, else null.
std::unique_ptr<const System> read_given_sections(const Value& root, Scenario& scenario,
                                                  SettingsCheck check);

}  // namespace twosphere::document
