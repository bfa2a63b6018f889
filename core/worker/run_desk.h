// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/handoff.h"
#include "core/base/interrupt.h"
#include "core/run/checkpoints.h"
#include "core/run/live_cloud.h"
#include "core/run/simulation.h"
#include "core/run/trail.h"
#include "core/worker/drag_edit.h"
#include "core/worker/pacing.h"
#include "core/worker/publisher.h"
#include "core/worker/row_writer.h"
#include "core/worker/snapshot.h"

namespace twosphere {

/// The run of a worker and all that follows it, wherever the run comes from: rows, trail, cloud,
/// checkpoints, rates, and what is published of them. Used only by the worker's thread, except what
/// publisher, rows and configurations pass to the reader, and how other threads call. It has more
/// than twenty members because it is the one place of what either source moves along.
struct RunDesk {
  /// Interval between two snapshots as fast as possible.
  static constexpr std::chrono::milliseconds fast_interval{16};

  /// When more than `undrained` bytes of rows have not been drained, the run waits.
  RunDesk(Simulation simulation, std::int64_t max_samples, std::size_t state_budget,
          std::size_t undrained)
      : max_undrained(undrained),
        sim(std::move(simulation)),
        publisher(sim),
        rows(max_samples, state_budget) {}

  // Shared between the threads.
  std::mutex mutex;
  std::condition_variable changed;
  std::atomic<bool> called{false};     // there are requests, or the thread is to stop
  std::atomic<bool> interrupt{false};  // the step in progress is to be abandoned
  std::atomic<bool> awaiting_reader{false};
  Stream<Configuration> configurations_out;
  const std::size_t max_undrained;

  Simulation sim;
  Publisher publisher;
  RowWriter rows;
  std::function<void()> wake;
  RunStatus status;
  std::int64_t steps_left = 0;          // remaining steps of TakeSteps
  std::optional<double> pause_time;     // of PauseAt [s]
  bool follows_exponents = false;       // tangent vectors follow the run
  std::unique_ptr<LiveCloud> cloud;     // of status.cloud_plan
  std::shared_ptr<Checkpoints> clouds;  // status.cloud_checkpoints
  OpenDragEdit open_edit;
  bool row_pending = false;  // finish_row() has something to do
  /// Times of the lanes in the last step; empty if not measured, as at steps without stored states.
  std::vector<Clock::time_point> turns;
  RunTrail trail;
  RateMeter rates;
  std::int64_t batch = 1;  // steps between two readings of the clock
  bool unpublished = true;
  Clock::duration busy{0};                   // total time spent on steps
  std::shared_ptr<Checkpoints> checkpoints;  // of this generation

  void fail(Error what) {
    status.error = std::move(what);
    ++status.error_count;
    unpublished = true;
  }

  /// Stops running for the given reason.
  void halt(RunState why) {
    if (steps_left > 0) ++status.commands;
    steps_left = 0;
    status.state = why;
    rates.clear();
    unpublished = true;
  }

  /// Call when the settings may have changed. The cost of a step has to be measured again.
  void describe() {
    batch = 1;
    publisher.describe(sim);
  }

  void begin_checkpoints() {
    checkpoints = std::make_shared<Checkpoints>();
    status.checkpoints = checkpoints;
    add_checkpoint();
  }

  void add_checkpoint() {
    checkpoints->add(std::make_shared<const RunCheckpoint>(sim.checkpoint()), busy);
  }

  /// The same with the cloud, whose members have taken all steps.
  void add_cloud_checkpoint() {
    auto made = std::make_shared<RunCheckpoint>(sim.checkpoint());
    made->cloud = cloud->checkpoint();
    clouds->add(std::move(made), busy);
  }

  /// The cloud begins at the present step, or waits for its beginning if the run is past its step.
  void begin_cloud() {
    cloud.reset();
    clouds.reset();
    status.cloud_checkpoints.reset();
    status.cloud_rows.reset();
    if (!status.cloud_plan) return;
    // The plan of another run, whose present step and lanes this one may not have.
    CloudPlan& plan = *status.cloud_plan;
    plan.from = std::min(plan.from, sim.steps());
    if (plan.lane >= sim.lane_count()) plan.lane = 0;
    if (plan.from == sim.steps()) begin_cloud_here();
  }

  void begin_cloud_here() {
    status.cloud_plan->from = sim.steps();
    cloud = std::make_unique<LiveCloud>(*status.cloud_plan, sim);
    begin_cloud_checkpoints(*checkpoints);
  }

  /// Those checkpoints up to the present step are the ones before the cloud.
  void begin_cloud_checkpoints(const Checkpoints& earlier) {
    clouds = earlier.up_to(sim.steps(), busy);
    status.cloud_checkpoints = clouds;
    add_cloud_checkpoint();
  }

  /// Begins the trail anew.
  void begin_trail(double span) {
    trail.configure(span, sim.system()->size() * sim.lane_count());
    record_configuration();
  }

  void record_configuration() { trail.follow(sim, status.generation); }
  void record_row() {
    if (cloud && sim.at_sample())
      rows.record(sim, turns, std::pair(cloud->lane(), cloud->measure(sim, true)));
    else
      rows.record(sim, turns);
  }

  /// Takes the steps of the cloud that an interruption has left out, and writes the row that waits
  /// for them. False if it is interrupted again.
  bool finish_row() {
    if (!row_pending) return true;
    if (cloud && !cloud->catch_up()) return false;
    record_row();
    row_pending = false;
    return true;
  }

  void publish(Clock::time_point now) {
    const Interruptible interruptible(interrupt);
    if (!finish_row()) return;  // repeated after the interrupting request
    rows.publish(sim);  // first, so that the reader finds all rows that belong to the snapshot
    // The points that the run left out of its trail at full speed.
    trail.complete(sim, status.generation);
    trail.take(configurations_);
    configurations_out.append(configurations_, trail.capacity());

    if (publisher.outdated(sim)) describe();
    // Repeated after the interrupting request.
    if (!publisher.publish(sim, status, rates, open_edit, cloud.get(), now)) return;
    unpublished = false;
    if (wake) wake();
  }

  /// Waits until a request comes, or until a time.
  void sleep_until(Clock::time_point until) {
    std::unique_lock lock(mutex);
    changed.wait_until(lock, until, [this] { return called.load(); });
  }

  /// Waits until a request comes, or until rows have been drained.
  void await_drain() {
    if (unpublished) publish(Clock::now());
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return called.load() || rows.undrained() <= max_undrained / 2; });
  }

  /// Waits until a request comes, or until the last snapshot is taken, but not for long: a hidden
  /// window takes none.
  void await_reader() {
    awaiting_reader = true;
    {
      std::unique_lock lock(mutex);
      changed.wait_for(lock, reader_patience,
                       [this] { return called.load() || !publisher.unread(); });
    }
    awaiting_reader = false;
  }

 private:
  /// How long a step waits until it has been displayed.
  static constexpr std::chrono::milliseconds reader_patience{50};

  std::vector<Configuration> configurations_;
};

}  // namespace twosphere
