// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "core/run/checkpoints.h"
#include "core/run/state_stride.h"
#include "core/scenario/scenario.h"
#include "core/worker/command_traits.h"

/// Commands that say which run the worker has.
namespace twosphere {

/// Pauses at the start of another run, with the present settings and those that waited for Rewind.
/// The run so far is left as by ContinueRun. Cuts TakeSteps short.
struct Rewind {
  static constexpr CommandTraits traits{.needs_own_run = true, .interrupts = true};
  void carry_out(CommandDesk& desk) const;
};

/// Pauses at the start of another scenario. Cuts TakeSteps short.
struct Load {
  static constexpr CommandTraits traits{.interrupts = true, .finishes_row = false};
  Scenario scenario;
  /// The scenario that Reset parameters restores, if it is not the scenario itself.
  std::shared_ptr<const Scenario> original = nullptr;
  /// If not empty, the run is not computed but read from this file as another process writes it,
  /// from its start on (core/worker/live_file.h): its states and rows are those of that process,
  /// and commands that change it are refused.
  std::string live_file{};
  void carry_out(CommandDesk& desk);
};

/// Pauses at a step of a run of the same start, to continue from there; the step is computed from a
/// checkpoint. The checkpoints of the run that is left remain in its Snapshot::checkpoints; the
/// last of them is its head. Cuts TakeSteps short.
struct ContinueRun {
  static constexpr CommandTraits traits{.needs_own_run = true, .interrupts = true};
  std::shared_ptr<const Scenario> record;     ///< of the run to continue
  std::shared_ptr<const RunCheckpoint> from;  ///< a checkpoint of that record; null: its start
  /// Checkpoints of that record, up to `from` at least.
  std::shared_ptr<const Checkpoints> earlier;
  std::int64_t step = 0;
  // The samples of that run up to the step that already exist: their stride, their number per lane,
  // and which of them have states.
  std::int64_t every = 1;
  std::size_t samples = 0;
  StateStride states{};
  void carry_out(CommandDesk& desk) const;
};

/// Adds checkpoints of the run up to a step, where those that it has may begin. Nothing else
/// changes.
struct AddCheckpoints {
  static constexpr CommandTraits traits{.keeps_drag = true, .finishes_row = false};
  std::shared_ptr<const Checkpoints> earlier;
  std::int64_t last = 0;
  void carry_out(CommandDesk& desk) const;
};

/// From here on the run that was read from a file is computed: it pauses at the last state read.
struct Detach {
  static constexpr CommandTraits traits{};
  void carry_out(CommandDesk& desk) const;
};

}  // namespace twosphere
