// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/run/checkpoints.h"
#include "core/run/live_cloud.h"
#include "core/run/simulation.h"
#include "core/worker/drag_edit.h"

namespace twosphere {

/// How the worker paces its steps against the wall clock.
enum class Pacing {
  every_step,  ///< each step is shown before the next one is taken
  real_time,   ///< simulated time runs at a set factor of real time
  fastest,     ///< as fast as possible
};

enum class RunState {
  paused,
  running,
  finished,  ///< has stopped at the planned number of steps
  failed,    ///< has stopped because the next step cannot be taken
  stopped,   ///< has stopped because a stop condition is met; Play continues past it
};

/// A run that another process computes and this one reads: see Load::live_file.
struct FollowedFile {
  enum class Activity {
    computing,  ///< it is computed at present
    silent,     ///< nothing has come for some seconds
    ended,      ///< the run has ended
    abandoned,  ///< its process has ended before the run
    replaced,   ///< the file is now that of another run
  };
  std::string path;
  Activity activity = Activity::computing;
  double silence = 0;     ///< since something came [s]; 0 if it is coming
  std::string problem{};  ///< why nothing more can be read, or why the run has ended early

  bool operator==(const FollowedFile&) const = default;
};

/// "Following run.live: no news for 42 s".
std::string describe(const FollowedFile& file);

/// The activity of the worker.
struct RunStatus {
  /// Increases when the run starts again (load, rewind, another start): older samples and
  /// configurations become invalid.
  std::uint64_t generation = 0;
  std::uint64_t commands = 0;  ///< number of commands carried out; see Worker::send()
  RunState state = RunState::paused;
  Pacing pacing = Pacing::real_time;
  double requested_factor = 1;  ///< requested ratio of simulated to real time
  std::optional<StepFailure> failure;
  std::optional<Error> error;     ///< of the last command that could not be carried out
  std::uint64_t error_count = 0;  ///< increases with every such command
  /// The checkpoints of this generation, from which Seeker computes any step.
  std::shared_ptr<const Checkpoints> checkpoints;
  /// The cloud that is asked for. Where Snapshot::cloud is none, it waits for FollowCloud with its
  /// beginning, because the run is past its step.
  std::optional<CloudPlan> cloud_plan;
  /// Like `checkpoints`, with the cloud; null if none follows.
  std::shared_ptr<const Checkpoints> cloud_checkpoints;
  /// The rows of its beginning, with those up to the step at which it has joined the run.
  std::shared_ptr<const std::vector<CloudRow>> cloud_rows;
  /// The record, up to its head, of the run that the last ContinueRun or Rewind left.
  std::shared_ptr<const Scenario> left;
  /// Set if the run is computed elsewhere; it cannot be changed then.
  std::optional<FollowedFile> followed;
};

/// The name of a lane on the screen: that of its method in place of the method's key, unless it has
/// one of its own. "Runge-Kutta 4", the second of them "Runge-Kutta 4 (2)".
std::string lane_title(const std::string& name, const IntegratorInfo* method);

/// The newest state of the run, self-contained. More than twenty members: whatever the window shows
/// of a run.
struct Snapshot : RunStatus {
  std::int64_t steps = 0, planned_steps = 0, stride = 1;
  double t = 0;              ///< [s]
  double elapsed = 0;        ///< Simulation::elapsed() [s]
  double end_time = 0;       ///< planned end, on the scale of elapsed [s]
  bool reversed = false;     ///< time decreases
  bool edits_start = false;  ///< Simulation::edits_start()
  /// The lanes are shown with an edit that is not made yet: see DragEdit.
  bool shows_edit = false;
  /// Measured ratio of simulated to real time over about half a second; 0 while paused.
  double measured_factor = 0;
  double steps_per_second = 0;
  /// Recent time per step of all lanes, including samples [s]; 0 before the first step.
  double step_seconds = 0;

  struct LaneView {
    std::string name;
    const IntegratorInfo* info = nullptr;
    State state;
    Sample sample;
    Sample row;  ///< the last row of a file: Simulation::row()
    StepReport last;
    /// The measurements so far of the tangent vectors that follow the lane.
    struct Chaos {
      std::vector<Exponents::Exponent> spectrum;
      double megno = 0, fli = 0;
      double elapsed = 0;  ///< the time since they began [s]
    };
    std::optional<Chaos> chaos{};  ///< none if none follow

    std::string title() const { return lane_title(name, info); }
  };
  std::vector<LaneView> lanes;
  std::optional<CloudView> cloud;  ///< none if none follows
  std::shared_ptr<const System> system;
  const SystemInfo* system_info = nullptr;
  std::shared_ptr<const Scenario> loaded;   ///< the scenario as it was opened from a file or preset
  std::shared_ptr<const Scenario> present;  ///< present settings
  std::shared_ptr<const Scenario>
      after_rewind;                        ///< present settings with those that wait for Rewind
  std::vector<Setting> pending;            ///< settings that wait for Rewind
  std::shared_ptr<const Scenario> record;  ///< start, with `every`, and events: repeats the run
  std::vector<RunMarker> markers;
  std::vector<Warning> warnings;                      ///< Simulation::warnings()
  std::vector<std::vector<CoarseStep>> coarse_steps;  ///< per lane: Simulation::coarse_steps()
  double fastest_rate = 0;                            ///< Simulation::fastest_rate() [rad/s]
  std::string stop_message;                           ///< Simulation::stopped(), or empty
  std::vector<StartDistance> start_distances;         ///< Simulation::start_distances()
  std::vector<ActivePull> pulls;                      ///< Simulation::pulls()

  /// Copies what changes with each step: clock, samples and states; also the name and method of
  /// each lane if `described` is false.
  void take(Simulation& simulation, bool described);
  /// Shows the lanes with an edit that is not made yet.
  void show(const OpenDragEdit& open_edit);
};

/// The parts of a snapshot that a picture of the present state needs: system, times, present
/// settings, and the lanes with their states and samples.
Snapshot snapshot(Simulation& simulation);

}  // namespace twosphere
