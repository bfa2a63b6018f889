// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QOpenGLWidget>
#include <QTimer>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/session/live_run.h"
#include "core/export/configuration_table.h"
#include "render/camera.h"
#include "render/renderer.h"
#include "render/scene_builder.h"
#include "ui/interface.h"

struct ImFontAtlas;
struct ImGuiContext;
class QOpenGLFramebufferObject;

namespace twosphere {

class ImGuiBridge;
class PresetPictures;

/// The OpenGL format of the window. Make it the default format before QApplication.
QSurfaceFormat surface_format();

/// The view of a run: the scene, and around and over it the interface. Draws when there is
/// something new and otherwise rests.
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
  /// Of the open scenario; shown by the interface.
  void set_file_name(std::string name);
  /// Shown on the page of presets, the newest first.
  void set_recent_files(std::vector<ui::RecentFile> files);
  /// Shown by the interface until the user closes it.
  void show_step_check(std::shared_ptr<const ui::StepCheck> check);
  /// Shows the whole motion of a newly opened scenario once that command has been carried out.
  void frame_after(std::uint64_t command);
  /// Does what the record of an action has the interface do; false if that is nothing.
  bool handle(ui::Action action);
  /// Shows the whole motion from the first point of view.
  void frame_scene();
  /// Looks from an axis, 0 to 2, or from its other end.
  void look_along(int axis, bool opposite);
  void copy_camera();
  void paste_camera();
  /// q and ω of every body where the mouse points in the plots, else of the present, as a table.
  void copy_configuration();

  /// What the scene is drawn with.
  render::SceneStyle scene_style() const;
  /// Where the user looks from; nothing if that is still how the scene opened.
  std::optional<render::Camera> chosen_camera() const;

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
  /// The interface has sent this to the run.
  void setting_sent(const Change& change);
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
  /// What makes a picture of the scene useless once it has changed.
  struct ViewState {
    QSize size;  ///< of the view [device pixels]
    ui::Rect place;
    render::Camera::View camera;
    Palette palette = Palette::dark;
    std::uint64_t generation = 0;

    bool operator==(const ViewState&) const = default;
  };
  /// The scene while it is drawn, from the bottom up.
  struct Drawing {
    render::Scene scene, inset;
    render::SceneStyle style;
    render::Theme theme;
    render::Camera camera;
    ViewState sight;  ///< when it began
    render::Target target;
    render::AxisLabels labels{};
    ui::Rect inset_place;
    std::optional<double> pose_time;
    qint64 begun = 0, spent = 0;      ///< [ns of clock_]
    qint64 pixels = 0, vertices = 0;  ///< of it, for all parts; the most for one
  };

  void command(Command command) override;
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
  void steer_camera();
  /// Selects the body under a point of the screen, or none.
  void pick_at(float x, float y);
  std::optional<ui::BodySpot> selected_spot() const;
  /// The lanes that are shown as they were nearest to a time, with their indices.
  std::vector<std::pair<std::size_t, LaneConfiguration>> poses_at(double time) const;
  /// Adds the configuration of every lane at the time under the mouse in the plots.
  void add_poses(Drawing& to) const;
  void add_inset(Drawing& to) const;
  void frame_camera(float aspect);
  /// What there is to do once frame_timer_ says so: another part of the scene, or a frame.
  void go_on();
  void begin_scene();
  /// Fills it with the background's lower colour, and leaves it bound.
  void clear(GLuint framebuffer, const render::Theme& theme);
  /// Draws so many more rows of it; whether that was the last.
  bool draw_scene(int rows);
  ViewState sight() const;  ///< as it is now
  /// Whether the scene as it was kept will do for the coming frame.
  bool keeps_scene() const;
  void show_kept_scene();
  void draw_interface();
  double frame_seconds() const;
  void note_cost(qint64 started, qint64 length);
  void follow_settings();

  LiveRun& run_;
  QString problem_;
  std::unique_ptr<ImFontAtlas> fonts_;
  ImGuiContext* imgui_;
  std::unique_ptr<ui::Interface> interface_;
  std::unique_ptr<ImGuiBridge> bridge_;
  std::unique_ptr<render::Renderer> renderer_;  ///< from the first frame with a scene on
  std::unique_ptr<PresetPictures> pictures_;
  render::Camera camera_;
  render::Scene scene_;
  render::SceneMemory scene_memory_;
  std::optional<render::AxisLabels> labels_;  ///< once a scene was drawn
  ui::Rect scene_rect_;                       ///< as of the frame being drawn
  std::optional<double> pose_time_;           ///< time of the configurations added to the scene [s]
  ui::Rect inset_rect_;                       ///< likewise; without a width: nowhere
  std::string file_name_;
  std::vector<ui::RecentFile> recent_;
  std::shared_ptr<const ui::StepCheck> step_check_;

  enum class Drag { none, orbit, pan } drag_ = Drag::none;
  int drag_button_ = 0;
  std::uint64_t frame_after_ = 0;  ///< command after which to frame the scene, or 0
  bool camera_moved_ = false;      ///< by the user, since the scenario was opened
  float framed_aspect_ = 0;        ///< of the scene when the camera was last framed
  float loaded_scale_ = 0;         ///< that the fonts were made for
  double trail_span_ = -1;         ///< last requested of the run [s]

  bool ready_ = false;  ///< the context has what every frame needs
  bool resizing_ = false;
  bool software_ = false;  ///< OpenGL runs on the processor
  /// Making the renderer took so long that drawing for the first time will, too: the driver, which
  /// draws with the processor, has no shaders kept from another time.
  bool compiles_ = false;
  bool complete_ = false;  ///< the last frame left nothing to do
  QSize laid_out_;         ///< pixels of the screen that the interface was laid out for
  QTimer frame_timer_;
  QElapsedTimer clock_;
  bool input_due_ = false;
  std::optional<Drawing> drawing_;
  /// Where the processor draws, a scene takes so long that it is drawn in parts between which the
  /// window answers the user; what it then shows is the last one that was done.
  struct SceneCache {
    std::unique_ptr<QOpenGLFramebufferObject> picture;
    ViewState sight;
    qint64 begun = 0, spent = 0;  ///< [ns of clock_]
    bool shown = true;
  } kept_;
  std::unique_ptr<QOpenGLFramebufferObject> canvas_;  ///< what comes after it is drawn there
  int parts_ = 1;                                     ///< of the next scene
  bool wanted_ = false;    ///< a frame of what is newer than the one being drawn
  bool answers_ = false;   ///< the next frame is for what the user did
  qint64 next_frame_ = 0;  ///< earliest start [ns of clock_]
  std::int64_t frames_ = 0;
  std::deque<std::pair<qint64, qint64>> costs_;  ///< start and length of the last frames [ns]
};

}  // namespace twosphere
