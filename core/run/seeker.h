// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "core/run/checkpoints.h"
#include "core/run/snapshot.h"

namespace twosphere {

/// A run after one of its steps, as a fresh run of the record would be there, bit for bit; with
/// what was changed at that step not changed yet.
struct Instant {
  std::uint64_t request = 0;  ///< Seeker::seek() that it answers
  bool exact = false;         ///< at the step asked for, not at a checkpoint before it
  /// Of that step: clock, lanes, settings and system. What waits for Rewind, the record and the
  /// plan of the head are not in it.
  Snapshot snapshot;
  std::shared_ptr<const RunCheckpoint> checkpoint;  ///< to go on from here
};

/// Shows any step of a run again, on a thread of its own: the checkpoint before it at once, then
/// the step itself. It goes on from where it is if that is nearer, so that steps asked for one
/// after another are computed once.
class Seeker {
 public:
  /// `wake` is called on the seeker's thread when there is a new instant.
  explicit Seeker(std::function<void()> wake);
  ~Seeker();
  Seeker(const Seeker&) = delete;
  Seeker& operator=(const Seeker&) = delete;

  /// Any step up to the head of the run. What was asked for before is given up, unless it lies on
  /// the way. Returns the number of the request.
  std::uint64_t seek(std::shared_ptr<const Scenario> record,
                     std::shared_ptr<const Checkpoints> checkpoints, std::int64_t step);
  /// Gives up what was asked for, and frees what it holds.
  void rest();
  /// The newest; null after rest() or before there is one.
  std::shared_ptr<const Instant> instant() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace twosphere
