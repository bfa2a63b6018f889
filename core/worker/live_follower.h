// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/run/simulation.h"
#include "core/worker/live_file.h"
#include "core/worker/snapshot.h"

namespace twosphere {

/// A run that another process writes to a live file, as far as it has come.
class LiveFollower {
 public:
  /// Reads up to the first state. Fails if the file cannot be read or has no state yet.
  static Result<LiveFollower> open(const std::string& path);

  /// The scenario, from its start on.
  const Scenario& record() const { return file_.record(); }

  enum class ReadResult {
    nothing,  ///< there is nothing more at present
    some,     ///< of what leads to the next state
    state,    ///< a state
  };
  /// Reads on by a block. Where a killed run has left rows after its last state, takes the steps up
  /// to the last of them from that state, a few at a time.
  ReadResult read();
  /// The last state; its checkpoint is not null.
  const LiveState& last() const { return last_; }
  /// Moves the rows up to the last state, since the previous call, to the end of `out`.
  void take_rows(std::vector<SampleRows>& out);

  struct Status {
    FollowedFile file;
    /// `running` while it comes, `paused` if nothing comes any more.
    RunState state = RunState::paused;
    std::optional<StepFailure> failure{};  ///< of the step that ended the run
  };
  Status status() const;
  /// After what time it is worth while to read on, if there was nothing more.
  std::chrono::milliseconds patience() const;

 private:
  using Clock = std::chrono::steady_clock;
  explicit LiveFollower(LiveFileReader file) : file_(std::move(file)) {}
  Clock::duration silence() const { return Clock::now() - last_arrival_; }
  ReadResult step_on();

  LiveFileReader file_;
  std::vector<SampleRows> rows_, later_rows_;  // up to the last state, and after it
  LiveState last_{};
  std::optional<Simulation> beyond_{};  // on its way from the last state to the last row
  std::optional<LiveEnd> end_{};
  bool abandoned_ = false;  // no process wrote the file when it was opened
  bool caught_up_ = false;  // what it had then was read
  Clock::time_point last_arrival_ = Clock::now();
  std::optional<Error> problem_{};  // of the last reading
};

}  // namespace twosphere
