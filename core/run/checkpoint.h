// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/run/guard.h"
#include "core/run/lane.h"
#include "core/scenario/run_clock.h"
#include "core/scenario/scenario.h"
#include "core/scenario/schedule.h"
#include "core/scenario/stop_conditions.h"

namespace twosphere {

/// Something that happened to the run, marked in the plots.
struct RunMarker {
  std::int64_t step = 0;
  double t = 0;
  std::string text;
  bool warning = false;  ///< from here on a lane's results mean nothing: Simulation::warnings()
  std::string paths{};   ///< of the settings that were changed: "system.gravity"; empty: none was
};

/// A pull in force, up to a step of the run.
struct ActivePull {
  Pull pull;
  std::int64_t end = 0;
};

/// A run after one of its steps, with all that the steps to come need: Simulation::at() goes on
/// from there bit for bit. Never changed once it is made, so that threads and branches share it.
struct RunCheckpoint {
  /// What changes only by events; shared by the checkpoints between two of them.
  struct Settings {
    Scenario present;
    std::shared_ptr<const System> system;
    std::vector<ActivePull> pulls{};
  };

  RunClock clock;
  SampleStride stride;
  std::vector<Lane::Checkpoint> lanes{};
  std::size_t events_applied = 0;  ///< of the record, from the first on
  bool changed = false;            ///< those of this very step among them
  std::shared_ptr<const Settings> settings;
  std::shared_ptr<const std::vector<RunMarker>> markers;  ///< up to here
  StopConditions stops;
  std::optional<std::string> stopped;  ///< why the run stops here
  Guard guard;
  bool guarded = false;  ///< the guard has seen the first row

  std::int64_t step() const { return clock.steps(); }
  /// Memory, without what is shared [bytes].
  std::size_t bytes() const;
};

}  // namespace twosphere
