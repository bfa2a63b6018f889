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

/// When a view draws: at once what the user waits for, everything else no more often than leaves
/// the solver its share. Owns the timer and the costs of past frames; the viewport calls it.
class FrameScheduler : public QObject {
 public:
  /// `go_on` draws a frame, or a part of what it needs.
  explicit FrameScheduler(std::function<void()> go_on);

  const QElapsedTimer& clock() const { return clock_; }  ///< of all times here [ns]
  qint64 now() const { return clock_.nsecsElapsed(); }

  /// A frame of what is new, when it is time.
  void request();
  /// A frame that somebody waits for, in `wait` ms at most; before further parts of a scene.
  void hurry(int wait, bool drawing_parts);
  /// go_on() as soon as all events have been taken.
  void continue_at_once() { timer_.start(0); }
  /// Whether go_on() will be called.
  bool waits() const { return timer_.isActive(); }

  /// That the next frame is for what the user did.
  void set_answer(bool answer) { answer_ = answer; }
  bool answers() const { return answer_; }
  bool take_answer() { return std::exchange(answer_, false); }
  /// That a frame being drawn shows what was requested so far.
  void clear_request() { requested_ = false; }
  bool requested() const { return requested_; }

  /// A frame took so long, its scene included; sets when the next may begin.
  void end_frame(qint64 begun, qint64 spent, bool software);
  /// The next frame may begin at any time.
  void allow_next() { next_ = now(); }
  /// Takes note of what a frame cost, or forgets all if nobody looks.
  void note_cost(qint64 begun, qint64 spent, bool shown);
  /// The mean over the frames of the last second [s].
  double frame_seconds() const;
  std::size_t frames_per_second() const { return costs_.size(); }

 private:
  QTimer timer_;
  QElapsedTimer clock_;
  bool requested_ = false;  ///< of what is newer than the frame being drawn
  bool answer_ = false;
  qint64 next_ = 0;                              ///< earliest start of the next
  std::deque<std::pair<qint64, qint64>> costs_;  ///< start and length of the last frames
};

}  // namespace twosphere
