// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>
#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/record/history.h"
#include "core/record/run_view.h"
#include "core/run/seeker.h"
#include "core/run/worker.h"
#include "core/scenario/branches.h"

namespace twosphere {

/// One of the runs that share a start: the present one, or one that was left where another went on.
struct Branch {
  int id = 0;  ///< never used again
  BranchLook look{};
  int parent = -1;             ///< id of the run that it left; -1: none
  std::int64_t fork_step = 0;  ///< the last step that it shares with that
  // Of a run that is not the present one: up to its head; of one from a file, which was not
  // computed yet, only the record.
  std::shared_ptr<const Scenario> record{};
  std::shared_ptr<const Checkpoints> checkpoints{};
  std::vector<History> histories{};
  std::int64_t steps = 0;  ///< of one from a file: that it is to have
};

/// The run shown in the window: the worker and its results so far. Belongs to the thread of the
/// window and never waits for the worker, except in capture().
class LiveRun : public QObject {
  Q_OBJECT
 public:
  explicit LiveRun(Simulation simulation, const WorkerOptions& options = {});
  ~LiveRun() override;
  /// Exchanges the two runs, including their results. The generation of `other` must be later than
  /// that of this one.
  void take_over(LiveRun& other);

  /// The command has been carried out once Snapshot::commands is at least what this returns. An
  /// edit (is_edit()) in the past forks first; where that is not possible, nothing is sent
  /// and 0 returned.
  std::uint64_t send(Command command);
  /// What the last send() returned.
  std::uint64_t sent() const { return sent_; }
  /// Sets the length of the trail [s]; 0: none.
  void set_trail_span(double span);
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

  /// Shows the run as it was after `step` steps, from 0 to the head: the checkpoint before it at
  /// once, exactly that as soon as it is computed. The run goes on meanwhile if it was running. A
  /// run that starts anew is shown at its head.
  void show(std::int64_t step);
  void show_head();
  /// Whether show() was called, and show_head() was not since.
  bool in_past() const { return requested_step_.has_value(); }
  /// The step asked for; that of the head if none was.
  std::int64_t requested_step() const { return requested_step_.value_or(snapshot_->steps); }
  /// What is shown: the head or an instant before it, as the step was reached, with the settings of
  /// then. What is true of the whole run (record, markers, warnings, plan) is that of the head.
  const Snapshot& shown() const { return past_ ? *past_ : *snapshot_; }
  /// Holds a past instant while it is looked at; null at the head.
  std::shared_ptr<const Snapshot> held() const { return past_; }
  /// Whether that is the step asked for.
  bool exact() const { return !in_past() || (past_ && past_->steps == *requested_step_); }
  /// Has the run computed as it was after a step up to the head, beside what is shown; without a
  /// step that ends. previewed() is emitted when there is something new.
  void preview(std::optional<std::int64_t> step);
  /// What preview() has come to: the checkpoint before the step at once, then the step itself. Null
  /// before, and when it has ended.
  std::shared_ptr<const Snapshot> previewed_instant();
  /// Whether the run is running, according to the last command sent, which the worker may not have
  /// reached yet.
  bool plays() const;
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

  /// The runs that share this start, the present one among them.
  static constexpr std::size_t most_branches = twosphere::most_branches;
  /// In the order they began.
  const std::vector<Branch>& branches() const { return branches_; }
  int present_branch() const { return present_branch_; }  ///< its id
  /// The last step that another branch shares with the present one.
  std::int64_t shared_steps(const Branch& other) const;
  /// Goes on from the past step that was asked for: the run so far is kept as a branch, and another
  /// begins. Returns its id; none at the head, while another is about to begin, or if there would
  /// be too many.
  std::optional<int> fork();
  /// The same from any step so far, as it was reached: without what was done to the run there.
  std::optional<int> fork_before(std::int64_t step);
  /// Whether the worker was told to go on with another branch, and has not begun yet.
  bool going_on() const { return going_.has_value(); }
  /// Goes on with another branch at its head. False if there is none of this id.
  bool switch_to(int id);
  /// Adds the branches of a scenario, whose own record is the present one, to be computed when they
  /// are gone on with. Load does so by itself.
  void add_branches(const Scenario& scenario);
  /// Takes what was computed of one of them, up to its head.
  void complete(int id, const Branch& computed);
  /// Rises when a branch is begun, or one is given another look.
  std::uint64_t branch_changes() const { return branch_changes_; }
  /// The look of a branch; null if it is deleted, or if there never was one.
  const BranchLook* look(int id) const;
  /// Gives it another look. Without one it is deleted, and a deleted one comes back with a look, if
  /// that is not long ago. Fails if the name is not valid or not unique, or if there would be too
  /// many; the present one cannot be deleted.
  Result<void> set_look(int id, const std::optional<BranchLook>& look);

 Q_SIGNALS:
  /// Another branch begins at the instant shown: the worker was told to go on with it.
  void forked(int from, int to);
  /// No other branch can begin, as there would be too many.
  void fork_refused();
  /// Emitted when a command was sent.
  void command_sent();
  /// New results are available; emitted once until the next update().
  void updated();
  /// previewed_instant() is another.
  void previewed();

 private:
  void follow_stride(std::int64_t every);
  void compare();
  void take_instant();
  std::shared_ptr<const Snapshot> snapshot_of(const Instant& instant) const;
  void begin();
  std::vector<History> fresh_histories(std::size_t lanes) const;
  void append_rows(std::vector<SampleRows>::iterator last);
  void grow_histories(std::size_t lanes);
  void go_on(Branch to, std::shared_ptr<const RunCheckpoint> from, std::int64_t step,
             std::int64_t every);
  void adopt();
  const Branch* find_branch(int id) const;
  Branch* find_branch(int id);
  BranchLook unused_look() const;
  std::vector<const BranchLook*> other_looks(int id) const;
  void drop_oldest_deleted();

  /// The last command that starts or pauses the run, with its number from send().
  struct StartOrPause {
    std::uint64_t number = 0;
    bool plays = false;
  } last_start_or_pause_;
  std::uint64_t generation_ = 0, sent_ = 0;
  std::vector<History> histories_;
  int reference_ = 0, reference_branch_ = -1;  // a lane, and the id of a run
  std::deque<Configuration> trail_;
  double trail_span_ = 0;          // [s]
  std::vector<SampleRows> rows_;   // received, but newer than the snapshot
  std::int64_t every_ = 0;         // stride of the histories
  std::size_t state_budget_;       // [bytes]
  bool has_freed_memory_ = false;  // freed memory was not returned to the system yet
  std::vector<Configuration> poses_;
  const Snapshot* snapshot_ = nullptr;
  std::optional<std::int64_t> requested_step_;  // in the past
  std::shared_ptr<const Instant> instant_;      // of which past_ is made
  std::shared_ptr<const Snapshot> past_;
  std::optional<std::int64_t> preview_step_;
  std::shared_ptr<const Instant> preview_instant_;  // of which preview_ is made
  std::shared_ptr<const Snapshot> preview_;
  std::vector<Branch> branches_{{.id = 0, .look = {"run 1"}}};
  std::vector<Branch> deleted_;  // the latest last; branches that remain may come from them
  int present_branch_ = 0, next_branch_ = 1;
  /// The branch that the worker was told to go on with.
  struct Going {
    std::uint64_t number = 0;  // of the command
    Branch to;
    std::int64_t every = 1;
    std::shared_ptr<const Checkpoints> left;  // of the run that is left
  };
  std::optional<Going> going_;
  std::uint64_t branch_changes_ = 0;
  /// A scenario with branches that the worker was told to load.
  struct Loading {
    std::uint64_t number = 0;  // of the command
    std::shared_ptr<const Scenario> scenario;
  };
  std::optional<Loading> loading_;
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
