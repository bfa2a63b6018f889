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

#include "core/simulation.h"

namespace twosphere {

/// How the worker paces its steps against the wall clock.
enum class Pacing {
  every_step,  ///< each step is shown before the next is taken
  real_time,   ///< simulated time runs at a set factor of real time
  fastest,     ///< as fast as possible
};

enum class RunState { paused, running, finished, refused };

/// Commands, as values. They take effect between two steps, in order.
struct Play {};
struct Pause {};
struct TakeSteps {
  std::int64_t count = 1;
};
/// To the start, with the settings as they are now.
struct Rewind {};
struct Load {
  Scenario scenario;
};
struct Change {
  std::string path;
  json::Node value;
};
struct Pace {
  Pacing pacing = Pacing::real_time;
  double factor = 1;
};
/// How much simulated time the trail spans [s]; 0: none.
struct Trail {
  double span = 0;
};
using Command = std::variant<Play, Pause, TakeSteps, Rewind, Load, Change, Pace, Trail>;

/// The newest state of the run, complete in itself.
struct Snapshot {
  std::uint64_t generation =
      0;  ///< rises when the run starts anew (load, rewind): older samples and poses are void
  RunState state = RunState::paused;
  std::int64_t steps = 0, planned_steps = 0, stride = 1;
  double t = 0, end_time = 0;  ///< [s]
  Pacing pacing = Pacing::real_time;
  double requested_factor = 1;  ///< simulated per real second, asked for
  double measured_factor = 0;   ///< and reached, over about half a second; 0 while paused
  double steps_per_second = 0;

  struct LaneView {
    std::string name;
    const IntegratorInfo* info = nullptr;
    State state;
    Sample sample;
    StepReport last;
  };
  std::vector<LaneView> lanes;
  std::shared_ptr<const System> system;
  const SystemInfo* system_info = nullptr;
  std::shared_ptr<const Scenario> present;  ///< settings now
  std::shared_ptr<const Scenario> record;   ///< start and events
  std::vector<Tag> tags;
  std::optional<Refusal> refusal;
  std::optional<Error> error;     ///< of the last command that could not be carried out
  std::uint64_t error_count = 0;  ///< rises with every such command
};

/// A sample of every lane, for plots and CSV. None is ever dropped.
struct SampleRow {
  std::uint64_t generation = 0;
  std::int64_t step = 0;
  std::vector<Sample> lanes;
};

/// Directions at one instant, for trails. Only the newest `Trail::span` seconds matter, older ones
/// may be dropped.
struct Pose {
  std::uint64_t generation = 0;
  double t = 0;
  std::vector<Columns> lanes;  ///< q of each lane
};

/// Steps a Simulation on a thread of its own. Commands go in by a queue; out come the newest
/// snapshot, which nobody waits for, and the stream of samples, which drops nothing. Wall-clock
/// time exists only here.
class Worker {
 public:
  /// Starts paused at the scenario's start. `wake` is called on the worker's thread when there is
  /// something new to show.
  explicit Worker(Simulation simulation, std::function<void()> wake = {});
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void send(Command command);

  /// The newest snapshot; valid until the next call. Called by one thread only.
  const Snapshot& snapshot();
  /// Moves the samples that came since the last call to the end of `out`.
  void drain_samples(std::vector<SampleRow>& out);
  /// Moves the poses that came since the last call to the end of `out`.
  void drain_poses(std::vector<Pose>& out);

  /// A scenario that continues the run from where it is now, bit for bit; with the step it was
  /// taken at.
  struct Captured {
    Scenario scenario;
    std::int64_t steps;
  };
  std::future<Captured> capture();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace twosphere
