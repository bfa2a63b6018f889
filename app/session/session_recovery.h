// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <memory>
#include <vector>

#include "app/session/branch_repeater.h"
#include "app/session/session.h"

class QMainWindow;

namespace twosphere {

class FileTasks;
class Messages;
class TaskBar;

/// Recovers sessions that ended without being saved or discarded: offers them, opens the one that
/// is chosen, and verifies it by repeating its run. Repeats also the runs of a file whose samples
/// are missing.
class SessionRecovery : public QObject {
  Q_OBJECT
 public:
  SessionRecovery(QMainWindow& window, LiveRun& run, Session& session, FileTasks& files,
                  Messages& messages);
  ~SessionRecovery() override;

  /// Offers to recover the sessions that are kept, if one is of a process that was killed; else
  /// notes that there are some.
  void offer_at_start();
  /// Offers to recover the sessions that are kept, whatever ended them.
  void choose_session();
  /// Whether a session that is open has not been verified yet; its file is still there.
  bool is_running() const { return recovered_ != nullptr; }
  /// Call when the window closes after everything was saved or discarded.
  void close();
  /// Call when the window closes without a question.
  void leave();

 Q_SIGNALS:
  /// Recovery has started: its run is shown from now on.
  void recovering();
  /// Recovery is complete.
  void recovered();
  /// The session had this text that was not applied.
  void draft_recovered(const QString& draft);

 private:
  void offer(std::vector<AbandonedSession> sessions);
  void recover(AbandonedSession session);
  void follow(int run, double share);
  void compare();
  void end(bool complete, const QString& how);

  QMainWindow& window_;
  LiveRun& run_;
  Session& session_;
  FileTasks& files_;
  Messages& messages_;
  /// A session that is being recovered; its file is kept until that is complete.
  struct Recovered {
    AbandonedSession session;
    std::shared_ptr<const Scenario> opened;  ///< of the recovered document
    TaskBar* bar;
    int run = -1;  ///< its present run, once it is open
  };
  std::unique_ptr<Recovered> recovered_;
  BranchRepeater repeater_;
};

}  // namespace twosphere
