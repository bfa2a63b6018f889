// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/scene/drag_controller.h"
#include "app/scene/scene_content.h"
#include "app/session/live_run.h"
#include "app/session/replay.h"
#include "core/mechanics/turning_frame.h"
#include "render/camera.h"
#include "render/scene_builder.h"
#include "ui/interface.h"

namespace twosphere {

/// Mouse input in the scene: rotates, moves and zooms the camera, selects bodies and acts on them
/// through DragController. Owns the camera; the viewport calls it inside the frames of the
/// interface.
class SceneInput {
 public:
  SceneInput(const LiveRun& run, const Replay& replay, ui::Interface& interface,
             ui::CommandSink& sink)
      : run_(run), interface_(interface), hand_(run, replay, interface, sink) {}

  /// Input that does not come from the mouse of Dear ImGui.
  struct Device {
    bool finger = false;  ///< the pointer is a finger
    DragController::Push push;
  };
  /// Handles the input of this frame of Dear ImGui. `shown`: where the scene was last drawn;
  /// `drawn`: that scene. Returns whether the scene must be drawn again even if the camera has not
  /// moved.
  bool update(const ui::Rect& shown, const SceneContent& drawn, const Device& device);
  /// Moves the scene by a distance in physical pixels, and the camera nearer by a factor.
  void pinch(const glm::vec2& moved, float nearer);
  /// Ends the edit made by keys.
  void end_push() { hand_.end_push(); }

  const render::Camera& camera() const { return camera_; }
  /// The camera if the user has moved it; none if it is still the initial one.
  std::optional<render::Camera> chosen_camera() const;
  /// Sets the camera as if the user had moved it.
  void set_view(const render::Camera::View& view);
  /// Looks from the positive end of an axis, 0 to 2, or from its negative end.
  void look_along(int axis, bool opposite);
  /// Shows the whole motion from the initial viewpoint.
  void frame();
  /// The same for a newly opened scenario, once the command with this number has been carried out.
  void frame_after(std::uint64_t command) { frame_after_ = command; }

  /// The frame that the scene is seen in from now on; none: that of the equations.
  void set_frame(const std::optional<TurningFrame>& frame) { seen_in_ = frame; }
  /// The camera for a scene, or each cell of it, in this rectangle. It shows the whole motion below
  /// title and captions until the user moves it.
  const render::Camera& begin_scene(const ui::Rect& area);
  /// Whether it does so now: the captions drawn since may cover more.
  bool is_framed(const ui::Rect& area) const;
  /// Moves the camera along with the body that the user follows, if any.
  void follow_body(const render::Scene& scene, render::Camera& camera);
  /// Sets the camera of the scene that was drawn, which may have followed a body.
  void set_camera(const render::Camera& camera) { camera_ = camera; }

  /// The positions of the selected body in a scene shown in this rectangle, or in its cells.
  std::vector<ui::BodySpot> selected_spots(const ui::Rect& shown) const;
  /// The feedback of DragController in the scene as drawn.
  ui::HandView hand_view(const ui::Rect& shown, const SceneContent& drawn) const {
    return hand_.view(drawn, shown);
  }

 private:
  /// A part of the view that shows the scene: all of it, or a cell.
  struct ViewPart {
    ui::Rect rect;
    int lane = 0, lanes = 0;  ///< the first lane whose bodies can be picked here, and how many can
    bool split = false;       ///< it is a cell
    std::size_t cell = 0;     ///< its index
  };
  /// The parts of a scene that was drawn in this rectangle.
  std::vector<ViewPart> parts_of(const ui::Rect& shown, const SceneContent& drawn) const;
  /// Sets the part under the mouse; while something is dragged it stays where that began.
  void find_part(const ui::Rect& shown, const SceneContent& drawn);

  bool use_mouse(const SceneContent& drawn);
  void start_drag();
  void end_drag();
  bool continue_drag();
  void hover(const SceneContent& drawn);
  /// Whether the mouse has hardly moved since the button was pressed.
  bool is_click() const;
  float slack(float logical) const;  ///< in physical pixels
  /// The mouse position in the part under it.
  DragController::PointInView point_in_view() const;
  /// The body under the mouse, or the nearest one within `slack`.
  std::optional<ui::BodyId> body_at(const DragController::PointInView& where, float slack) const;

  const LiveRun& run_;
  ui::Interface& interface_;
  render::Camera camera_;
  std::optional<TurningFrame> seen_in_;
  DragController hand_;
  ViewPart part_;                ///< under the mouse
  std::vector<ViewPart> parts_;  ///< of the scene as last drawn
  enum class Drag { none, orbit, pan, hand } drag_ = Drag::none;
  int drag_button_ = 0;
  glm::vec2 hovered_{-1};          ///< last mouse position
  std::uint64_t frame_after_ = 0;  ///< command after which to frame the scene, or 0
  bool finger_ = false;            ///< Device::finger
  bool moved_ = false;             ///< by the user, since the scenario was opened
  render::ViewShape framed_{0};    ///< of the scene when the camera was last framed
  render::Framing framing_;        ///< what it was framed on
};

}  // namespace twosphere
