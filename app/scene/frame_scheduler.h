// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <cstddef>
#include <deque>
#include <functional>
#include <utility>

namespace twosphere {

/// Decides when a view draws: immediately what the user waits for, everything else only as often as
/// leaves the solver its share of the time. Owns the timer and the costs of past frames; the
/// viewport calls it.
class FrameScheduler : public QObject {
 public:
  /// `proceed` draws a frame, or a part of the scene that it needs.
  explicit FrameScheduler(std::function<void()> proceed);

  const QElapsedTimer& clock() const { return clock_; }  ///< the clock of all times here [ns]
  qint64 now() const { return clock_.nsecsElapsed(); }

  /// Requests a frame with new data, at the next regular time.
  void request();
  /// Requests a frame that the user waits for, within `wait` ms and before further parts of a
  /// scene.
  void hurry(int wait, bool drawing_parts);
  /// Puts the next frame off: it comes after `wait` ms, or when it is hurried again.
  void hold(int wait) { timer_.start(wait); }
  /// Calls proceed() as soon as all pending events have been handled.
  void continue_at_once() { timer_.start(0); }
  /// Whether proceed() is scheduled.
  bool waits() const { return timer_.isActive(); }

  /// Marks the next frame as a response to user input.
  void set_answer(bool answer) { answer_ = answer; }
  bool answers() const { return answer_; }
  bool take_answer() { return std::exchange(answer_, false); }
  /// Call when a frame begins that shows everything requested so far.
  void clear_request() { requested_ = false; }
  bool requested() const { return requested_; }

  /// Call after a frame with its duration, including its scene; sets the earliest start of the next
  /// one.
  void end_frame(qint64 begun, qint64 spent, bool software);
  /// Allows the next frame to begin at any time.
  void allow_next() { next_ = now(); }
  /// Records the cost of a frame, or discards all costs if they are not shown.
  void note_cost(qint64 begun, qint64 spent, bool shown);
  /// Mean duration of the frames of the last second [s].
  double frame_seconds() const;
  std::size_t frames_per_second() const { return costs_.size(); }

 private:
  QTimer timer_;
  QElapsedTimer clock_;
  bool requested_ = false;  ///< new data since the frame being drawn
  bool answer_ = false;
  qint64 next_ = 0;                              ///< earliest start of the next frame
  std::deque<std::pair<qint64, qint64>> costs_;  ///< start and duration of recent frames
};

}  // namespace twosphere
