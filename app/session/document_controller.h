// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <memory>

#include "app/session/autosave.h"
#include "app/session/session.h"

class QMainWindow;

namespace twosphere {

class FileTasks;
class Messages;
class Recovery;

/// The document of a window: opens, saves, copies and pastes scenarios, asks about unsaved changes,
/// and brings lost sessions back. Owns the session with its copy for recovery; the window calls it.
/// Files are read and checked before anything changes; an error leaves the run as it is.
class DocumentController : public QObject {
  Q_OBJECT
 public:
  /// The run was made from `path`, or from a preset if that is empty.
  DocumentController(QMainWindow& window, LiveRun& run, ui::Interface& interface, FileTasks& files,
                     Messages& messages, const QString& path);
  ~DocumentController() override;

  Session& session() { return session_; }
  const Session& session() const { return session_; }
  QString path() const;   ///< of the open scenario, or empty
  QString title() const;  ///< of the scenario
  /// What a file of the present run is called, without the folder.
  QString suggested_name(const QString& suffix) const;

  void ask_to_open();
  void open(const QString& path);
  void open_preset(const QString& key);
  /// Starts a scenario; asks before, where what would be lost is more than undo brings back.
  void start(Scenario scenario, const QString& path, bool ask = true);
  void paste_scenario();
  void read_pasted(const QString& content, const QString& source);

  /// Saves to the file of the document, or asks for one; continues if that succeeded.
  void save(const std::function<void()>& then = {});
  void save_as(const std::function<void()>& then = {});
  void save_state();
  void copy_scenario();
  /// The line for a shell; where that needs a file it offers to save one.
  void copy_command();
  /// Goes on at once if there is nothing to save, else after the user has saved or discarded it.
  void ask_to_save(std::function<void()> then);

  /// Asks about the sessions of programs that were killed, if there are any.
  void offer_recovery();
  /// The window closes, and everything is saved or given up.
  void close();
  /// The window closes without a question: what is not saved is left for the next start.
  void leave();

 Q_SIGNALS:
  /// A session is being brought back: its run is to be seen from now on.
  void recovering();
  /// All of it is there.
  void recovered();

 private:
  /// Without waiting; `then` follows if the file was written.
  void write_scenario_to(const QString& path, const std::function<void()>& then);
  void offer_command_file(const QString& reason);
  void recover(AbandonedSession session);

  QMainWindow& window_;
  LiveRun& run_;
  FileTasks& files_;
  Messages& messages_;
  // The order is that of their use: each is gone before those above it.
  Session session_;
  std::unique_ptr<AbandonedSession> recovering_;  ///< kept until all of it is back
  std::unique_ptr<Recovery> recovery_;            ///< likewise
  Autosave autosave_;
};

}  // namespace twosphere
