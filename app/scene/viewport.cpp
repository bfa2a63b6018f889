// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/scene/viewport.h"

#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <QClipboard>
#include <QGuiApplication>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <QSurfaceFormat>
#include <QWindow>
#include <cmath>
#include <future>
#include <utility>

#include "app/base/plural.h"
#include "app/base/post.h"
#include "app/base/qt_text.h"
#include "app/scene/current_context.h"
#include "app/scene/imgui_bridge.h"
#include "app/scene/preset_pictures.h"
#include "app/scene/scene_content.h"
#include "app/scene/view_text.h"
#include "core/base/simd_level.h"
#include "ui/shell/style.h"

namespace twosphere {
namespace {

constexpr int gl_major = 3, gl_minor = 3;

// [ns]; compiling takes longer than this if the driver has not cached the shaders.
constexpr qint64 slow_compiling = 40'000'000;
// [ms] at most, until the run has carried out commands.
constexpr int answer_wait = 3;
// How long a click that asks for a past instant waits for it [ms]; most are known sooner.
constexpr int instant_wait = 16;
// While every frame answers something, as while a body is pulled: how long between two of them the
// scene is drawn [ns].
constexpr qint64 scene_share = 16'000'000;
constexpr int push_pause = 700;  // [ms] after which keys begin another edit
constexpr int max_passes = 8;    // passes over user input between two frames

bool draws_in_software() {
  const auto* name = reinterpret_cast<const char*>(
      QOpenGLContext::currentContext()->functions()->glGetString(GL_RENDERER));
  const QString renderer = QString::fromLatin1(name).toLower();
  return renderer.contains(QLatin1String("llvmpipe")) ||
         renderer.contains(QLatin1String("softpipe")) || renderer.contains(QLatin1String("swrast"));
}

/// The capabilities of OpenGL in a window.
struct GlCapabilities {
  QString problem;  ///< why nothing can be drawn; empty: it can
  int samples = 0;  ///< multisampling is free on a GPU, but triples the frame time of llvmpipe
};

GlCapabilities gl_capabilities() {
  const QString needed = QStringLiteral("OpenGL %1.%2 is required").arg(gl_major).arg(gl_minor);
  // The platform has OpenGL contexts, but no windows for them.
  if (QGuiApplication::platformName() == QLatin1String("offscreen"))
    return {needed + QStringLiteral("; the Qt platform \"offscreen\" does not provide it.")};
  QOpenGLContext context;
  QOffscreenSurface surface;
  surface.create();
  if (!context.create() || !context.makeCurrent(&surface))
    return {needed + QStringLiteral("; this display and its driver do not provide OpenGL.")};
  GlCapabilities result;
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
      replay_(run),
      cloud_repeater_(run),
      fonts_(std::make_unique<ImFontAtlas>()),
      interface_(std::make_unique<ui::Interface>()),
      scheduler_([this] { proceed(); }),
      input_(run, replay_, *interface_, *this),
      scene_(scheduler_.clock()),
      frame_finder_([this] { request_frame(); }),
      ghosts_([this] { post(this, [this] { request_frame(); }); }) {
  interface_->settings() = settings;
  loaded_scale_ = wanted_scale();
  // Meanwhile the first context loads the driver, which takes at least as long.
  auto fonts = std::async([this] { ui::load_fonts(*fonts_, loaded_scale_); });
  QSurfaceFormat format = surface_format();
  const GlCapabilities offered = gl_capabilities();
  problem_ = offered.problem;
  format.setSamples(offered.samples);
  setFormat(format);
  setObjectName(QStringLiteral("viewport"));
  setAccessibleName(QStringLiteral("Scene and plots"));
  setAccessibleDescription(QStringLiteral("The moving system, its parameters and its plots"));
  setMinimumSize(480, 320);

  fonts.get();
  const CurrentContext current(nullptr);
  imgui_ = ImGui::CreateContext(fonts_.get());
  ImGui::SetCurrentContext(imgui_);
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.ConfigDragClickToInputText = true;
  bridge_ = std::make_unique<ImGuiBridge>(
      *this, [this] { bridge_->urgent() ? hurry_input() : request_frame(); });
  watch_keys();
  push_end_.setSingleShot(true);
  push_end_.callOnTimeout(this, [this] {
    input_.end_push();
    request_frame();
  });
  pictures_ = std::make_unique<PresetPictures>([this] { request_frame(); });

  connect(&replay_, &Replay::changed, this, [this] {
    if (!replay_.plays()) scene_.forget_instant();
    hurry_frame();
  });
  connect(&cloud_repeater_, &CloudRepeater::progressed, this, &Viewport::request_frame);
  connect(&run_, &LiveRun::updated, this, [this] {
    const bool awaited = scheduler_.answers() || unanswered();
    if (awaited || !run_.exact()) run_.update();
    if (awaited)
      hurry_frame();
    else if (owes_instant())
      scheduler_.continue_at_once();
    else
      request_frame();
  });
  connect(&run_, &LiveRun::previewed, this, [this] {
    scheduler_.set_answer(true);
    hurry_frame();
  });
  connect(&run_, &LiveRun::command_sent, this, [this] {
    scheduler_.set_answer(true);
    hurry_frame();
  });
}

Viewport::~Viewport() {
  if (context()) disconnect(context(), nullptr, this, nullptr);
  release();
  pictures_.reset();
  const CurrentContext current(imgui_);
  interface_.reset();
  bridge_.reset();
  ImGui::DestroyContext(imgui_);
}

void Viewport::release() {
  if (!std::exchange(ready_, false)) return;
  makeCurrent();
  scene_.release();
  time_preview_.release();
  pictures_->release();
  const CurrentContext current(imgui_);
  ImGui_ImplOpenGL3_Shutdown();
  doneCurrent();
}

void Viewport::initializeGL() {
  connect(context(), &QOpenGLContext::aboutToBeDestroyed, this, &Viewport::release);
  software_ = draws_in_software();
  const CurrentContext current(imgui_);
  if (!ImGui_ImplOpenGL3_Init(glsl_version)) {
    Q_EMIT failed(QStringLiteral("The library libGL.so.1 could not be loaded."));
    return;
  }
  ready_ = true;
}

bool Viewport::make_renderer() {
  const qint64 started = scheduler_.now();
  const auto made = scene_.create_renderer();
  compiles_ = software_ && scheduler_.now() - started > slow_compiling;
  if (!made) Q_EMIT failed(QString::fromStdString(made.error().text()));
  return scene_.has_renderer();
}

// Qt paints during this event, and once more before anything is shown.
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

void Viewport::set_files(std::vector<ui::UserPreset> presets, std::vector<ui::RecentFile> recent) {
  own_presets_ = std::move(presets);
  recent_ = std::move(recent);
  pictures_->forget();
  request_frame();
}

void Viewport::show_step_check(std::shared_ptr<const ui::StepCheck> check) {
  step_check_ = std::move(check);
  request_frame();
}

void Viewport::show_tour(std::shared_ptr<const ui::TourCard> card) {
  if (card && !card->ring.empty() && (!tour_ || tour_->ring != card->ring))
    interface_->reveal(card->ring);
  tour_ = std::move(card);
  request_frame();
}

void Viewport::request_frame() { scheduler_.request(); }

void Viewport::hurry_frame() {
  // The run may have carried out the commands by then.
  const bool quick = 1e3 * run_.snapshot().step_seconds < answer_wait;
  const bool seeks = rests_in_past() && !run_.exact();
  if (seeks && !std::exchange(has_waited_, true)) return scheduler_.hold(instant_wait);
  const int wait = seeks ? instant_wait : unanswered() && quick ? answer_wait : 0;
  scheduler_.hurry(wait, scene_.drawing());
}

bool Viewport::is_seen() const {
  const QWindow* const screen = window()->windowHandle();
  return isVisible() && screen && screen->isExposed();
}

void Viewport::proceed() {
  const bool seen = is_seen();
  if (!seen) scheduler_.set_answer(false);  // nobody waits
  const bool answers = scheduler_.answers();
  if ((!answers || answered_at_) && scene_.stored_is_shown() && software_ &&
      scene_.has_renderer() && seen && shows_scene()) {
    makeCurrent();
    zero_upper_registers();
    // A picture of another instant need not be drawn to its end once the exact one is known. Not
    // twice in a row: while the time line is dragged, some are to be completed.
    const bool outdated = !restarted_ && scene_.drawing() && rests_in_past() && run_.exact() &&
                          scene_.steps_being_drawn() != run_.shown().steps;
    if (outdated || !scene_.drawing(view_state())) {
      restarted_ = outdated;
      run_.update();
      begin_scene();
    }
    if (!drawn_to_end(scene_.draw_part()) &&
        !(answers && scheduler_.now() - *answered_at_ > scene_share)) {
      scheduler_.continue_at_once();
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
  const CurrentContext current(imgui_);
  if (ready_ && loaded_scale_ == wanted_scale()) {
    run_.update();
    for (int i = 0; i < max_passes && bridge_->waiting(); ++i) lay_out();
  }
  scheduler_.set_answer(true);
  hurry_frame();
}

bool Viewport::rests_in_past() const { return run_.in_past() && !replay_.plays(); }

bool Viewport::is_behind() const {
  return scene_.has_renderer() && shows_scene() &&
         scene_.shown().content.steps != run_.shown().steps;
}

const Snapshot* Viewport::pictured() const {
  const Snapshot* const instant = scene_.shown().content.instant.get();
  const Snapshot& head = run_.snapshot();
  if (!instant || instant->generation != head.generation || !is_seen() || !shows_scene())
    return nullptr;
  const bool moves = run_.in_past() ? replay_.plays() && !interface_->time_dragged()
                                    : instant->commands == head.commands;
  return moves ? instant : nullptr;
}

bool Viewport::owes_instant() const { return rests_in_past() && is_behind(); }

bool Viewport::unanswered() const { return run_.snapshot().commands < run_.sent(); }

bool Viewport::is_drawn() const { return !bridge_->pending(); }

bool Viewport::at_rest() const {
  return complete_ && is_drawn() && !input_due_ && !scheduler_.waits() && !scene_.drawing() &&
         scene_.stored_is_shown();
}

void Viewport::command(Command command) {
  if (std::holds_alternative<Rewind>(command)) return replay_.rewind();
  // A command that is not an edit acts at the head, so show the head.
  if (run_.in_past() && !run_.is_switching() && !traits_of(command).is_edit &&
      !std::holds_alternative<Pace>(command) && !std::holds_alternative<FollowCloud>(command))
    replay_.show_head();
  if (std::holds_alternative<Play>(command)) return replay_.play();
  if (run_.send(command) > 0) Q_EMIT command_sent(command);
}

void Viewport::switch_to(int branch) {
  post(this, [this, branch] { Q_EMIT branch_chosen(branch); });
}

std::vector<ui::BranchView> Viewport::branches() const {
  std::vector<ui::BranchView> views;
  if (run_.branches().size() < 2) return views;
  for (const Branch& branch : run_.branches()) {
    ui::BranchView& view = views.emplace_back();
    view.id = branch.id;
    view.look = branch.look;
    view.present = branch.id == run_.present_branch();
    view.reference = branch.id == run_.reference_branch();
    view.shared_steps = view.present ? run_.snapshot().steps : run_.shared_steps(branch);
    const auto [parent, fork_step] = run_.runs().origin(branch);
    const Timetable table(view.present ? *run_.snapshot().record : *branch.record);
    view.parent = parent;
    view.fork_time = table.time(fork_step);
    view.fork_elapsed = table.elapsed(fork_step);
    if (view.present) {
      view.head_time = run_.snapshot().t;
      view.head_elapsed = run_.snapshot().elapsed - start_time(*run_.snapshot().record);
      continue;
    }
    if (branch.checkpoints) {
      const RunClock& head = branch.checkpoints->newest()->clock;
      view.head_time = head.time();
      view.head_elapsed = head.elapsed() - start_time(*branch.record);
    }
    view.record = branch.record.get();
    view.histories = &branch.histories;
  }
  return views;
}

void Viewport::show(std::int64_t step) {
  scene_.forget_instant();
  replay_.show(step);
}

void Viewport::show_head() { replay_.show_head(); }

// Actions are carried out after the frame: a dialog opened inside it would draw the view again.
void Viewport::act(ui::Action action) {
  post(this, [this, action] { Q_EMIT action_chosen(action); });
}

void Viewport::load_preset(std::string_view key) {
  const QString name = to_qstring(key);
  post(this, [this, name] { Q_EMIT preset_chosen(name); });
}

void Viewport::remove_preset(std::string_view path) {
  const QString name = to_qstring(path);
  post(this, [this, name] { Q_EMIT preset_removal_wanted(name); });
}

void Viewport::open_file(std::string_view path) {
  const QString name = to_qstring(path);
  post(this, [this, name] { Q_EMIT file_chosen(name); });
}

void Viewport::sweep(std::string_view path) {
  const QString name = to_qstring(path);
  post(this, [this, name] { Q_EMIT sweep_wanted(name); });
}

void Viewport::export_plot(const ui::PlotSpec& plot) {
  post(this, [this, plot] { Q_EMIT plot_export_wanted(plot); });
}

void Viewport::guide(const ui::TourCall& call) {
  post(this, [this, call] { Q_EMIT tour_called(call); });
}

bool Viewport::handle(ui::Action action) {
  const CurrentContext current(imgui_);
  if (!interface_->handle(action)) return false;
  read_pictures();
  request_frame();
  return true;
}

void Viewport::frame_scene() {
  input_.frame();
  request_frame();
}

void Viewport::look_along(int axis, bool opposite) {
  input_.look_along(axis, opposite);
  request_frame();
}

void Viewport::watch_keys() {
  std::vector<std::vector<QKeyCombination>> keys;
  for (const ui::ActionInfo& info : ui::actions()) {
    if (!info.held) continue;
    watched_.push_back(info.action);
    std::vector<QKeyCombination>& list = keys.emplace_back();
    for (const std::string_view key : {info.key, info.other_key})
      if (!key.empty())
        list.push_back(QKeySequence(to_qstring(key), QKeySequence::PortableText)[0]);
  }
  bridge_->watch(keys);
}

void Viewport::share_keys(ImGuiBridge& with) { with.share_keys(*bridge_); }

bool Viewport::held(ui::Action action) const {
  for (std::size_t i = 0; i < watched_.size(); ++i)
    if (watched_[i] == action) return bridge_->held(i);
  return false;
}

SceneInput::Device Viewport::take_device() {
  SceneInput::Device device{
      .finger = bridge_->is_finger(),
      .push = {.steps = std::exchange(pushed_, glm::vec2(0)), .fine = bridge_->shift_held()}};
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    glm::vec2 way{0};
    if (watched_[i] == ui::Action::body_left) way.x = -1;
    if (watched_[i] == ui::Action::body_right) way.x = 1;
    if (watched_[i] == ui::Action::body_up) way.y = -1;
    if (watched_[i] == ui::Action::body_down) way.y = 1;
    if (bridge_->held(i)) device.push.held += way;
    device.push.steps += static_cast<float>(bridge_->take_presses(i)) * way;
  }
  if (device.push.any()) {
    if (!interface_->selected() && device.push.steps != glm::vec2(0))
      Q_EMIT noted(QStringLiteral("No body is selected: click one, or press N."));
    push_end_.start(push_pause);
    request_frame();  // held keys continue to act
  }
  return device;
}

void Viewport::take_pinch() {
  const auto pinch = bridge_->take_pinch();
  if (!pinch) return;
  if (!interface_->gallery_open() && interface_->scene().contains(pinch->at.x, pinch->at.y)) {
    input_.pinch({pinch->moved.x, pinch->moved.y}, pinch->apart);
    request_frame();
    return;
  }
  // Panels scroll and plots zoom, as with the wheel.
  constexpr float pixels_per_notch = 40, notches_per_octave = 8;
  ImGuiIO& io = ImGui::GetIO();
  io.MousePos = pinch->at;
  io.MouseWheel += pinch->moved.y / (pixels_per_notch * wanted_scale()) +
                   notches_per_octave * std::log2(pinch->apart);
}

void Viewport::push_body(int right, int down) {
  pushed_ += glm::vec2(right, down);
  request_frame();
}

void Viewport::set_outer_keys(std::function<std::vector<ui::KeyHint>()> keys) {
  outer_keys_ = std::move(keys);
}

void Viewport::click(const ui::Rect& rect) {
  bridge_->click(rect.x + rect.width / 2, rect.y + rect.height / 2);
}

void Viewport::copy_camera() {
  QGuiApplication::clipboard()->setText(QString::fromStdString(view_text(input_.camera().where())));
  Q_EMIT noted(QStringLiteral("The view was copied."));
}

void Viewport::paste_camera() {
  const std::string text = QGuiApplication::clipboard()->text().toStdString();
  if (const auto view = read_view(text)) {
    set_camera(*view);
  } else {
    Q_EMIT noted(QString::fromStdString(view.error().text()));
  }
}

void Viewport::set_camera(const render::Camera::View& view) {
  input_.set_view(view);
  request_frame();
}

float Viewport::wanted_scale() const {
  return interface_->scale() * static_cast<float>(devicePixelRatioF());
}

void Viewport::read_pictures() {
  if (!interface_->gallery_open()) return;
  std::vector<std::string> own;
  for (const ui::UserPreset& preset : own_presets_) own.push_back(preset.path);
  const bool light = interface_->settings().palette == Palette::light;
  pictures_->read(light, own);
  pictures_->read_moving(light, interface_->moving_preset());
}

void Viewport::follow_settings() {
  const ui::Settings& settings = interface_->settings();
  if (const double span = settings.trail ? settings.trail_span : 0; span != trail_span_) {
    trail_span_ = span;
    run_.set_trail_span(span);
  }
  if (const bool wanted = ui::needs_tangent_vectors(settings.plots); wanted != follows_exponents_) {
    follows_exponents_ = wanted;
    run_.send(FollowExponents{wanted});
  }
}

void Viewport::copy_configuration() {
  std::vector<LaneConfiguration> configurations;
  if (const auto cursor = interface_->cursor())
    for (auto& [lane, configuration] : configurations_at(run_, *interface_, *cursor))
      configurations.push_back(std::move(configuration));
  if (configurations.empty())
    for (const Snapshot::LaneView& lane : shown().lanes)
      configurations.push_back({lane.name, lane.state});
  QGuiApplication::clipboard()->setText(
      QString::fromStdString(configuration_table(configurations)));
  Q_EMIT noted(QStringLiteral("The configuration at %1 s was copied: %2")
                   .arg(configurations.front().state.t)
                   .arg(counted(configurations.front().state.size(), "body", "bodies")));
}

}  // namespace twosphere

#include "moc_viewport.cpp"
