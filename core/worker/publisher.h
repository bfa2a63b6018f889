// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>

#include "core/base/triple_buffer.h"
#include "core/worker/drag_edit.h"
#include "core/worker/pacing.h"
#include "core/worker/snapshot.h"

namespace twosphere {

/// Makes snapshots of a run on the worker's thread and passes the newest to the reader's thread.
/// Settings and other data that change seldom are copied only when describe() is called.
class Publisher {
 public:
  explicit Publisher(const Simulation& simulation)
      : loaded_(std::make_shared<const Scenario>(simulation.record())) {}

  // Called on the worker's thread:
  void set_loaded(std::shared_ptr<const Scenario> scenario) { loaded_ = std::move(scenario); }
  /// The start, with its stride, and every event; running it repeats the run.
  static std::shared_ptr<const Scenario> record_of(const Simulation& simulation);
  /// Call when the settings may have changed.
  void describe(const Simulation& simulation);
  /// Whether events of the scenario or warnings have occurred since the last describe().
  bool outdated(const Simulation& simulation) const {
    return simulation.markers().size() != tags_seen_ ||
           simulation.record().events.size() != events_seen_;
  }
  /// Makes and publishes a snapshot, begun at `now`, with the edit that is open, if one is, and the
  /// cloud, if one follows; its members have taken all steps. Returns false and publishes nothing
  /// if this thread is interrupted, because samples may then be incomplete. Allocates nothing once
  /// it has published three of the same run without a cloud.
  bool publish(Simulation& simulation, const RunStatus& status, const RateMeter& rates,
               const OpenDragEdit& open_edit, LiveCloud* cloud, Clock::time_point now);
  Clock::time_point last() const { return last_; }        ///< start time of the last publication
  Clock::duration duration() const { return duration_; }  ///< its duration
  bool unread() const { return snapshots_.unread(); }

  // Called on the reader's thread:
  /// Takes the newest snapshot. False if it has already been taken.
  bool take() { return snapshots_.take(); }
  const Snapshot& taken() const { return snapshots_.front(); }

 private:
  TripleBuffer<Snapshot> snapshots_;
  std::shared_ptr<const Scenario> loaded_, present_, after_rewind_, record_;
  std::size_t tags_seen_ = 0, events_seen_ = 0;
  double step_seconds_ = 0;  // the last measured value
  Clock::time_point last_{};
  Clock::duration duration_{0};
};

}  // namespace twosphere
