// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "core/run/checkpoint.h"

namespace twosphere {

/// The checkpoints of a run. They are so close together that any step takes only a short
/// computation from the checkpoint before it. One thread adds checkpoints; any thread may look them
/// up.
class Checkpoints {
 public:
  using Duration = std::chrono::steady_clock::duration;
  /// Computation time between two checkpoints, as long as they fit into the budget.
  static constexpr Duration closest = std::chrono::milliseconds(20);
  static constexpr std::size_t budget = std::size_t{96} << 20;  // [bytes]

  /// Uses about `max_bytes` at most: when there would be more, every other checkpoint is dropped
  /// and the interval between new ones is doubled.
  explicit Checkpoints(std::size_t max_bytes = budget) : max_bytes_(max_bytes) {}

  /// Whether another checkpoint is due when computing the steps has taken `computed` in total.
  bool due(Duration computed) const { return computed >= next_; }
  /// Adds a checkpoint of the same step as the last one or of a later step. One of the same step
  /// replaces the last one, unless only the last one was taken before the events of that step.
  void add(std::shared_ptr<const RunCheckpoint> checkpoint, Duration computed);
  /// The last checkpoint before a step, or the one of that step if it was taken before the events
  /// of the step; the first checkpoint if there is no other. Null if all are later.
  std::shared_ptr<const RunCheckpoint> before(std::int64_t step) const;
  /// The newest checkpoint; null if there is none.
  std::shared_ptr<const RunCheckpoint> newest() const;
  /// A list of the checkpoints up to a step, shared by both lists.
  std::shared_ptr<Checkpoints> up_to(std::int64_t step, Duration computed) const;

  /// The same with those of `later` from that step on, of the same run.
  std::shared_ptr<Checkpoints> up_to(std::int64_t step, const Checkpoints& later,
                                     Duration computed) const;
  /// The newest checkpoint and, at most, `max_count` others at about equal distances before it that
  /// take `max_bytes` together, in order of step.
  std::vector<std::shared_ptr<const RunCheckpoint>> spread(std::size_t max_count,
                                                           std::size_t max_bytes) const;

  std::size_t size() const;
  std::size_t bytes() const;

 private:
  mutable std::mutex mutex_;
  const std::size_t max_bytes_;
  // Ascending by step; protected by the mutex.
  std::vector<std::shared_ptr<const RunCheckpoint>> list_;
  std::size_t bytes_ = 0;                  // protected by the mutex
  Duration interval_ = closest, next_{0};  // used only by the thread that adds
};

}  // namespace twosphere
