// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QOpenGLWidget>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/scene/frame_scheduler.h"
#include "app/scene/scene_input.h"
#include "app/scene/tiled_scene.h"
#include "app/scene/time_preview.h"
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

/// The view of a run: the scene, and around and over it the interface. Draws when there is
/// something new and otherwise rests. Owns the interface and what draws it and the scene; the
/// window makes one.
class Viewport : public QOpenGLWidget, private ui::CommandSink {
  Q_OBJECT
 public:
  Viewport(LiveRun& run, const ui::Settings& settings, QWidget* parent);
  ~Viewport() override;

  static QLatin1String imgui_version();
  /// What is missing without which nothing can be drawn; empty: nothing is. The view must then not
  /// be shown, nor be a part of a window that is: Qt ends the program where OpenGL is missing.
  const QString& problem() const { return problem_; }
  ui::Interface& interface() { return *interface_; }
  /// Where in the run the user is.
  Replay& replay() { return replay_; }
  /// Of the open scenario; shown by the interface.
  void set_file_name(std::string name);
  /// Shown on the page of presets, the newest first.
  void set_recent_files(std::vector<ui::RecentFile> files);
  /// Shown by the interface until the user closes it.
  void show_step_check(std::shared_ptr<const ui::StepCheck> check);
  /// Shows the whole motion of a newly opened scenario once that command has been carried out.
  void frame_after(std::uint64_t command) { input_.frame_after(command); }
  /// Does what the record of an action has the interface do; false if that is nothing.
  bool handle(ui::Action action);
  /// Shows the whole motion from the first point of view.
  void frame_scene();
  /// Looks from an axis, 0 to 2, or from its other end.
  void look_along(int axis, bool opposite);
  void copy_camera();
  void paste_camera();
  void set_camera(const render::Camera::View& view);
  /// q and ω of every body where the mouse points in the plots, else of the present, as a table.
  void copy_configuration();

  /// What the scene is drawn with.
  render::SceneStyle scene_style() const;
  /// Where the user looks from; nothing if that is still how the scene opened.
  std::optional<render::Camera> chosen_camera() const { return input_.chosen_camera(); }
  const render::Camera& camera() const { return input_.camera(); }
  /// The steps to the instant that the view shows since the last frame; none while a later picture
  /// of the scene is still to be shown.
  std::optional<std::int64_t> drawn_step() const {
    return scene_.kept_is_shown() ? std::optional(scene_.shown().content.steps) : std::nullopt;
  }
  /// As last drawn.
  const render::Scene& drawn_scene() const { return scene_.shown().content.scene; }

  void request_frame();
  /// The same, for what somebody waits for: no pause for the solver before it.
  void hurry_frame();
  /// Whether every event that came has been drawn.
  bool settled() const;
  /// Whether nothing is left to be drawn until something happens.
  bool at_rest() const;
  std::int64_t frames() const { return frames_; }  ///< drawn so far

 Q_SIGNALS:
  /// A frame is about to be drawn: what changes now beside the view reaches the screen with it.
  void coming();
  /// A frame was drawn, with all that the interface made of the events so far.
  void drawn();
  /// The user chose another branch. Sent outside the frame.
  void branch_chosen(int branch);
  /// The interface has sent this to the run.
  void command_sent(const Command& command);
  /// The user chose a preset in the interface. Sent outside the frame.
  void preset_chosen(const QString& key);
  /// The user chose a file in the interface. Sent outside the frame.
  void file_chosen(const QString& path);
  /// The user chose an action of the window in the interface. Sent outside the frame.
  void action_chosen(ui::Action action);
  /// Something that the user should know.
  void noted(const QString& text);
  /// The view cannot be drawn, and why.
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
  void open_file(std::string_view path) override;
  void act(ui::Action action) override;

  void hurry_input();
  bool unanswered() const;  ///< the run has pending commands
  float wanted_scale() const;
  void release();  ///< everything that lives in the context
  void load_fonts();
  /// Whether it succeeded; says why not. Sets compiles_.
  bool make_renderer();
  /// Has the pictures read that the page of presets needs, if it is open.
  void read_pictures();
  /// A frame of the interface that is not drawn.
  void lay_out();
  /// Whether the coming frame shows the scene; the page of presets covers it.
  bool shows_scene() const;
  /// Has the interface take in what the user did, so that what it orders is carried out while the
  /// next frame is drawn.
  void take_input();
  /// Begins a frame of the interface with what the mouse does in the scene.
  void begin_interface();
  /// What there is to do once the scheduler says so: another part of the scene, or a frame.
  void go_on();
  void begin_scene();
  /// After the last part of a scene: the camera may have moved along with a body.
  bool drawn_to_end(bool last);
  TiledScene::ViewState view_state() const;  ///< as it is now
  /// Draws the picture for the time line, if it is wanted and another one.
  void draw_time_picture();
  /// Whether the system is so small that the time line has pictures.
  bool has_time_pictures() const;
  void draw_interface();
  void follow_settings();

  LiveRun& run_;
  Replay replay_;
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
  std::vector<ui::RecentFile> recent_;
  std::shared_ptr<const ui::StepCheck> step_check_;

  float loaded_scale_ = 0;  ///< that the fonts were made for
  double trail_span_ = -1;  ///< last requested of the run [s]
  bool ready_ = false;      ///< the context has what every frame needs
  bool resizing_ = false;
  bool software_ = false;  ///< OpenGL runs on the processor
  /// Making the renderer took so long that drawing for the first time will, too: the driver, which
  /// draws with the processor, has no shaders kept from another time.
  bool compiles_ = false;
  bool complete_ = false;  ///< the last frame left nothing to do
  QSize laid_out_;         ///< pixels of the screen that the interface was laid out for
  bool input_due_ = false;
  std::int64_t frames_ = 0;
};

}  // namespace twosphere
