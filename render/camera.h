// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glm/mat3x3.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

namespace twosphere::render {

/// The region that a camera must show.
struct Framing {
  glm::vec3 center{0};  ///< centre of a ball that contains everything
  float radius = 1;
  bool boxed = false;  ///< whether all motion is within the intersection of the ball and a box
  glm::vec3 middle{0}, half{0};
  float azimuth = 0, elevation = 0.28f;  ///< default viewing direction [rad]
};

/// What a camera fills: a picture, or a cell of one.
struct ViewShape {
  float aspect = 1;   ///< width by height
  float covered = 0;  ///< the share of its height, from the top, where title and caption lie

  bool operator==(const ViewShape&) const = default;
};

/// A camera that orbits a target. The picture is right-handed with −e3 up: by default e1 points to
/// the right, e3 down, and the viewer is at positive e2, slightly above.
///
/// It stands in a frame, whose axes may be turned from those of the equations. What places it is
/// given in the axes of the frame; view(), eye() and target() are in those of the equations.
class Camera {
 public:
  /// Shows the whole ball in a viewport of this aspect ratio, from the default direction.
  void frame(glm::vec3 center, float radius, float aspect);
  /// Shows the intersection of box and ball as large as possible, or the ball if there is no box.
  void frame(const Framing& framing, float aspect) { frame(framing, ViewShape{aspect}); }
  /// The same below what covers the view; at most 45 % of its height are left to that.
  void frame(const Framing& framing, const ViewShape& view);
  /// Shows the whole ball from the current direction.
  void fit(glm::vec3 center, float radius, float aspect) { fit(center, radius, ViewShape{aspect}); }

  /// Moves the viewer around the target [rad]: azimuth > 0 to the right, elevation > 0 up, at most
  /// to the zenith. For a scene that follows the mouse: orbit(−k dx, k dy).
  void orbit(float azimuth, float elevation);
  /// Shifts the picture by this many pixels (y down) at the depth of the target; `viewport` is its
  /// size in the same pixels.
  void pan(glm::vec2 pixels, glm::vec2 viewport);
  /// Moves towards the target for steps > 0; each step changes the distance by a factor of 2^(1/8).
  void zoom(float steps);
  /// Looks from the positive end of an axis, 0, 1, 2 for e1, e2, e3, or from the negative end if
  /// `opposite`.
  void look_along(int axis, bool opposite);

  glm::mat4 view() const;
  /// Projection to OpenGL clip space; the near and far planes contain everything within a few radii
  /// of the ball.
  glm::mat4 projection(float aspect) const;
  glm::vec3 eye() const;
  /// The size of a metre beside the target, in a view of this height [pixels].
  float pixels_per_metre(float height) const;
  glm::vec3 target() const { return target_ * turn_; }
  /// Sets the target, in the axes of the frame; the camera moves with it.
  void follow(glm::vec3 target) { target_ = target; }
  /// The same camera in a frame to whose axes this rotation leads from those of the equations:
  /// Scene::turn.
  Camera in_frame(const glm::mat3& turn) const;

  /// The parameters of the camera, for saving.
  struct View {
    glm::vec3 target{0};
    float azimuth = 0, elevation = 0;  ///< [rad]
    float distance = 1;

    bool operator==(const View&) const = default;
  };
  View where() const { return {target_, azimuth_, elevation_, distance_}; }
  void go(const View& view);
  /// A camera that shows a ball about the origin from the direction of another camera.
  static Camera beside(const Camera& other, float radius);

 private:
  void fit(glm::vec3 center, float radius, const ViewShape& view);
  // In the axes of the frame, of unit length.
  glm::vec3 backward() const;  ///< from the target to the eye
  glm::vec3 right() const;
  glm::vec3 up() const;

  glm::vec3 target_{0}, center_{0};
  float radius_ = 1;  ///< radius of the ball last framed, about center_
  float azimuth_ = 0, elevation_ = 0, distance_ = 5;
  glm::mat3 turn_{1};  ///< from the axes of the equations to those of the frame
};

}  // namespace twosphere::render
