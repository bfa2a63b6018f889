// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/camera.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <glm/gtc/matrix_transform.hpp>

namespace twosphere::render {

namespace {

constexpr float field_of_view = 0.5f;  // vertical [rad]
constexpr float margin = 1.03f;
constexpr float first_elevation = 0.28f;
constexpr float closest = 0.05f, farthest = 60;  // distance to the target, in radii
constexpr int framed_points = 2000;  // sample points on the surface of the framed region
constexpr float golden_angle = 2.3999632f;
constexpr float depth_reach =
    4;  // in radii: within this distance of the centre the ground is never clipped
constexpr float max_covered = 0.45f;

/// How far up the picture is free, in half heights above its middle.
float free_top(const ViewShape& view) {
  return 1 - 2 * std::clamp(view.covered, 0.0f, max_covered);
}

}  // namespace

void Camera::frame(glm::vec3 center, float radius, float aspect) {
  azimuth_ = 0;
  elevation_ = first_elevation;
  fit(center, radius, aspect);
}

void Camera::frame(const Framing& f, const ViewShape& view) {
  azimuth_ = f.azimuth;
  elevation_ = f.elevation;
  fit(f.center, f.radius, view);
  if (!f.boxed) return;
  // A point p relative to the middle is visible if |(p − s)·right| ≤ wide (distance − p·back), and
  // likewise for up, where s is the shift of the target; upwards only to the share `top` of it.
  // Find the smallest distance for which a shift exists such that the intersection of ball and box
  // is visible.
  const float tall = std::tan(field_of_view / 2), wide = view.aspect * tall;
  const glm::vec2 top(1, free_top(view));
  glm::vec2 plus(-1e30f), minus(-1e30f);
  for (int k = 0; k < framed_points; ++k) {
    const float z = 1 - (2 * static_cast<float>(k) + 1) / framed_points;
    const float turn = golden_angle * static_cast<float>(k), r = std::sqrt(1 - z * z);
    const glm::vec3 on_ball =
        f.center + f.radius * glm::vec3(r * std::cos(turn), r * std::sin(turn), z);
    const glm::vec3 p = glm::clamp(on_ball - f.middle, -f.half, f.half);
    const glm::vec2 aside(glm::dot(p, right()) / wide, glm::dot(p, up()) / tall);
    plus = glm::max(plus, glm::dot(p, backward()) + aside / top);
    minus = glm::max(minus, glm::dot(p, backward()) - aside);
  }
  const glm::vec2 distance = (top * plus + minus) / (1.0f + top),
                  shift = top * (plus - minus) / (1.0f + top);
  target_ = f.middle + wide * shift.x * right() + tall * shift.y * up();
  distance_ = std::min(distance_, margin * std::max(distance.x, distance.y));
}

void Camera::go(const View& view) {
  target_ = view.target;
  azimuth_ = std::remainder(view.azimuth, glm::two_pi<float>());
  elevation_ = std::clamp(view.elevation, -glm::half_pi<float>(), glm::half_pi<float>());
  distance_ = std::clamp(view.distance, closest * radius_, farthest * radius_);
}

Camera Camera::beside(const Camera& other, float radius) {
  Camera made;
  made.azimuth_ = other.azimuth_;
  made.elevation_ = other.elevation_;
  made.turn_ = other.turn_;
  made.fit(glm::vec3(0), radius, 1);
  return made;
}

void Camera::fit(glm::vec3 center, float radius, const ViewShape& view) {
  target_ = center_ = center;
  radius_ = std::max(radius, 1e-6f);
  // The ball touches the cone of the narrower field of view.
  const float vertical = field_of_view / 2;
  const float horizontal = std::atan(view.aspect * std::tan(vertical));
  if (view.covered <= 0) {
    distance_ = margin * radius_ / std::sin(std::min(vertical, horizontal));
    return;
  }
  // Its centre lies on the bisector of what is free.
  const float above = std::atan(free_top(view) * std::tan(vertical));
  const float half = (vertical + above) / 2, down = (vertical - above) / 2;
  const float away =
      margin * radius_ / std::min(std::sin(half), std::cos(down) * std::sin(horizontal));
  distance_ = away * std::cos(down);
  target_ += away * std::sin(down) * up();
}

void Camera::orbit(float azimuth, float elevation) {
  azimuth_ = std::remainder(azimuth_ + azimuth, glm::two_pi<float>());
  elevation_ = std::clamp(elevation_ + elevation, -glm::half_pi<float>(), glm::half_pi<float>());
}

void Camera::pan(glm::vec2 pixels, glm::vec2 viewport) {
  target_ += (pixels.y * up() - pixels.x * right()) / pixels_per_metre(viewport.y);
}

void Camera::zoom(float steps) {
  distance_ = std::clamp(distance_ * std::exp2(-steps / 8), closest * radius_, farthest * radius_);
}

void Camera::look_along(int axis, bool opposite) {
  const float quarter = glm::half_pi<float>();
  elevation_ = axis == 2 ? (opposite ? quarter : -quarter) : 0;
  azimuth_ = axis == 0 ? (opposite ? -quarter : quarter) : axis == 1 && opposite ? 2 * quarter : 0;
}

glm::vec3 Camera::backward() const {
  const float c = std::cos(elevation_);
  return {c * std::sin(azimuth_), c * std::cos(azimuth_), -std::sin(elevation_)};
}

// Computed from the azimuth, so that it is defined at the zenith.
glm::vec3 Camera::right() const { return {std::cos(azimuth_), -std::sin(azimuth_), 0}; }

glm::vec3 Camera::up() const { return glm::cross(backward(), right()); }

// v * M is the product with the transposed matrix: back to the axes of the equations.
glm::vec3 Camera::eye() const { return (target_ + distance_ * backward()) * turn_; }

Camera Camera::in_frame(const glm::mat3& turn) const {
  Camera turned = *this;
  turned.turn_ = turn;
  return turned;
}

float Camera::pixels_per_metre(float height) const {
  return height / (2 * distance_ * std::tan(field_of_view / 2));
}

glm::mat4 Camera::view() const {
  const glm::mat3 axes = glm::transpose(glm::mat3(right(), up(), backward()));
  return glm::translate(glm::mat4(axes), -(target_ + distance_ * backward())) * glm::mat4(turn_);
}

glm::mat4 Camera::projection(float aspect) const {
  const float reach = depth_reach * radius_ + glm::distance(target_, turn_ * center_);
  const float near = std::max(0.01f * distance_, distance_ - reach);
  return glm::perspective(field_of_view, aspect, near, distance_ + reach);
}

}  // namespace twosphere::render
