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

#include "core/run/hold.h"
#include "core/run/pull_by_hand.h"
#include "core/run/sample_rows.h"
#include "core/run/simulation.h"
#include "core/run/snapshot.h"
#include "core/run/state_stride.h"
#include "core/run/trail.h"

namespace twosphere {

// Commands, as values. They take effect between two steps, in order; commands after TakeSteps wait
// until its steps are taken. A command that cannot be carried out changes nothing; the snapshot
// gives the reason.

/// Runs up to the planned number of steps; if it has been reached, until paused.
struct Play {};
/// Takes effect at once: a long step in progress is abandoned without effect. Cuts TakeSteps short.
struct Pause {};
/// Takes `count` steps as fast as possible (or one by one if every step is to be shown), even
/// beyond the planned number, and pauses.
struct TakeSteps {
  std::int64_t count = 1;
};
/// Pauses at the start of another run, with the present settings and those that waited for Rewind.
/// The run so far is left as by ContinueRun. Cuts TakeSteps short.
struct Rewind {};
/// Pauses at the start of another scenario. Cuts TakeSteps short.
struct Load {
  Scenario scenario;
  /// The scenario that Reset parameters restores, if it is not the scenario itself.
  std::shared_ptr<const Scenario> original = nullptr;
  /// If not empty, the run is not computed but read from this file as another process writes it,
  /// from its start on (core/run/live_file.h): its states and rows are those of that process, and
  /// commands that change it are refused.
  std::string live_file{};
};
/// From here on the run that was read from a file is computed: it pauses at the last state read.
struct Detach {};
/// Changes settings, all of them or none, as part of a gesture: see Simulation::set(). Allows a run
/// that has failed or finished to continue.
struct Change {
  std::vector<Setting> settings;
  std::uint64_t gesture = 0;
  /// If another run begins with it, in the past, they are undone together.
  bool continues = false;
};
/// Continues backwards in time, or forwards again: see Simulation::reverse(). Also allows a run
/// that has failed or finished to continue.
struct Reverse {
  bool to_start = false;
};
// Hold (core/run/hold.h) shows the run with an edit of the state that is not made yet; the run must
// rest. The next one replaces it. LetGo makes the edit by Simulation::set(), and so does every
// other command before it takes effect, except Pace, TrailSpan, FollowExponents, FollowCloud and
// AddCheckpoints. Grab (core/run/pull_by_hand.h) holds a body while the run goes on.

/// Makes the edit that is held. Ends a Grab, whose last pull runs out.
struct LetGo {};
/// Begins a lane at the state of another one: see Simulation::add_lane().
struct AddLane {
  json::Node lane;
};
/// Sets the pacing. `factor` > 0: ratio of simulated to real time.
struct Pace {
  Pacing pacing = Pacing::real_time;
  double factor = 1;
};
/// Sets the simulated time that the trail spans [s]; 0: no trail.
struct TrailSpan {
  double span = 0;
};
/// From now on Exponents::usual() tangent vectors follow the lanes that can have them, in this run
/// and those after it, or no longer: Simulation::follow_where_possible(). They begin anew after a
/// change of the method.
struct FollowExponents {
  bool on = true;
};
/// From now on a cloud of at most LiveCloud::most_members() follows a lane, around its present
/// state, in this run, after Rewind and in its branches, where it begins anew with the same seed;
/// not in another scenario. None: no longer.
struct FollowCloud {
  std::optional<CloudSpec> spec;
  int lane = 0;
};
/// Pauses at a step of a run of the same start, to continue from there; the step is computed from a
/// checkpoint. The checkpoints of the run that is left remain in its Snapshot::checkpoints; the
/// last of them is its head. Cuts TakeSteps short.
struct ContinueRun {
  std::shared_ptr<const Scenario> record;     ///< of the run to continue
  std::shared_ptr<const RunCheckpoint> from;  ///< a checkpoint of that record; null: its start
  /// Checkpoints of that record, up to `from` at least.
  std::shared_ptr<const Checkpoints> earlier;
  std::int64_t step = 0;
  // The samples of that run up to the step that already exist: their stride, their number per lane,
  // and which of them have states.
  std::int64_t every = 1;
  std::size_t samples = 0;
  StateStride states{};
};
/// Adds checkpoints of the run up to a step, where those that it has may begin. Nothing else
/// changes.
struct AddCheckpoints {
  std::shared_ptr<const Checkpoints> earlier;
  std::int64_t last = 0;
};
/// Pull acts as in Simulation::pull().
using Command = std::variant<Play, Pause, TakeSteps, Rewind, Load, Change, Reverse, Hold, Pull,
                             Grab, LetGo, AddLane, Pace, TrailSpan, FollowExponents, FollowCloud,
                             ContinueRun, AddCheckpoints, Detach>;

/// Whether the command changes the run itself, not only its pace or extent.
inline bool is_edit(const Command& command) {
  return std::holds_alternative<Change>(command) || std::holds_alternative<Reverse>(command) ||
         std::holds_alternative<Hold>(command) || std::holds_alternative<Pull>(command) ||
         std::holds_alternative<Grab>(command) || std::holds_alternative<AddLane>(command);
}

/// Whether the command is refused while the run is computed elsewhere: an edit, or one that starts,
/// steps or rewinds the run, or lets a cloud follow it.
inline bool needs_own_run(const Command& command) {
  return is_edit(command) || std::holds_alternative<FollowCloud>(command) ||
         std::holds_alternative<Play>(command) || std::holds_alternative<TakeSteps>(command) ||
         std::holds_alternative<Rewind>(command);
}

struct WorkerOptions {
  /// Limit for the samples of all lanes of a run, all of which the reader keeps. When it would be
  /// exceeded, the stride doubles (Simulation::double_stride()) and every other sample becomes
  /// invalid. At least 2.
  std::int64_t most_samples = 10'000'000;
  /// Budget for the states in rows: StateStride [bytes].
  std::size_t state_budget = StateStride::budget;
  /// Approximate limit for samples that have not been drained; beyond it the run waits [bytes].
  std::size_t most_undrained = std::size_t{256} << 20;
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
  /// WorkerOptions::most_undrained.
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
