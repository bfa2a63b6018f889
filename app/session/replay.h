// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <cstdint>
#include <memory>

#include "app/session/live_run.h"
#include "core/scenario/timetable.h"

namespace twosphere {

/// Where in the run the user is: moves the instant that is shown, by steps or, as a replay, with
/// the clock. At the head it works the run itself. Belongs to the window thread.
class Replay : public QObject {
  Q_OBJECT
 public:
  explicit Replay(LiveRun& run);

  /// Shows the run after that many steps, or the head if it has not come further. A replay goes on
  /// from there.
  void show(std::int64_t step);
  void show_head();
  /// So many steps forward, or back if negative, without replay. At the head the run takes those
  /// forward; those back do not stop it.
  void step(std::int64_t by);
  /// In the past: replays what is recorded at the pace of the run, and then has the run go on, or
  /// pauses the replay. At the head: starts or pauses the run; with a loop it replays from the
  /// start.
  void play_or_pause();
  bool plays() const { return timer_.isActive(); }
  /// A replay that comes to the head begins again at the start.
  void set_loop(bool loop) { loop_ = loop; }
  /// It waits, as long as the user drags the instant.
  void hold(bool held) { held_ = held; }

 Q_SIGNALS:
  /// The user went somewhere else, or plays() has changed.
  void changed();

 private:
  const Timetable& table();
  void start();
  void pause();
  /// Goes on by the time since the last call.
  void advance();
  /// At the head: from the start again, or on with the run.
  void arrive();

  LiveRun& run_;
  std::shared_ptr<const Scenario> record_;  ///< of table_
  Timetable table_;
  QTimer timer_;
  QElapsedTimer clock_;
  std::uint64_t generation_ = 0;  ///< of the run that is replayed
  double elapsed_ = 0;            ///< of the instant shown, since the start of the run [s]
  bool loop_ = false, held_ = false;
};

}  // namespace twosphere
