// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/mechanics/coarse_step.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/integrator.h"
#include "core/run/after_rewind.h"
#include "core/run/checkpoint.h"
#include "core/run/guard.h"
#include "core/run/lane.h"
#include "core/run/row_block.h"
#include "core/run/step_watch.h"
#include "core/scenario/run_clock.h"
#include "core/scenario/scenario.h"
#include "core/scenario/schedule.h"
#include "core/scenario/state_edit.h"

/// The engine of a run: deterministic, without a thread or a clock.
///
/// It owns the record (the start and every event, which repeat the run), the settings that wait for
/// Rewind, a RunProgress and one Lane per method. All that steps and events change lies in the last
/// two, whose members are listed once: a checkpoint copies them, and restore() puts them back. What
/// else a Simulation has can be found again (samples of the present state, the lanes before the
/// last row) or belongs to the caller (observers).
///
/// A call of advance_to() goes through a run in this order. First the events of the present step
/// happen, because a step is taken with the settings that its events leave. Then steps are taken
/// without a check up to the last before the next row, planned end, return to the start, end of a
/// pull or event: only lanes and clock move. In between it looks no more often than someone asks
/// for: observers, CoarseSteps and the guard name the next step that they want, and stop conditions
/// want every one. The step that is checked comes last and alone, so that it can be taken back.
/// advance_rows() takes several that have rows before it checks them, and goes back if that was too
/// far.
///
/// Observers look and change nothing, and checkpoints are without them. What steps depend on is
/// therefore none. Guard and stop conditions mark the run and end it, so that they are part of the
/// RunProgress. Tangent vectors and the points of a section are found within the step of a lane,
/// from the variables of its method. A cloud takes steps of its own, which an interruption may put
/// off, and hears of an event before the step that follows it. Rows, trail and checkpoints are left
/// out or made up for as the caller's clock and reader want: the caller looks between two calls.
///
/// An edit is checked against the settings, then made as an event of the present step. A second one
/// of its kind there goes back to the checkpoint before the first, and both are made as one; other
/// kinds, and the next step, end such a series. Repeating the record thus never has to know how
/// often the user changed his mind.
namespace twosphere {

/// A step that could not be taken, with an error message.
struct StepFailure {
  int lane = 0;
  StepReport report;
  std::int64_t step = 0;  ///< number of the failed step, counted from the start, from 1
  double t = 0;           ///< time of the last good state [s]
  std::string message;    ///< names the body, step, quantity and limit, and recommends what to do

  /// Not an error: the step was interrupted by the Interruptible of this thread.
  bool interrupted() const { return report.status == StepStatus::interrupted; }
};

class Simulation;

/// In what respects the steps of the lanes of a run are coarse for its motion: judged by
/// coarse_steps() when this is first asked after a change of the settings, with the rates of the
/// first lane, and from then on whenever a StepWatch finds that the errors of the steps have grown.
/// What is found at a row by the sweeps of the step before it stays until the settings change.
class CoarseSteps {
 public:
  /// Of a lane. Costs time_scales() at first. Empty if this thread is interrupted.
  const std::vector<CoarseStep>& of(Simulation& run, int lane);
  bool known() const { return !lanes_.empty(); }
  void forget() { lanes_.clear(); }
  /// The fastest of the rates that it has judged by [rad/s]; 0 if it is not known().
  double fastest() const { return known() ? fastest_ : 0; }

  /// The step of the run after which it looks.
  std::int64_t next_step() const {
    return known() ? watch_.next() : std::numeric_limits<std::int64_t>::max();
  }
  /// Looks, and judges the steps of lanes whose errors have grown again.
  void after_step(Simulation& run);
  /// Judges the sweeps of the last steps, at a row.
  void after_row(const Simulation& run);

 private:
  std::vector<std::vector<CoarseStep>> lanes_;  // empty: not known
  double fastest_ = 0;                          // [rad/s]
  StepWatch watch_;                             // if they are known
};

/// A run: the system of a scenario, integrated by several lanes from one start in lockstep. One
/// step of the run is H = grid_step(), the largest step of the lanes; in it each lane takes H/h
/// steps of its own. A lane gives the same results, bit for bit, whichever other lanes run beside
/// it. Deterministic: the same scenario gives the same bytes, independently of wall-clock time. Not
/// thread-safe; owned by a Worker. It has about a hundred functions: forty only read the
/// present state, wherever in it a value lies; the private ones, of which each is a part of a step,
/// of an edit or of a check, all need the lanes, the clock and the record at once.
class Simulation {
 public:
  static Result<Simulation> create(Scenario scenario);
  /// A run that continues from one of its checkpoints bit for bit. `record`: its start and its
  /// events, the first of which the checkpoint has already applied.
  static Simulation at(Scenario record, const RunCheckpoint& checkpoint);
  /// The system of a scenario, ready for a run.
  static Result<std::shared_ptr<const System>> make_system(const Scenario& scenario);
  /// A checkpoint of the present state.
  RunCheckpoint checkpoint();

  /// Applies the events that are due, then takes one step in every lane. If one lane fails, none is
  /// moved, and the failure is returned. The step also fails if an event cannot be applied, if it
  /// leads to a row with a sampled quantity that is not finite, or if this thread is interrupted
  /// during a long step. A step from a state at which the run has stopped is recorded as an event,
  /// so that repeating the run continues there, too. `turn`, if given, is called with the index of
  /// each lane before the lane moves, and with lane_count() after all have moved, to measure their
  /// times.
  std::optional<StepFailure> step(const std::function<void(int)>& turn = {});
  /// Takes steps up to step `last` > steps(), or one step, in a single call. The results are those
  /// of repeated calls of step(), with almost no cost beyond that of the methods. Ends early after
  /// a step that the caller may want to examine (a row, the planned end, one at which a stop
  /// condition is met, the first step after an event), after up to RowBlock::capacity steps that
  /// stop conditions measure, and between two steps when this thread is interrupted.
  std::optional<StepFailure> advance_to(std::int64_t last);
  /// The same, but where every step has a row and nothing else of the steps is looked at, it goes
  /// on over up to RowBlock::capacity rows, whose quantities are measured together: rows(). For one
  /// lane, of a method with a fixed step and few bodies (RowBlock::suits()); others get one row at
  /// a time. Events, observers, the planned end, stop conditions, warnings and steps that fail are
  /// met at the same step. `turn` as in step(), of all steps that are taken together.
  std::optional<StepFailure> advance_rows(std::int64_t last,
                                          const std::function<void(int)>& turn = {});
  /// The rows of the last call of advance_rows(), if there were several, up to the present step;
  /// none after every other call that moves the run or changes its settings.
  const RowBlock& rows() const { return rows_; }
  /// Applies the events that are due, as the next call of step() or advance_to() does at first.
  std::optional<StepFailure> apply_events() { return begin_step(); }
  /// How many runs of the same system and settings, that differ only in their starts,
  /// advance_together() takes at most; 1: none.
  std::size_t width() const;
  /// Takes the same number of steps of up to width() such runs together, which have not stopped,
  /// until one of them has stopped, or its next step is one after which advance_to() would end
  /// early. May take fewer, or none, as where an event has changed the settings of some. Each run
  /// is then as by advance_to(), bit for bit.
  static void advance_together(std::span<Simulation* const> runs);
  /// Why the run stops after the last step: the condition that is met, the lane, the value, the
  /// step and the time. Conditions are checked at the start, unless it is a saved state, and after
  /// every step. None if no condition is met, or if the record continues from here.
  const std::optional<std::string>& stopped() const { return now_.stopped; }
  /// The time of the present step; where a condition that is wanted at its crossing has just
  /// stopped the run, the first time within the step at which a lane crosses its bound [s].
  double stop_time() const { return now_.stop_time.value_or(time()); }

  /// Looks at the run after a step, at states and samples, and changes nothing. Returns the step
  /// after which it wants to look again.
  using Observer = std::function<std::int64_t(Simulation&)>;
  /// From now on lets an observer look, beside those before it: at once, and then after every step
  /// that it wants, whatever the stride of the rows is. Between those it costs nothing. Steps that
  /// fail are not seen. Values may be not finite between rows. Returns its number, for unobserve().
  /// Checkpoints and continuations are without observers, and so is the run that an edit of the
  /// start makes, see set().
  /// `takes_rows`: where several steps have been measured together, it is called once after them,
  /// and finds all of them in rows(), so that they need not be taken one by one for it.
  std::size_t observe(Observer observer, bool takes_rows = false);
  /// The observer of this number, if there is one, no longer looks.
  void unobserve(std::size_t number);

  /// The warnings of the guard for the rows so far: those at the stride of the record, and the last
  /// planned one.
  const std::vector<Warning>& warnings() const { return now_.guard.warnings(); }
  /// Lets the guard check the present state like a row, at the end of a run that is cut short.
  void check_at_end();
  /// In what respects the step of a lane is coarse for its motion: CoarseSteps.
  const std::vector<CoarseStep>& coarse_steps(int lane) { return coarse_.of(*this, lane); }
  /// Whether this has been asked since the settings changed.
  bool knows_coarse_steps() const { return coarse_.known(); }
  /// CoarseSteps::fastest() [rad/s].
  double fastest_rate() const { return coarse_.fastest(); }
  /// From now on, saves the state at the last row or change of the run before the first warning,
  /// for go_back().
  void save_last_good() { saves_good_ = true; }
  /// Returns to that state if there are warnings, because the state before a failed step is finite
  /// but may be meaningless. Returns its step.
  std::optional<std::int64_t> go_back();

  /// Changes settings, all of them or none. If edits_start() holds, they edit the start of the
  /// scenario. Otherwise the settings that can change during a run take effect now, as an event
  /// that is recorded. A change at the same step is merged with the event of the earlier changes of
  /// that step. The states of all lanes are kept, except for what StateEdits set. The change of E
  /// is added to W; a new step h restarts the clock of the lane, a new H that of the run; a method
  /// that preserves the sphere normalises its start. All other settings (the start, parameters that
  /// need a reset, the sampling, a different list of lanes) wait for rewound(). While a list of
  /// lanes waits, so do the settings inside it. Consecutive changes with the same number `gesture`
  /// are of one gesture: Event::since. 0: of none.
  Result<void> set(const std::vector<Setting>& settings, std::uint64_t gesture = 0);
  /// Whether set() edits the start: true before the first step, unless the run continues a saved
  /// state or keeps its start.
  bool edits_start() const { return steps() == 0 && !record_.continuation && !keeps_start_; }
  /// From now on the start is not changed, because other runs share it: settings changed before the
  /// first step become events, too. A run made from a checkpoint always keeps its start.
  void keep_start() { keeps_start_ = true; }

  /// From now on every lane steps by −h, as an event that is recorded. The next call restores the
  /// forward direction; two calls at the same step cancel. With `to_start` the duration is set
  /// before, as an event, too, so that the planned end is back at the start or, if that is behind,
  /// where the run would have ended in this direction.
  void reverse(bool to_start = false);
  bool reversed() const { return now_.clock.reversed(); }
  /// The distances of the lanes from the start, as the reversed run came back to it, also if it has
  /// continued past it; none before, and after another reversal.
  const std::vector<StartDistance>& start_distances() const { return now_.start_distances; }

  /// Pulls a body from now on, as an event that is recorded. A second pull at the same step
  /// replaces the last one if it pulls the same body.
  Result<void> pull(const Pull& pull);
  /// Begins a lane at the present state of another lane, as an event that is recorded. `lane`:
  /// settings as in the list of lanes, and "from", the index of the other lane. The method starts
  /// afresh, E_0 is the energy at this state, and the lane has no row before the next one. After
  /// Rewind all lanes begin at the start. Fails while another list of lanes waits for Rewind, and
  /// where edits_start() holds.
  Result<void> add_lane(const json::Node& lane);

  /// From now on `count` tangent vectors, or as many as stop conditions need, follow every lane,
  /// also those added later; see Exponents. Results of the lanes do not change. A saved state that
  /// has vectors continues with them. Fails if a method has no tangent map for the system, or if
  /// vectors that have followed some steps are of another number.
  Result<void> follow_exponents(int count);
  /// From now on `count` tangent vectors, at most 4n, follow every lane whose method has a tangent
  /// map; those that follow a lane already continue, unless they are lost.
  void follow_where_possible(int count);
  /// No vectors follow any lane from now on, unless stop conditions need them.
  void end_following();
  /// Why vectors no longer follow a lane to the end; empty if they do, or if none ever did.
  std::string why_exponents_ended(int lane) const;

  /// From now on the points in which every lane crosses a section are found, also those of lanes
  /// added later; see SectionCrossings. Results of the lanes do not change. The section becomes
  /// that of the scenario; the numbers of a saved state with the same section continue. Fails if
  /// the section does not fit the system, and in a heat bath.
  Result<void> follow_section(const PoincareSection& section);
  /// The points of a lane since the last call, each of which is given once.
  std::vector<SectionPoint> take_section_points(int lane);

  /// The active pulls.
  const std::vector<ActivePull>& pulls() const { return now_.pulls; }

  const RunClock& clock() const { return now_.clock; }
  std::int64_t steps() const { return now_.clock.steps(); }  ///< taken since the start
  /// Time on the clock of the run, at which samples are taken [s].
  double time() const { return now_.clock.time(); }
  double grid_step() const { return now_.clock.grid_step(); }  ///< H [s]
  double elapsed() const { return now_.clock.elapsed(); }      ///< RunClock::elapsed() [s]
  double end_time() const { return now_.clock.end_time(); }    ///< on the scale of elapsed() [s]
  /// Steps from the start to end_time() with the present step, including the way back if the next
  /// event reverses the run there.
  std::int64_t planned_steps() const;
  bool finished() const { return now_.clock.finished() && !next_event_reverses(); }
  /// A sample is taken every stride() steps from the start. If the stride grows during a run, the
  /// rows in between become invalid.
  std::int64_t stride() const { return now_.stride.rows; }
  std::int64_t first_stride() const { return now_.stride.first; }  ///< before events change it
  /// Whether a sample belongs to the present step.
  bool at_sample() const { return steps() % stride() == 0; }
  /// Doubles the stride, as an event that is recorded; not before the first step.
  void double_stride();
  /// Sets the stride to `every`, a multiple of the present one, in the record from the start.
  void widen_stride(std::int64_t every);

  /// The start and every event: repeats this run.
  const Scenario& record() const { return record_; }
  /// The settings as they are now, at the start state.
  const Scenario& present() const { return now_.settings->present; }
  /// Number of events of the record that have taken effect.
  std::size_t events_applied() const { return now_.events_applied; }
  /// The present settings together with those that wait for rewound(), at the new start.
  const Scenario& after_rewind() const { return after_rewind_.settings; }
  /// The waiting settings: set() with them turns present() into after_rewind().
  std::vector<Setting> pending() const { return after_rewind_.pending(present()); }
  const std::vector<RunMarker>& markers() const { return markers_; }

  const std::shared_ptr<const System>& system() const { return now_.settings->system; }
  /// The same with the active pulls as external forces: the system in which the next step is taken,
  /// unless an event is due before it.
  const std::shared_ptr<const System>& acting_system() const { return acting_; }
  const SystemInfo& system_info() const { return info_of(present()); }
  int lane_count() const { return static_cast<int>(lanes_.size()); }
  const Lane& lane(int index) const { return lanes_[static_cast<std::size_t>(index)]; }
  /// The lane's state with ω up to date.
  const State& state(int index);
  /// A sample of the lane's present state; valid until the run is changed. Not finite if this
  /// thread is interrupted during the measurement.
  const Sample& sample(int index);
  /// The row of the present step: the sample when the step was reached, before the changes since;
  /// missing_sample() for a lane that was added since.
  Sample row(int index);

  /// A scenario that continues this run bit for bit. It depends only on the present state.
  Scenario continuation();
  /// The start of the run with the settings of after_rewind() and no events, to which Rewind
  /// returns.
  Scenario rewound() const { return after_rewind_.start(record_, present()); }

 private:
  /// Edits of one kind at this step, of which a second one goes back to before the first: see
  /// set(), reverse() and pull().
  struct EditSeries {
    enum class Kind { set, reverse, pull };
    Kind kind;
    RunCheckpoint before;
    std::int64_t every;  // stride of the record then
  };
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

  Simulation() = default;
  /// The system with these pulls as external forces.
  static std::shared_ptr<const System> pulled(const std::shared_ptr<const System>& system,
                                              const std::vector<ActivePull>& pulls);
  std::optional<StepFailure> begin_step();
  std::optional<StepFailure> advance_past(std::int64_t last, bool rows,
                                          const std::function<void(int)>& turn);
  std::optional<StepFailure> take_step(const std::function<void(int)>& turn);
  std::optional<StepFailure> advance_unchecked(std::int64_t last);
  std::int64_t next_check() const;
  std::int64_t next_change() const;
  bool take_rows(std::int64_t last, const std::function<void(int)>& turn);
  std::int64_t rows_together(std::int64_t last);
  bool stop_is_due() const;
  void repeat_to(std::int64_t step);
  void guard_rows(std::int64_t first);
  Result<void> happen(const Event& event);
  Result<void> apply(const Event& event);
  Result<void> check_room() const;
  void record_event(Event event);
  void keep_stride();
  void keep_omitted_rows();
  bool is_due(bool Event::*what) const;
  bool next_event_reverses() const;
  void turn();
  void start_pull(const Pull& pull);
  Result<void> start_lane(const AddedLane& added);
  void change_pulls(std::vector<ActivePull> pulls, bool begun);
  void end_pulls();
  Result<void> check_following(const Scenario& settings, const System& system) const;
  void follow_for_stops();
  void measure_return();
  void restore(const RunCheckpoint& checkpoint);
  void change_settings(Scenario present, std::shared_ptr<const System> system);
  EditSeries series(EditSeries::Kind kind) { return {kind, checkpoint(), record_.every}; }
  bool repeats(EditSeries::Kind kind) const { return series_ && series_->kind == kind; }
  std::vector<Event> go_back_to_edit();
  void mark(RunMarker marker);
  Result<void> adopt(Scenario next, const std::vector<Setting>& changes,
                     std::optional<std::int64_t> since);
  std::optional<StepFailure> check_row();
  std::int64_t unseen_steps() const;
  void look();
  void find_next_look();
  void check_stops();
  std::optional<double> locate(const StopConditions::Met& met) const;
  Guard::Row guarded(int index);
  void guard_row();
  void mark_warnings(std::size_t first);
  void save_good();
  StopConditions::Observed observed(int index, bool measures);
  std::span<const StopConditions::Observed> observed();
  std::optional<StepFailure> advance(std::size_t index);
  void forget_samples();
  void forget_saved();
  void save_for_rollback(bool all);
  void roll_back(std::size_t lanes);
  bool refresh();

  Scenario record_;
  AfterRewind after_rewind_;
  bool keeps_start_ = false;
  RunProgress now_;
  std::shared_ptr<const System> acting_;  // system() with the pulls
  std::vector<Lane> lanes_;
  std::vector<RunMarker> markers_;
  // Shared by checkpoints; null if changed since the last one.
  std::shared_ptr<const std::vector<RunMarker>> shared_markers_;
  std::vector<std::int64_t> points_taken_;  // per lane, the number of the next section point
  /// Samples of the present state, and memory for what is measured.
  struct Measured {
    std::vector<std::optional<Sample>> lanes;
    Sample unfinished;  // incomplete result of an interrupted measurement
    std::vector<StopConditions::Observed> observed;  // one per lane
    MeasureWorkspace workspace;
  } measured_;
  /// An observer with the step after which it looks again.
  struct Observing {
    Observer look;
    std::int64_t next;
    bool takes_rows;
  };
  std::vector<Observing> observers_;
  std::int64_t next_look_ = never;                // the least of theirs
  std::int64_t next_single_look_ = never;         // the least of those that do not take rows
  std::vector<Lane::Checkpoint> rollback_lanes_;  // the lanes saved by save_for_rollback()
  std::int64_t rollback_steps_ = 0;               // steps() when they were saved
  RowBlock rows_;                                 // rows()
  std::int64_t rows_alone_ = 0;                   // so many rows are taken one by one
  std::int64_t rows_pause_ = 0;                   // how many were the last time
  std::optional<EditSeries> series_;              // the last one since the last step
  /// The gesture of the last set().
  struct Gesture {
    std::uint64_t number = 0;             // 0: none
    std::optional<std::int64_t> since{};  // step of its first event
  } gesture_;
  CoarseSteps coarse_;
  /// A state before the first warning.
  struct Good {
    std::vector<Lane::Checkpoint> lanes;
    RunClock clock;
    std::size_t events_applied = 0;
  };
  std::optional<Good> good_;  // the last one with the present settings
  bool saves_good_ = false;
};

}  // namespace twosphere
