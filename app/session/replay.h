// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "app/session/live_run.h"
#include "core/scenario/timetable.h"

namespace twosphere {

/// Navigation in the run: moves the instant shown, by steps or, in a replay, with the clock. At the
/// head it controls the run itself. Belongs to the window thread.
class Replay : public QObject {
  Q_OBJECT
 public:
  explicit Replay(LiveRun& run);

  /// Shows the run after `step` steps, or the head if that is earlier. A replay continues from
  /// there.
  void show(std::int64_t step);
  void show_head();
  /// Pauses and shows the start of the run; if its settings have changed since, begins another run
  /// at a start with the present ones and those that wait for Rewind.
  void rewind();
  /// Moves the instant by `by` steps, backwards if negative, and stops a replay. At the head,
  /// forward steps are taken by the run; going back does not stop it.
  void step(std::int64_t by);
  /// In the past: starts a replay at the pace of the run, after which the run continues, or pauses
  /// the replay. At the head: starts or pauses the run; with a loop, replays from the start.
  void play_or_pause();
  /// Lets the run continue from its head.
  void play();
  bool plays() const { return timer_.isActive(); }
  /// With a loop, a replay that reaches the head begins again at the start, and so does a run that
  /// has been computed to its planned end since the last call. Called with every frame.
  void follow(bool loop);
  /// Pauses the replay while the user drags the instant.
  void hold(bool held) { held_ = held; }

 Q_SIGNALS:
  /// rewind() has gone to the start of the record, which Space now replays up to the head with so
  /// many changes; a pull by hand is one.
  void rewound(std::size_t changes);
  /// play() continues a run that has come to its planned end.
  void passing_end();
  /// The instant shown was moved by the user, or plays() has changed.
  void changed();

 private:
  const Timetable& table();
  void start();
  void pause();
  /// Advances by the time since the last call.
  void advance();
  /// At the head: starts again, or lets the run continue.
  void arrive();

  LiveRun& run_;
  std::shared_ptr<const Scenario> record_;  ///< the record of table_
  Timetable table_;
  QTimer timer_;
  QElapsedTimer clock_;
  std::uint64_t generation_ = 0;  ///< of the run that is replayed
  double elapsed_ = 0;            ///< of the instant shown, since the start of the run [s]
  bool loop_ = false, held_ = false;
  /// The run at the last follow().
  struct Seen {
    std::uint64_t generation = 0;
    std::int64_t steps = 0;
    bool finished = false;
  } seen_;
};

}  // namespace twosphere
