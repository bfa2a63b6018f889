// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/scene/viewport.h"

#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <QClipboard>
#include <QGuiApplication>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLExtraFunctions>
#include <QOpenGLFramebufferObject>
#include <QOpenGLFunctions>
#include <QSurfaceFormat>
#include <QWindow>
#include <algorithm>
#include <cmath>
#include <future>
#include <numbers>
#include <utility>

#include "app/base/plural.h"
#include "app/scene/imgui_bridge.h"
#include "app/scene/preset_pictures.h"
#include "app/scene/scene_legend.h"
#include "app/scene/view_text.h"
#include "core/base/simd_level.h"
#include "render/figure_shapes.h"
#include "render/pick.h"
#include "ui/shell/style.h"

namespace twosphere {
namespace {

constexpr int gl_major = 3, gl_minor = 3;
constexpr const char* glsl_version = "#version 330 core";

// Logical pixels, and shares of the scene's width and of the inset's height.
constexpr float inset_size = 132, inset_gap = 10, inset_share = 0.3F, inset_room = 3;
constexpr float inset_ball = 1.16F;  // radius that is framed

constexpr float pick_slack = 6;  // logical pixels by which a click may miss a body

constexpr qint64 millisecond = 1'000'000;  // [ns]
// Between the starts of two frames. Where the processor draws, the solver needs it too.
constexpr qint64 gpu_interval = 6 * millisecond, software_interval = 33 * millisecond;
constexpr double software_share = 0.6;           // of the time that drawing may take
constexpr qint64 part_length = 8 * millisecond;  // of a scene that is drawn in parts
constexpr qint64 most_parts = 12;
constexpr qint64 slow_compiling = 40 * millisecond;  // longer than with shaders that were kept
constexpr int answer_wait = 3;  // [ms] at most, for the run to do what it was asked
constexpr int most_passes = 8;  // over what the user did, between two frames

int pixel(float place) { return static_cast<int>(std::lround(place)); }

bool draws_in_software() {
  const auto* name = reinterpret_cast<const char*>(
      QOpenGLContext::currentContext()->functions()->glGetString(GL_RENDERER));
  const QString renderer = QString::fromLatin1(name).toLower();
  return renderer.contains(QLatin1String("llvmpipe")) ||
         renderer.contains(QLatin1String("softpipe")) || renderer.contains(QLatin1String("swrast"));
}

/// What OpenGL offers a window.
struct Offer {
  QString problem;  ///< why nothing can be drawn; empty: it can
  int samples = 0;  ///< smooth edges cost a GPU nothing and llvmpipe three times the frame
};

Offer offer() {
  const QString needed = QStringLiteral("OpenGL %1.%2 is required").arg(gl_major).arg(gl_minor);
  // This platform has contexts, but no window that one could be used in.
  if (QGuiApplication::platformName() == QLatin1String("offscreen"))
    return {needed + QStringLiteral("; the Qt platform \"offscreen\" does not provide it.")};
  QOpenGLContext context;
  QOffscreenSurface surface;
  surface.create();
  if (!context.create() || !context.makeCurrent(&surface))
    return {needed + QStringLiteral("; this display and its driver do not provide OpenGL.")};
  Offer result;
  const QSurfaceFormat got = context.format();
  if (got.version() < qMakePair(gl_major, gl_minor))
    result.problem = needed + QStringLiteral("; this display provides %1.%2.")
                                  .arg(got.majorVersion())
                                  .arg(got.minorVersion());
  else
    result.samples = draws_in_software() ? 0 : 4;
  context.doneCurrent();
  return result;
}

}  // namespace

QSurfaceFormat surface_format() {
  QSurfaceFormat format;
  format.setRenderableType(QSurfaceFormat::OpenGL);
  format.setVersion(gl_major, gl_minor);
  format.setProfile(QSurfaceFormat::CoreProfile);
  format.setDepthBufferSize(24);
  return format;
}

QLatin1String Viewport::imgui_version() { return QLatin1String(IMGUI_VERSION); }

Viewport::Viewport(LiveRun& run, const ui::Settings& settings, QWidget* parent)
    : QOpenGLWidget(parent),
      run_(run),
      fonts_(std::make_unique<ImFontAtlas>()),
      interface_(std::make_unique<ui::Interface>()) {
  interface_->settings() = settings;
  loaded_scale_ = wanted_scale();
  // Meanwhile the first context has the driver loaded, which takes no less time.
  auto fonts = std::async([this] { ui::load_fonts(*fonts_, loaded_scale_); });
  QSurfaceFormat format = surface_format();
  const Offer offered = offer();
  problem_ = offered.problem;
  format.setSamples(offered.samples);
  setFormat(format);
  setObjectName(QStringLiteral("viewport"));
  setAccessibleName(QStringLiteral("Scene and plots"));
  setAccessibleDescription(QStringLiteral("The moving system, its parameters and its plots"));
  setMinimumSize(480, 320);

  fonts.get();
  imgui_ = ImGui::CreateContext(fonts_.get());
  ImGui::SetCurrentContext(imgui_);
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.ConfigDragClickToInputText = true;
  bridge_ = std::make_unique<ImGuiBridge>(
      *this, *imgui_, [this] { bridge_->urgent() ? hurry_input() : request_frame(); });
  pictures_ = std::make_unique<PresetPictures>([this] { request_frame(); });

  clock_.start();
  frame_timer_.setSingleShot(true);
  frame_timer_.setTimerType(Qt::PreciseTimer);
  connect(&frame_timer_, &QTimer::timeout, this, &Viewport::go_on);
  connect(&run_, &LiveRun::updated, this, [this] {
    if (!answers_ && !unanswered()) return request_frame();
    run_.update();
    hurry_frame();
  });
  connect(&run_, &LiveRun::asked, this, [this] {
    answers_ = true;
    hurry_frame();
  });
}

Viewport::~Viewport() {
  if (context()) disconnect(context(), nullptr, this, nullptr);
  release();
  pictures_.reset();
  ImGui::SetCurrentContext(imgui_);
  interface_.reset();
  bridge_.reset();
  ImGui::DestroyContext(imgui_);
}

void Viewport::release() {
  if (!std::exchange(ready_, false)) return;
  makeCurrent();
  drawing_.reset();
  canvas_.reset();
  kept_ = {};
  pictures_->release();
  renderer_.reset();
  ImGui::SetCurrentContext(imgui_);
  ImGui_ImplOpenGL3_Shutdown();
  doneCurrent();
}

void Viewport::initializeGL() {
  connect(context(), &QOpenGLContext::aboutToBeDestroyed, this, &Viewport::release);
  software_ = draws_in_software();
  ImGui::SetCurrentContext(imgui_);
  if (!ImGui_ImplOpenGL3_Init(glsl_version)) {
    Q_EMIT failed(QStringLiteral("The library libGL.so.1 could not be loaded."));
    return;
  }
  ready_ = true;
}

bool Viewport::make_renderer() {
  const qint64 asked = clock_.nsecsElapsed();
  auto renderer = render::Renderer::create();
  compiles_ = software_ && clock_.nsecsElapsed() - asked > slow_compiling;
  if (renderer)
    renderer_ = std::move(*renderer);
  else
    Q_EMIT failed(QString::fromStdString(renderer.error().text()));
  return renderer_ != nullptr;
}

// Qt paints inside the event, and again before it shows anything.
void Viewport::resizeEvent(QResizeEvent* event) {
  resizing_ = true;
  QOpenGLWidget::resizeEvent(event);
  resizing_ = false;
  update();
}

void Viewport::paintEvent(QPaintEvent* event) {
  if (!resizing_) QOpenGLWidget::paintEvent(event);
}

void Viewport::set_file_name(std::string name) {
  file_name_ = std::move(name);
  request_frame();
}

void Viewport::set_recent_files(std::vector<ui::RecentFile> files) {
  recent_ = std::move(files);
  request_frame();
}

void Viewport::show_step_check(std::shared_ptr<const ui::StepCheck> check) {
  step_check_ = std::move(check);
  request_frame();
}

void Viewport::frame_after(std::uint64_t command) { frame_after_ = command; }

void Viewport::request_frame() {
  wanted_ = true;
  if (frame_timer_.isActive()) return;
  const qint64 wait = std::max<qint64>(next_frame_ - clock_.nsecsElapsed(), 0);
  frame_timer_.start(static_cast<int>((wait + millisecond - 1) / millisecond));
}

void Viewport::hurry_frame() {
  // The run may have executed the commands by then.
  const bool quick = 1e3 * run_.snapshot().step_seconds < answer_wait;
  const int wait = unanswered() && quick ? answer_wait : 0;
  const bool part_next = drawing_ && frame_timer_.interval() == 0;
  if (!frame_timer_.isActive() || part_next || frame_timer_.remainingTime() > wait)
    frame_timer_.start(wait);
}

void Viewport::go_on() {
  const QWindow* const screen = window()->windowHandle();
  const bool seen = isVisible() && screen && screen->isExposed();
  if (!seen) answers_ = false;  // nobody waits
  if (!answers_ && kept_.shown && software_ && renderer_ && seen && shows_scene()) {
    makeCurrent();
    zero_upper_registers();
    if (!drawing_ || drawing_->sight != sight()) {
      run_.update();
      begin_scene();
    }
    if (!draw_scene(drawing_->target.height / parts_ + 1)) {
      frame_timer_.start(0);
      return;
    }
  }
  Q_EMIT coming();
  update();
}

void Viewport::hurry_input() {
  if (!std::exchange(input_due_, true))
    QMetaObject::invokeMethod(this, &Viewport::take_input, Qt::QueuedConnection);
}

void Viewport::take_input() {
  input_due_ = false;
  ImGui::SetCurrentContext(imgui_);
  if (ready_ && loaded_scale_ == wanted_scale()) {
    run_.update();
    for (int i = 0; i < most_passes && bridge_->waiting(); ++i) lay_out();
  }
  answers_ = true;
  hurry_frame();
}

bool Viewport::unanswered() const { return run_.snapshot().commands < run_.sent(); }

bool Viewport::settled() const { return !bridge_->pending(); }

bool Viewport::at_rest() const {
  return complete_ && settled() && !input_due_ && !frame_timer_.isActive() && !drawing_ &&
         kept_.shown;
}

void Viewport::command(Command command) {
  run_.send(command);
  if (const auto* change = std::get_if<Change>(&command)) Q_EMIT setting_sent(*change);
}

// What the interface orders inside a frame is done after it: a dialog in the middle would draw
// the view again.
void Viewport::act(ui::Action action) {
  QMetaObject::invokeMethod(
      this, [this, action] { Q_EMIT action_chosen(action); }, Qt::QueuedConnection);
}

void Viewport::load_preset(std::string_view key) {
  const QString name = QString::fromUtf8(key.data(), static_cast<qsizetype>(key.size()));
  QMetaObject::invokeMethod(
      this, [this, name] { Q_EMIT preset_chosen(name); }, Qt::QueuedConnection);
}

void Viewport::open_file(std::string_view path) {
  const QString name = QString::fromUtf8(path.data(), static_cast<qsizetype>(path.size()));
  QMetaObject::invokeMethod(
      this, [this, name] { Q_EMIT file_chosen(name); }, Qt::QueuedConnection);
}

bool Viewport::handle(ui::Action action) {
  ImGui::SetCurrentContext(imgui_);
  if (!interface_->handle(action)) return false;
  read_pictures();
  request_frame();
  return true;
}

void Viewport::frame_scene() {
  frame_camera(framed_aspect_);
  camera_moved_ = false;
  request_frame();
}

void Viewport::look_along(int axis, bool opposite) {
  camera_.look_along(axis, opposite);
  camera_moved_ = true;
  request_frame();
}

void Viewport::copy_camera() {
  QGuiApplication::clipboard()->setText(QString::fromStdString(view_text(camera_.where())));
  Q_EMIT noted(QStringLiteral("The view was copied."));
}

void Viewport::paste_camera() {
  const std::string text = QGuiApplication::clipboard()->text().toStdString();
  if (const auto view = read_view(text)) {
    camera_.go(*view);
    camera_moved_ = true;
    request_frame();
  } else {
    Q_EMIT noted(QString::fromStdString(view.error().text()));
  }
}

float Viewport::wanted_scale() const {
  return interface_->settings().scale * static_cast<float>(devicePixelRatioF());
}

void Viewport::load_fonts() {
  const float scale = wanted_scale();
  if (scale == loaded_scale_) return;
  ui::load_fonts(*fonts_, scale);
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
  loaded_scale_ = scale;
}

void Viewport::read_pictures() {
  if (interface_->gallery_open()) pictures_->read(interface_->settings().palette == Palette::light);
}

void Viewport::follow_settings() {
  const ui::Settings& settings = interface_->settings();
  if (const double span = settings.trail ? settings.trail_span : 0; span != trail_span_) {
    trail_span_ = span;
    run_.keep_trail(span);
  }
}

void Viewport::steer_camera() {
  const ImGuiIO& io = ImGui::GetIO();
  const ui::Rect area = interface_->scene();
  if (!io.WantCaptureMouse && area.contains(io.MousePos.x, io.MousePos.y)) {
    for (const int button :
         {ImGuiMouseButton_Left, ImGuiMouseButton_Right, ImGuiMouseButton_Middle})
      if (drag_ == Drag::none && io.MouseClicked[button]) {
        drag_button_ = button;
        drag_ = button == ImGuiMouseButton_Left && !io.KeyShift ? Drag::orbit : Drag::pan;
      }
    if (io.MouseDoubleClicked[ImGuiMouseButton_Left]) frame_scene();
    if (io.MouseWheel != 0) {
      camera_.zoom(io.MouseWheel);
      camera_moved_ = true;
    }
  }
  if (drag_ == Drag::none) return;
  if (!io.MouseDown[drag_button_]) {
    const float slack = io.MouseDragThreshold;
    if (drag_ == Drag::orbit && io.MouseClickedLastCount[drag_button_] == 1 &&
        io.MouseDragMaxDistanceSqr[drag_button_] < slack * slack)
      pick_at(io.MousePos.x, io.MousePos.y);
    drag_ = Drag::none;
    return;
  }
  const ImVec2 moved = io.MouseDelta;
  if ((moved.x == 0 && moved.y == 0) || io.MouseClicked[drag_button_]) return;
  camera_moved_ = true;
  // A drag over the scene's height turns by half a turn.
  const float angle = std::numbers::pi_v<float> / std::max(area.height, 1.0F);
  if (drag_ == Drag::orbit)
    camera_.orbit(-moved.x * angle, moved.y * angle);
  else
    camera_.pan({moved.x, moved.y}, {area.width, area.height});
}

void Viewport::pick_at(float x, float y) {
  const Snapshot& now = run_.snapshot();
  const glm::vec2 point{x - scene_rect_.x, y - scene_rect_.y};
  const glm::vec2 view{scene_rect_.width, scene_rect_.height};
  const float slack =
      pick_slack * interface_->settings().scale * ImGui::GetIO().DisplayFramebufferScale.x;
  const std::set<int> hidden = interface_->hidden_lanes();
  const int lanes = static_cast<int>(now.lanes.size());
  std::optional<ui::BodyId> found;
  Geometry figure;
  // The reference lane, which is drawn in full, comes first.
  for (int k = 0; k < lanes && !found; ++k) {
    const int lane = (interface_->settings().reference_lane + k) % lanes;
    const State& state = now.lanes[static_cast<std::size_t>(lane)].state;
    if (hidden.contains(lane) || state.size() != now.system->size()) continue;
    now.system->geometry(state.q, figure);
    const double radius = render::body_radius(figure, now.system->extent().radius);
    if (const auto body = render::pick(figure, radius, camera_, point, view, slack))
      found = ui::BodyId{lane, *body};
  }
  interface_->select(found);
}

std::optional<ui::BodySpot> Viewport::selected_spot() const {
  const auto selected = interface_->selected();
  const Snapshot& now = run_.snapshot();
  if (!selected || static_cast<std::size_t>(selected->lane) >= now.lanes.size()) return {};
  const State& state = now.lanes[static_cast<std::size_t>(selected->lane)].state;
  if (selected->body >= state.size() || state.size() != now.system->size()) return {};
  Geometry figure;
  now.system->geometry(state.q, figure);
  const double radius = render::body_radius(figure, now.system->extent().radius);
  const glm::vec2 view{scene_rect_.width, scene_rect_.height};
  const auto spot = render::spot(figure, radius, selected->body, camera_, view);
  if (!spot) return {};
  return ui::BodySpot{scene_rect_.x + spot->center.x, scene_rect_.y + spot->center.y, spot->radius};
}

std::vector<std::pair<std::size_t, LaneConfiguration>> Viewport::poses_at(double time) const {
  std::vector<std::pair<std::size_t, LaneConfiguration>> poses;
  const Snapshot& now = run_.snapshot();
  const std::set<int> hidden = interface_->hidden_lanes();
  for (std::size_t lane = 0; lane < std::min(now.lanes.size(), run_.histories().size()); ++lane) {
    const History& history = run_.histories()[lane];
    if (history.state_count() == 0 || hidden.contains(static_cast<int>(lane))) continue;
    const Series& times = history.column(Quantity::time);
    std::size_t index = std::min(history.lower_bound(time), history.size() - 1);
    if (index > 0 && time - times[index - 1] < times[index] - time) --index;
    State state = history.state_at(index);
    if (state.size() != now.system->size()) continue;
    poses.emplace_back(lane, LaneConfiguration{now.lanes[lane].name, std::move(state)});
  }
  return poses;
}

void Viewport::add_poses(Drawing& to) const {
  const auto cursor = interface_->cursor();
  if (!cursor) return;
  for (const auto& [lane, pose] : poses_at(*cursor)) {
    render::add_pose(run_.snapshot(), lane, pose.state.q, to.style, to.scene);
    to.pose_time = pose.state.t;
  }
}

void Viewport::copy_configuration() {
  std::vector<LaneConfiguration> poses;
  if (const auto cursor = interface_->cursor())
    for (auto& [lane, pose] : poses_at(*cursor)) poses.push_back(std::move(pose));
  if (poses.empty()) {
    run_.update();
    for (const Snapshot::LaneView& lane : run_.snapshot().lanes)
      poses.push_back({lane.name, lane.state});
  }
  QGuiApplication::clipboard()->setText(QString::fromStdString(configuration_table(poses)));
  Q_EMIT noted(QStringLiteral("The configuration at %1 s was copied: %2")
                   .arg(poses.front().state.t)
                   .arg(counted(poses.front().state.size(), "body", "bodies")));
}

render::SceneStyle Viewport::scene_style() const {
  const ui::Settings& settings = interface_->settings();
  return {.trail = settings.trail,
          .trail_span = settings.trail_span,
          .ground = settings.ground,
          .graticule = settings.graticule,
          .palette = settings.palette,
          .lane_colors = settings.lane_colors,
          .reference = settings.reference_lane,
          .hidden = interface_->hidden_lanes(),
          .shade = settings.shade,
          .color_map = settings.color_map,
          .field = settings.field,
          .arrows = settings.arrows,
          .fine = !software_};
}

std::optional<render::Camera> Viewport::chosen_camera() const {
  if (!camera_moved_) return {};
  return camera_;
}

void Viewport::frame_camera(float aspect) {
  camera_.frame(render::framing(run_.snapshot(), scene_style()), aspect);
}

// The unit sphere in the lower right corner.
void Viewport::add_inset(Drawing& to) const {
  if (!interface_->settings().inset) return;
  const ui::Rect& place = to.sight.place;
  const float scale = interface_->settings().scale * to.target.pixel_ratio;
  const float size = std::min(inset_size * scale, inset_share * place.width);
  if (place.height < inset_room * size) return;
  to.inset = render::build_inset(run_.snapshot(), run_.trail(), to.style);
  if (!to.inset.shell.visible) return;
  const float gap = inset_gap * scale;
  to.inset_place = {place.x + place.width - size - gap, place.y + place.height - size - gap, size,
                    size};
}

void Viewport::begin_scene() {
  wanted_ = false;
  const QSize size = framebuffer_size(*this);
  if (software_ && (!canvas_ || canvas_->size() != size))
    canvas_ = std::make_unique<QOpenGLFramebufferObject>(
        size, QOpenGLFramebufferObject::CombinedDepthStencil);
  const Snapshot& now = run_.snapshot();
  Drawing& it = drawing_.emplace();
  it.begun = clock_.nsecsElapsed();
  it.style = scene_style();
  it.theme = render::theme(it.style);
  it.scene = render::build_scene(now, run_.trail(), it.style, scene_memory_);
  add_poses(it);

  const ui::Rect area = interface_->scene();
  it.target = {.framebuffer = software_ ? canvas_->handle() : defaultFramebufferObject(),
               .x = pixel(area.x),
               .y = size.height() - pixel(area.y + area.height),
               .width = pixel(area.width),
               .height = pixel(area.height),
               .pixel_ratio = static_cast<float>(devicePixelRatioF()),
               .rows = 0};
  const float aspect = area.width / area.height;
  const bool arrived = frame_after_ != 0 && now.commands >= frame_after_;
  if (area.height > 0 && (arrived || (!camera_moved_ && aspect != framed_aspect_))) {
    frame_camera(aspect);
    if (arrived) {
      camera_moved_ = false;
      frame_after_ = 0;
    }
  }
  framed_aspect_ = aspect;
  it.camera = camera_;
  it.sight = sight();
  if (const int body = interface_->followed();
      body >= 0 && static_cast<std::size_t>(body) < it.scene.bodies.size()) {
    it.camera.follow(glm::vec3(it.scene.bodies[static_cast<std::size_t>(body)]));
    camera_moved_ = true;
  }
  add_inset(it);
  it.spent = clock_.nsecsElapsed() - it.begun;
}

void Viewport::clear(GLuint framebuffer, const render::Theme& theme) {
  const glm::vec3& back = theme.background_bottom;
  QOpenGLFunctions& gl = *context()->functions();
  gl.glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  gl.glDisable(GL_SCISSOR_TEST);
  gl.glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  gl.glClearColor(back.x, back.y, back.z, 1);
  gl.glClear(GL_COLOR_BUFFER_BIT);
}

bool Viewport::draw_scene(int rows) {
  const qint64 started = clock_.nsecsElapsed();
  Drawing& it = *drawing_;
  QOpenGLFunctions& gl = *context()->functions();
  if (it.target.first_row == 0) clear(it.target.framebuffer, it.theme);
  if (it.target.width > 0 && it.target.height > 0) {
    it.target.rows = rows;
    it.labels = renderer_->draw(it.scene, it.camera, it.theme, it.target);
    it.target.first_row += rows;
    const bool all = it.target.first_row >= it.target.height;
    if (all && it.inset.shell.visible) {
      const int size = pixel(it.inset_place.width);
      const render::Target place{
          .framebuffer = it.target.framebuffer,
          .x = pixel(it.inset_place.x),
          .y = framebuffer_size(*this).height() - pixel(it.inset_place.y + it.inset_place.height),
          .width = size,
          .height = size,
          .pixel_ratio = it.target.pixel_ratio,
          .inset = true};
      renderer_->draw(it.inset, render::Camera::beside(it.camera, inset_ball), it.theme, place);
    }
    const qint64 given = clock_.nsecsElapsed();
    if (software_) gl.glFinish();
    const qint64 now = clock_.nsecsElapsed();
    it.spent += now - started;
    it.pixels += now - given;
    it.vertices = std::max(it.vertices, given - started);
    if (!all) return false;
  }
  gl.glBindFramebuffer(GL_FRAMEBUFFER, defaultFramebufferObject());

  camera_ = it.camera;
  scene_ = std::move(it.scene);
  labels_ = it.labels;
  inset_rect_ = it.inset_place;
  pose_time_ = it.pose_time;
  if (software_) {
    std::swap(kept_.picture, canvas_);
    kept_.sight = it.sight;
    kept_.sight.camera = camera_.where();  // along with a body that it follows
    kept_.begun = it.begun;
    kept_.spent = it.spent;
    kept_.shown = false;
    // Every part takes the vertices of the whole scene: no more of it than the pixels take.
    parts_ = static_cast<int>(
        std::clamp<qint64>(it.pixels / std::max(part_length, it.vertices), 1, most_parts));
  }
  drawing_.reset();
  return true;
}

Viewport::ViewState Viewport::sight() const {
  return {framebuffer_size(*this), interface_->scene(), camera_.where(),
          interface_->settings().palette, run_.snapshot().generation};
}

void Viewport::draw_interface() {
  const QSize size = framebuffer_size(*this);
  const auto ratio = static_cast<float>(devicePixelRatioF());
  const auto place = [this, ratio](const glm::vec2& p) {
    return std::array<float, 2>{scene_rect_.x + p.x * ratio, scene_rect_.y + p.y * ratio};
  };
  std::optional<ui::AxisTips> tips;
  if (labels_) tips = {place(labels_->tips[0]), place(labels_->tips[1]), place(labels_->tips[2])};
  ui::Legend legend = legend_of(scene_, camera_, scene_rect_, interface_->settings().labels);
  legend.inset = inset_rect_;
  const ui::Frame frame{.snapshot = run_.snapshot(),
                        .histories = run_.histories(),
                        .width = static_cast<float>(size.width()),
                        .height = static_cast<float>(size.height()),
                        .pixel_ratio = ratio,
                        .axis_tips = tips,
                        .gravity_tip = place(labels_ ? labels_->gravity : glm::vec2()),
                        .has_gravity = labels_ && labels_->has_gravity,
                        .file_name = file_name_,
                        .step_check = step_check_.get(),
                        .legend = std::move(legend),
                        .pictures = pictures_->textures(),
                        .recent = recent_,
                        .selected = selected_spot(),
                        .pose_time = pose_time_,
                        .plays = run_.plays(),
                        .frame_seconds = frame_seconds(),
                        .frame_rate = static_cast<double>(costs_.size())};
  interface_->draw(frame, *this);
}

bool Viewport::keeps_scene() const { return kept_.picture && kept_.sight == sight(); }

void Viewport::show_kept_scene() {
  const QSize size = framebuffer_size(*this);
  const GLuint view = defaultFramebufferObject();
  QOpenGLExtraFunctions& gl = *context()->extraFunctions();
  gl.glBindFramebuffer(GL_READ_FRAMEBUFFER, kept_.picture->handle());
  gl.glBindFramebuffer(GL_DRAW_FRAMEBUFFER, view);
  gl.glDisable(GL_SCISSOR_TEST);
  gl.glBlitFramebuffer(0, 0, size.width(), size.height(), 0, 0, size.width(), size.height(),
                       GL_COLOR_BUFFER_BIT, GL_NEAREST);
  gl.glBindFramebuffer(GL_FRAMEBUFFER, view);
}

// The mean of those in the last second.
double Viewport::frame_seconds() const {
  double sum = 0;
  for (const auto& [start, length] : costs_) sum += static_cast<double>(length);
  return costs_.empty() ? 0 : 1e-9 * sum / static_cast<double>(costs_.size());
}

void Viewport::note_cost(qint64 started, qint64 length) {
  if (!interface_->performance()) {
    costs_.clear();
    return;
  }
  constexpr qint64 second = 1000 * millisecond;
  costs_.emplace_back(started, length);
  while (started - costs_.front().first > second) costs_.pop_front();
}

// Under the page of presets it is drawn once, when there is time, so that it need not be prepared
// when the page closes.
bool Viewport::shows_scene() const {
  return !interface_->gallery_open() || (complete_ && !renderer_);
}

void Viewport::lay_out() {
  laid_out_ = framebuffer_size(*this);
  bridge_->begin_frame();
  ImGui::NewFrame();
  steer_camera();
  draw_interface();
  ImGui::EndFrame();
  bridge_->end_frame();
  bridge_->keep_plain_keys(interface_->gallery_open());
}

void Viewport::paintGL() {
  if (!ready_) return;
  zero_upper_registers();
  const qint64 started = clock_.nsecsElapsed();
  const bool answer = std::exchange(answers_, false), fresh = !std::exchange(kept_.shown, true);
  // What was drawn for this frame belongs to the snapshot that is there.
  if (answer || !fresh) run_.update();
  if (!fresh && !drawing_) wanted_ = false;
  run_.compare_with(interface_->settings().reference_lane);
  ImGui::SetCurrentContext(imgui_);
  ImGui_ImplOpenGL3_NewFrame();
  load_fonts();
  read_pictures();
  pictures_->upload();
  // To find out where the scene goes.
  if (laid_out_ != framebuffer_size(*this)) lay_out();
  const bool scene = shows_scene();
  if (scene && !renderer_ && !make_renderer()) return;
  // The window shows before the driver compiles what it needs to draw a scene.
  const bool without_scene =
      std::exchange(compiles_, false) && scene && !interface_->gallery_open();

  bridge_->begin_frame();
  ImGui::NewFrame();
  steer_camera();
  scene_rect_ = interface_->scene();
  if (!scene) drawing_.reset();
  const bool again = (answer || fresh) && !interface_->gallery_open() && keeps_scene();
  qint64 begun = started, spent = 0;
  if (again) {
    show_kept_scene();
    if (fresh) begun = kept_.begun, spent = kept_.spent;
  } else if (without_scene) {
    clear(defaultFramebufferObject(), render::theme(scene_style()));
  } else if (scene) {
    run_.update();
    begin_scene();
    draw_scene(drawing_->target.height);
    if (software_) show_kept_scene();
    kept_.shown = true;
  }
  draw_interface();
  ImGui::Render();
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  bridge_->end_frame();
  bridge_->keep_plain_keys(interface_->gallery_open());
  follow_settings();
  ++frames_;
  Q_EMIT drawn();

  const qint64 now = clock_.nsecsElapsed();
  spent += now - started;
  note_cost(begun, spent);
  const auto shared = static_cast<qint64>(static_cast<double>(spent) / software_share);
  next_frame_ = begun + (software_ ? std::max(software_interval, shared) : gpu_interval);
  if (unanswered() || without_scene) next_frame_ = now;
  complete_ = !(again && answer) && !without_scene && settled() && !interface_->animating() &&
              interface_->scene() == scene_rect_;
  if (wanted_ || !complete_ || !renderer_) request_frame();
  if (drawing_) frame_timer_.start(0);
}

}  // namespace twosphere
