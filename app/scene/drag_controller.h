// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <memory>
#include <optional>

#include "app/scene/scene_content.h"
#include "app/session/live_run.h"
#include "app/session/replay.h"
#include "render/camera.h"
#include "render/pick.h"
#include "render/scene.h"
#include "ui/interface.h"

namespace twosphere {

/// ω without components that are no more than the rounding of a picture, which has single
/// precision: along an axis the others are 0. Tangent at q.
Vec3 without_rounding(const Vec3& q, Vec3 omega);

/// Editing of bodies with the mouse, a finger or keys. While the run is paused, a body is moved on
/// its sphere, rotated together with the bodies that hang on it, or given another ω by dragging the
/// tip of its arrow; while it runs, a body is pulled. Keys move and pull the selected body. Every
/// gesture is an edit of the run; in the past it begins another run. Key presses in quick
/// succession are one gesture. During a drag nothing is allocated: each movement of the mouse sends
/// one DragEdit or MousePull, and the release makes the edit.
class DragController {
 public:
  DragController(const LiveRun& run, const Replay& replay, ui::Interface& interface,
                 ui::CommandSink& sink)
      : run_(run), replay_(replay), interface_(interface), sink_(sink) {}

  /// A point of the scene, y down, in the pixels of its view.
  struct PointInView {
    const render::Camera& camera;
    glm::vec2 point, view;
  };
  /// Keys that are held.
  struct Keys {
    bool control = false;
    bool alt = false;  ///< or Shift: window managers may keep Alt to themselves
    bool finger = false;
  };
  /// The keys that move or pull the selected body, as directions on the screen, y down.
  struct Push {
    glm::vec2 held{0};   ///< sum of the directions of the keys held now
    glm::vec2 steps{0};  ///< the same, times the number of presses since the last frame
    bool fine = false;   ///< a tenth of the usual

    bool any() const { return held != glm::vec2(0) || steps != glm::vec2(0); }
  };
  /// Whether the bodies move.
  bool plays() const { return run_.in_past() ? replay_.plays() : run_.plays(); }
  /// Sets the body under the mouse, if any. `scene`: as drawn there, with `lane` in full.
  void hover(std::optional<ui::BodyId> body, const render::Scene& scene, int lane,
             const PointInView& where, float slack);
  void leave() { over_ = {}; }
  /// Whether the mouse is over something, as of the last hover().
  bool hovers() const { return over_.body.has_value(); }
  /// Call when the button is pressed. Returns whether a drag from there acts on a body.
  bool press(const PointInView& where, Keys keys);
  /// Call when the mouse has moved. Returns whether the scene must be drawn again.
  bool drag(const PointInView& where);
  /// Moves or pulls the selected body by keys; the point of `where` is not used. Call once per
  /// frame. Returns whether the scene must be drawn again.
  bool push(const Push& push, const PointInView& where);
  /// Ends the gesture of the keys.
  void end_push();
  /// Makes the spring of a pull stiffer.
  void turn_wheel(float notches);
  bool pulls() const { return gesture_ && gesture_->kind == Kind::pull; }
  void release(const PointInView& where);
  /// Ends a gesture where it is.
  void give_up() { end(); }

  /// Its state as the interface shows it over a scene drawn in `area`.
  ui::HandView view(const SceneContent& drawn, const ui::Rect& area) const;

 private:
  enum class Kind { move, turn, spin, pull };
  struct Gesture {
    Kind kind = Kind::move;
    ui::BodyId body;
    std::shared_ptr<const Scenario> loaded;  // the scenario that is open
    bool start = false;                      // its start is edited
    bool by_keys = false;
    State from;               // of the lane, as the gesture began
    double work = 0;          // W of the lane then [J]
    Vec3 to{};                // the direction to which keys have moved the body
    bool unsent = false;      // `to` has not been sent yet
    Vec3 base{}, position{};  // the centre of the body's sphere, and where it was [m]
    glm::vec2 offset{0};      // from the body to the mouse [px]
    bool near = true;         // the body is on the side of the viewer
    double arrow = 0;         // length of an arrow of ω per rad/s [m]
    double covered = 0;       // of an arrow by the body [m]
    double stiffness = 1;     // of a pull
    glm::vec2 last{-1};       // the mouse, as of the last command
    std::uint64_t sent = 0;   // that command
  };
  struct Over {
    std::optional<ui::BodyId> body;
    bool tip = false;  // of its arrow of ω
    glm::vec2 at{0};   // the tip [px]
    double arrow = 0;  // Gesture::arrow
    Vec3 tip_position = Vec3::Zero();
  };

  /// Whether there are so many bodies that they fill the scene: then they are dragged only with
  /// Ctrl.
  bool crowded() const;
  /// Not a run of another program, nor tops in space, which are not drawn at their q.
  bool takes_hands() const;
  /// Whether the run is no longer that of the gesture.
  bool stale() const;
  std::optional<Kind> kind_of(Keys keys) const;
  bool begin(Kind kind, ui::BodyId body, const PointInView& where);
  bool answered() const { return run_.snapshot().commands >= gesture_->sent; }
  void push_paused(const Push& push, const PointInView& where);
  void push_running(const glm::vec2& along, bool fine, const PointInView& where);
  void send(const PointInView& where);
  void move_to(const PointInView& where);
  void spin(const PointInView& where);
  void pull(const PointInView& where);
  void hold(const std::optional<Vec3>& q, const std::optional<Vec3>& omega);
  /// Call after an edit was sent.
  void await_answer();
  void end();
  void add_pulls(const render::Scene& scene, const render::Camera& camera, const ui::Rect& area,
                 ui::HandView& view) const;

  const LiveRun& run_;
  const Replay& replay_;
  ui::Interface& interface_;
  ui::CommandSink& sink_;
  Over over_;
  std::optional<Gesture> gesture_;
  Geometry geometry_;  // scratch memory
};

}  // namespace twosphere
