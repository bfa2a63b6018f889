// SPDX-License-Identifier: GPL-3.0-or-later
// The frames of a viewport: its scene and its interface.
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "app/scene/current_context.h"
#include "app/scene/imgui_bridge.h"
#include "app/scene/legend_writer.h"
#include "app/scene/preset_pictures.h"
#include "app/scene/scene_content.h"
#include "app/scene/viewport.h"
#include "core/base/simd_level.h"

namespace twosphere {
namespace {

// How long drawing the scene may take to share the frame of the click that asks for a past instant
// [ns].
constexpr qint64 quick_scene = 40'000'000;

}  // namespace

render::SceneStyle Viewport::scene_style() const {
  render::SceneStyle style = twosphere::scene_style(*interface_, !software_);
  style.frame = frame_finder_.frame();
  return style;
}

std::vector<Ghost> Viewport::ghosts() {
  const bool moves = run_.in_past() ? replay_.plays() : run_.plays();
  return ghosts_.find(run_, moves, interface_->settings().split == Split::runs);
}

void Viewport::begin_scene() {
  scheduler_.clear_request();
  const qint64 begun = scheduler_.now();
  const ui::Rect area = interface_->scene();
  const auto ratio = static_cast<float>(devicePixelRatioF());
  frame_finder_.follow(interface_->settings().frame, run_.snapshot());
  SceneContent content =
      scene_content(run_, *interface_, scene_style(), ghosts(), area, ratio, scene_memory_);
  if (software_)
    content.instant =
        run_.in_past() ? run_.held() : std::make_shared<const Snapshot>(run_.snapshot());
  input_.set_frame(frame_finder_.frame());
  content.camera = input_.begin_scene(content.view(area)).in_frame(content.scene.turn);
  const TiledScene::ViewState state = view_state();
  input_.follow_body(content.scene, content.camera);
  scene_.begin(std::move(content), state, {defaultFramebufferObject(), ratio, software_}, begun);
}

bool Viewport::drawn_to_end(bool last) {
  if (!last) return false;
  restarted_ = false;
  input_.set_camera(scene_.shown().content.camera);
  return true;
}

TiledScene::ViewState Viewport::view_state() const {
  return {framebuffer_size(*this), interface_->scene(), input_.camera().where(),
          interface_->settings().palette, run_.snapshot().generation};
}

void Viewport::draw_interface() {
  const QSize size = framebuffer_size(*this);
  const auto ratio = static_cast<float>(devicePixelRatioF());
  const auto place = [this, ratio](const glm::vec2& p) {
    return std::array<float, 2>{scene_rect_.x + p.x * ratio, scene_rect_.y + p.y * ratio};
  };
  const auto& [content, labels] = scene_.shown();
  std::optional<ui::AxisTips> tips;
  if (labels) tips = {place(labels->tips[0]), place(labels->tips[1]), place(labels->tips[2])};
  ui::Legend legend = legend_of(content.scene, content.cells, input_.camera(), scene_rect_,
                                interface_->settings().labels);
  legend.inset = content.inset_area;
  if (!frame_finder_.problem().empty()) legend.frame = frame_finder_.problem();
  legend.lanes = lane_rows(run_.shown(), scene_style());
  // Commands of this frame may leave what is shown.
  const std::array kept{run_.held(), scene_.shown().content.instant};
  const bool keys_held = held(ui::Action::show_keys);
  std::vector<ui::KeyHint> outer_keys;
  if (outer_keys_ && (keys_held || interface_->is_checked(ui::Action::show_keys) == true))
    outer_keys = outer_keys_();
  for (ui::KeyHint& hint : outer_keys) {
    ui::Rect& c = hint.control;
    c = {c.x * ratio, c.y * ratio, c.width * ratio, c.height * ratio};
  }
  const std::vector<ui::BranchView> runs = branches();
  const bool plots =
      !interface_->gallery_open() && (interface_->settings().columns || interface_->presents() ||
                                      interface_->choices().plot_window);
  signals_.prepare(run_, plots ? interface_->settings().plots : std::vector<ui::PlotSpec>(),
                   Clock::now());
  if (step_check_ && !step_check_->is_of(run_.shown())) step_check_ = nullptr;
  const ui::Frame frame{.snapshot = run_.snapshot(),
                        .shown = shown(),
                        .histories = run_.histories(),
                        .width = static_cast<float>(size.width()),
                        .height = static_cast<float>(size.height()),
                        .pixel_ratio = ratio,
                        .axis_tips = tips,
                        .gravity_tip = place(labels ? labels->gravity : glm::vec2()),
                        .has_gravity = labels && labels->has_gravity,
                        .file_name = file_name_,
                        .step_check = step_check_.get(),
                        .tour = tour_.get(),
                        .cloud_share = cloud_repeater_.share(),
                        .legend = std::move(legend),
                        .pictures = pictures_->textures(),
                        .moving_picture = pictures_->moving(),
                        .own_presets = own_presets_,
                        .recent = recent_,
                        .selected = input_.selected_spots(scene_rect_),
                        .hand = input_.hand_view(scene_rect_, content),
                        .configuration_time = content.configuration_time,
                        .plays = run_.in_past() ? replay_.plays() : run_.plays(),
                        .in_past = run_.in_past(),
                        .past_step = pictured() ? pictured()->steps : run_.requested_step(),
                        .time_picture = has_time_pictures()
                                            ? time_preview_.picture(scene_rect_, wanted_scale())
                                            : ui::TimePicture{},
                        .branches = runs,
                        .keys_held = keys_held,
                        .outer_keys = outer_keys,
                        .frame_seconds = scheduler_.frame_seconds(),
                        .frame_rate = static_cast<double>(scheduler_.frames_per_second()),
                        .signals_prepared = true};
  interface_->draw(frame, *this);
  replay_.follow(interface_->loops());
  replay_.hold(interface_->time_dragged());
  run_.preview(has_time_pictures() ? interface_->pictured_step() : std::nullopt);
}

bool Viewport::draw_plots(ui::Surface& surface, QSize size, float pixel_ratio) {
  if (!is_seen()) {  // no frame of the view does so
    run_.update();
    run_.compare_with(interface_->settings().reference_lane, interface_->settings().reference_run);
    signals_.prepare(run_, interface_->settings().plots, Clock::now());
  }
  const std::array kept{run_.held(), scene_.shown().content.instant};
  const std::vector<ui::BranchView> runs = branches();
  const ui::Frame frame{.snapshot = run_.snapshot(),
                        .shown = shown(),
                        .histories = run_.histories(),
                        .width = static_cast<float>(size.width()),
                        .height = static_cast<float>(size.height()),
                        .pixel_ratio = pixel_ratio,
                        .axis_tips = {},
                        .gravity_tip = {},
                        .file_name = file_name_,
                        .plays = run_.in_past() ? replay_.plays() : run_.plays(),
                        .in_past = run_.in_past(),
                        .past_step = pictured() ? pictured()->steps : run_.requested_step(),
                        .branches = runs,
                        .keys_held = held(ui::Action::show_keys),
                        .signals_prepared = true};
  interface_->draw_plots(frame, *this, surface);
  return signals_.complete();
}

bool Viewport::has_time_pictures() const {
  const Snapshot& now = run_.snapshot();
  return now.system && static_cast<std::size_t>(now.system->size()) * now.lanes.size() <=
                           static_cast<std::size_t>(TimePreview::max_bodies);
}

void Viewport::draw_time_picture() {
  auto instant = run_.previewed_instant();
  if (!instant || !scene_.has_renderer()) {
    if (!interface_->pictured_step()) time_preview_.clear();
    return;
  }
  render::Camera camera = input_.camera();
  const TimePreview::PreviewSubject subject{std::move(instant), interface_->settings(),
                                            camera.where(), scene_rect_, wanted_scale()};
  if (!time_preview_.changed(subject)) return;
  const render::SceneStyle style = scene_style();
  const render::Scene scene = scene_at(run_, *subject.instant, style, scene_memory_);
  input_.follow_body(scene, camera);
  time_preview_.draw(subject, scene, camera, render::theme(style), scene_);
  context()->functions()->glBindFramebuffer(GL_FRAMEBUFFER, defaultFramebufferObject());
}

// Under the page of presets the scene is drawn once, when there is time, so that it is prepared
// when the page closes.
bool Viewport::shows_scene() const {
  return !interface_->gallery_open() || (complete_ && !scene_.has_renderer());
}

void Viewport::begin_interface() {
  bridge_->begin_frame();
  take_pinch();
  ImGui::NewFrame();
  if (input_.update(scene_rect_, scene_.shown().content, take_device())) request_frame();
}

void Viewport::end_interface() {
  bridge_->end_frame();
  bridge_->keep_plain_keys(interface_->gallery_open());
  bridge_->keep_arrows(interface_->takes_arrows());
  bridge_->keep_presses(interface_->takes_presses());
}

void Viewport::lay_out() {
  laid_out_ = framebuffer_size(*this);
  begin_interface();
  draw_interface();
  ImGui::EndFrame();
  end_interface();
}

void Viewport::paintGL() {
  if (!ready_) return;
  zero_upper_registers();
  const qint64 started = scheduler_.now();
  const bool answer = scheduler_.take_answer(), fresh = scene_.take_new();
  // A new picture drawn for this frame belongs to the present snapshot.
  if (answer || !fresh) run_.update();
  if (!fresh && !scene_.drawing()) scheduler_.clear_request();
  run_.compare_with(interface_->settings().reference_lane, interface_->settings().reference_run);
  const CurrentContext current(imgui_);
  ImGui_ImplOpenGL3_NewFrame();
  follow_scale(wanted_scale(), loaded_scale_);
  read_pictures();
  pictures_->upload();
  // Find the position of the scene.
  if (laid_out_ != framebuffer_size(*this)) lay_out();
  const bool scene = shows_scene();
  if (scene && !scene_.has_renderer() && !make_renderer()) return;
  // Show the window before the driver compiles the shaders of the scene.
  const bool without_scene =
      std::exchange(compiles_, false) && scene && !interface_->gallery_open();

  begin_interface();
  scene_rect_ = interface_->scene();
  if (!scene) scene_.give_up();
  has_waited_ = false;
  // A past instant that is known, and quick to draw, is drawn in the frame of the click.
  const bool at_once =
      owes_instant() && run_.exact() && scene_.cost_of_stored().spent < quick_scene;
  const bool again = (answer || fresh) && !at_once && !interface_->gallery_open() &&
                     scene_.stored_is_valid(view_state());
  TiledScene::Cost cost{started, 0};
  if (again) {
    scene_.show_stored(defaultFramebufferObject());
    if (fresh) cost = scene_.cost_of_stored();
  } else if (without_scene) {
    TiledScene::clear(defaultFramebufferObject(), render::theme(scene_style()));
  } else if (scene) {
    run_.update();
    begin_scene();
    drawn_to_end(scene_.draw_rest());
    if (software_) scene_.show_stored(defaultFramebufferObject());
  }
  draw_time_picture();
  draw_interface();
  ImGui::Render();
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  end_interface();
  follow_settings();
  ++frames_;
  Q_EMIT drawn();

  answered_at_.reset();
  if (again && !fresh) answered_at_ = scheduler_.now();
  cost.spent += scheduler_.now() - started;
  scheduler_.note_cost(cost.begun, cost.spent, interface_->performance());
  scheduler_.end_frame(cost.begun, cost.spent, software_);
  if (unanswered() || without_scene) scheduler_.allow_next();
  complete_ = !(again && answer) && !without_scene && is_drawn() && !interface_->animating() &&
              interface_->scene() == scene_rect_ && !is_behind() && signals_.complete() &&
              (!scene || input_.is_framed(scene_.shown().content.view(scene_rect_)));
  if (owes_instant())
    scheduler_.continue_at_once();
  else if (scheduler_.requested() || !complete_ || !scene_.has_renderer())
    request_frame();
  if (scene_.drawing()) scheduler_.continue_at_once();
}

}  // namespace twosphere
