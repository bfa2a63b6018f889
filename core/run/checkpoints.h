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

/// The checkpoints of a run, so close together that every step of it is a short computation away
/// from the one before it. One thread adds them, any may look them up.
class Checkpoints {
 public:
  using Duration = std::chrono::steady_clock::duration;
  /// Steps between two checkpoints take this long to compute, until memory is short.
  static constexpr Duration closest = std::chrono::milliseconds(20);
  static constexpr std::size_t budget = std::size_t{96} << 20;  // [bytes]

  /// At most about so many bytes: where there would be more, every other one is dropped and they
  /// are taken half as often.
  explicit Checkpoints(std::size_t most_bytes = budget) : most_bytes_(most_bytes) {}

  /// Whether another one is due, once the computation of steps has taken `computed` in all.
  bool due(Duration computed) const { return computed >= next_; }
  /// Adds one, of the step of the last or a later one; of the same step, it replaces the last,
  /// unless that is of the step as it was reached and this one is not.
  void add(std::shared_ptr<const RunCheckpoint> checkpoint, Duration computed);
  /// The last before a step, or of that step as it was reached; the first if there is no other.
  /// Null if all are later.
  std::shared_ptr<const RunCheckpoint> before(std::int64_t step) const;
  /// The newest; null if there is none.
  std::shared_ptr<const RunCheckpoint> newest() const;
  /// Those up to a step, which both lists then share.
  std::shared_ptr<Checkpoints> up_to(std::int64_t step, Duration computed) const;

  std::size_t size() const;
  std::size_t bytes() const;

 private:
  mutable std::mutex mutex_;
  const std::size_t most_bytes_;
  std::vector<std::shared_ptr<const RunCheckpoint>> list_;  // ascending; under the mutex
  std::size_t bytes_ = 0;                                   // under the mutex
  Duration interval_ = closest, next_{0};                   // of the thread that adds
};

}  // namespace twosphere
