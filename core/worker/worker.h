// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <vector>

#include "core/run/sample_rows.h"
#include "core/run/simulation.h"
#include "core/run/state_stride.h"
#include "core/run/trail.h"
#include "core/worker/command_list.h"
#include "core/worker/snapshot.h"

/// The thread on which a run of the window continues.
///
/// Worker is the side of the other threads. Its Impl owns the thread and carries out commands. What
/// there is of a run lies in the RunDesk: the simulation and all that follows it (rows, trail,
/// cloud, checkpoints, rates, snapshots). The RunSource advances it: a ComputedRun takes steps
/// by the wall clock, a FollowedRun reads them from the file of another process. Commands ask the
/// source and never where the run comes from, except those with needs_own_run.
///
/// Only the thread itself touches these. It shares with others a queue of commands, the flags that
/// wake it or abandon a long step, and three ways out: the newest snapshot, the stream of rows, the
/// configurations of the trail.
///
/// The thread repeats: take commands, advance for some milliseconds, publish, wait. Commands are
/// taken between two steps only, so that an edit has a step. The row of a step is completed before
/// the command that follows it, because the command may change what is measured. Rows are published
/// before the snapshot: the reader of a snapshot has all rows up to it.
namespace twosphere {

struct WorkerOptions {
  /// Limit for the samples of all lanes of a run, all of which the reader keeps. When it would be
  /// exceeded, the stride doubles (Simulation::double_stride()) and every other sample becomes
  /// invalid. At least 2.
  std::int64_t max_samples = 10'000'000;
  /// Budget for the states in rows: StateStride [bytes].
  std::size_t state_budget = StateStride::budget;
  /// Approximate limit for samples that have not been drained; beyond it the run waits [bytes].
  std::size_t max_undrained = std::size_t{256} << 20;
};

/// Steps a Simulation on its own thread. Commands come in through a queue; the newest snapshot goes
/// out without waiting for the reader, and the stream of samples without loss. Wall-clock time is
/// used only here: the pace of a run does not change its results. Idle while paused.
class Worker {
 public:
  /// Starts paused at the start of the scenario; the snapshot and the first sample are available at
  /// once. `wake` is called on the worker's thread when there is something new to show.
  explicit Worker(Simulation simulation, std::function<void()> wake = {},
                  const WorkerOptions& options = {});
  /// Abandons a long step in progress.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Any thread may call it. Returns the number of commands sent, including this one: the command
  /// has been carried out, or has failed, once Snapshot::commands is at least that number.
  std::uint64_t send(Command command);

  /// The newest snapshot; valid until the next call. Call from one thread only.
  const Snapshot& snapshot();
  /// Moves the samples since the last call to the end of `out`: at least all those up to the last
  /// snapshot(). Each SampleRows belongs to one snapshot: its samples are newer than the previous
  /// snapshot and not newer than this one. A reader that never calls this stops the run:
  /// WorkerOptions::max_undrained.
  void drain_samples(std::vector<SampleRows>& out);
  /// Takes back samples that are no longer used; their memory is reused while the run continues,
  /// and freed otherwise. Leaves `rows` empty.
  void give_back(std::vector<SampleRows>& rows);
  /// Moves the configurations since the last call to the end of `out`.
  void drain_configurations(std::vector<Configuration>& out);

  /// A scenario that continues the run from its present state bit for bit, and the step of that
  /// state. Takes effect after the commands sent before, but does not wait for TakeSteps.
  struct Captured {
    Scenario scenario;
    std::int64_t steps = 0;
    Scenario record;                             ///< the start and every event
    std::size_t applied = 0;                     ///< number of events that have been applied
    std::vector<Setting> pending;                ///< settings that wait for Rewind
    std::int64_t first_stride = 1;               ///< stride before events change it
    std::shared_ptr<const RunCheckpoint> state;  ///< the present state, for Simulation::at()
  };
  std::future<Captured> capture();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace twosphere
