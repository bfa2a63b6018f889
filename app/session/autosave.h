// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QLockFile>
#include <QObject>
#include <QString>
#include <QTimer>
#include <memory>
#include <string>

#include "app/base/background.h"
#include "app/session/live_run.h"
#include "app/session/session.h"

namespace twosphere {

/// Stores the session of this process in a file, soon after an edit and every few seconds during a
/// run, without blocking the window. The destructor removes the file.
class Autosave : public QObject {
  Q_OBJECT
 public:
  Autosave(LiveRun& run, Session& session);
  ~Autosave() override;

  /// Keeps the file at the end, for a program that is asked to end.
  void leave_behind();
  /// Stores this text of a system, which is not applied, too; empty: none.
  void keep_draft(std::string draft);
  bool has_draft() const { return !draft_.empty(); }

 Q_SIGNALS:
  /// The session could not be stored; emitted once until it succeeds again.
  void failed(const QString& reason);

 private:
  void write();
  void written(const Result<void>& done);
  bool choose_file();

  LiveRun& run_;
  Session& session_;
  QTimer soon_, later_;
  QElapsedTimer began_;  // writing
  QString file_;
  std::unique_ptr<QLockFile> lock_;
  bool writing_ = false, again_ = false, leave_behind_ = false;
  bool failing_ = false;
  std::string draft_;
  Background writer_;
};

}  // namespace twosphere
