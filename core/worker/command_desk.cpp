// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/worker/command_desk.h"

#include <utility>

namespace twosphere {

void CommandDesk::begin() {
  ++status.generation;
  status.failure.reset();
  source->begin();
  row_pending = false;
  // Each of these begins anew at the start: rows, checkpoints, cloud, trail.
  rows.begin(sim, status.generation);
  begin_checkpoints();
  begin_cloud();
  source->give_start();
  begin_trail(trail.span());
  describe();
  unpublished = true;
}

void CommandDesk::start(Simulation fresh) {
  sim = std::move(fresh);
  halt(RunState::paused);
  begin();
}

void CommandDesk::leave() {
  add_checkpoint();
  rows.publish(sim);
  status.left = Publisher::record_of(sim);
}

}  // namespace twosphere
