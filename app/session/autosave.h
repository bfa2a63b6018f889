// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QElapsedTimer>
#include <QLockFile>
#include <QObject>
#include <QString>
#include <QTimer>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/background.h"
#include "app/session/live_run.h"
#include "app/session/session.h"

namespace twosphere {

/// What it takes to come back to a session: the run repeated from its record is the same, bit for
/// bit, and the state tells whether it is.
struct SavedSession {
  Scenario record;               ///< the start and every event
  std::int64_t steps = 0;        ///< taken
  std::size_t applied = 0;       ///< so many of the events so far
  std::vector<Setting> pending;  ///< what waits for Rewind
  std::string state;             ///< the state file of that moment
  Scenario opened;               ///< as the preset or file has it
  std::string path;              ///< of the file, or empty
  bool edited = false;           ///< there was something to save
  int reference_lane = 0;        ///< that the others are compared with
  KeptEdits edits{};             ///< to undo and redo
};
/// Of the edits as many as take up to `most_edits` bytes, those that come next first.
std::string write_session(const SavedSession& session);
inline constexpr std::size_t most_edits = std::size_t{1} << 20;
Result<SavedSession> read_session(std::string_view text, std::string_view source);
/// Of a session's file, written or read: three times what the largest system takes [bytes].
inline constexpr std::size_t most_session = std::size_t{256} << 20;

/// Where sessions are kept: $XDG_STATE_HOME/twosphere (default ~/.local/state; a relative value is
/// ignored).
QString session_folder();

/// A kept session whose program has gone, held so that no other program offers it.
struct AbandonedSession {
  QString file;
  QDateTime written;
  Result<SavedSession> session;  ///< or why it cannot be read
  std::unique_ptr<QLockFile> lock;

  void remove();
};
/// The newest first. What cannot be read goes after a month.
std::vector<AbandonedSession> abandoned_sessions();

/// Keeps the session of this program in a file of its own, soon after an edit and every few seconds
/// while the run goes on; removes it in the end. The window waits for none of it.
class Autosave : public QObject {
  Q_OBJECT
 public:
  Autosave(LiveRun& run, Session& session);
  ~Autosave() override;

  /// Leaves the file there in the end, for a session that ends with something to save.
  void leave_behind();

 Q_SIGNALS:
  /// The session could not be kept, and why; once until it could be.
  void failed(const QString& reason);

 private:
  void write();
  void written(const Result<void>& done);
  bool take_place();

  LiveRun& run_;
  Session& session_;
  QTimer soon_, later_;
  QElapsedTimer began_;  // writing
  QString file_;
  std::unique_ptr<QLockFile> lock_;
  bool writing_ = false, again_ = false, leave_behind_ = false;
  bool failing_ = false;
  std::uint64_t kept_generation_ = 0;
  std::int64_t kept_steps_ = 0;
  Background writer_;
};

}  // namespace twosphere
