// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "core/run/checkpoints.h"
#include "core/worker/snapshot.h"

namespace twosphere {

/// A run after one of its steps, bit for bit as a fresh run of the record would be there, before
/// the events of that step take effect.
struct Instant {
  std::uint64_t request = 0;  ///< the Seeker::seek() request that it answers
  bool exact = false;         ///< at the requested step; false: at a checkpoint before it
  /// The clock, lanes, settings and system at that step. It does not contain the settings that wait
  /// for Rewind, nor the record and the planned end of the head.
  Snapshot snapshot;
  std::shared_ptr<const RunCheckpoint> checkpoint;  ///< to continue from here
};

/// Computes any past step of a run again, on its own thread. If that takes longer than a frame, it
/// first shows the checkpoint before the step, then the step itself. If its present position is
/// nearer than the checkpoint, it continues from there, so that successive steps are computed only
/// once. With checkpoints of a cloud (RunStatus::cloud_checkpoints) it shows the members of each
/// instant, too.
class Seeker {
 public:
  /// `wake` is called on the seeker's thread when there is a new instant.
  explicit Seeker(std::function<void()> wake);
  ~Seeker();
  Seeker(const Seeker&) = delete;
  Seeker& operator=(const Seeker&) = delete;

  /// Requests a step up to the head of the run. An earlier request is dropped, unless its step lies
  /// on the way. Returns the number of the request.
  std::uint64_t seek(std::shared_ptr<const Scenario> record,
                     std::shared_ptr<const Checkpoints> checkpoints, std::int64_t step);
  /// Drops the request and frees the memory.
  void rest();
  /// The newest instant; null after rest() or if there is none yet.
  std::shared_ptr<const Instant> instant() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace twosphere
