// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "core/worker/seeker.h"

namespace twosphere {

/// One past instant of a run, as a snapshot: first the checkpoint before the step, then the step
/// itself as soon as a thread has computed it. With its cloud, if one follows the run. The run is
/// not affected.
class PastView {
 public:
  /// `wake` is called on that thread when there is a newer instant.
  explicit PastView(std::function<void()> wake) : wake_(std::move(wake)) {}

  /// Requests the run after a step, from 0 to its head; none: no longer.
  void request(std::optional<std::int64_t> step, const Snapshot& head);
  /// The step requested last.
  const std::optional<std::int64_t>& step() const { return step_; }
  /// Takes the newest instant, with what is true of the whole run from the head.
  void update(const Snapshot& head);
  /// The instant taken last: before the events of its step, with the settings of that time. Null if
  /// there is none yet.
  const std::shared_ptr<const Snapshot>& snapshot() const { return snapshot_; }

 private:
  void seek(const Snapshot& head);

  std::function<void()> wake_;
  std::optional<std::int64_t> step_;
  std::shared_ptr<const Checkpoints> sought_;  // from which the seeker goes
  std::shared_ptr<const Instant> instant_;     // snapshot_ is made from it
  std::shared_ptr<const Snapshot> snapshot_;
  std::unique_ptr<Seeker> seeker_;  // from the first request on; last: its thread calls back
};

}  // namespace twosphere
