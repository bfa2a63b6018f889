// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/session/autosave.h"
#include "app/session/session.h"
#include "app/session/session_recovery.h"

class QMainWindow;

namespace twosphere {

class FileTasks;
class Messages;

/// The document of a window: opens, saves, copies and pastes scenarios, asks about unsaved changes,
/// and owns the session, its recovery and its autosave. Files are read and checked before anything
/// changes; an error leaves the run unchanged.
class DocumentController : public QObject {
  Q_OBJECT
 public:
  /// The run was opened from `path`, or from a preset if it is empty.
  DocumentController(QMainWindow& window, LiveRun& run, ui::Interface& interface, FileTasks& files,
                     Messages& messages, const QString& path);
  ~DocumentController() override;

  /// Functions that describe the present view as JSON, and that parse a view; the latter returns a
  /// function that shows it.
  struct ViewAccess {
    std::function<json::Node()> take;
    std::function<Result<std::function<void()>>(const json::Node&, const std::string& source)> read;
  };
  void set_view_access(ViewAccess view) { view_ = std::move(view); }

  /// The section that the scenario that is open is saved with from now on; no change of the run.
  void set_section(const PoincareSection& section);
  /// The same of the signal whose frequencies are measured.
  void set_signal(const ComplexSignal& signal);
  /// That signal or, if none was set, the scenario's own; none if it has none.
  std::optional<ComplexSignal> measured_signal() const;

  /// The expressions that the scenario that is open is saved with: its own, then those of the
  /// plots.
  std::vector<PlottedExpression> plotted() const;

  Session& session() { return session_; }
  const Session& session() const { return session_; }
  SessionRecovery& recovery() { return recovery_; }
  QString path() const;       ///< file of the open scenario, or empty
  QString live_file() const;  ///< file of the run that is followed, or empty
  QString title() const;      ///< title of the scenario
  /// A file name for the current run, without the folder.
  QString suggested_name(const QString& suffix) const;

  void ask_to_open();
  /// A scenario, or a live file, whose run is followed. `then` is called once it is open.
  void open(const QString& path, const std::function<void()>& then = {});
  /// A preset of the program by its key, or one of the user's by the path of its file. Saving does
  /// not change it. Asks only if a text would be lost: undo restores the previous scenario while
  /// the window is open. `then` is called once it is open.
  void open_preset(const QString& key, const std::function<void()>& then = {});
  struct Opening {
    bool ask = true;                  ///< for confirmation, if there are unsaved changes
    bool written = false;             ///< by the user: it is unsaved
    std::function<void()> then = {};  ///< called once it is open
  };
  /// Opens a scenario, as soon as it is known that its run can start: before this returns if that
  /// takes a moment only.
  void start(const Scenario& scenario, const QString& path, Opening how = {true, false, {}});
  void paste_scenario();
  void read_pasted(const QString& content, const QString& source);

  /// Saves to the file of the document, or asks for one; calls `then` on success.
  void save(const std::function<void()>& then = {});
  void save_as(const std::function<void()>& then = {});
  /// Saves the document together with the view; later saves then include the view, too.
  void save_session();
  void save_state();
  /// Asks for a file and saves one of the runs as a separate scenario.
  void save_run(int run);
  void copy_scenario();
  /// Copies the shell command of the run; if it needs a file, offers to save one.
  void copy_command();
  /// Calls `then` immediately if there are no unsaved changes, else after the user has saved or
  /// discarded them.
  void ask_to_save(std::function<void()> then);
  /// The same, and asks about a text of a system that is not applied.
  void ask_to_leave(const std::function<void()>& then);
  /// Keeps such a text for recovery, as write_draft() writes it; empty: there is none.
  void keep_draft(std::string draft) { autosave_.keep_draft(std::move(draft)); }
  /// Whether something would be lost by closing.
  bool has_unsaved() const { return session_.modified() || autosave_.has_draft(); }

  /// Call when the window closes after everything was saved or discarded.
  void close();
  /// Call when the window closes without a question: the session is kept, see SessionRecovery.
  void leave();

 private:
  void follow(const QString& path, const std::function<void()>& then);
  using Load = std::function<Result<Scenario>(std::vector<std::string>* warnings)>;
  /// Opens the scenario that `load`, called on another thread, reads from what is called `what`.
  void read(const QString& what, const QString& path, Opening how, Load load);
  /// Opens a scenario whose run can start.
  void show(const Scenario& scenario, const QString& path, const std::vector<std::string>& warnings,
            Opening how);
  /// Writes in the background; `then` is called if the file was written.
  void write_scenario_to(const QString& path, bool with_view, const std::function<void()>& then);
  void save_alone(const Scenario& record);
  void offer_command_file(const QString& reason);

  QMainWindow& window_;
  LiveRun& run_;
  const ui::Interface& interface_;
  FileTasks& files_;
  Messages& messages_;
  ViewAccess view_;
  /// The choices for the scenario that was opened as `of`.
  struct Chosen {
    std::shared_ptr<const Scenario> of;
    std::optional<PoincareSection> section;
    std::optional<ComplexSignal> signal;
  };
  /// Of the scenario that is open.
  Chosen& chosen();
  Chosen chosen_;
  // Each member uses those above it and is destroyed before them.
  Session session_;
  SessionRecovery recovery_;
  Autosave autosave_;
};

}  // namespace twosphere
