// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/interrupt.h"
#include "core/run/row_block.h"
#include "core/worker/live_follower.h"
#include "core/worker/mouse_pull.h"
#include "core/worker/run_desk.h"

/// Where the run of a worker comes from. Internal to the worker.
namespace twosphere {

/// Where the run of a worker comes from: ComputedRun or FollowedRun. All calls are on the worker's
/// thread.
class RunSource {
 public:
  explicit RunSource(RunDesk& desk) : desk_(desk) {}
  virtual ~RunSource() = default;

  /// Whether the run is computed here. If not, commands that change it are refused.
  virtual bool is_own() const = 0;
  /// The run is at its start: forgets what it knew of the one before.
  virtual void begin() = 0;
  /// Gives the rows of the start.
  virtual void give_start() = 0;
  /// Whether the run continues by itself.
  virtual bool is_active() const = 0;
  /// Continues for some milliseconds, publishes what there is, and waits as long as nothing is due.
  virtual void advance() = 0;

  virtual void pause() {}
  /// The pace has changed.
  virtual void change_pace() {}
  /// Releases a body that is pulled by the mouse.
  virtual void release() {}
  /// Leaves the run as it is now to be computed here. False if it is already.
  virtual bool detach() { return false; }

 protected:
  RunDesk& desk_;
};

/// A run that another process computes, read from its live file: the simulation stands at the
/// newest state, and the rows are passed on.
class FollowedRun final : public RunSource {
 public:
  FollowedRun(RunDesk& desk, LiveFollower file) : RunSource(desk), file_(std::move(file)) {}

  bool is_own() const override { return false; }
  void begin() override { desk_.busy = {}; }
  void give_start() override {
    desk_.rows.resume();
    take_state();
    update_follow_status();
  }

  bool is_active() const override { return true; }
  /// Reads on in the file, for as long as a frame takes.
  void advance() override {
    const auto begun = Clock::now();
    // A reader that takes no rows stops the reading.
    const auto full = [this] { return desk_.rows.undrained() > desk_.max_undrained; };
    bool more = true;
    while (more && !desk_.called.load(std::memory_order_relaxed) && !full() &&
           Clock::now() - begun < RunDesk::fast_interval) {
      const LiveFollower::ReadResult came = file_.read();
      if (came == LiveFollower::ReadResult::state) take_state();
      more = came != LiveFollower::ReadResult::nothing;
    }
    show_last_state();
    update_follow_status();
    if (desk_.unpublished) desk_.publish(Clock::now());
    if (full())
      desk_.await_drain();
    else if (!more)
      desk_.sleep_until(Clock::now() + file_.patience());
  }

  bool detach() override {
    show_last_state();
    desk_.status.followed.reset();
    if (desk_.status.state == RunState::running) desk_.status.state = RunState::paused;
    return true;
  }

 private:
  /// The rows up to the last state belong to the run with it.
  void take_state() {
    file_.take_rows(rows_);
    for (SampleRows& some : rows_) desk_.rows.pass(std::move(some));
    rows_.clear();
    const LiveState& state = file_.last();
    // Time spent on steps is that of the other process, so that checkpoints are as dense as there.
    const Clock::duration busy =
        std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(state.seconds));
    desk_.busy = busy;
    if (desk_.checkpoints->due(busy)) desk_.checkpoints->add(state.checkpoint, busy);
    desk_.rates.mark(Clock::time_point(busy), state.checkpoint->clock.elapsed(),
                     state.checkpoint->step(), busy);
  }

  /// The last state that was read becomes the present one.
  void show_last_state() {
    const auto& last = file_.last().checkpoint;
    if (last == shown_) return;
    Simulation& sim = desk_.sim;
    // Settings are described again only where they have changed.
    bool described = shown_ && shown_->settings == last->settings;
    sim = Simulation::at(sim.record(), *last);
    if (sim.stride() != desk_.rows.stride()) {
      sim.widen_stride(desk_.rows.stride());
      described = false;
    }
    shown_ = last;
    if (!described) desk_.describe();
    desk_.unpublished = true;
  }

  /// Brings the status up to date.
  void update_follow_status() {
    RunStatus& status = desk_.status;
    LiveFollower::Status now = file_.status();
    if (now.failure) status.failure = std::move(now.failure);
    if (now.state != RunState::running) desk_.rates.clear();
    if (status.followed && *status.followed == now.file && status.state == now.state) return;
    status.followed = std::move(now.file);
    status.state = now.state;
    desk_.unpublished = true;
  }

  LiveFollower file_;
  std::shared_ptr<const RunCheckpoint> shown_;  // where the simulation is
  std::vector<SampleRows> rows_;
};

/// A run that is computed here, paced by the wall clock or as fast as possible.
class ComputedRun final : public RunSource {
 public:
  using RunSource::RunSource;

  bool is_own() const override { return true; }
  void begin() override {
    mouse_pulls_.reset();
    past_plan_ = false;
    reattach_exponents();
  }

  void give_start() override { desk_.record_row(); }
  bool is_active() const override { return desk_.status.state == RunState::running; }
  /// Takes the steps that are due, publishes them, and sleeps until the next.
  void advance() override {
    if (desk_.rows.undrained() > desk_.max_undrained) return desk_.await_drain();
    Simulation& sim = desk_.sim;
    const bool timed = desk_.status.pacing == Pacing::real_time && desk_.steps_left == 0;
    const bool one_by_one = desk_.status.pacing == Pacing::every_step;
    const auto begun = Clock::now();
    // The run does not make up for a pause of the program.
    if (timed) pacer_.forgive(begun, next_time());
    // At full speed most of the trail would never be shown.
    if (!timed && !one_by_one && outruns_trail())
      desk_.trail.leave_out(sim);
    else
      desk_.trail.complete(sim, desk_.status.generation);

    std::int64_t& batch = desk_.batch;
    // Takes the steps that are due by now, or a batch of them.
    const std::int64_t max_steps = one_by_one ? 1 : batch, first = sim.steps();
    std::int64_t taken = 0;
    bool waits = false, more = true;
    while (more && taken < max_steps && !desk_.called.load(std::memory_order_relaxed)) {
      waits = timed && pacer_.due(next_time()) > begun;
      if (waits) break;
      const double due = timed ? pacer_.reached(begun) : never;
      more = advance_to(std::min(first + max_steps, sim.steps() + steps_until(due)));
      taken = sim.steps() - first;
    }

    const auto now = Clock::now();
    desk_.busy += now - begun;
    // Checkpoints by the time that the steps have cost.
    if (taken > 0 && desk_.checkpoints->due(desk_.busy)) desk_.add_checkpoint();
    if (taken > 0 && desk_.cloud && !desk_.row_pending && desk_.clouds->due(desk_.busy))
      desk_.add_cloud_checkpoint();
    // The batch follows the cost of a step, so that the clock is read about once per batch_length.
    if (taken == batch && now - begun < batch_length / 2)
      batch = std::min(2 * batch, longest_batch);
    else if (now - begun > 2 * batch_length)
      batch = std::max<std::int64_t>(taken / 2, 1);
    if (!is_active()) return;  // published when idle
    if (taken > 0) desk_.rates.mark(now, sim.elapsed(), sim.steps(), desk_.busy);

    // Large snapshots are published less often, within limits.
    const auto interval = std::clamp<Clock::duration>(
        publishing_share * desk_.publisher.duration(),
        timed ? smooth_interval : RunDesk::fast_interval, longest_interval);
    if (desk_.unpublished && (one_by_one || now - desk_.publisher.last() >= interval)) {
      record_trail();
      desk_.publish(now);
    }
    if (one_by_one && taken > 0) {
      desk_.await_reader();
    } else if (waits) {
      auto until = std::max<Clock::time_point>(pacer_.due(next_time()), begun + shortest_sleep);
      if (desk_.unpublished) until = std::min(until, desk_.publisher.last() + interval);
      desk_.sleep_until(until);
    }
  }

  void pause() override {
    if (is_active()) desk_.halt(RunState::paused);
  }

  void change_pace() override {
    if (mouse_pulls_) mouse_pulls_->hurry(desk_.sim);
    if (is_active()) start_clock();
  }

  void release() override {
    if (!mouse_pulls_) return;
    if (auto done = mouse_pulls_->release(desk_.sim); !done) desk_.fail(done.error());
    mouse_pulls_.reset();
  }

  /// Runs up to the planned end or, from there, on.
  void play() {
    const Simulation& sim = desk_.sim;
    if (is_active()) return;
    // A condition that holds at the start stops there; from there the run continues when asked
    // again.
    if (sim.steps() == 0 && sim.stopped() && desk_.status.state != RunState::stopped)
      return desk_.halt(RunState::stopped);
    // From the planned end on it runs until it is paused.
    past_plan_ = sim.finished();
    start_clock();
  }

  /// Takes so many steps, also beyond the planned end.
  void take(std::int64_t steps) {
    if (steps <= 0) return;
    desk_.steps_left = steps;
    start_clock();
  }

  /// Pulls a body from now on.
  void pull_by_mouse(const MousePull& to) {
    if (mouse_pulls_ && mouse_pulls_->body() == to.body)
      mouse_pulls_->move(to);
    else
      mouse_pulls_.emplace(to, desk_.sim);
  }

  /// Call after every change of the lanes: tangent vectors follow the new ones.
  void reattach_exponents() {
    if (desk_.follows_exponents)
      desk_.sim.follow_where_possible(Exponents::default_count(*desk_.sim.system()));
  }

  /// Call after a change of the run at its present step: it may now be able to continue.
  void clear_outcome() {
    RunStatus& status = desk_.status;
    const bool finished = desk_.sim.finished();
    status.failure.reset();
    if (!finished) past_plan_ = false;
    if (status.state == RunState::failed || (status.state == RunState::finished && !finished))
      status.state = RunState::paused;
  }

 private:
  /// Duration of a batch of steps between two readings of the clock.
  static constexpr std::chrono::microseconds batch_length{500};
  static constexpr std::int64_t longest_batch = 1 << 20;
  static constexpr double never = std::numeric_limits<double>::infinity();
  /// Interval between two snapshots in real time.
  static constexpr std::chrono::milliseconds smooth_interval{4};
  /// Snapshots of large systems take time: at most this fraction of it, but the interval between
  /// two is never longer than `longest_interval`.
  static constexpr int publishing_share = 32;
  static constexpr std::chrono::milliseconds longest_interval{100};
  /// A trail whose span takes less computing time than this [s] is recorded only where it is shown.
  static constexpr double short_trail = 1e-3;
  /// In real time, steps that are due at shorter intervals than this are taken together.
  static constexpr std::chrono::milliseconds shortest_sleep{1};

  void start_clock() {
    const Simulation& sim = desk_.sim;
    desk_.status.state = RunState::running;
    desk_.rows.resume();
    desk_.status.failure.reset();
    const auto now = Clock::now();
    pacer_.anchor(now, sim.elapsed(), desk_.status.requested_factor);
    desk_.rates.clear();
    desk_.rates.mark(now, sim.elapsed(), sim.steps(), desk_.busy);
  }

  void make_mouse_pull() {
    // Ratio of simulated to real time.
    double pace = desk_.status.pacing == Pacing::real_time ? desk_.status.requested_factor : 0;
    // A run slower than its requested pace pulls by its own.
    if (const double measured = desk_.rates.factor(); measured > 0)
      pace = pace > 0 ? std::min(pace, measured) : measured;
    if (auto done = mouse_pulls_->pull(desk_.sim, pace); !done) desk_.fail(done.error());
  }

  /// Takes steps up to `last`, or to the first with a configuration or a row, or to the last of
  /// several rows that are taken together. If the run cannot continue, halts with the reason and
  /// returns false.
  bool advance_to(std::int64_t last) {
    Simulation& sim = desk_.sim;
    std::int64_t& steps_left = desk_.steps_left;
    const bool taking = steps_left > 0;
    if (!taking && !past_plan_ && sim.finished()) {
      desk_.halt(RunState::finished);
      return false;
    }
    if (!taking && steps_to_pause() <= 0) {
      desk_.halt(RunState::paused);
      return false;
    }
    const Interruptible interruptible(desk_.interrupt);
    if (!desk_.finish_row()) return false;
    if (mouse_pulls_) {
      const Uninterrupted pulling;
      make_mouse_pull();
      last = std::min(last, mouse_pulls_->next());
    }
    // Up to the next row, the next configuration, the end of TakeSteps. Where every step has a row,
    // several rows are taken together.
    RowWriter& rows = desk_.rows;
    const std::int64_t before = sim.steps(), row = rows.next_row(before);
    const bool together = row == before + 1 && !desk_.cloud;
    last = std::min(
        {last, before + steps_until(desk_.trail.next()),
         together ? before + std::max<std::int64_t>(rows.rows_left(sim.lane_count()), 1) : row});
    last = std::min(last - before, taking ? steps_left : steps_to_pause()) + before;
    // The step that leads to a stored state is measured.
    const bool measured = last == before + 1;
    const bool state_due =
        together ? rows.state_due(RowBlock::capacity) : last == row && rows.state_due();
    if (state_due && !measured && !together) --last;
    const auto measure = [this](int lane) {
      if (lane == 0) desk_.turns.clear();
      desk_.turns.push_back(Clock::now());
    };
    desk_.turns.clear();
    const std::size_t events = sim.events_applied();
    if (desk_.cloud) (void)desk_.cloud->follow_events(sim);  // what fails is said by the step
    // One step, as without a cloud: an event may have moved the planned end.
    if (sim.events_applied() > events) last = before + 1;
    auto failed = together && state_due   ? sim.advance_rows(last, measure)
                  : together              ? sim.advance_rows(last)
                  : state_due && measured ? sim.step(measure)
                                          : sim.advance_to(last);
    const std::int64_t taken = sim.steps() - before;
    if (taken > 0) desk_.unpublished = true;
    if (taking) steps_left -= taken;
    desk_.row_pending = taken > 0 && desk_.cloud && !desk_.cloud->advance(sim, before);
    // The step that failed is not taken; the steps before it are.
    if (failed) {
      if (failed->interrupted()) return false;
      desk_.status.failure = std::move(failed);
      desk_.halt(RunState::failed);
      return false;
    }
    if (!desk_.row_pending) desk_.record_row();
    desk_.record_configuration();
    // Whether it continues, and if not, why.
    const bool planned_end = sim.steps() == sim.planned_steps(), stop = sim.stopped().has_value();
    const bool pauses = (taking ? steps_left : steps_to_pause()) <= 0;
    const bool more = !pauses && (taking || past_plan_ || !sim.finished());
    if (more && !stop) return true;
    if (taking && !more) ++desk_.status.commands;
    desk_.halt(stop                     ? RunState::stopped
               : pauses && !planned_end ? RunState::paused
                                        : RunState::finished);
    return false;
  }

  /// Continues for as long as the trail lasts, and records it.
  void record_trail() {
    const Simulation& sim = desk_.sim;
    const std::optional<double> end = desk_.trail.record_again(sim);
    while (end && sim.elapsed() < *end && !desk_.called.load(std::memory_order_relaxed) &&
           advance_to(sim.steps() + steps_until(*end))) {
    }
  }

  /// Whether the run passes over its trail many times between two snapshots.
  bool outruns_trail() const {
    const double seconds = desk_.rates.step_seconds() * desk_.trail.span() / desk_.sim.grid_step();
    return seconds > 0 && seconds < short_trail;
  }

  /// Number of steps that play() takes at most, from here.
  std::int64_t steps_to_pause() const {
    return desk_.pause_time ? desk_.sim.clock().steps_to(*desk_.pause_time)
                            : std::numeric_limits<std::int64_t>::max();
  }

  double next_time() const { return desk_.sim.elapsed() + desk_.sim.grid_step(); }
  /// Number of steps, at least one, until the run is at time t [s].
  std::int64_t steps_until(double t) const {
    const double steps = (t - desk_.sim.elapsed()) / desk_.sim.grid_step();
    return steps < 2 ? 1 : steps < longest_batch ? static_cast<std::int64_t>(steps) : longest_batch;
  }

  bool past_plan_ = false;  // Play continued past the planned end
  Pacer pacer_;
  std::optional<MousePulls> mouse_pulls_;
};

}  // namespace twosphere
