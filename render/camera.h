// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

namespace twosphere::render {

/// What a camera is to show.
struct Framing {
  glm::vec3 center{0};  ///< of a ball that holds everything
  float radius = 1;
  bool boxed = false;  ///< whether things move only where a box and the ball overlap
  glm::vec3 middle{0}, half{0};
  float azimuth = 0, elevation = 0.28f;  ///< of the opening direction [rad]
};

/// Orbits a target. The picture is right-handed with −e3 up: on opening e1 points to the right, e3
/// down, and the viewer stands at positive e2, a little above.
class Camera {
 public:
  /// Shows a ball entirely in a viewport of that aspect ratio, from the opening direction.
  void frame(glm::vec3 center, float radius, float aspect);
  /// Shows what box and ball have in common, as large as it can be; or the ball if there is no box.
  void frame(const Framing& framing, float aspect);
  /// The same ball from the present direction.
  void fit(glm::vec3 center, float radius, float aspect);

  /// Moves the viewer around the target [rad]: azimuth > 0 to the viewer's right, elevation > 0 up,
  /// at most to the zenith. For a scene that follows the pointer: orbit(−k dx, k dy).
  void orbit(float azimuth, float elevation);
  /// Moves what lies at the target's depth by so many pixels on the screen (y down), in a viewport
  /// of that size in the same pixels.
  void pan(glm::vec2 pixels, glm::vec2 viewport);
  /// Moves towards the target; steps > 0 are nearer, each by an eighth of an octave.
  void zoom(float steps);
  /// Looks along −axis: 0, 1, 2 for e1, e2, e3; from the other side if opposite.
  void look_along(int axis, bool opposite);

  glm::mat4 view() const;
  /// Clip space of OpenGL; the near and far planes hold everything within a few radii of the ball.
  glm::mat4 projection(float aspect) const;
  glm::vec3 eye() const;
  glm::vec3 target() const { return target_; }
  /// Moves along with the target.
  void follow(glm::vec3 target) { target_ = target; }

  /// Where the viewer stands, as it can be written down.
  struct View {
    glm::vec3 target{0};
    float azimuth = 0, elevation = 0;  ///< [rad]
    float distance = 1;

    bool operator==(const View&) const = default;
  };
  View where() const { return {target_, azimuth_, elevation_, distance_}; }
  void go(const View& view);
  /// A ball of a radius about the origin, from the direction of another camera.
  static Camera beside(const Camera& other, float radius);

 private:
  glm::vec3 backward() const;  ///< from the target to the eye, unit length
  glm::vec3 right() const;
  glm::vec3 up() const;

  glm::vec3 target_{0}, center_{0};
  float radius_ = 1;  ///< of the ball last framed, about center_
  float azimuth_ = 0, elevation_ = 0, distance_ = 5;
};

}  // namespace twosphere::render
