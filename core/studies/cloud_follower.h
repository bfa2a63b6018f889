// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>

#include "core/run/followed_cloud.h"
#include "core/worker/repeated_run.h"

namespace twosphere {

/// Follows a cloud along the record of a run, beside that run, which it then can join: see
/// FollowedCloud. If the record changes it goes back to where the two differ, from a checkpoint of
/// its own. One thread at a time may use it.
class CloudFollower {
 public:
  struct Wanted {
    std::shared_ptr<const Scenario> record;
    CloudPlan plan;
    std::int64_t steps = 0;        ///< taken by the run so far
    std::int64_t every = 1;        ///< steps between two rows of the run with states
    std::uint64_t generation = 0;  ///< RunStatus::generation
  };

  CloudFollower() = default;
  CloudFollower(const CloudFollower&) = delete;
  CloudFollower& operator=(const CloudFollower&) = delete;

  /// Takes steps for about `turn` at most; continues where the last call has ended, if what is
  /// wanted continues with that. Returns how far it is, in steps. Fails where the record cannot be
  /// repeated, and if this thread is interrupted; it then begins anew.
  Result<std::int64_t> proceed(const Wanted& wanted, std::chrono::milliseconds turn);
  /// The outcome of proceed().
  std::shared_ptr<const CloudBeginning> beginning();

 private:
  Wanted wanted_;
  RepeatedRun copy_;
  std::optional<FollowedCloud> cloud_;
};

}  // namespace twosphere
