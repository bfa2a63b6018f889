// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QObject>
#include <vector>

#include "app/autosave.h"

class QListWidget;

namespace twosphere {

/// Repeats a kept session: loads its record, takes its steps as fast as possible, makes the changes
/// that came after the last of them, and compares the state with the one that was kept. All samples
/// come back. Deletes itself when done.
class Recovery : public QObject {
  Q_OBJECT
 public:
  Recovery(LiveRun& run, Session& session, SavedSession saved);

 Q_SIGNALS:
  /// Everything is as it was, bit for bit.
  void recovered(qint64 steps);
  /// It is not, and how.
  void differs(const QString& how);

 private:
  void go_on();
  void compare();
  void end();

  LiveRun& run_;
  Session& session_;
  SavedSession saved_;
  std::uint64_t awaited_ = 0;  // command
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

  std::vector<AbandonedSession> sessions_;
  QListWidget* list_;
};

}  // namespace twosphere
