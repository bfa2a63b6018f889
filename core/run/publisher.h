// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>

#include "core/base/triple_buffer.h"
#include "core/run/pacing.h"
#include "core/run/snapshot.h"

namespace twosphere {

/// Makes snapshots of a run on the worker's thread and hands the newest to the reader's. Settings
/// and whatever else changes seldom are copied only when they are described anew.
class Publisher {
 public:
  explicit Publisher(const Simulation& simulation)
      : loaded_(std::make_shared<const Scenario>(simulation.record())) {}

  // The worker's thread:
  void set_loaded(std::shared_ptr<const Scenario> scenario) { loaded_ = std::move(scenario); }
  /// The start, with its stride, and every event: repeats the run.
  static std::shared_ptr<const Scenario> record_of(const Simulation& simulation);
  /// The settings, after they may have changed.
  void describe(const Simulation& simulation);
  /// Whether something has happened to the run since: events of the scenario, warnings.
  bool outdated(const Simulation& simulation) const {
    return simulation.markers().size() != tags_seen_ ||
           simulation.record().events.size() != events_seen_;
  }
  /// Makes and hands out a snapshot, begun at `now`. False, and none, if this thread is
  /// interrupted: samples may be cut short.
  bool publish(Simulation& simulation, const RunStatus& status, const RateMeter& rates,
               Clock::time_point now);
  Clock::time_point last() const { return last_; }        ///< when that was
  Clock::duration duration() const { return duration_; }  ///< and how long it took
  bool unread() const { return snapshots_.unread(); }

  // The reader's thread:
  /// Takes the newest. False if it has been taken.
  bool take() { return snapshots_.take(); }
  const Snapshot& taken() const { return snapshots_.front(); }

 private:
  TripleBuffer<Snapshot> snapshots_;
  std::shared_ptr<const Scenario> loaded_, present_, wanted_, record_;
  std::size_t tags_seen_ = 0, events_seen_ = 0;
  double step_seconds_ = 0;  // as last measured
  Clock::time_point last_{};
  Clock::duration duration_{0};
};

}  // namespace twosphere
