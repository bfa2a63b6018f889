// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMainWindow>
#include <QString>
#include <cstdint>
#include <memory>
#include <optional>

#include "app/base/messages.h"
#include "app/dialogs/dialog.h"
#include "app/session/live_run.h"
#include "app/session/session.h"
#include "core/base/json.h"
#include "render/camera.h"
#include "ui/interface.h"
#include "ui/shell/actions.h"

class QAction;
class QMenu;

namespace twosphere {

class BranchRepeater;
class FileTasks;
class Replay;
class StatusLine;
class StepChecker;

/// The window: menus, the view, the status bar. Owns the run and everything that acts on it, and
/// brings these together; main() and the tests make one.
class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  /// Shows a simulation that was made from `path`, or from a preset if that is empty.
  explicit MainWindow(Simulation simulation, const QString& path = {});
  ~MainWindow() override;

  LiveRun& run() { return run_; }
  Viewport& viewport() { return *viewport_; }
  Session& session();
  const Session& session() const;
  /// Opens the page of presets, unless the user does not want it at the start.
  void greet();
  /// Shows the run as a scenario's view says, which has been read before: read_view_section().
  void show_view(const json::Node& view);
  /// Closes without a question; what is not saved can be recovered at the next start.
  void leave();

 protected:
  void closeEvent(QCloseEvent* event) override;
  bool event(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void connect_parts();
  void go_on_from_here();
  void finish_view();
  void switch_to(int branch);
  /// Says why there is no scene, and what there is without one, in its place; leaves the actions
  /// that make sense then.
  void do_without_scene(const QString& reason);
  void hide_actions_of_scene();
  /// Where the window was, as far as there are screens today.
  void restore_place(const QByteArray& geometry);

  void make_menus();
  QMenu& menu_titled(const QString& title);
  QAction* make_action(const ui::ActionInfo& info);
  void list_recent_files(QMenu& menu);
  void update_recent_files(QMenu& menu);
  void list_presets(QMenu& menu);
  void list_paper_figures(QMenu& menu);

  /// Carries out the record of an action.
  void perform(ui::Action action);
  /// Enables the actions whose conditions hold, and disables the others that have one.
  void update_actions();
  struct WindowAction;
  static const WindowAction& window_action(ui::Action action);
  void rewind();
  void run_backwards();
  void check_step();
  Replay& replay();
  Pace pace() const;

  /// Whether a film or a file is being written that takes its time.
  bool busy() const;
  /// Closes, once what is being written is given up.
  void ask_to_drop_work();

  void update_title();
  void update_edit_menu();
  void follow_settings();
  /// Menus, status bar and dialogs as large as the interface.
  void scale_widgets(float scale);

  // The order is that of their use: each is gone before those above it.
  LiveRun run_;
  std::unique_ptr<Viewport> viewport_;
  Messages messages_;
  std::unique_ptr<FileTasks> files_;
  std::unique_ptr<DocumentController> document_;
  std::unique_ptr<BranchRepeater> repeater_;
  std::unique_ptr<ExportController> exports_;
  DialogSettings dialog_settings_;
  std::unique_ptr<Dialogs> dialogs_;
  std::unique_ptr<StepChecker> checker_;
  std::unique_ptr<StatusLine> status_;
  /// What of a view waits until the run has come to where it was.
  struct Arriving {
    std::uint64_t commands = 0;
    std::optional<render::Camera::View> camera;
    std::optional<std::int64_t> shown;
    std::string reference;  ///< name of the run that distances are measured to
  };
  std::optional<Arriving> arriving_;
  bool has_scene_ = true;
  bool leaving_ = false;            ///< whatever is not saved is given up
  std::optional<Palette> palette_;  ///< of the widgets
  float widget_scale_ = 1;          ///< likewise
};

}  // namespace twosphere
