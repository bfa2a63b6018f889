// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "core/run/sample_rows.h"
#include "core/run/simulation.h"
#include "core/run/snapshot.h"
#include "core/run/state_stride.h"
#include "core/run/trail.h"

namespace twosphere {

// Commands, as values. They take effect between two steps, in order; what follows TakeSteps waits
// until its steps are taken. A command that cannot be carried out changes nothing, and the snapshot
// says why.

/// Runs until the planned number of steps; from there on, until paused.
struct Play {};
/// Takes effect at once: a step in progress that takes long is given up and was never begun. Cuts
/// TakeSteps short.
struct Pause {};
/// Takes that many steps as fast as possible (or one by one, if every step is to be shown), past
/// the planned number too, and pauses.
struct TakeSteps {
  std::int64_t count = 1;
};
/// Pauses at the start, with the settings as they are now and those that waited for it. Cuts
/// TakeSteps short.
struct Rewind {};
/// Pauses at the start of another scenario. Cuts TakeSteps short.
struct Load {
  Scenario scenario;
  /// What the settings are brought back to, where that is not the scenario itself.
  std::shared_ptr<const Scenario> original = nullptr;
};
/// Changes settings, all of them or none: see Simulation::set(). A run that was refused or finished
/// can then go on.
struct Change {
  std::vector<Setting> settings;
};
/// Goes on backwards in time, or forwards again: see Simulation::reverse(). Likewise.
struct Reverse {};
/// Begins a lane where another one is: see Simulation::add_lane().
struct AddLane {
  json::Node lane;
};
/// How to pace from now on. The factor is simulated per real time, > 0.
struct Pace {
  Pacing pacing = Pacing::real_time;
  double factor = 1;
};
/// How much simulated time the trail spans [s]; 0: none.
struct Trail {
  double span = 0;
};
/// Pauses at a step of a run of the same start, to go on from there: from a checkpoint it is
/// computed again. The run that is left is kept in its Snapshot::checkpoints, the last of which is
/// its head. Cuts TakeSteps short.
struct GoOn {
  std::shared_ptr<const Scenario> record;      ///< of the run to go on with
  std::shared_ptr<const RunCheckpoint> from;   ///< of that record; null: its start, no more
  std::shared_ptr<const Checkpoints> earlier;  ///< of that record, up to there at least
  std::int64_t step = 0;
  // What there is of its samples up to that step already: their stride, so many of each lane, and
  // which of them with states.
  std::int64_t every = 1;
  std::size_t samples = 0;
  StateStride states{};
};
/// A Pull acts as in Simulation::pull().
using Command = std::variant<Play, Pause, TakeSteps, Rewind, Load, Change, Reverse, Pull, AddLane,
                             Pace, Trail, GoOn>;

/// Whether the command changes the run itself, and not only how far or how fast it goes on.
inline bool is_edit(const Command& command) {
  return std::holds_alternative<Change>(command) || std::holds_alternative<Reverse>(command) ||
         std::holds_alternative<Pull>(command) || std::holds_alternative<AddLane>(command);
}

struct WorkerOptions {
  /// Of all lanes of a run, all kept by whoever takes them. Where more would come, the stride
  /// doubles (Simulation::double_stride()) and every other one is void. At least 2.
  std::int64_t most_samples = 10'000'000;
  /// Of the states that rows carry: StateStride [bytes].
  std::size_t state_budget = StateStride::budget;
  /// Of samples that nobody has taken yet, about: where there are more the run waits [bytes].
  std::size_t most_undrained = std::size_t{256} << 20;
};

/// Steps a Simulation on a thread of its own. Commands go in by a queue; out come the newest
/// snapshot, which nobody waits for, and the stream of samples, which drops nothing. Wall-clock
/// time exists only here: how a run is paced changes none of its numbers. Idle while paused.
class Worker {
 public:
  /// Starts paused at the scenario's start, with snapshot and first sample there at once. `wake` is
  /// called on the worker's thread when there is something new to show.
  explicit Worker(Simulation simulation, std::function<void()> wake = {},
                  const WorkerOptions& options = {});
  /// A step in progress that takes long is given up.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Any thread. Returns how many commands were sent with this one: it has been carried out, or
  /// refused, once Snapshot::commands is at least that.
  std::uint64_t send(Command command);

  /// The newest snapshot; valid until the next call. Called by one thread only.
  const Snapshot& snapshot();
  /// Moves the samples that came since the last call to the end of `out`: at least all those up to
  /// the last snapshot() and before. What belongs together came by one snapshot: none of it is
  /// newer than that, all of it newer than the one before. Who never calls this stops the run:
  /// WorkerOptions::most_undrained.
  void drain_samples(std::vector<SampleRows>& out);
  /// Takes samples back that are done with, so that their memory is used again while the run goes
  /// on, and is freed where it does not; leaves `rows` empty.
  void give_back(std::vector<SampleRows>& rows);
  /// Moves the poses that came since the last call to the end of `out`.
  void drain_poses(std::vector<Configuration>& out);

  /// A scenario that continues the run from where it is now, bit for bit; with the step it was
  /// taken at. Takes effect after the commands sent before, but does not wait for TakeSteps.
  struct Captured {
    Scenario scenario;
    std::int64_t steps = 0;
    Scenario record;                ///< the start and every event
    std::size_t applied = 0;        ///< so many of the events so far
    std::vector<Setting> pending;   ///< what waits for Rewind
    std::int64_t first_stride = 1;  ///< of the sampling, before events set it
  };
  std::future<Captured> capture();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace twosphere
