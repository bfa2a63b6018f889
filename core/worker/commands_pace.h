// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

#include "core/worker/command_traits.h"
#include "core/worker/snapshot.h"

/// Commands that make a run continue, or rest, and set its pace.
namespace twosphere {

/// Runs up to the planned number of steps; if it has been reached, until paused.
struct Play {
  static constexpr CommandTraits traits{.needs_own_run = true};
  void carry_out(CommandDesk& desk) const;
};

/// Takes effect at once: a long step in progress is abandoned without effect. Cuts TakeSteps short.
struct Pause {
  static constexpr CommandTraits traits{.interrupts = true, .finishes_row = false};
  void carry_out(CommandDesk& desk) const;
};

/// Takes `count` steps as fast as possible (or one by one if every step is to be shown), even
/// beyond the planned number, and pauses.
struct TakeSteps {
  static constexpr CommandTraits traits{.needs_own_run = true};
  std::int64_t count = 1;
  void carry_out(CommandDesk& desk) const;
};

/// Play goes no further than to the step next to this time, where it pauses; without one, as far as
/// it is planned. Holds until the next PauseAt, for all runs.
struct PauseAt {
  static constexpr CommandTraits traits{.keeps_drag = true, .finishes_row = false};
  std::optional<double> time;  ///< [s]
  void carry_out(CommandDesk& desk) const;
};

/// Sets the pacing. `factor` > 0: ratio of simulated to real time.
struct Pace {
  static constexpr CommandTraits traits{.keeps_drag = true, .finishes_row = false};
  Pacing pacing = Pacing::real_time;
  double factor = 1;
  void carry_out(CommandDesk& desk) const;
};

}  // namespace twosphere
