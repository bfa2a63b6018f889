// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>
#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/record/history.h"
#include "core/record/run_view.h"
#include "core/run/saved_states.h"
#include "core/run/seeker.h"
#include "core/run/worker.h"
#include "core/scenario/branches.h"

namespace twosphere {

/// The states of a run that a file kept. They are shown and continued at once; the samples before
/// the newest of them are missing until the run has been repeated up to it.
struct KeptStates {
  std::shared_ptr<const Scenario> record;  ///< as it was kept
  RunStates states;                        ///< one or more

  const RunCheckpoint& head() const { return *states.back(); }
};

/// One of the runs that share a start: the present one, or one that was left to continue another.
struct Branch {
  int id = 0;  ///< unique, never reused
  BranchLook look{};
  int parent = -1;             ///< id of the run that it branched from; -1: none
  std::int64_t fork_step = 0;  ///< the last step that it shares with that run
  // Set if the run is not the present one, up to its head; for a run from a file that is not
  // computed yet, only the record.
  std::shared_ptr<const Scenario> record{};
  std::shared_ptr<const Checkpoints> checkpoints{};
  std::vector<History> histories{};
  std::int64_t steps = 0;          ///< for a run from a file: its planned number of steps
  std::vector<Setting> pending{};  ///< settings that waited for Rewind when it began another start
  /// Set while samples at its beginning are missing, which are those of this kept run.
  std::shared_ptr<const KeptStates> kept{};
  bool put_away = false;  ///< deleted by LiveRun::exchange(), which can bring it back
};

/// The runs of one start.
struct RunFamily {
  std::vector<Branch> branches;
  std::vector<Branch> deleted{};  ///< latest last; remaining branches may have branched from them
  int present = 0;                ///< Branch::id of the run that was the present one last

  bool has(int id) const;
};

/// The run shown in the window: the worker and its results so far. Belongs to the thread of the
/// window and never waits for the worker, except in capture().
class LiveRun : public QObject {
  Q_OBJECT
 public:
  explicit LiveRun(Simulation simulation, const WorkerOptions& options = {});
  ~LiveRun() override;
  /// Sends a command; it has been carried out once Snapshot::commands is at least the returned
  /// number. An edit (CommandTraits) in the past forks first, unless it only waits for Rewind; if
  /// that is not possible, nothing is sent and 0 is returned.
  std::uint64_t send(Command command);
  /// The number returned by the last send().
  std::uint64_t sent() const { return sent_; }
  /// Sets the length of the trail [s]; 0: none.
  void set_trail_span(double span);
  /// Worker command FollowExponents.
  void follow_exponents(bool on);
  double trail_span() const { return trail_span_; }
  /// Requests a scenario that continues the run after the step in progress; another thread may wait
  /// for it.
  std::shared_ptr<std::future<Worker::Captured>> request_capture();
  /// The same, but waits for the result.
  Worker::Captured capture() { return request_capture()->get(); }
  /// Requests the record of a run of this start, up to its head, by its id: a function that another
  /// thread may call, and that waits for it. Null if there is no such run.
  std::function<Scenario()> request_record(int branch);

  /// Takes new results from the worker. The references below stay valid and unchanged until the
  /// next call. A timer calls it if nothing else does for some time, for instance while the window
  /// is hidden.
  void update();
  /// The head: the newest state of the run.
  const Snapshot& snapshot() const { return *snapshot_; }

  /// Shows the run after `step` steps, from 0 to the head: first the checkpoint before that step,
  /// and the exact step as soon as it is computed. Meanwhile the run continues if it was running.
  /// If the run starts again, its head is shown.
  void show(std::int64_t step);
  void show_head();
  /// Whether a past instant is shown: show() was called after the last show_head().
  bool in_past() const { return requested_step_.has_value(); }
  /// The requested step; that of the head if none is requested.
  std::int64_t requested_step() const { return requested_step_.value_or(snapshot_->steps); }
  /// The instant shown: the head, or a past state before the events of its step, with the settings
  /// of that time. Properties of the whole run (record, markers, warnings, plan) are those of the
  /// head.
  const Snapshot& shown() const { return past_ ? *past_ : *snapshot_; }
  /// Keeps a past instant valid while it is in use; null at the head.
  std::shared_ptr<const Snapshot> held() const { return past_; }
  /// Whether the instant shown is at the requested step.
  bool exact() const { return !in_past() || (past_ && past_->steps == *requested_step_); }
  /// Computes the run after a step up to the head, independently of the instant shown; without a
  /// step, stops this. previewed() is emitted when there is a new result.
  void preview(std::optional<std::int64_t> step);
  /// The present result of preview(): first the checkpoint before the step, then the step itself.
  /// Null if there is none.
  std::shared_ptr<const Snapshot> previewed_instant();
  /// Whether the run is running according to the last command sent, which the worker may not have
  /// reached yet. A run that is computed elsewhere does not play in this sense.
  bool plays() const;
  /// The file that the run is read from, if another process computes it; null otherwise. Then
  /// send() refuses what needs_own_run, returns 0, and emits own_run_needed(); no other run can
  /// be begun.
  const FollowedFile* followed() const;
  /// Whether the run is computed here; if not, emits own_run_needed().
  bool is_own();
  /// From the instant shown on, the run is computed here, as a run of its own that is paused; what
  /// was read of it is kept. From a past instant it is another run of the same start.
  void detach();
  /// Every sample of the current run up to the snapshot, one history per lane.
  const std::vector<History>& histories() const { return histories_; }
  /// The results up to the snapshot, which can be read on another thread.
  RunView view() const;
  /// Largest number of lanes in the window.
  static constexpr std::size_t most_lanes = 4;
  /// Fails if a scenario has more lanes.
  static Result<void> check_lanes(const Scenario& scenario);
  /// Sets what distances are measured to: a run of this start, by its id, the present one if there
  /// is none; in that run, the distances of the lanes from one of them, the first if it does not
  /// exist. Lanes of other runs are compared with the same lane of that run.
  void compare_with(int lane, int branch);
  /// The run that distances are measured to: its id.
  int reference_branch() const {
    return look(reference_branch_) ? reference_branch_ : present_branch_;
  }
  /// The latest configurations, oldest first.
  const std::deque<Configuration>& trail() const { return trail_; }
  /// From when on it is recorded, on the scale of Snapshot::elapsed [s]: later than the start if
  /// the run was continued, from another one or from a kept state. None if nothing is.
  std::optional<double> trail_since() const { return trail_since_; }

  /// The runs that share this start, including the present one.
  static constexpr std::size_t most_branches = twosphere::most_branches, most_put_away = 100;
  /// In order of creation.
  const std::vector<Branch>& branches() const { return branches_; }
  int present_branch() const { return present_branch_; }  ///< its id
  /// The runs that Rewind left, latest last.
  const std::vector<RunFamily>& rewound() const { return left_; }
  /// The number of steps that another branch shares with the present one.
  std::int64_t shared_steps(const Branch& other) const {
    return shared_steps(present_branch_, other);
  }
  /// The same with any run of its start, by its id.
  std::int64_t shared_steps(int run, const Branch& other) const;
  /// The run that a branch forks from, by its id, and the last step that they share. If that run
  /// was deleted, the one before it; −1: none.
  std::pair<int, std::int64_t> origin(const Branch& branch) const;
  /// Continues from the requested past step: the run so far is kept as a branch, and a new one
  /// begins. Returns its id; none at the head, while another branch is about to begin, or if there
  /// are too many.
  std::optional<int> fork();
  /// The same from any step so far, before the events of that step. From the head the other run
  /// takes the place of this one, which is put away.
  std::optional<int> fork_before(std::int64_t step);
  /// Whether the worker has been told to continue another branch and has not begun yet.
  bool going_on() const { return going_.has_value(); }
  /// Whether Rewind would begin the present run anew: no setting has changed since its start.
  bool keeps_its_start() const;
  /// Switches to another branch, which continues at its head, or to a run that Rewind left, which
  /// brings back all runs of its start. False if no run has this id.
  bool switch_to(int id);
  /// The same for Undo and Redo: also to a branch that was put away. If the present one has no step
  /// that the other one lacks, it is put away: deleted until it is brought back. False if there are
  /// too many branches, too.
  bool exchange(int id);
  /// Whether exchange() can go to this run, or it is the present one.
  bool keeps(int id) const;
  /// Whether this run, which may have been deleted or put away, has the start of the present one.
  bool is_of_this_start(int id) const;
  /// Takes the branches and the kept states of a scenario that was loaded by the constructor; its
  /// own run is the present one. Load does so automatically.
  void open_runs(const Scenario& scenario);
  /// Whether a scenario is being opened, or another run is about to be continued.
  bool is_opening() const { return loading_.has_value() || going_.has_value(); }
  /// Whether the run that is open, or being opened, goes on from a kept state.
  bool goes_on_from_kept() const;
  /// The runs of which samples are missing, those first that are needed first: the present one,
  /// those of its start, those that Rewind left. A run without checkpoints lacks all of them.
  std::vector<const Branch*> incomplete_runs() const;
  /// Takes the results that were computed for one of them, by its id, up to its head or to its kept
  /// state.
  void complete(int id, const Branch& computed);
  /// Increases when a branch is created, the look of one changes, or other runs take their place.
  std::uint64_t branch_changes() const { return branch_changes_; }
  /// The look of a branch; null if it is deleted or has never existed.
  const BranchLook* look(int id) const;
  /// Changes the look of a branch. Without a look the branch is deleted; a look restores a branch
  /// that was deleted recently. Fails if the name is invalid or not unique, if there are too many
  /// branches, or if the present branch would be deleted.
  Result<void> set_look(int id, const std::optional<BranchLook>& look);

 Q_SIGNALS:
  /// The runs of a scenario have been opened. `ids`: the numbers that they had where they were
  /// kept, and those that they have now; `rewound`: of the runs that Rewind left, oldest first,
  /// those that were the present ones.
  void opened(const std::map<int, int>& ids, const std::vector<int>& rewound);
  /// Another branch begins at the instant shown: the worker has been told to continue it.
  void forked(int from, int to);
  /// The worker has been told to begin a run of another start. The last of the runs that were left
  /// so are kept; switch_to() brings them back.
  void rewinding(int from, int to);
  /// No other branch can begin because there are too many.
  void fork_refused();
  /// Something was wanted that a run cannot do which is computed elsewhere.
  void own_run_needed();
  /// Emitted when a command was sent.
  void command_sent();
  /// New results are available; emitted once until the next update().
  void updated();
  /// previewed_instant() is another.
  void previewed();

 private:
  /// The runs of a scenario that the worker has been told to load.
  struct Loading {
    std::uint64_t number = 0;  // of the command
    RunFamily family{};
    std::vector<RunFamily> rewound{};
    std::map<int, int> ids{};
  };
  void install(Loading loaded);
  void announce();
  void follow_stride(std::int64_t every);
  void compare();
  void take_instant();
  std::shared_ptr<const Snapshot> snapshot_of(const Instant& instant) const;
  void begin();
  std::vector<History> fresh_histories(std::size_t lanes) const;
  RunFamily family_of(const Scenario& scenario, std::map<int, int>& ids);
  std::vector<RunFamily> rewound_of(const Scenario& scenario, std::map<int, int>& ids);
  void go_on_from_kept();
  std::vector<History> missing_histories(const Branch& branch) const;
  void append_rows(std::vector<SampleRows>::iterator last);
  void grow_histories(std::size_t lanes);
  void go_on(Branch to, std::shared_ptr<const RunCheckpoint> from, std::int64_t step,
             std::int64_t every, bool replaces = false);
  bool go_to(int id, bool replaces);
  void put_away(int id);
  void bring_back(int id);
  void adopt();
  void change_family(int from, int to);
  const Branch* find_branch(int id) const;
  Branch* find_branch(int id);
  static BranchLook unused_look(const std::vector<Branch>& branches);
  std::vector<std::vector<Branch>*> all_lists();
  void give_beginning(Branch& to, const Branch& computed, std::int64_t shared);
  std::int64_t shared_with_kept(const Branch& run) const;
  std::vector<const BranchLook*> other_looks(int id) const;
  void limit_deleted();
  void drop_deleted(std::vector<Branch>::iterator oldest);

  /// The last command that starts or pauses the run, with its number from send().
  struct StartOrPause {
    std::uint64_t number = 0;
    bool plays = false;
  } last_start_or_pause_;
  std::uint64_t generation_ = 0, sent_ = 0;
  std::uint64_t detached_ = 0;  // number of the last Detach or Load
  std::vector<History> histories_;
  int reference_ = 0, reference_branch_ = -1;  // a lane, and the id of a run
  std::deque<Configuration> trail_;
  std::optional<double> trail_since_;
  double trail_span_ = 0;          // [s]
  std::vector<SampleRows> rows_;   // received, but newer than the snapshot
  std::int64_t every_ = 0;         // stride of the histories
  std::size_t state_budget_;       // [bytes]
  bool has_freed_memory_ = false;  // freed memory was not returned to the system yet
  std::vector<Configuration> configurations_;
  const Snapshot* snapshot_ = nullptr;
  std::optional<std::int64_t> requested_step_;  // in the past
  std::shared_ptr<const Instant> instant_;      // past_ is made from it
  std::shared_ptr<const Snapshot> past_;
  std::optional<std::int64_t> preview_step_;
  std::shared_ptr<const Instant> preview_instant_;  // preview_ is made from it
  std::shared_ptr<const Snapshot> preview_;
  std::vector<Branch> branches_{{.id = 0, .look = {"run 1"}}};
  std::vector<Branch> deleted_;  // latest last; remaining branches may have branched from them
  std::vector<RunFamily> left_;  // latest last
  int present_branch_ = 0, next_branch_ = 1;
  /// The branch that the worker has been told to continue.
  struct Going {
    std::uint64_t number = 0;  // of the command
    Branch to;
    std::int64_t every = 1;
    std::shared_ptr<const Checkpoints> left;  // of the run that is left
    std::vector<Setting> pending{};           // settings that wait in that run for this Rewind
    bool rewinds = false;                     // it begins at a start of its own
    bool replaces = false;                    // the run that is left is put away
  };
  std::optional<Going> going_;
  std::uint64_t branch_changes_ = 0;
  std::optional<Loading> loading_;
  std::optional<std::map<int, int>> opened_;  // numbers of runs that announce() has to tell
  std::atomic<bool> notified_ = false;
  QTimer update_timer_;  // started by updated()
  /// Receives the notifications of the worker.
  struct Receiver {
    std::mutex mutex;
    LiveRun* owner;
  };
  std::shared_ptr<Receiver> receiver_;
  // Last members: their threads call back until they are destroyed.
  std::unique_ptr<Seeker> seeker_;
  std::unique_ptr<Seeker> previewer_;  // from the first preview() on
  std::unique_ptr<Worker> worker_;
};

}  // namespace twosphere
