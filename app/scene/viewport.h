// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QOpenGLWidget>
#include <QTimer>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/scene/frame_finder.h"
#include "app/scene/frame_scheduler.h"
#include "app/scene/ghosts.h"
#include "app/scene/scene_input.h"
#include "app/scene/signal_preparer.h"
#include "app/scene/tiled_scene.h"
#include "app/scene/time_preview.h"
#include "app/session/cloud_repeater.h"
#include "app/session/live_run.h"
#include "app/session/replay.h"
#include "render/camera.h"
#include "render/scene_builder.h"
#include "ui/interface.h"

struct ImFontAtlas;
struct ImGuiContext;

namespace twosphere {

class ImGuiBridge;
class PresetPictures;

/// The OpenGL format of the window. Make it the default format before QApplication.
QSurfaceFormat surface_format();

/// The view of a run: the scene, and the interface around and over it. Draws only when there is
/// something new. Owns the interface and the objects that draw it and the scene; the window creates
/// one. It has about ninety functions and forty members: Qt calls it for all that happens to the
/// window's view, and it hands each thing on to the object that deals with it, with what the others
/// know.
class Viewport : public QOpenGLWidget, private ui::CommandSink {
  Q_OBJECT
 public:
  Viewport(LiveRun& run, const ui::Settings& settings, QWidget* parent);
  ~Viewport() override;

  static QLatin1String imgui_version();
  /// Why nothing can be drawn; empty if it can. If not empty, the view must not be shown or added
  /// to a visible window: Qt ends the program where OpenGL is missing.
  const QString& problem() const { return problem_; }
  ui::Interface& interface() { return *interface_; }
  /// Controls the instant shown.
  Replay& replay() { return replay_; }
  /// Sets the file of the open scenario, which the interface shows.
  void set_file_name(std::string name);
  /// Sets what the page of presets offers besides those of the program; files newest first.
  void set_files(std::vector<ui::UserPreset> presets, std::vector<ui::RecentFile> recent);
  /// Shows the result of a check in the interface until the user closes it, or until another run,
  /// method or step is shown; null: none any more.
  void show_step_check(std::shared_ptr<const ui::StepCheck> check);
  /// Shows a step of a tour below the scene; null: no tour any more.
  void show_tour(std::shared_ptr<const ui::TourCard> card);
  /// Shows the whole motion of a newly opened scenario once the command with this number has been
  /// carried out.
  void frame_after(std::uint64_t command) { input_.frame_after(command); }
  /// Carries out the interface's part of an action; false if it has none.
  bool handle(ui::Action action);
  /// Shows the whole motion from the initial viewpoint.
  void frame_scene();
  /// Looks from the positive end of an axis, 0 to 2, or from its negative end.
  void look_along(int axis, bool opposite);
  /// Moves the selected body by one key press, or pulls it for a moment: a direction on the screen,
  /// y down.
  void push_body(int right, int down);
  /// Sets the function that returns the keys of the controls outside the view, such as the menu
  /// bar, with the positions of the controls in logical pixels of the view.
  void set_outer_keys(std::function<std::vector<ui::KeyHint>()> keys);
  /// Keys that are held in another widget act as if they were held here.
  void share_keys(ImGuiBridge& with);
  /// Clicks the middle of a rectangle, in pixels of the screen.
  void click(const ui::Rect& rect);
  /// Draws the plots alone into the current context of Dear ImGui, whose window has this size [px].
  /// Returns whether all of their signals are computed.
  bool draw_plots(ui::Surface& surface, QSize size, float pixel_ratio);
  void copy_camera();
  void paste_camera();
  void set_camera(const render::Camera::View& view);
  /// Copies q and ω of every body as a table: at the time under the mouse in the plots, else at the
  /// instant shown.
  void copy_configuration();

  /// The content that the scene is drawn from.
  render::SceneStyle scene_style() const;
  /// Where the other runs are at the instant shown: Ghosts::find().
  std::vector<Ghost> ghosts();
  /// The camera if the user has moved it; none if it is still the initial one.
  std::optional<render::Camera> chosen_camera() const { return input_.chosen_camera(); }
  const render::Camera& camera() const { return input_.camera(); }
  /// The number of steps at the instant that the view shows since the last frame; none while a
  /// newer picture of the scene has not been shown yet.
  std::optional<std::int64_t> drawn_step() const {
    return scene_.stored_is_shown() ? std::optional(scene_.shown().content.steps) : std::nullopt;
  }
  /// The instant that the interface shows: that of the run or, where a replay or the run moves it,
  /// that of the picture.
  const Snapshot& shown() const {
    const Snapshot* const instant = pictured();
    return instant ? *instant : run_.shown();
  }
  /// The content of the scene as last drawn; of a split one, the reference alone.
  const render::Scene& drawn_scene() const { return scene_.shown().content.scene; }
  /// Its cells, if it is split, in pixels of the screen.
  const render::Cells& drawn_cells() const { return scene_.shown().content.cells; }

  void request_frame();
  /// The same without a pause for the solver, when the user waits for it.
  void hurry_frame();
  /// Whether all events received so far have been drawn.
  bool is_drawn() const;
  /// Whether any part of it is on a screen; otherwise no frames are drawn.
  bool is_seen() const;
  /// Whether nothing is left to draw until something happens.
  bool at_rest() const;
  std::int64_t frames() const { return frames_; }  ///< frames drawn so far

 Q_SIGNALS:
  /// A frame is about to be drawn: changes to other widgets now reach the screen with it.
  void coming();
  /// A frame was drawn, including the response of the interface to all events so far.
  void drawn();
  /// The user chose another branch. Sent outside the frame.
  void branch_chosen(int branch);
  /// The interface has sent this command to the run.
  void command_sent(const Command& command);
  /// The user chose a preset in the interface. Sent outside the frame.
  void preset_chosen(const QString& key);
  /// Removing the user's preset in this file is wanted.
  void preset_removal_wanted(const QString& path);
  /// The user chose a file in the interface. Sent outside the frame.
  void file_chosen(const QString& path);
  /// The user wants a map over the values of a setting. Sent outside the frame.
  void sweep_wanted(const QString& path);
  /// The user wants the data of a plot as a table. Sent outside the frame.
  void plot_export_wanted(const ui::PlotSpec& plot);
  /// The user begins a tour, or continues it. Sent outside the frame.
  void tour_called(const ui::TourCall& call);
  /// The user chose an action of the window in the interface. Sent outside the frame.
  void action_chosen(ui::Action action);
  /// A message for the user.
  void noted(const QString& text);
  /// The view cannot be drawn, for this reason.
  void failed(const QString& reason);

 protected:
  void initializeGL() override;
  void paintGL() override;
  void resizeEvent(QResizeEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void command(Command command) override;
  void switch_to(int branch) override;
  std::vector<ui::BranchView> branches() const;
  void show(std::int64_t step) override;
  void show_head() override;
  void load_preset(std::string_view key) override;
  void remove_preset(std::string_view path) override;
  void open_file(std::string_view path) override;
  void sweep(std::string_view path) override;
  void export_plot(const ui::PlotSpec& plot) override;
  void guide(const ui::TourCall& call) override;
  void act(ui::Action action) override;

  void hurry_input();
  bool unanswered() const;     ///< the run has pending commands
  bool rests_in_past() const;  ///< a past instant is shown, and no replay moves it
  /// Whether the scene shows another instant than the rest of the view: what began to be drawn
  /// before an end of playing may be complete after it.
  bool is_behind() const;
  /// The instant of the picture, if what is newer has come about without the user.
  const Snapshot* pictured() const;
  /// Whether the user waits for a past instant that the scene does not show yet.
  bool owes_instant() const;
  float wanted_scale() const;
  void release();  ///< releases everything that belongs to the context
  /// False, after reporting the reason, if it failed. Sets compiles_.
  bool make_renderer();
  /// Reads the pictures for the page of presets if it is open.
  void read_pictures();
  /// Runs a frame of the interface without drawing it.
  void lay_out();
  /// Whether the next frame shows the scene; the page of presets covers it.
  bool shows_scene() const;
  /// Passes user input to the interface, so that the run carries out its commands while the next
  /// frame is drawn.
  void take_input();
  /// Begins a frame of the interface, including mouse input in the scene.
  void begin_interface();
  void end_interface();
  /// Called by the scheduler: draws another part of the scene, or a frame.
  void proceed();
  void begin_scene();
  /// Call after each part of a scene with whether it was the `last`; the camera may have followed a
  /// body. Returns `last`.
  bool drawn_to_end(bool last);
  TiledScene::ViewState view_state() const;  ///< the present value
  /// Draws the picture for the time line if one is wanted that has not been drawn yet.
  void draw_time_picture();
  /// Whether the system is small enough for pictures on the time line.
  bool has_time_pictures() const;
  void draw_interface();
  void watch_keys();
  bool held(ui::Action action) const;
  SceneInput::Device take_device();
  void take_pinch();
  void follow_settings();

  LiveRun& run_;
  Replay replay_;
  CloudRepeater cloud_repeater_;
  QString problem_;
  std::unique_ptr<ImFontAtlas> fonts_;
  ImGuiContext* imgui_;
  std::unique_ptr<ui::Interface> interface_;
  std::unique_ptr<ImGuiBridge> bridge_;
  std::unique_ptr<PresetPictures> pictures_;
  FrameScheduler scheduler_;
  SceneInput input_;
  TiledScene scene_;  ///< with a renderer from the first frame on that shows it
  TimePreview time_preview_;
  render::SceneMemory scene_memory_;
  ui::Rect scene_rect_;  ///< as of the frame being drawn
  std::string file_name_;
  std::vector<ui::UserPreset> own_presets_;
  std::vector<ui::RecentFile> recent_;
  std::shared_ptr<const ui::StepCheck> step_check_;
  std::shared_ptr<const ui::TourCard> tour_;
  SignalPreparer signals_;
  FrameFinder frame_finder_;

  float loaded_scale_ = 0;          ///< that the fonts were made for
  double trail_span_ = -1;          ///< last requested of the run [s]
  bool follows_exponents_ = false;  ///< last requested of it
  bool ready_ = false;              ///< the context has what every frame needs
  bool resizing_ = false;
  bool software_ = false;  ///< OpenGL runs on the processor
  /// Making the renderer took so long that drawing for the first time will, too: the driver, which
  /// draws with the processor, has no shaders kept from another time.
  bool compiles_ = false;
  bool has_waited_ = false;            ///< the next frame has waited for the instant asked for
  std::optional<qint64> answered_at_;  ///< the last frame was an answer with the former scene [ns]
  bool restarted_ = false;  ///< the scene being drawn replaces one that was not completed
  bool complete_ = false;   ///< the last frame left nothing to do
  QSize laid_out_;          ///< pixels of the screen that the interface was laid out for
  bool input_due_ = false;
  std::vector<ui::Action> watched_;  ///< in the order of the lists of keys that the bridge watches
  glm::vec2 pushed_{0};              ///< sum of push_body() since the last frame
  QTimer push_end_;                  ///< ends the edit made by keys
  std::function<std::vector<ui::KeyHint>()> outer_keys_;
  std::int64_t frames_ = 0;
  Ghosts ghosts_;  ///< last: its threads call back until it is destroyed
};

}  // namespace twosphere
