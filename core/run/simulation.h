// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/mechanics/diagnostics.h"
#include "core/mechanics/integrator.h"
#include "core/run/checkpoint.h"
#include "core/run/guard.h"
#include "core/run/lane.h"
#include "core/scenario/run_clock.h"
#include "core/scenario/scenario.h"
#include "core/scenario/schedule.h"
#include "core/scenario/state_edit.h"

namespace twosphere {

/// A step that could not be taken, with an error message.
struct StepFailure {
  int lane = 0;
  StepReport report;
  std::int64_t step = 0;  ///< the step that failed, counted from the start; from 1
  double t = 0;           ///< time of the last good state [s]
  std::string message;    ///< names body, step, quantity and limit, and what to do

  /// Not an error: the step was interrupted by the Interruptible of this thread.
  bool interrupted() const { return report.status == StepStatus::interrupted; }
};

/// How far a lane of a run that was reversed is from its start, at the time of the start.
struct StartDistance {
  double q = 0;      ///< the largest |q_i − q_i(0)|
  double omega = 0;  ///< the largest |ω_i − ω_i(0)| [rad/s]
};

/// A run: the scenario's system, stepped by each of its lanes from one start, in lockstep. A step
/// of the run is one of H = grid_step(), the largest step of the lanes, in which each takes H/h of
/// its own; a lane is the same, bit for bit, whatever runs beside it. Deterministic: the same
/// scenario gives the same bytes, whatever the machine's clock does. Not thread-safe; Worker owns
/// one.
class Simulation {
 public:
  static Result<Simulation> create(Scenario scenario);
  /// A run that goes on from a checkpoint of it bit for bit. `record`: its start, and the events of
  /// which the checkpoint has applied the first.
  static Simulation at(Scenario record, const RunCheckpoint& checkpoint);
  /// The run as it is now.
  RunCheckpoint checkpoint();

  /// Applies the events due, then takes one step in every lane. If one lane refuses, none has
  /// moved. Returns the refusal, if any; an event that cannot be applied is refused alike, and so
  /// is a step to a row where a sampled quantity is not a finite number, and one that takes long
  /// when this thread is interrupted. A step from where the run
  /// has stopped is recorded as an event: whoever repeats the run goes on there, too.
  /// `turn`, if given, is called before each lane moves with its index, and with lane_count() when
  /// all have moved, to measure what each takes.
  std::optional<StepFailure> step(const std::function<void(int)>& turn = {});
  /// Takes steps up to step `last` > steps(), or one, in one call: at next to no cost beyond that
  /// of the methods, and what comes out is the same as that of step() after step(). Ends early
  /// after a step that somebody may want to look at (where thresholds are looked at, a row or the
  /// planned end; where a time of a stop condition may be reached; the first after an event), and
  /// between two steps once this thread is interrupted.
  std::optional<StepFailure> advance_to(std::int64_t last);
  /// Why the run is to stop after the last step: which condition is met, in which lane, by what
  /// value, at which step and time. Thresholds are looked at where a row is due, times at every
  /// step. None if nothing was met, or if the record goes on from here.
  const std::optional<std::string>& stopped() const { return stopped_; }

  /// What the guard found in the rows so far: those of the record's stride, and the planned last.
  const std::vector<Warning>& warnings() const { return guard_.warnings(); }
  /// Has the guard look at the present state as at a row: for the end of a run that is cut short.
  void look_at_end();
  /// From here on the last row, or change of the run, is kept before which no lane had been warned
  /// of, for go_back().
  void keep_last_good() { keeps_good_ = true; }
  /// Goes back there, if there are warnings: the state before a refused step is finite, but may
  /// mean nothing. Returns its step.
  std::optional<std::int64_t> go_back();

  /// Makes settings, all of them or none. Where edits_start() holds they edit the scenario's start.
  /// Else those that can change while running do so now, as an event that the record keeps
  /// (what is set again at the same step makes one event with what was set there before):
  /// (q, ω) stay but for what "state.q[i]" and "state.omega[i]" set, in every lane; the jump of E
  /// goes to W; a new step h starts the lane's clock anew, a new H the run's; a method that keeps
  /// the sphere takes the start normalised. The others (the start, parameters that take a reset,
  /// the sampling, names of lanes) wait for rewound(), and so does another list of lanes. While a
  /// list waits, so does whatever is set in it.
  Result<void> set(const std::vector<Setting>& settings);
  /// Whether set() edits the start: before the first step, unless the run continues a saved state
  /// or keeps its start.
  bool edits_start() const { return steps() == 0 && !record_.continuation && !keeps_start_; }
  /// From here on the start stays as it is, because other runs share it: what is set before the
  /// first step is an event, too. A run from a checkpoint keeps its start anyway.
  void keep_start() { keeps_start_ = true; }

  /// From here on every lane goes on with −h, as an event that the record keeps; a second time
  /// forwards again. At the same step twice is as if never.
  void reverse();
  bool reversed() const { return clock_.reversed(); }
  /// The distances of the lanes from the start if a run that was reversed has just come back to it,
  /// else none.
  const std::vector<StartDistance>& start_distances() const { return start_distances_; }

  /// Pulls a body from here on, as an event that the record keeps; at the same step another pull of
  /// the body that was pulled last replaces that.
  Result<void> pull(const Pull& pull);
  /// Begins a lane in the present state of another one, as an event that the record keeps:
  /// settings as in the list of lanes, and "from", the index of the other one. Its method begins
  /// anew, its E_0 is the energy here; it has no row before the next. Rewind has all lanes begin at
  /// the start. Refused while another list of lanes waits for that, and where edits_start() holds.
  Result<void> add_lane(const json::Node& lane);

  /// The pulls in force.
  const std::vector<ActivePull>& pulls() const { return pulls_; }

  const RunClock& clock() const { return clock_; }
  std::int64_t steps() const { return clock_.steps(); }  ///< taken since the start
  /// Of the run's own clock, the time of its samples [s].
  double time() const { return clock_.time(); }
  double grid_step() const { return clock_.grid_step(); }  ///< H [s]
  double elapsed() const { return clock_.elapsed(); }      ///< RunClock::elapsed() [s]
  double end_time() const { return clock_.end_time(); }    ///< of elapsed() [s]
  /// Steps from the start to end_time() with the present step, and back if the next event reverses
  /// the run there.
  std::int64_t planned_steps() const;
  bool finished() const { return clock_.finished() && !turns_here(); }
  /// A sample belongs to every stride-th step, from the start on: where it grows in the middle of a
  /// run, rows between are void.
  std::int64_t stride() const { return stride_.rows; }
  std::int64_t first_stride() const { return stride_.first; }  ///< before events set it
  /// Whether a sample belongs to the present step.
  bool at_sample() const { return steps() % stride() == 0; }
  /// Doubles the stride, as an event that the record keeps; not before the first step.
  void double_stride();
  /// Makes it this multiple of what it is, in the record from the start on.
  void widen_stride(std::int64_t every);

  const Scenario& record() const {
    return record_;
  }  ///< the start and every event: repeats this run
  const Scenario& present() const {
    return present_;
  }  ///< the settings as they are now, at the start state
  /// How many of the record's events have taken effect, from the first on.
  std::size_t events_applied() const { return next_event_; }
  /// The present settings with those that wait for rewound(), at the start to come.
  const Scenario& wanted() const { return wanted_; }
  /// What waits: set() with it makes wanted() of present().
  std::vector<Setting> pending() const;
  const std::vector<RunMarker>& markers() const { return markers_; }

  const std::shared_ptr<const System>& system() const { return system_; }
  const SystemInfo& system_info() const { return *system_info_; }
  int lane_count() const { return static_cast<int>(lanes_.size()); }
  const Lane& lane(int index) const { return lanes_[static_cast<std::size_t>(index)]; }
  /// The lane's state with ω up to date.
  const State& state(int index);
  /// Of the lane's present state; valid until the run is changed. Not finite if this thread is
  /// interrupted meanwhile.
  const Sample& sample(int index);
  /// The row that belongs to the present step: the sample as the step was reached, before what was
  /// changed since; missing_sample() for a lane that was added since.
  Sample row(int index);

  /// A scenario that continues this run bit for bit. It is a function of the state alone.
  Scenario continuation();
  /// The run's start with the settings as wanted() and no events: what Rewind goes back to.
  Scenario rewound() const;

 private:
  Simulation() = default;
  /// The system with these pulls.
  static std::shared_ptr<const System> pulled(const std::shared_ptr<const System>& system,
                                              const std::vector<ActivePull>& pulls);
  static Result<std::shared_ptr<const System>> make_system(const Scenario& scenario);
  std::optional<StepFailure> begin_step();
  std::optional<StepFailure> take_step(const std::function<void(int)>& turn);
  std::optional<StepFailure> coast(std::int64_t last);
  std::int64_t next_look() const;
  Result<void> apply(const Event& event);
  void record_event(Event event);
  void keep_stride();
  bool turns_here() const;
  void turn();
  void start_pull(const Pull& pull);
  Result<void> start_lane(const AddedLane& added);
  void change_pulls(std::vector<ActivePull> pulls);
  void measure_return();
  void restore(const RunCheckpoint& checkpoint);
  void put_unchanged();
  void mark(RunMarker marker);
  /// wanted() with these settings, and whether its list of lanes waits.
  Result<std::pair<Scenario, bool>> with_edits(const std::vector<Setting>& settings) const;
  Result<void> adopt(Scenario next, const std::vector<Setting>& changes);
  Result<void> check_state(const System& system, const State& state, const Values& values,
                           const StateEdits& edits) const;
  std::optional<StepFailure> check_row();
  void look_for_stops(bool row);
  Guard::Row guarded(int index);
  void guard_row();
  void keep_good();
  std::string worst_body(const StopConditions::Met& met);
  std::optional<StepFailure> advance(std::size_t index);
  StepFailure refused(std::size_t index, std::int64_t taken) const;
  void save(std::size_t index, Lane::Checkpoint& to) { lanes_[index].save(*acting_, to); }
  void roll_back(std::size_t index, const Lane::Checkpoint& from);
  void keep_former(bool all);
  void roll_back(std::size_t lanes);
  bool refresh();

  Scenario record_, present_, wanted_;
  const SystemInfo* system_info_ = nullptr;
  std::shared_ptr<const System> system_;
  std::vector<ActivePull> pulls_;
  std::shared_ptr<const System> acting_;  // system_ with the pulls
  bool pulled_ = false;                   // the last event is of pull() at this step
  std::vector<Lane> lanes_;
  std::vector<RunMarker> markers_;
  std::vector<Sample> reached_;  // one per lane if something was changed since the last step
  std::vector<std::optional<Sample>> measured_;  // one per lane, of the present state
  MeasureWorkspace measuring_;
  StopConditions stops_;
  std::optional<std::string> stopped_;
  std::vector<StartDistance> start_distances_;
  std::optional<RunClock> unturned_;      // if reverse() was called at this step: before
  std::vector<Lane::Checkpoint> former_;  // of keep_former()
  std::int64_t former_steps_ = 0;         // steps() then
  /// The run at this step, before set() changed it.
  struct Unchanged {
    RunCheckpoint run;
    std::int64_t every = 0;  // of the record
  };
  std::optional<Unchanged> unchanged_;  // if it has
  // What checkpoints share; null where it has changed since the last.
  std::shared_ptr<const RunCheckpoint::Settings> shared_settings_;
  std::shared_ptr<const std::vector<RunMarker>> shared_markers_;
  Sample unfinished_;  // what came of an interrupted measurement
  Guard guard_;
  bool guarded_ = false;  // the guard has seen the first row
  /// A state that means something.
  struct Good {
    std::vector<Lane::Checkpoint> lanes;
    RunClock clock;
    std::size_t next_event = 0;
  };
  std::optional<Good> good_;  // the last, with the present settings
  bool keeps_good_ = false;
  bool keeps_start_ = false;
  bool lanes_wait_ = false;  // wanted_ has another list of lanes
  std::size_t next_event_ = 0;
  RunClock clock_;
  SampleStride stride_;
};

}  // namespace twosphere
