// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/run/checkpoints.h"
#include "core/run/simulation.h"

namespace twosphere {

/// How the worker paces its steps against the wall clock.
enum class Pacing {
  every_step,  ///< each step is shown before the next is taken
  real_time,   ///< simulated time runs at a set factor of real time
  fastest,     ///< as fast as possible
};

enum class RunState {
  paused,
  running,
  finished,  ///< paused by itself at the planned number of steps
  refused,   ///< paused by itself, as the next step cannot be taken
  stopped,   ///< paused by itself, as a stop condition is met; Play goes on past it
};

/// What the worker does with the run.
struct RunStatus {
  /// Rises when the run starts anew (load, rewind, another start): older samples and poses are
  /// void.
  std::uint64_t generation = 0;
  std::uint64_t commands = 0;  ///< carried out so far; see Worker::send()
  RunState state = RunState::paused;
  Pacing pacing = Pacing::real_time;
  double requested_factor = 1;  ///< simulated per real second, asked for
  std::optional<StepFailure> refusal;
  std::optional<Error> error;     ///< of the last command that could not be carried out
  std::uint64_t error_count = 0;  ///< rises with every such command
  /// Of this generation, so far: Seeker finds every step by them.
  std::shared_ptr<const Checkpoints> checkpoints;
  /// The record of the run that was left by the last GoOn, up to its head.
  std::shared_ptr<const Scenario> left;
};

/// The newest state of the run, complete in itself.
struct Snapshot : RunStatus {
  std::int64_t steps = 0, planned_steps = 0, stride = 1;
  double t = 0;              ///< [s]
  double elapsed = 0;        ///< Simulation::elapsed() [s]
  double end_time = 0;       ///< of elapsed [s]
  bool reversed = false;     ///< time decreases
  bool edits_start = false;  ///< Simulation::edits_start()
  /// Simulated per real second, reached over about half a second; 0 while paused.
  double measured_factor = 0;
  double steps_per_second = 0;
  /// That a step of all lanes took lately, its samples included [s]; 0 before there was one.
  double step_seconds = 0;

  struct LaneView {
    std::string name;
    const IntegratorInfo* info = nullptr;
    State state;
    Sample sample;
    Sample row;  ///< what a file's last row says: Simulation::row()
    StepReport last;
  };
  std::vector<LaneView> lanes;
  std::shared_ptr<const System> system;
  const SystemInfo* system_info = nullptr;
  std::shared_ptr<const Scenario> loaded;   ///< as the run came from its file or preset
  std::shared_ptr<const Scenario> present;  ///< settings now
  std::shared_ptr<const Scenario> wanted;   ///< those, and what waits for Rewind
  std::vector<Setting> pending;             ///< what waits for Rewind
  std::shared_ptr<const Scenario> record;   ///< start, with `every`, and events: repeats the run
  std::vector<RunMarker> markers;
  std::vector<Warning> warnings;               ///< Simulation::warnings()
  std::string stop_message;                    ///< Simulation::stopped(), or empty
  std::vector<StartDistance> start_distances;  ///< Simulation::start_distances()
  std::vector<ActivePull> pulls;               ///< Simulation::pulls()

  /// Takes what each step changes: clock, samples and states. Of a lane also its name and method
  /// if `described` is false.
  void take(Simulation& simulation, bool described);
};

}  // namespace twosphere
