// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/scene/scene_input.h"

#include <imgui.h>

#include <algorithm>
#include <numbers>
#include <set>

#include "app/scene/scene_content.h"
#include "render/figure_shapes.h"
#include "render/pick.h"

namespace twosphere {

namespace {

constexpr float pick_slack = 6;  // logical pixels by which a click may miss a body

}  // namespace

bool SceneInput::update(const ui::Rect& shown) {
  const ImGuiIO& io = ImGui::GetIO();
  const ui::Rect area = interface_.scene();
  bool framed = false;
  if (!io.WantCaptureMouse && area.contains(io.MousePos.x, io.MousePos.y)) {
    start_drag();
    framed = io.MouseDoubleClicked[ImGuiMouseButton_Left];
    if (framed) frame();
    if (io.MouseWheel != 0) {
      camera_.zoom(io.MouseWheel);
      moved_ = true;
    }
  }
  if (drag_ == Drag::none) return framed;
  if (!io.MouseDown[drag_button_]) {
    end_drag(shown);
    return framed;
  }
  const ImVec2 moved = io.MouseDelta;
  if ((moved.x == 0 && moved.y == 0) || io.MouseClicked[drag_button_]) return framed;
  moved_ = true;
  // A drag over the scene's height turns by half a turn.
  const float angle = std::numbers::pi_v<float> / std::max(area.height, 1.0F);
  if (drag_ == Drag::orbit)
    camera_.orbit(-moved.x * angle, moved.y * angle);
  else
    camera_.pan({moved.x, moved.y}, {area.width, area.height});
  return framed;
}

void SceneInput::start_drag() {
  const ImGuiIO& io = ImGui::GetIO();
  for (const int button : {ImGuiMouseButton_Left, ImGuiMouseButton_Right, ImGuiMouseButton_Middle})
    if (drag_ == Drag::none && io.MouseClicked[button]) {
      drag_button_ = button;
      drag_ = button == ImGuiMouseButton_Left && !io.KeyShift ? Drag::orbit : Drag::pan;
    }
}

void SceneInput::end_drag(const ui::Rect& shown) {
  const ImGuiIO& io = ImGui::GetIO();
  const float slack = io.MouseDragThreshold;
  if (drag_ == Drag::orbit && io.MouseClickedLastCount[drag_button_] == 1 &&
      io.MouseDragMaxDistanceSqr[drag_button_] < slack * slack)
    pick_at(io.MousePos.x, io.MousePos.y, shown);
  drag_ = Drag::none;
}

void SceneInput::pick_at(float x, float y, const ui::Rect& shown) {
  const Snapshot& now = run_.shown();
  const glm::vec2 point{x - shown.x, y - shown.y};
  const glm::vec2 view{shown.width, shown.height};
  const float slack =
      pick_slack * interface_.settings().scale * ImGui::GetIO().DisplayFramebufferScale.x;
  const std::set<int> hidden = interface_.hidden_lanes();
  const int lanes = static_cast<int>(now.lanes.size());
  std::optional<ui::BodyId> found;
  Geometry figure;
  // The reference lane, which is drawn in full, comes first.
  for (int k = 0; k < lanes && !found; ++k) {
    const int lane = (interface_.settings().reference_lane + k) % lanes;
    const State& state = now.lanes[static_cast<std::size_t>(lane)].state;
    if (hidden.contains(lane) || state.size() != now.system->size()) continue;
    now.system->geometry(state.q, figure);
    const double radius = render::body_radius(figure, now.system->extent().radius);
    if (const auto body = render::pick(figure, radius, camera_, point, view, slack))
      found = ui::BodyId{lane, *body};
  }
  interface_.select(found);
}

std::optional<ui::BodySpot> SceneInput::selected_spot(const ui::Rect& shown) const {
  const auto selected = interface_.selected();
  const Snapshot& now = run_.shown();
  if (!selected || static_cast<std::size_t>(selected->lane) >= now.lanes.size()) return {};
  const State& state = now.lanes[static_cast<std::size_t>(selected->lane)].state;
  if (selected->body >= state.size() || state.size() != now.system->size()) return {};
  Geometry figure;
  now.system->geometry(state.q, figure);
  const double radius = render::body_radius(figure, now.system->extent().radius);
  const glm::vec2 view{shown.width, shown.height};
  const auto spot = render::spot(figure, radius, selected->body, camera_, view);
  if (!spot) return {};
  return ui::BodySpot{shown.x + spot->center.x, shown.y + spot->center.y, spot->radius};
}

std::optional<render::Camera> SceneInput::chosen_camera() const {
  if (!moved_) return {};
  return camera_;
}

void SceneInput::set_view(const render::Camera::View& view) {
  camera_.go(view);
  moved_ = true;
}

void SceneInput::look_along(int axis, bool opposite) {
  camera_.look_along(axis, opposite);
  moved_ = true;
}

void SceneInput::frame() {
  constexpr bool fine = false;  // is not about what is seen
  camera_.frame(render::framing(run_.snapshot(), scene_style(interface_, fine)), framed_aspect_);
  moved_ = false;
}

const render::Camera& SceneInput::begin_scene(const ui::Rect& area) {
  const float aspect = area.width / area.height;
  const bool arrived = frame_after_ != 0 && run_.snapshot().commands >= frame_after_;
  const bool due = area.height > 0 && (arrived || (!moved_ && aspect != framed_aspect_));
  framed_aspect_ = aspect;
  if (due) frame();
  if (due && arrived) frame_after_ = 0;
  return camera_;
}

void SceneInput::follow_body(const render::Scene& scene, render::Camera& camera) {
  const int body = interface_.followed();
  if (body < 0 || static_cast<std::size_t>(body) >= scene.bodies.size()) return;
  camera.follow(glm::vec3(scene.bodies[static_cast<std::size_t>(body)]));
  moved_ = true;
}

}  // namespace twosphere
