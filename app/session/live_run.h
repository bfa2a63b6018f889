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
#include <optional>
#include <utility>
#include <vector>

#include "app/session/past_view.h"
#include "app/session/run_opening.h"
#include "core/branches/run_results.h"
#include "core/branches/run_tree.h"
#include "core/record/run_view.h"
#include "core/worker/worker.h"

// The run of a window as the window sees it. It belongs to the thread of the window, which must not
// wait: LiveRun sends commands to the worker, and update() takes what has come back since. What
// the worker computes is in a Snapshot, which stays valid and unchanged until the next update().
//
//     send() ──► Worker ──► snapshot, rows, configurations ──► update()
//                Seeker ──► past instants (PastView: the one shown, and the preview)
//
// LiveRun owns three things besides: the RunTree, which has the runs of this start and of earlier
// ones with their samples; the RunResults, which add to these what comes; and what it has told the
// worker and the worker has not begun yet. Of the last there are two kinds. `pending_` is a switch
// to another run (ContinueRun, Rewind), and `loading_` another scenario (Load). Both take effect in
// the first update() whose snapshot is of a newer generation and counts the command: rows of the
// former generation that came with it still belong to the run that is left, and are appended first.
// If the command is counted in the same generation, it has failed, and nothing has changed. A
// Rewind waits until there is no such command: it must be known which run it leaves.
//
// An edit in the past begins another run there: send() forks first. The worker then gets
// ContinueRun and the edit, in this order.
namespace twosphere {

/// The run shown in the window: the worker and its results so far. Belongs to the thread of the
/// window and never waits for the worker, except in capture(). More than forty functions: those of
/// the tree and of the past that the whole window calls are handed on here.
class LiveRun : public QObject {
  Q_OBJECT
 public:
  explicit LiveRun(Simulation simulation, const WorkerOptions& options = {});
  ~LiveRun() override;
  /// Sends a command; it has been carried out once Snapshot::commands is at least the returned
  /// number. An edit (CommandTraits) in the past forks first, unless it only waits for Rewind; if
  /// that is not possible, nothing is sent and 0 is returned. So it is with a Rewind while
  /// is_opening() or another process's run is left: once that is over, the run that is then open
  /// goes to its start, anew if a setting has changed.
  std::uint64_t send(Command command);
  /// The number returned by the last send().
  std::uint64_t sent() const { return sent_; }
  /// Sets the length of the trail [s]; 0: none.
  void set_trail_span(double span);
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
  /// Whether the run is running according to the last command sent, which the worker may not have
  /// reached yet. A run that is computed elsewhere does not play in this sense.
  bool plays() const;
  /// The file that the run is read from, if another process computes it; null otherwise. Then
  /// send() refuses what needs_own_run, returns 0, and emits own_run_needed(); no other run can
  /// be begun.
  const FollowedFile* followed() const;
  /// Whether the run is computed here; if not, emits own_run_needed().
  bool is_own();
  /// From the instant shown on, the run is computed here, as a separate run that is paused; what
  /// was read of it is kept. From a past instant it is another run of the same start.
  void detach();
  /// Whether Rewind would begin the present run anew: no setting has changed since its start.
  bool keeps_its_start() const;

  /// Shows the run after `step` steps, from 0 to the head: first the checkpoint before that step,
  /// and the exact step as soon as it is computed. Meanwhile the run continues if it was running.
  /// If the run starts again, its head is shown.
  void show(std::int64_t step) { past_.request(step, *snapshot_); }
  void show_head() { past_.request({}, *snapshot_); }
  /// Whether a past instant is shown: show() was called after the last show_head().
  bool in_past() const { return past_.step().has_value(); }
  /// The requested step; that of the head if none is requested.
  std::int64_t requested_step() const { return past_.step().value_or(snapshot_->steps); }
  /// The instant shown: the head, or a past state before the events of its step, with the settings
  /// of that time. Properties of the whole run (record, markers, warnings, plan) are those of the
  /// head.
  const Snapshot& shown() const { return past_.snapshot() ? *past_.snapshot() : *snapshot_; }
  /// Keeps a past instant valid while it is in use; null at the head.
  std::shared_ptr<const Snapshot> held() const { return past_.snapshot(); }
  /// Whether the instant shown is at the requested step.
  bool exact() const { return !in_past() || (held() && held()->steps == requested_step()); }
  /// Computes the run after a step up to the head, independently of the instant shown; without a
  /// step, stops this. previewed() is emitted when there is a new result.
  void preview(std::optional<std::int64_t> step) { preview_.request(step, *snapshot_); }
  /// The present result of preview(): first the checkpoint before the step, then the step itself.
  /// Null if there is none.
  std::shared_ptr<const Snapshot> previewed_instant();

  /// Every sample of the current run up to the snapshot, one history per lane.
  const std::vector<History>& histories() const { return tree_.present().histories; }
  /// The results up to the snapshot, which can be read on another thread.
  RunView view() const;
  /// The latest configurations, oldest first.
  const std::deque<Configuration>& trail() const { return results_.trail(); }
  /// From when on it is recorded, on the scale of Snapshot::elapsed [s]: later than the start if
  /// the run was continued, from another one or from a saved state. None if nothing is.
  std::optional<double> trail_since() const { return results_.trail_since(); }

  /// All runs: those that share this start, including the present one, and those that were left.
  const RunTree& runs() const { return tree_; }
  const std::vector<Branch>& branches() const { return tree_.branches(); }
  int present_branch() const { return tree_.present_id(); }  ///< its id
  const BranchLook* look(int id) const { return tree_.look(id); }
  /// RunTree::set_look(). Fails also if the run is about to begin.
  Result<void> set_look(int id, const std::optional<BranchLook>& look);
  /// The number of steps that another branch shares with the present one.
  std::int64_t shared_steps(const Branch& other) const {
    return tree_.shared_steps(present_branch(), other);
  }
  /// Sets what distances are measured to: RunTree::compare_with().
  void compare_with(int lane, int branch) { tree_.compare_with(lane, branch); }
  int reference_branch() const { return tree_.reference(); }

  /// Continues from the requested past step: the run so far is kept as a branch, and a new one
  /// begins. Returns its id; none at the head, while another branch is about to begin, or if there
  /// are too many.
  std::optional<int> fork();
  /// The same from any step so far, before the events of that step. From the head the other run
  /// takes the place of this one, which is archived.
  std::optional<int> fork_before(std::int64_t step);
  /// Whether the worker has been told to continue another branch and has not begun yet.
  bool is_switching() const { return pending_.has_value(); }
  /// Switches to another branch, which continues at its head, or to a run that Rewind left, which
  /// brings back all runs of its start. False if no run has this id.
  bool switch_to(int id);
  /// The same for Undo and Redo: also to an archived run. If the present one has no step that the
  /// other one lacks, it is archived. False if there are too many branches, too.
  bool switch_archiving(int id);
  /// Takes the branches and the saved states of a scenario that was loaded by the constructor; its
  /// own run is the present one. Load does so automatically.
  void open_runs(const Scenario& scenario);
  /// Whether a scenario is being opened, or another run is about to be continued.
  bool is_opening() const { return loading_.has_value() || pending_.has_value(); }
  /// Whether the run that is open, or being opened, continues from a saved state.
  bool continues_saved_state() const;
  std::vector<const Branch*> incomplete_runs() const { return tree_.incomplete(); }
  /// Takes the results that were computed for one of them, by its id: RunTree::complete(). While
  /// is_opening(), once that is over: a switch has taken what there was, and the checkpoints of the
  /// present run would go to the scenario that is opened.
  void complete(int id, const Branch& computed);

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
  /// update() has found that a cloud waits for its beginning: RunStatus::cloud_plan.
  void cloud_awaited();
  /// New results are available; emitted once until the next update().
  void updated();
  /// previewed_instant() is another.
  void previewed();

 private:
  /// The runs of a scenario that the worker has been told to load.
  struct Loading {
    std::uint64_t number = 0;  // of the command
    OpenedRuns runs{};
  };
  /// The run that the worker has been told to continue.
  struct PendingSwitch {
    std::uint64_t number = 0;  // of the command
    Branch to;
    std::int64_t every = 1;  // stride of its samples
    Departure departure{};
  };
  void notify();
  void continue_run(Branch to, std::shared_ptr<const RunCheckpoint> from, std::int64_t step,
                    std::int64_t every, Departure::Kind departure);
  void continue_at_head(Branch to, Departure::Kind departure);
  bool go_to(int id, Departure::Kind departure);
  void begin();
  void finish_switch();
  void rewind_opened();
  void install(OpenedRuns opened, std::vector<History> histories);
  void announce();
  void continue_thinning();

  /// The last command that starts or pauses the run, with its number from send().
  struct StartOrPause {
    std::uint64_t number = 0;
    bool plays = false;
  } last_start_or_pause_;
  std::uint64_t sent_ = 0;
  std::uint64_t detached_ = 0;  // number of the last Detach or Load
  const Snapshot* snapshot_ = nullptr;
  RunTree tree_;
  RunResults results_;
  std::optional<PendingSwitch> pending_;
  std::vector<std::pair<int, Branch>> completed_;  // by complete(), until that is over
  std::optional<Loading> loading_;
  std::optional<std::uint64_t> rewinds_after_;  // this command, and what it opens: a Rewind waits
  std::optional<std::map<int, int>> opened_;    // numbers of runs that announce() has to tell
  bool has_freed_memory_ = false;               // freed memory was not returned to the system yet
  double trail_span_ = 0;                       // [s]
  std::atomic<bool> notified_ = false;
  QTimer update_timer_;  // started by updated()
  // Last members: their threads call back until they are destroyed.
  PastView past_, preview_;
  std::unique_ptr<Worker> worker_;
};

}  // namespace twosphere
