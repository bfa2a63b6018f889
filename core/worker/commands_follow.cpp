// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/worker/commands_follow.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/interrupt.h"
#include "core/worker/command_desk.h"

namespace twosphere {

namespace {

/// A cloud that has been followed beside the run joins it.
void join(CommandDesk& desk, const CloudPlan& plan, const CloudBeginning& beginning) {
  RunStatus& status = desk.status;
  if (desk.cloud || status.cloud_plan != plan || beginning.generation != status.generation) return;
  const Interruptible interruptible(desk.interrupt);
  // The steps of the run, and its events, since the members were left.
  const RunCheckpoint& head = *beginning.checkpoints->newest();
  Simulation behind = Simulation::at(desk.sim.record(), head);
  FollowedCloud beside(plan, beginning.every, beginning.rows);
  beside.go_to(head, behind);
  while (behind.steps() < desk.sim.steps())
    if (beside.advance_to(behind, desk.sim.steps())) return;
  if (behind.events_applied() < desk.sim.events_applied() && beside.follow_events(behind)) return;
  if (!beside.cloud()) return desk.begin_cloud_here();
  desk.cloud = std::make_unique<LiveCloud>(*beside.cloud()->checkpoint(), desk.sim);
  status.cloud_rows = std::make_shared<const std::vector<CloudRow>>(beside.rows());
  desk.begin_cloud_checkpoints(*beginning.checkpoints);
}

}  // namespace

void TrailSpan::carry_out(CommandDesk& desk) const {
  if (!(span >= 0) || !std::isfinite(span))
    return desk.fail({ErrorKind::usage, "trail", "must be a time of 0 s or more"});
  desk.begin_trail(span);
}

void FollowExponents::carry_out(CommandDesk& desk) const {
  desk.follows_exponents = on;
  if (desk.source->is_own()) on ? desk.own().reattach_exponents() : desk.sim.end_following();
}

void FollowCloud::carry_out(CommandDesk& desk) const {
  if (!spec) {
    desk.status.cloud_plan.reset();
    return desk.begin_cloud();
  }
  if (auto fine = check(*spec); !fine)
    return desk.fail({ErrorKind::usage, "cloud." + fine.error().location, fine.error().message});
  const int bodies = desk.sim.system()->size(), max_members = LiveCloud::max_members(bodies);
  if (spec->members > max_members)
    return desk.fail({ErrorKind::usage, "cloud.members",
                      fmt::format("must be a whole number from 1 to {} with {} bodies, not {}",
                                  max_members, bodies, spec->members)});
  if (lane < 0 || lane >= desk.sim.lane_count())
    return desk.fail({ErrorKind::usage, "cloud.lane", "there is no lane of this number"});
  // It begins at a step of this run that exists.
  const CloudPlan plan{*spec, lane, std::clamp<std::int64_t>(from, 0, desk.sim.steps())};
  if (beginning) return join(desk, plan, *beginning);
  desk.status.cloud_plan = plan;
  desk.begin_cloud();
}

}  // namespace twosphere
