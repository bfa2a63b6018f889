// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/worker/publisher.h"

#include <utility>

#include "core/base/interrupt.h"

namespace twosphere {

std::shared_ptr<const Scenario> Publisher::record_of(const Simulation& simulation) {
  Scenario repeatable = simulation.record();
  repeatable.every = simulation.first_stride();
  return std::make_shared<const Scenario>(std::move(repeatable));
}

void Publisher::describe(const Simulation& simulation) {
  present_ = std::make_shared<const Scenario>(simulation.present());
  after_rewind_ = std::make_shared<const Scenario>(simulation.after_rewind());
  record_ = record_of(simulation);
  tags_seen_ = simulation.markers().size();
  events_seen_ = simulation.record().events.size();
}

bool Publisher::publish(Simulation& sim, const RunStatus& status, const RateMeter& rates,
                        const OpenDragEdit& open_edit, LiveCloud* cloud, Clock::time_point now) {
  Snapshot& s = snapshots_.back();
  const bool described = s.present == present_;  // includes everything that describe() copies
  static_cast<RunStatus&>(s) = status;
  s.take(sim, described);
  if (cloud && !s.cloud) s.cloud.emplace();
  if (cloud)
    cloud->show(sim, *s.cloud);
  else
    s.cloud.reset();
  if (open_edit.active()) s.show(open_edit);
  s.measured_factor = rates.factor();
  s.steps_per_second = rates.steps_per_second();
  // The last measured value is shown while nothing is measured.
  if (const double seconds = rates.step_seconds(); seconds > 0) step_seconds_ = seconds;
  s.step_seconds = step_seconds_;
  // Coarse steps are judged once for each description, and watched from then on.
  if (!described || sim.knows_coarse_steps()) {
    s.coarse_steps.resize(static_cast<std::size_t>(sim.lane_count()));
    for (int i = 0; i < sim.lane_count(); ++i)
      s.coarse_steps[static_cast<std::size_t>(i)] = sim.coarse_steps(i);
    s.fastest_rate = sim.fastest_rate();
  }
  if (!described) (void)sim.system()->extent();  // measured here, not where it is drawn
  if (interrupted()) return false;
  if (!described) {
    s.system = sim.system();
    s.system_info = &info_of(*present_);
    s.loaded = loaded_;
    s.present = present_;
    s.after_rewind = after_rewind_;
    s.pending = sim.pending();
    s.record = record_;
    s.markers = sim.markers();
    s.warnings = sim.warnings();
  }
  s.stop_message.clear();
  if (sim.stopped()) s.stop_message = *sim.stopped();
  snapshots_.publish();
  last_ = Clock::now();
  duration_ = last_ - now;
  return true;
}

}  // namespace twosphere
