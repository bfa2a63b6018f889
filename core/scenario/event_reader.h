// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/scenario/document.h"
#include "core/scenario/scenario.h"
#include "core/scenario/settings_reader.h"

/// Reads what happens during a run: events, and branches with their own events. Internal to the
/// readers of scenarios; errors are thrown as a Failure with their location.
namespace twosphere::document {

/// Reads a key that must be true or omitted.
bool read_true(const Value& value);
/// `min_steps`: the smallest number of steps.
Pull read_pull(const Value& section, int bodies, std::int64_t min_steps);

/// The cost of the checks of all events of a file, for which systems are created. There may be
/// very many events: once the checks have cost a second or so, later settings are no longer checked
/// together. What does not fit then ends the run where it gets there.
class EventChecks {
 public:
  /// The checks of the next settings, at this place of the file.
  SettingsCheck next(const Value& location) const;
  /// Counts settings that have been checked for so many bodies, 0 if they need no system, and
  /// checks the operations of the file.
  void count(const Value& location, int bodies);

 private:
  long of_systems_ = 0;
};

/// Reads the events of a scenario that has none yet. Each is checked with the settings that the
/// earlier events lead to.
void read_events(const Value& list, Scenario& scenario, EventChecks& checks);
/// Reads the branches. The events of each follow the shared events of the scenario.
void read_branches(const Value& list, Scenario& scenario, EventChecks& checks);

}  // namespace twosphere::document
