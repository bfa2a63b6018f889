// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/record/signal_rows.h"
#include "core/record/signal_samples.h"
#include "core/scenario/timetable.h"
#include "core/worker/repeated_run.h"

namespace twosphere {

/// Samples of a signal of every lane of a run in a range of time, after the last change of the
/// motion in it, as those of SignalRows; on request also those before it, as far back as the step
/// and the direction of time are the same. They are SignalSamples of a copy that repeats the run,
/// so that they depend neither on its rows nor on its planned duration. Of a run without changes
/// they are those of `twosphere run --frequencies`, bit for bit. One thread at a time may use it.
class FollowedSignal {
 public:
  struct Wanted {
    std::shared_ptr<const Scenario> record;
    std::int64_t steps = 0;                                 ///< taken by the run so far
    double low = -std::numeric_limits<double>::infinity();  ///< the range of time [s]
    double high = std::numeric_limits<double>::infinity();
    std::optional<Signal> quantity{};  ///< one that SignalSamples::takes(); none: the signal
    ComplexSignal signal{};            ///< its window is used for a quantity, too
    bool before_changes = false;       ///< also the samples before changes of the motion
  };

  FollowedSignal() = default;
  FollowedSignal(const FollowedSignal&) = delete;
  FollowedSignal& operator=(const FollowedSignal&) = delete;

  /// Takes steps of the copy for about `turn` at most; continues where the last call has ended, if
  /// what is wanted continues with that. Returns whether all samples are there; not if this thread
  /// is interrupted. Fails as SignalSamples::create(), and where the record cannot be repeated.
  Result<bool> proceed(const Wanted& wanted, std::chrono::milliseconds turn);

  /// The samples of a lane so far: after the last change of the motion.
  SignalRows rows(std::size_t lane) const;
  /// The same, and with Wanted::before_changes also the samples before that change.
  SignalRows rows_in_range(std::size_t lane) const;
  /// SignalSamples::notes() of a lane.
  std::vector<std::string> notes(std::size_t lane) const;

 private:
  struct Lane {
    std::int64_t first = 0;   // the step of the first sample
    std::int64_t motion = 0;  // from this step on the motion does not change
    bool after_change = false;
    std::optional<SignalSamples> samples{};  // none: it is not there yet
  };
  void plan();
  SignalRows rows_from(const Lane& lane, std::int64_t step) const;
  std::int64_t look(Simulation& run);

  Wanted wanted_;
  Timetable times_;        // of the record
  std::int64_t last_ = 0;  // the step of the last sample, or one after it
  std::vector<Lane> lanes_;
  std::optional<Error> failure_;  // the signal does not fit the system
  RepeatedRun copy_;
};

}  // namespace twosphere
