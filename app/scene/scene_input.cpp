// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/scene/scene_input.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <utility>

#include "core/output/lattice_layer.h"
#include "render/geometry_shapes.h"
#include "render/pick.h"

namespace twosphere {

namespace {

// Logical pixels by which the mouse may miss a body: for a click, and for grabbing a moving body.
constexpr float pick_slack = 6, grab_slack = 24;

}  // namespace

bool SceneInput::update(const ui::Rect& shown, const SceneContent& drawn, const Device& device) {
  finger_ = device.finger;
  find_part(shown, drawn);
  const ui::Rect view = drawn.view(shown);
  const bool pushed = hand_.push(device.push, {camera_, {0, 0}, {view.width, view.height}});
  return use_mouse(drawn) || pushed;
}

std::vector<SceneInput::ViewPart> SceneInput::parts_of(const ui::Rect& shown,
                                                       const SceneContent& drawn) const {
  const int lanes = static_cast<int>(run_.shown().lanes.size());
  const int reference = interface_.settings().reference_lane;
  if (drawn.cells.list.empty()) return {{shown, reference, lanes}};
  // In a cell of a run it may be hidden, and another lane shown in its place.
  const int full =
      std::min(static_cast<int>(render::full_lane(run_.shown(), drawn.style)), lanes - 1);
  std::vector<ViewPart> parts;
  for (const render::Cell& cell : drawn.cells.list) {
    const bool by_lane = drawn.style.split == Split::lanes;
    // Only the present run can be edited.
    const bool present = by_lane || cell.present;
    parts.push_back(
        {rect_of(cell.area), by_lane ? cell.shows : full, present ? 1 : 0, true, parts.size()});
  }
  return parts;
}

void SceneInput::find_part(const ui::Rect& shown, const SceneContent& drawn) {
  parts_ = parts_of(shown, drawn);
  const ImVec2 at = ImGui::GetIO().MousePos;
  const auto over = std::find_if(parts_.begin(), parts_.end(), [&](const ViewPart& part) {
    return drag_ == Drag::none ? part.rect.contains(at.x, at.y) : part.cell == part_.cell;
  });
  part_ = over == parts_.end() ? parts_.front() : *over;
}

bool SceneInput::use_mouse(const SceneContent& drawn) {
  const ImGuiIO& io = ImGui::GetIO();
  const ui::Rect area = interface_.scene();
  bool framed = false;
  if (!io.WantCaptureMouse && area.contains(io.MousePos.x, io.MousePos.y)) {
    const glm::vec2 at{io.MousePos.x, io.MousePos.y};
    const bool moved = std::exchange(hovered_, at) != at;
    // A body may leave the mouse.
    if (drag_ == Drag::none && (moved || hand_.hovers() || io.MouseClicked[ImGuiMouseButton_Left]))
      hover(drawn);
    start_drag();
    framed = io.MouseDoubleClicked[ImGuiMouseButton_Left];
    if (framed) frame();
    if (io.MouseWheel != 0 && hand_.pulls()) {
      hand_.turn_wheel(io.MouseWheel);
    } else if (io.MouseWheel != 0) {
      camera_.zoom(io.MouseWheel);
      moved_ = true;
    }
  } else if (drag_ == Drag::none) {
    hand_.leave();
  }
  if (drag_ == Drag::none) return framed;
  if (io.MouseDown[drag_button_]) return continue_drag() || framed;
  end_drag();
  return framed;
}

bool SceneInput::continue_drag() {
  const ImGuiIO& io = ImGui::GetIO();
  if (drag_ == Drag::hand) return (hand_.pulls() || !is_click()) && hand_.drag(point_in_view());
  const ui::Rect& area = part_.rect;
  const ImVec2 moved = io.MouseDelta;
  if ((moved.x == 0 && moved.y == 0) || io.MouseClicked[drag_button_]) return false;
  moved_ = true;
  // A drag over the height of the scene rotates by half a turn.
  const float angle = std::numbers::pi_v<float> / std::max(area.height, 1.0F);
  if (drag_ == Drag::orbit)
    camera_.orbit(-moved.x * angle, moved.y * angle);
  else
    camera_.pan({moved.x, moved.y}, {area.width, area.height});
  return false;
}

void SceneInput::start_drag() {
  const ImGuiIO& io = ImGui::GetIO();
  for (const int button : {ImGuiMouseButton_Left, ImGuiMouseButton_Right, ImGuiMouseButton_Middle})
    if (drag_ == Drag::none && io.MouseClicked[button]) {
      drag_button_ = button;
      const bool left = button == ImGuiMouseButton_Left;
      drag_ = left && !io.KeyShift ? Drag::orbit : Drag::pan;
      if (left && hand_.press(point_in_view(), {io.KeyCtrl, io.KeyAlt || io.KeyShift, finger_}))
        drag_ = Drag::hand;
    }
}

void SceneInput::end_drag() {
  const bool by_hand = drag_ == Drag::hand;
  const bool click = is_click() && !(by_hand && hand_.pulls());
  const bool selects = click && (drag_ == Drag::orbit || by_hand);
  if (by_hand && click)
    hand_.give_up();
  else if (by_hand)
    hand_.release(point_in_view());
  if (selects && ImGui::GetIO().MouseClickedLastCount[drag_button_] == 1)
    interface_.select(body_at(point_in_view(), slack(finger_ ? grab_slack : pick_slack)));
  drag_ = Drag::none;
}

void SceneInput::hover(const SceneContent& drawn) {
  const DragController::PointInView at = point_in_view();
  static const render::Scene nothing{};
  const render::Scene& scene = part_.lanes == 0 ? nothing
                               : part_.split    ? drawn.cells.list[part_.cell].scene
                                                : drawn.scene;
  hand_.hover(body_at(at, slack(hand_.plays() || finger_ ? grab_slack : pick_slack)), scene,
              part_.lane, at, slack(pick_slack));
}

void SceneInput::pinch(const glm::vec2& moved, float nearer) {
  const ui::Rect area = part_.rect.width > 0 ? part_.rect : interface_.scene();
  camera_.pan(moved, {area.width, area.height});
  camera_.zoom(8 * std::log2(nearer));
  moved_ = true;
}

bool SceneInput::is_click() const {
  const ImGuiIO& io = ImGui::GetIO();
  const float threshold = io.MouseDragThreshold;
  return io.MouseDragMaxDistanceSqr[drag_button_] < threshold * threshold;
}

float SceneInput::slack(float logical) const {
  return logical * interface_.scale() * ImGui::GetIO().DisplayFramebufferScale.x;
}

DragController::PointInView SceneInput::point_in_view() const {
  const ImVec2 at = ImGui::GetIO().MousePos;
  const ui::Rect& shown = part_.rect;
  return {camera_, {at.x - shown.x, at.y - shown.y}, {shown.width, shown.height}};
}

std::optional<ui::BodyId> SceneInput::body_at(const DragController::PointInView& where,
                                              float slack) const {
  const Snapshot& now = run_.shown();
  const std::set<int> hidden = interface_.hidden_lanes();
  const int lanes = static_cast<int>(now.lanes.size());
  Geometry geometry;
  // The reference lane comes first because it is drawn in full; a cell has one lane.
  for (int k = 0; k < std::min(part_.lanes, lanes); ++k) {
    const int lane = (part_.lane + k) % lanes;
    const State& state = now.lanes[static_cast<std::size_t>(lane)].state;
    if (hidden.contains(lane) || state.size() != now.system->size()) continue;
    now.system->geometry(state, geometry);
    const double radius = render::body_radius(geometry, now.system->extent().radius);
    const ShownBodies shown(interface_.settings().layer, *now.system);
    shown.cut(geometry);
    if (const auto body = render::pick(geometry, radius, camera_, where.point, where.view, slack))
      return ui::BodyId{lane, static_cast<int>(shown[static_cast<std::size_t>(*body)])};
  }
  return {};
}

std::vector<ui::BodySpot> SceneInput::selected_spots(const ui::Rect& shown) const {
  std::vector<ui::BodySpot> spots;
  const auto selected = interface_.selected();
  const Snapshot& now = run_.shown();
  if (!selected) return spots;
  Geometry geometry;
  const auto add = [&](int lane, const ui::Rect& rect) {
    if (static_cast<std::size_t>(lane) >= now.lanes.size()) return;
    const State& state = now.lanes[static_cast<std::size_t>(lane)].state;
    if (selected->body >= state.size() || state.size() != now.system->size()) return;
    const ShownBodies bodies(interface_.settings().layer, *now.system);
    if (!bodies.has(static_cast<std::size_t>(selected->body))) return;
    now.system->geometry(state, geometry);
    const double radius = render::body_radius(geometry, now.system->extent().radius);
    const glm::vec2 view{rect.width, rect.height};
    if (const auto spot = render::spot(geometry, radius, selected->body, camera_, view))
      spots.push_back({rect.x + spot->center.x, rect.y + spot->center.y, spot->radius});
  };
  for (const ViewPart& part : parts_)
    if (!part.split)
      add(selected->lane, shown);
    else if (part.lanes > 0)
      add(part.lane, part.rect);
  return spots;
}

std::optional<render::Camera> SceneInput::chosen_camera() const {
  if (!moved_) return {};
  return camera_;
}

void SceneInput::set_view(const render::Camera::View& view) {
  // Distances are limited by the size of the scene, which may not have been framed yet.
  if (framed_.aspect <= 0) framed_.aspect = 1;
  frame();
  if (run_.snapshot().commands >= frame_after_) frame_after_ = 0;
  camera_.go(view);
  moved_ = true;
}

void SceneInput::look_along(int axis, bool opposite) {
  camera_.look_along(axis, opposite);
  moved_ = true;
}

void SceneInput::frame() {
  constexpr bool fine = false;  // irrelevant for framing
  render::SceneStyle style = scene_style(interface_, fine);
  style.frame = seen_in_;
  framing_ = render::framing(run_.snapshot(), style);
  camera_.frame(framing_, framed_);
  moved_ = false;
}

bool SceneInput::is_framed(const ui::Rect& area) const {
  if (moved_ || !(area.height > 0)) return true;
  // What a caption no longer covers stays free, so that the scene does not move to and fro.
  const float covered = interface_.covered();
  return area.width / area.height == framed_.aspect && covered <= framed_.covered &&
         (covered > 0) == (framed_.covered > 0);
}

const render::Camera& SceneInput::begin_scene(const ui::Rect& area) {
  if (!(area.height > 0)) return camera_;
  const bool arrived = frame_after_ != 0 && run_.snapshot().commands >= frame_after_;
  const bool first = framed_.aspect <= 0, reshaped = !is_framed(area);
  if (arrived || first || reshaped)
    framed_ = {area.width / area.height, interface_.covered()};
  else
    framed_.aspect = area.width / area.height;
  if (arrived || first)
    frame();
  else if (reshaped)
    camera_.frame(framing_, framed_);
  if (arrived) frame_after_ = 0;
  return camera_;
}

void SceneInput::follow_body(const render::Scene& scene, render::Camera& camera) {
  const int body = interface_.followed();
  if (body < 0 || static_cast<std::size_t>(body) >= scene.bodies.size()) return;
  camera.follow(scene.turn * glm::vec3(scene.bodies[static_cast<std::size_t>(body)]));
  moved_ = true;
}

}  // namespace twosphere
