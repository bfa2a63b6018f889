// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/worker/commands_run.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "core/catalog.h"
#include "core/worker/command_desk.h"

namespace twosphere {

void Rewind::carry_out(CommandDesk& desk) const {
  // A failure leaves the run as it is.
  auto fresh = Simulation::create(desk.sim.rewound());
  if (!fresh) return desk.fail(fresh.error());
  desk.leave();
  desk.start(std::move(*fresh));
}

void Load::carry_out(CommandDesk& desk) {
  std::optional<LiveFollower> file;
  if (!live_file.empty()) {
    auto opened = LiveFollower::open(live_file);
    if (!opened) return desk.fail(opened.error());
    file = std::move(*opened);
    scenario = file->record();
  }
  auto loaded = std::make_shared<const Scenario>(std::move(scenario));
  if (!find_system(loaded->system))
    return desk.fail({ErrorKind::usage, "system.type", "unknown: " + loaded->system});
  auto fresh = Simulation::create(*loaded);
  if (!fresh) return desk.fail(fresh.error());
  // Nothing fails any more: what belongs to the run before goes.
  desk.status.cloud_plan.reset();
  if (file)
    desk.source = std::make_unique<FollowedRun>(desk, std::move(*file));
  else
    desk.source = std::make_unique<ComputedRun>(desk);
  desk.status.followed.reset();
  desk.start(std::move(*fresh));
  if (!loaded->branches.empty()) desk.sim.keep_start();
  desk.publisher.set_loaded(original ? original : std::move(loaded));
}

void ContinueRun::carry_out(CommandDesk& desk) const {
  if (!from) {
    auto fresh = Simulation::create(*record);
    if (!fresh) return desk.fail(fresh.error());
    fresh->keep_start();
    desk.leave();
    return desk.start(std::move(*fresh));
  }
  // The step is computed beside the present run, which stays if that fails.
  Simulation next = Simulation::at(*record, *from);
  while (next.steps() < step)
    if (const auto failure = next.advance_to(step))
      return desk.fail({ErrorKind::numerical, "", failure->message});
  next.widen_stride(every);
  auto checkpoints = earlier->up_to(next.steps(), desk.busy);
  const std::vector<Setting> pending = desk.sim.pending();
  desk.leave();
  desk.sim = std::move(next);
  if (!pending.empty()) (void)desk.sim.set(pending);  // keeps waiting if it still applies
  desk.source->begin();
  desk.halt(RunState::paused);
  ++desk.status.generation;
  desk.status.failure.reset();
  // The samples so far exist already; checkpoints up to here are shared with the other run.
  desk.rows.continue_at(desk.sim, desk.status.generation, samples, states);
  desk.checkpoints = std::move(checkpoints);
  desk.status.checkpoints = desk.checkpoints;
  desk.add_checkpoint();
  desk.begin_cloud();
  desk.begin_trail(desk.trail.span());
  desk.describe();
}

void AddCheckpoints::carry_out(CommandDesk& desk) const {
  desk.checkpoints = earlier->up_to(last, *desk.checkpoints, desk.busy);
  desk.status.checkpoints = desk.checkpoints;
  if (!desk.clouds) return;
  // From its beginning on, all have the cloud.
  const std::int64_t before_cloud = std::min(last, desk.status.cloud_plan->from);
  desk.clouds = earlier->up_to(before_cloud, *desk.clouds, desk.busy);
  desk.status.cloud_checkpoints = desk.clouds;
}

void Detach::carry_out(CommandDesk& desk) const {
  if (!desk.source->detach()) return;
  desk.source = std::make_unique<ComputedRun>(desk);
  desk.rates.clear();
  desk.source->begin();
  desk.add_checkpoint();
  desk.record_configuration();
  desk.describe();
}

}  // namespace twosphere
