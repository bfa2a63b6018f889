// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QMainWindow>
#include <QString>
#include <QTimer>
#include <functional>
#include <future>
#include <memory>
#include <optional>

#include "app/base/background.h"
#include "app/dialogs/figure_dialog.h"
#include "app/dialogs/film_dialog.h"
#include "app/session/live_run.h"
#include "ui/interface.h"
#include "ui/shell/actions.h"

class QLabel;
class QMenu;

namespace twosphere {

class Autosave;
class HelpDialog;
class PaperFigureDialog;
class Recovery;
class FilmBar;
struct AbandonedSession;
struct Progress;
class Session;
class StepChecker;
class Viewport;

/// The window: menus, the view, the status bar, and everything to do with files. Files are read and
/// checked before anything changes; an error leaves the run as it is.
class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  /// Shows a simulation that was made from `path`, or from a preset if that is empty.
  explicit MainWindow(Simulation simulation, const QString& path = {});
  ~MainWindow() override;

  LiveRun& run() { return run_; }
  Viewport& viewport() { return *viewport_; }
  Session& session() { return *session_; }
  /// Opens the page of presets, unless the user does not want it at the start.
  void greet();
  /// Closes without a question; what is not saved can be recovered at the next start.
  void leave();

 protected:
  void closeEvent(QCloseEvent* event) override;
  bool event(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  /// Says why there is no scene, and what there is without one, in its place; leaves the actions
  /// that make sense then.
  void do_without_scene(const QString& reason);
  /// Where the window was, as far as there are screens today.
  void restore_place(const QByteArray& geometry);
  void make_menus();
  void list_paper_figures(QMenu& menu);
  void make_status_bar();
  /// Carries out the record of an action.
  void perform(ui::Action action);
  /// Enables the actions whose conditions hold, and disables the others that have one.
  void update_actions();
  struct WindowAction;
  static const WindowAction& window_action(ui::Action action);
  void rewind();
  void check_step();
  void play_or_pause();
  Pace pace() const;

  void ask_to_open();
  void open(const QString& path);
  void open_preset(const QString& key);
  /// Starts a scenario; asks before, where what would be lost is more than undo brings back.
  void start(Scenario scenario, const QString& path, bool ask = true);
  /// Saves to the file of the document, or asks for one; continues if that succeeded.
  void save(const std::function<void()>& then = {});
  void save_as(const std::function<void()>& then = {});
  /// Without waiting; `then` follows if the file was written.
  void write_scenario_to(const QString& path, const std::function<void()>& then);
  /// Goes on at once if there is nothing to save, else after the user has saved or discarded it.
  void ask_to_save(std::function<void()> then);
  /// Whether a film or a file is being written that takes its time.
  bool busy() const;
  /// Closes, once what is being written is given up.
  void ask_to_drop_work();
  /// Asks about the sessions of programs that were killed, if there are any.
  void offer_recovery();
  void recover(AbandonedSession session);
  void save_state();
  /// Of the run as it is now, for another thread: it waits for the step in progress.
  std::shared_ptr<std::future<Worker::Captured>> capture();
  /// The samples of the run, or of the plots' time range.
  void export_csv(bool visible);
  /// By a repetition of the run in the background.
  void export_trajectory();
  void export_spectra();
  void export_figure();
  void copy_data();
  void copy_scenario();
  void paste_scenario();
  void read_pasted(const QString& content, const QString& source);
  /// The line for a shell; where that needs a file it offers to save one.
  void copy_command();
  void offer_command_file(const QString& reason);
  void search_command();
  void list_recent(QMenu& menu);
  void save_picture();
  void record_film();
  /// Does `work`, which writes to `path`, on another thread, and says how it went.
  void write_in_background(const QString& path, const QString& what,
                           std::function<Result<void>()> work);
  /// The same for what may take long: shows how far it is, and can be cancelled. The work returns
  /// whether it was not.
  void write_with_progress(const QString& path, const QString& what,
                           std::function<Result<bool>(Progress&)> work);

  /// Lets the user choose a file; `then` gets its path. Does not wait.
  void ask_file(const QString& title, const QString& filter, const QString& suggestion,
                std::function<void(const QString&)> then);
  /// What a file of the present run is called, without the folder.
  QString suggested_name(const QString& suffix) const;
  void report(const Result<void>& done, const QString& path, const QString& what);
  void show_error(const QString& title, const QString& text, bool run_unharmed = true);
  void show_note(const QString& text);
  void show_about();
  /// The page of the open preset, or of one with the same system.
  void show_help();
  /// One of paper_entries().
  void show_paper_figure(std::size_t entry);

  void update_title();
  void update_edit_menu();
  void update_status();
  void follow_settings();
  /// Menus, status bar and dialogs as large as the interface.
  void scale_widgets(float scale);
  /// Leaves out of the status bar what has no room.
  void fit_status_bar();

  QString path() const;   ///< of the open scenario, or empty
  QString title() const;  ///< of the scenario

  // The order is that of their use: each is gone before those above it.
  LiveRun run_;
  std::unique_ptr<Viewport> viewport_;
  std::unique_ptr<Session> session_;
  std::unique_ptr<AbandonedSession> recovering_;  ///< kept until all of it is back
  std::unique_ptr<Recovery> recovery_;            ///< likewise
  std::unique_ptr<Autosave> autosave_;
  Background background_;  ///< writes files; ends when they are written
  std::unique_ptr<FilmBar> film_bar_;
  std::unique_ptr<HelpDialog> help_;            ///< once it was asked for
  std::unique_ptr<PaperFigureDialog> figures_;  ///< likewise
  std::unique_ptr<StepChecker> checker_;
  QString directory_;  ///< of the last file dialog
  struct Status {
    QLabel *state, *step, *speed, *energy, *length;
  } status_{};
  QTimer status_timer_;
  QElapsedTimer status_age_;
  FilmSettings film_;
  bool has_scene_ = true;
  bool leaving_ = false;  ///< whatever is not saved is given up
  FigureSettings figure_;
  std::optional<Palette> palette_;  ///< of the widgets
  float widget_scale_ = 1;          ///< likewise
};

}  // namespace twosphere
