// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "core/mechanics/coarse_step.h"
#include "core/mechanics/state.h"
#include "core/scenario/scenario.h"
#include "core/studies/system_report.h"

namespace twosphere {

/// The steps of a lane that are coarse with the settings that an event leaves.
struct EventStep {
  std::string lane;
  double t = 0;  ///< of the event, on the clock of the run [s]
  std::vector<CoarseStep> coarse;
};

struct EventSteps {
  /// Of each lane with such an event the one whose step is coarsest, the first of several.
  std::vector<EventStep> coarse;
  double judged_until = std::numeric_limits<double>::infinity();  ///< the first that is not [s]
};

/// Judges the steps of a scenario by coarse_steps() with the settings that the events of each step
/// leave, at the configuration of the start, which it may have left by then: of all lanes, or of
/// those that are added where nothing else changes. A step that is as coarse from the start on, as
/// the report of the start says, is left out. Of very many events, or of systems that take many
/// operations, only the first are judged.
EventSteps coarse_after_events(const Scenario& record, State start, const SystemReport& at_start);
/// System::operations() of all systems that are judged, of which each counts at least the second.
inline constexpr double max_operations_judged = 5e7, min_operations_judged = 1e4;

}  // namespace twosphere
