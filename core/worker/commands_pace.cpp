// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/worker/commands_pace.h"

#include <cmath>

#include "core/worker/command_desk.h"

namespace twosphere {

void Play::carry_out(CommandDesk& desk) const { desk.own().play(); }
void Pause::carry_out(CommandDesk& desk) const { desk.source->pause(); }
void PauseAt::carry_out(CommandDesk& desk) const { desk.pause_time = time; }
void TakeSteps::carry_out(CommandDesk& desk) const { desk.own().take(count); }

void Pace::carry_out(CommandDesk& desk) const {
  if (!(factor > 0) || !std::isfinite(factor))
    return desk.fail({ErrorKind::usage, "factor", "must be a number above 0"});
  desk.status.pacing = pacing;
  desk.status.requested_factor = factor;
  desk.source->change_pace();
}

}  // namespace twosphere
