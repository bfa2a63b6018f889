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

  /// The command has been carried out once Snapshot::commands is at least what this returns.
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

  /// Takes new results from the worker. The references below stay valid and unchanged until the
  /// next call. A timer calls it if nothing else does for some time, for instance while the window
  /// is hidden.
  void update();
  const Snapshot& snapshot() const { return *snapshot_; }
  /// Whether the run is running, according to the last command sent, which the worker may not have
  /// reached yet.
  bool plays() const;
  /// Every sample of the current run up to the snapshot, one history per lane.
  const std::vector<History>& histories() const { return histories_; }
  /// The results up to the snapshot, which can be read on another thread.
  RunView view() const {
    return {History::views(histories_), snapshot_->record, snapshot_->markers};
  }
  /// Largest number of lanes in the window.
  static constexpr std::size_t most_lanes = 4;
  /// Fails if a scenario has more lanes.
  static Result<void> check_lanes(const Scenario& scenario);
  /// Sets the lane from which distances are measured; the first one if it does not exist.
  void compare_with(int lane);
  /// The latest configurations, oldest first.
  const std::deque<Configuration>& trail() const { return trail_; }

 Q_SIGNALS:
  /// Emitted when a command was sent.
  void command_sent();
  /// New results are available; emitted once until the next update().
  void updated();

 private:
  void follow_stride(std::int64_t every);
  void compare();

  /// The last command that starts or pauses the run, with its number from send().
  struct StartOrPause {
    std::uint64_t number = 0;
    bool plays = false;
  } last_start_or_pause_;
  std::uint64_t generation_ = 0, sent_ = 0;
  std::vector<History> histories_;
  int reference_ = 0;
  std::deque<Configuration> trail_;
  double trail_span_ = 0;          // [s]
  std::vector<SampleRows> rows_;   // received, but newer than the snapshot
  std::int64_t every_ = 0;         // stride of the histories
  std::size_t state_budget_;       // [bytes]
  bool has_freed_memory_ = false;  // freed memory was not returned to the system yet
  std::vector<Configuration> poses_;
  const Snapshot* snapshot_ = nullptr;
  std::atomic<bool> notified_ = false;
  QTimer update_timer_;  // started by updated()
  /// Receives the notifications of the worker.
  struct Receiver {
    std::mutex mutex;
    LiveRun* owner;
  };
  std::shared_ptr<Receiver> receiver_;
  std::unique_ptr<Worker> worker_;  // last member: its thread calls back until it is destroyed
};

}  // namespace twosphere
