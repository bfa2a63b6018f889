// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>
#include <atomic>
#include <cstdint>
#include <deque>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/record/history.h"
#include "core/record/run_view.h"
#include "core/run/worker.h"

namespace twosphere {

/// The run that the window shows: the worker, and what came out of it so far. Lives on the window's
/// thread and never waits for the worker, but for capture().
class LiveRun : public QObject {
  Q_OBJECT
 public:
  explicit LiveRun(Simulation simulation, const WorkerOptions& options = {});
  ~LiveRun() override;
  /// The other run goes on as this one, with all that came out of it, and this one as the other.
  /// Its generation must be later than this one's.
  void take_over(LiveRun& other);

  /// The command has been carried out once Snapshot::commands is at least what this returns.
  std::uint64_t send(Command command);
  /// What the last send() returned.
  std::uint64_t sent() const { return sent_; }
  /// How long a trail to keep [s]; 0: none.
  void keep_trail(double span);
  double trail_span() const { return trail_span_; }
  /// A scenario that continues from now, after the step in progress; for another thread, which may
  /// wait for it.
  std::shared_ptr<std::future<Worker::Captured>> request_capture();
  /// The same; waits for it.
  Worker::Captured capture() { return request_capture()->get(); }

  /// Takes what is new. The references below stay valid and unchanged until the next call, which
  /// comes by itself where nobody asks for long, as while the window is hidden.
  void update();
  const Snapshot& snapshot() const { return *snapshot_; }
  /// Whether the run goes on, as it was asked to last: the worker may still be in a step before it
  /// gets there.
  bool plays() const;
  /// Every sample of the present run up to the snapshot, one history per lane.
  const std::vector<History>& histories() const { return histories_; }
  /// What there is up to the snapshot, to be read on another thread.
  RunView view() const { return {History::views(histories_), snapshot_->record, snapshot_->tags}; }
  /// As many lanes as the window shows.
  static constexpr std::size_t most_lanes = 4;
  /// That a scenario has no more; else why the window does not open it.
  static Result<void> check_lanes(const Scenario& scenario);
  /// The lane that distances are taken from; the first if there is none such.
  void compare_with(int lane);
  /// The latest configurations, oldest first.
  const std::deque<Configuration>& trail() const { return trail_; }

 Q_SIGNALS:
  /// A command was sent.
  void asked();
  /// Something new came; once until the next update().
  void updated();

 private:
  void follow_stride(std::int64_t every);
  void compare();

  /// The last command that lets the run go on or ends that, as counted by send().
  struct Turn {
    std::uint64_t number = 0;
    bool plays = false;
  } turn_;
  std::uint64_t generation_ = 0, sent_ = 0;
  std::vector<History> histories_;
  int reference_ = 0;
  std::deque<Configuration> trail_;
  double trail_span_ = 0;         // [s]
  std::vector<SampleRows> rows_;  // drained, but newer than the snapshot
  std::int64_t every_ = 0;        // stride of the histories
  std::size_t state_budget_;      // [bytes]
  bool spends_ = false;           // memory, since what is freed was given back
  std::vector<Configuration> poses_;
  const Snapshot* snapshot_ = nullptr;
  std::atomic<bool> notified_ = false;
  QTimer unasked_;  // from updated() on
  /// Receives the notifications of the worker.
  struct Bell {
    std::mutex mutex;
    LiveRun* owner;
  };
  std::shared_ptr<Bell> bell_;
  std::unique_ptr<Worker> worker_;  // last: its thread calls back until it is gone
};

}  // namespace twosphere
