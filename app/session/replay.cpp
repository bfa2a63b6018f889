// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/replay.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "app/session/stops.h"

namespace twosphere {

namespace {

constexpr int tick = 16;              // [ms]
constexpr double longest_tick = 0.1;  // [s] of real time per tick at most
constexpr double fastest_replay = 5;  // [s] for the whole record at the fastest pace

}  // namespace

Replay::Replay(LiveRun& run) : run_(run) {
  timer_.setTimerType(Qt::PreciseTimer);
  timer_.setInterval(tick);
  connect(&timer_, &QTimer::timeout, this, &Replay::advance);
}

const Timetable& Replay::table() {
  const auto& record = run_.snapshot().record;
  if (record != record_) {
    record_ = record;
    table_ = Timetable(*record);
  }
  return table_;
}

void Replay::show(std::int64_t step) {
  step = std::max<std::int64_t>(step, 0);
  if (step >= run_.snapshot().steps) return show_head();
  elapsed_ = table().elapsed(step);
  run_.show(step);
  Q_EMIT changed();
}

void Replay::show_head() {
  timer_.stop();
  run_.show_head();
  Q_EMIT changed();
}

void Replay::rewind() {
  run_.update();
  if (!run_.is_own()) return;
  pause();
  if (run_.plays()) run_.send(Pause{});
  // What is opened goes to its start.
  if (run_.is_opening()) {
    run_.send(Rewind{});
    return;
  }
  if (run_.keeps_its_start()) {
    show(0);
    if (!run_.in_past()) return;
    const auto changes = changes_of(*run_.snapshot().record);
    Q_EMIT rewound(static_cast<std::size_t>(
        std::lower_bound(changes.begin(), changes.end(), run_.snapshot().steps) - changes.begin()));
    return;
  }
  show_head();
  run_.send(Rewind{});
}

void Replay::step(std::int64_t by) {
  pause();
  run_.update();
  if (run_.in_past())
    show(run_.requested_step() + by);
  else if (by < 0)
    show(run_.snapshot().steps + by);
  else
    run_.send(TakeSteps{by});
}

void Replay::play_or_pause() {
  run_.update();
  if (plays()) return pause();
  if (run_.in_past()) return start();
  if (run_.plays()) {
    run_.send(Pause{});
  } else if (loop_ && run_.snapshot().steps > 0) {
    show(0);
    start();
  } else {
    play();
  }
}

void Replay::follow(bool loop) {
  loop_ = loop;
  const Snapshot& now = run_.snapshot();
  const Seen last =
      std::exchange(seen_, {now.generation, now.steps, now.state == RunState::finished});
  const bool ends = seen_.finished && seen_.generation == last.generation &&
                    (!last.finished || seen_.steps > last.steps);
  if (!ends || !loop_ || run_.in_past()) return;
  show(0);
  start();
}

void Replay::play() {
  if (run_.snapshot().state == RunState::finished) Q_EMIT passing_end();
  run_.send(Play{});
}

void Replay::start() {
  elapsed_ = table().elapsed(run_.requested_step());
  generation_ = run_.snapshot().generation;
  clock_.start();
  timer_.start();
  Q_EMIT changed();
}

void Replay::pause() {
  if (!plays()) return;
  timer_.stop();
  Q_EMIT changed();
}

void Replay::advance() {
  if (!run_.in_past() || run_.snapshot().generation != generation_) return pause();
  const double passed = std::min(1e-9 * static_cast<double>(clock_.nsecsElapsed()), longest_tick);
  clock_.start();
  const Snapshot& head = run_.snapshot();
  const Timetable& times = table();
  if (held_) return;
  std::int64_t next = run_.requested_step() + 1;
  if (head.pacing != Pacing::every_step) {
    const double pace = head.pacing == Pacing::real_time
                            ? head.requested_factor
                            : times.elapsed(head.steps) / fastest_replay;
    elapsed_ += pace * passed;
    next = times.step_after(elapsed_);
  }
  if (!run_.exact()) return;  // the last requested instant is shown first
  if (next >= head.steps) return arrive();
  if (next != run_.requested_step()) run_.show(next);
}

void Replay::arrive() {
  if (loop_) {
    elapsed_ = 0;
    return run_.show(0);
  }
  const RunState state = run_.snapshot().state;
  show_head();
  if (state == RunState::paused && !run_.followed()) run_.send(Play{});
}

}  // namespace twosphere

#include "moc_replay.cpp"
