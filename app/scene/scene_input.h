// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

#include "app/scene/hand.h"
#include "app/session/live_run.h"
#include "app/session/replay.h"
#include "render/camera.h"
#include "render/scene_builder.h"
#include "ui/interface.h"

namespace twosphere {

/// What the mouse does in the scene: it turns, moves and zooms the camera, picks bodies and, by
/// Hand, acts on them. Owns the camera; the viewport calls it inside the frames of the interface.
class SceneInput {
 public:
  SceneInput(const LiveRun& run, const Replay& replay, ui::Interface& interface,
             ui::CommandSink& sink)
      : run_(run), interface_(interface), hand_(run, replay, interface, sink) {}

  /// Takes in what the mouse did in this frame of Dear ImGui. `shown` is where the scene was drawn
  /// last, and `scene` that. Whether the scene is to be drawn because of it though nothing moved
  /// the camera.
  bool update(const ui::Rect& shown, const render::Scene& scene);

  const render::Camera& camera() const { return camera_; }
  /// Where the user looks from; nothing if that is still how the scene opened.
  std::optional<render::Camera> chosen_camera() const;
  /// Looks from where the user wants it.
  void set_view(const render::Camera::View& view);
  /// From an axis, 0 to 2, or from its other end.
  void look_along(int axis, bool opposite);
  /// The whole motion from the first point of view.
  void frame();
  /// The same for a newly opened scenario once that command has been carried out.
  void frame_after(std::uint64_t command) { frame_after_ = command; }

  /// The camera for a scene that begins to be drawn there. Shows the whole motion, until the user
  /// has moved it.
  const render::Camera& begin_scene(const ui::Rect& area);
  /// Has the camera of a scene move along with the body that the user follows, if any.
  void follow_body(const render::Scene& scene, render::Camera& camera);
  /// That of a scene that was drawn: it may have moved along with a body.
  void set_camera(const render::Camera& camera) { camera_ = camera; }

  /// Where the selected body is seen in a scene that is shown there.
  std::optional<ui::BodySpot> selected_spot(const ui::Rect& shown) const;
  /// What the hand does in it, as drawn.
  ui::HandView hand_view(const ui::Rect& shown, const SceneContent& drawn) const {
    return hand_.view(drawn, shown);
  }

 private:
  void start_drag(const ui::Rect& shown);
  void end_drag(const ui::Rect& shown);
  bool continue_drag(const ui::Rect& shown);
  void hover(const ui::Rect& shown, const render::Scene& scene);
  /// Whether the mouse has hardly moved since the button went down.
  bool is_click() const;
  float slack(float logical) const;  ///< in pixels of the screen
  /// Where the mouse is in a scene that is shown there.
  Hand::Sight sight(const ui::Rect& shown) const;
  /// The body under the mouse, or the nearest one that it misses by at most `slack`.
  std::optional<ui::BodyId> body_at(const Hand::Sight& sight, float slack) const;

  const LiveRun& run_;
  ui::Interface& interface_;
  render::Camera camera_;
  Hand hand_;
  enum class Drag { none, orbit, pan, hand } drag_ = Drag::none;
  int drag_button_ = 0;
  glm::vec2 hovered_{-1};          ///< where the mouse was last
  std::uint64_t frame_after_ = 0;  ///< command after which to frame the scene, or 0
  bool moved_ = false;             ///< by the user, since the scenario was opened
  float framed_aspect_ = 0;        ///< of the scene when the camera was last framed
};

}  // namespace twosphere
