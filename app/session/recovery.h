// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QObject>
#include <memory>
#include <optional>
#include <vector>

#include "app/base/background.h"
#include "app/base/progress.h"
#include "app/session/autosave.h"

class QListWidget;
class QPushButton;

namespace twosphere {

/// Brings a kept session back. Its state is there at once, as a run that goes on from it. Beside
/// that the run is repeated from its start, as fast as possible, and its state compared with the
/// one that was kept, bit for bit. The repetition then follows what the user has done since, and
/// takes the place of the run when that rests: with the start, every event and every sample.
class Recovery : public QObject {
  Q_OBJECT
 public:
  /// `progress` is that of the repetition, which it can give up.
  Recovery(LiveRun& run, Session& session, SavedSession saved, std::shared_ptr<Progress> progress);

 Q_SIGNALS:
  /// The repeated state is the one that was kept, bit for bit.
  void verified(qint64 steps);
  /// It is not, or cannot be had, and how. What is shown stays. The end.
  void differs(const QString& how);
  /// Everything is as it was. The end.
  void recovered(qint64 steps);
  /// It was given up, or another run is shown, or the run was rewound while it followed. The end.
  void left();

 private:
  enum class Phase { repeating, comparing, following, joining, ended };

  void look();
  void begin(Result<Simulation> start);
  void compare();
  void follow();
  void join();
  void take_over();
  void fail(const QString& how);
  void end();
  /// The run rests, and has done what was asked of it.
  bool rests() const;

  LiveRun& run_;
  Session& session_;
  SavedSession saved_;
  std::shared_ptr<Progress> progress_;
  std::shared_ptr<const Scenario> opened_;  ///< of the document that was recovered
  std::vector<Event> planned_;              ///< events of the kept state that lie ahead of it
  std::unique_ptr<LiveRun> repeat_;
  Phase phase_ = Phase::repeating;
  std::uint64_t awaited_ = 0;  ///< command of the repetition
  std::uint64_t joined_ = 0;   ///< commands of the run when it was compared
  std::vector<Event> done_;    ///< events of the run that have been repeated
  bool settled_ = false;       ///< what waits for Rewind has been repeated
  std::int64_t reached_ = -1;
  Background work_;  ///< last: it uses the others
};

/// Asks what to do with the sessions of programs that ended without saving.
class RecoveryDialog : public QDialog {
  Q_OBJECT
 public:
  RecoveryDialog(std::vector<AbandonedSession> sessions, QWidget* parent);

  /// The one to recover, once accepted.
  AbandonedSession take();

 private:
  void discard();
  void choose();

  std::vector<AbandonedSession> sessions_;
  QListWidget* list_;
  QPushButton* recover_;
};

}  // namespace twosphere
