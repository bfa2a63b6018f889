// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/worker/run_desk.h"
#include "core/worker/run_source.h"

namespace twosphere {

/// The object on which commands act: the run of a worker with its source, and operations that
/// several commands share.
struct CommandDesk : RunDesk {
  using RunDesk::RunDesk;

  std::unique_ptr<RunSource> source = std::make_unique<ComputedRun>(*this);

  /// The run, for commands that need one of its own.
  ComputedRun& own() { return static_cast<ComputedRun&>(*source); }

  /// The run is at its start: all output of earlier runs becomes invalid.
  void begin();
  /// Another run, which rests at its start.
  void start(Simulation fresh);
  /// Saves what is needed to continue a run that is left.
  void leave();
};

}  // namespace twosphere
