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

/// Recovers a stored session. The stored state is shown immediately, as a run that continues from
/// it. Meanwhile the run is repeated from its start as fast as possible, and its state is compared
/// with the stored one, bit for bit. The repetition then applies the later actions of the user and
/// replaces the run when that is idle, with its start, every event and every sample.
class Recovery : public QObject {
  Q_OBJECT
 public:
  /// `progress` reports on the repetition and can cancel it.
  Recovery(LiveRun& run, Session& session, SavedSession saved, std::shared_ptr<Progress> progress);

 Q_SIGNALS:
  /// The repeated state is identical to the stored one.
  void verified(qint64 steps);
  /// The repeated state differs or could not be computed; `how` gives the reason. The run shown is
  /// kept. Final.
  void differs(const QString& how);
  /// The session is recovered completely. Final.
  void recovered(qint64 steps);
  /// The recovery was cancelled, another run was opened, or the run was rewound meanwhile. Final.
  void left();

 private:
  enum class Phase { repeating, comparing, following, joining, ended };

  void check();
  void begin(Result<Simulation> start);
  void compare();
  void follow();
  void join();
  void take_over();
  void add_runs();
  void fail(const QString& how);
  void end();
  /// Whether the run is idle and has carried out all commands.
  bool rests() const;

  LiveRun& run_;
  Session& session_;
  SavedSession saved_;
  std::shared_ptr<Progress> progress_;
  std::shared_ptr<const Scenario> opened_;  ///< scenario of the recovered document
  std::vector<Event> planned_;              ///< future events of the stored state
  std::unique_ptr<LiveRun> repeat_;
  Phase phase_ = Phase::repeating;
  std::uint64_t awaited_ = 0;      ///< command of the repetition that is waited for
  std::uint64_t joined_ = 0;       ///< number of commands of the run when it was compared
  std::vector<Event> done_;        ///< events of the run that were repeated
  bool pending_repeated_ = false;  ///< pending settings were repeated
  std::int64_t reached_ = -1;
  Background work_;  ///< last member: it uses the others
};

/// Asks what to do with sessions that ended without saving.
class RecoveryDialog : public QDialog {
  Q_OBJECT
 public:
  RecoveryDialog(std::vector<AbandonedSession> sessions, QWidget* parent);

  /// The session to recover, if the dialog was accepted.
  AbandonedSession take();

 private:
  void discard();
  void choose();

  std::vector<AbandonedSession> sessions_;
  QListWidget* list_;
  QPushButton* recover_;
};

}  // namespace twosphere
