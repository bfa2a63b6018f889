// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "core/run/checkpoints.h"
#include "core/run/simulation.h"

namespace twosphere {

/// A copy of a run that repeats its record beside it, bit for bit. As the record grows the copy
/// continues; where the record changes, it goes back to its own checkpoint. One thread at a
/// time may use it.
class RepeatedRun {
 public:
  /// Repeats a record from its start. `prepare` is given the copy before its first step, to let
  /// vectors or a section follow it. Fails as Simulation::create() and `prepare`; it has then not
  /// begun.
  Result<void> begin(std::shared_ptr<const Scenario> record,
                     const std::function<Result<void>(Simulation&)>& prepare = {});
  /// A follower that takes its steps with the copy, and is part of its checkpoints.
  struct Companion {
    /// Takes steps up to a later one, as Simulation::advance_to().
    std::function<std::optional<StepFailure>(Simulation&, std::int64_t)> advance_to;
    std::function<void(RunCheckpoint&)> save;
  };
  void set_companion(Companion companion) { companion_ = std::move(companion); }
  bool begun() const { return run_.has_value(); }
  /// Forgets the copy.
  void end() { run_.reset(); }

  const std::shared_ptr<const Scenario>& record() const { return record_; }
  Simulation& run() { return *run_; }
  const Simulation& run() const { return *run_; }

  /// The step before whose events another record differs first from this one; the largest number
  /// if one continues with the other. None if they begin differently.
  std::optional<std::int64_t> shared_steps(const Scenario& other) const;
  /// Continues with a record that is the same up to a step, from the last checkpoint before that
  /// step, which is returned. The copy then has no observer.
  std::shared_ptr<const RunCheckpoint> go_back(std::shared_ptr<const Scenario> record,
                                               std::int64_t step);
  /// Makes the present step one to which it can go back.
  void add_checkpoint();
  /// Those of the copy so far; not null once it has begun.
  const std::shared_ptr<Checkpoints>& checkpoints() const { return checkpoints_; }

  /// Takes steps up to `last` > run().steps(), also beyond the planned end, for some milliseconds;
  /// then calls took(), if given, also if a step fails.
  std::optional<StepFailure> advance(std::int64_t last, const std::function<void()>& took = {});

 private:
  std::shared_ptr<const Scenario> record_;
  std::optional<Simulation> run_;
  Companion companion_;
  std::shared_ptr<Checkpoints> checkpoints_;
  Checkpoints::Duration busy_{0};  // time spent on the steps
  std::int64_t batch_ = 1;         // steps between two looks at the clock
};

}  // namespace twosphere
