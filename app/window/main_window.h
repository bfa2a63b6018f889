// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMainWindow>
#include <QString>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/base/messages.h"
#include "app/dialogs/dialog.h"
#include "app/session/live_run.h"
#include "app/session/session.h"
#include "core/base/json.h"
#include "core/tours/tour.h"
#include "render/camera.h"
#include "ui/interface.h"
#include "ui/shell/actions.h"

class QAction;
class QMenu;

namespace twosphere {

class InstructionQueue;
class FileTasks;
class Presentation;
class PlotWindow;
class Replay;
class StatusLine;
class StepChecker;
class SweepProcess;
class TourGuide;

/// The main window: menus, the view, the status bar. Owns the run and everything that acts on it,
/// and connects them. Created by main() and by the tests. More than forty functions: one for each
/// way in which the window is closed, loaded, saved and asked.
class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  /// Shows a simulation that was made from the file `path`, or from a preset if `path` is empty.
  explicit MainWindow(Simulation simulation, const QString& path = {});
  ~MainWindow() override;

  LiveRun& run() { return run_; }
  Viewport& viewport() { return *viewport_; }
  /// The window of the plots; null while they are in this one.
  PlotWindow* plot_window() { return plot_window_.get(); }
  Session& session();
  const Session& session() const;
  /// Opens the page of presets, unless the user has disabled this.
  void greet();
  /// Restores the view of a scenario, which has been checked with read_view_section().
  void show_view(const json::Node& view);
  /// Shows the run as a presentation, and plays it in a loop, as soon as it is where its view
  /// begins.
  void present();
  /// Opens a scenario, or follows the run of a live file. `then` is called once it is open.
  void open(const QString& path, const std::function<void()>& then = {});
  /// Begins a tour that has been read.
  void begin_tour(Tour tour);
  const TourGuide& guide() const { return *guide_; }
  /// Closes without asking; the session is kept, see SessionRecovery::choose_session().
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
  /// Shows, in place of the scene, why there is none and what can be done without it. Only the
  /// actions that work without a scene remain.
  void do_without_scene(const QString& reason);
  void hide_actions_of_scene();
  /// Presentation::follow(), and the actions that depend on it.
  void follow_presentation();

  void make_menus();
  QMenu& menu_titled(const QString& title);
  std::vector<ui::KeyHint> menu_keys() const;
  QAction* make_action(const ui::ActionInfo& info);
  void list_recent_files(QMenu& menu);
  void update_recent_files(QMenu& menu);
  void list_presets(QMenu& menu);
  void list_paper_figures(QMenu& menu);

  /// In the web browser; where there is none, says where the first page is.
  void open_documentation();
  /// Carries out the window's part of an action.
  void perform(ui::Action action);
  /// Enables or disables each action that has a condition.
  void update_actions();
  struct WindowAction;
  static const WindowAction& window_action(ui::Action action);
  void rewind();
  void run_backwards();
  /// Of the run; in a tour the next or the previous step of it.
  void go_to_stop(bool forwards);
  /// From here on the run that is followed is computed in this window.
  void detach();
  /// Says that the run is computed elsewhere, and offers detach().
  void offer_own_run();
  void check_step();
  Replay& replay();
  Pace pace() const;

  /// Whether a video or a file that takes long is being written, or the tasks of a map run.
  bool busy() const;
  /// What runs these tasks; null if nothing does.
  SweepProcess* running_map() const;
  /// Asks whether to end that, and then closes.
  void ask_to_drop_work();

  /// Opens or closes the window of the plots, as the interface has them.
  void follow_plot_window();
  void update_title();
  void update_edit_menu();
  void follow_settings();
  /// Scales menus, status bar and dialogs like the interface.
  void scale_widgets(float scale);

  // Each member uses those above it and is destroyed before them.
  LiveRun run_;
  std::unique_ptr<Viewport> viewport_;
  Messages messages_;
  std::unique_ptr<FileTasks> files_;
  std::unique_ptr<DocumentController> document_;
  std::unique_ptr<ExportController> exports_;
  DialogSettings dialog_settings_;
  std::unique_ptr<Dialogs> dialogs_;
  std::unique_ptr<StepChecker> checker_;
  std::unique_ptr<InstructionQueue> instructions_;
  std::unique_ptr<TourGuide> guide_;
  std::unique_ptr<StatusLine> status_;
  std::unique_ptr<Presentation> presentation_;
  std::unique_ptr<PlotWindow> plot_window_;  ///< null: the plots are in this window
  QByteArray plot_geometry_;                 ///< where it was last, WindowSettings::plot_geometry
  /// The part of a view that is restored once the run has reached its step.
  struct Arriving {
    std::shared_ptr<const Scenario> document;  ///< Document::opened
    std::uint64_t commands = 0;
    std::optional<render::Camera::View> camera;
    std::optional<std::int64_t> shown;
    std::string reference;  ///< name of the run that distances are measured to
    ui::Choices choices;
    bool plays = false;  ///< it plays then
  };
  std::optional<Arriving> arriving_;
  bool has_scene_ = true;
  bool leaving_ = false;            ///< closing without saving
  std::optional<Palette> palette_;  ///< of the widgets
  float widget_scale_ = 1;          ///< of the widgets
};

}  // namespace twosphere
