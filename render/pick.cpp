// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/pick.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat4x4.hpp>
#include <limits>

namespace twosphere::render {

namespace {

constexpr double rod_share = 0.17;     // smallest radius of a link, relative to that of a body
constexpr double magnet_share = 0.12;  // radius relative to the length of an arrow

// How a ray passes a ball or a round rod: the gap in pixels, 0 if it hits, and the distance along
// the ray.
struct Pass {
  double pixels = std::numeric_limits<double>::infinity();
  double distance = std::numeric_limits<double>::infinity();

  bool before(const Pass& other) const {
    return pixels != other.pixels ? pixels < other.pixels : distance < other.distance;
  }
};

Pass pass(const Ray& ray, const Vec3& nearest, double radius) {
  const Vec3 to = nearest - ray.from;
  const double ahead = to.dot(ray.along);
  if (!(ahead > 0)) return {};
  const double miss = (to - ahead * ray.along).norm();
  if (miss <= radius) return {0, ahead - std::sqrt(radius * radius - miss * miss)};
  return {(miss - radius) / (ahead * ray.pixel), ahead};
}

// The point of a line segment that is nearest to the ray.
Vec3 nearest(const Ray& ray, const Vec3& a, const Vec3& b) {
  const Vec3 piece = b - a, to = a - ray.from;
  const double along = piece.dot(ray.along), denominator = piece.squaredNorm() - along * along;
  if (!(denominator > 0)) return a;
  const double share = (to.dot(ray.along) * along - to.dot(piece)) / denominator;
  return a + std::clamp(share, 0.0, 1.0) * piece;
}

// A point in the coordinates of the screen.
struct Seen {
  glm::vec4 clip;
  float scale;  // of lengths, across the clip space

  glm::vec2 at(glm::vec2 view) const {
    return {(clip.x / clip.w + 1) / 2 * view.x, (1 - clip.y / clip.w) / 2 * view.y};
  }
};

Seen see(const Vec3& position, const Camera& camera, glm::vec2 view) {
  const glm::mat4 projection = camera.projection(view.x / view.y);
  const glm::vec4 at(static_cast<float>(position.x()), static_cast<float>(position.y()),
                     static_cast<float>(position.z()), 1);
  return {projection * camera.view() * at, projection[1][1]};
}

}  // namespace

Ray sight(const Camera& camera, glm::vec2 point, glm::vec2 view) {
  const glm::mat4 projection = camera.projection(view.x / view.y);
  const glm::mat3 axes = glm::transpose(glm::mat3(camera.view()));
  const glm::vec3 seen{(2 * point.x / view.x - 1) / projection[0][0],
                       (1 - 2 * point.y / view.y) / projection[1][1], -1};
  const glm::vec3 along = glm::normalize(axes * seen), eye = camera.eye();
  return {{eye.x, eye.y, eye.z},
          Vec3(along.x, along.y, along.z).normalized(),
          2 / static_cast<double>(projection[1][1] * view.y)};
}

std::optional<glm::vec2> project(const Vec3& position, const Camera& camera, glm::vec2 view) {
  const Seen seen = see(position, camera, view);
  if (!(seen.clip.w > 0)) return std::nullopt;
  return seen.at(view);
}

Vec3 on_sphere(const Ray& ray, const Vec3& center, double radius, bool near) {
  const Vec3 to = center - ray.from;
  const double ahead = to.dot(ray.along);
  const Vec3 off = ahead * ray.along - to;  // from the centre, to where the ray is nearest
  const double miss = off.norm();
  if (miss >= radius) return center + radius / miss * off;
  const double depth = std::sqrt(radius * radius - miss * miss);
  return center + off + (near ? -depth : depth) * ray.along;
}

std::optional<Vec3> on_plane(const Ray& ray, const Vec3& point, const Vec3& normal) {
  const double distance = normal.dot(point - ray.from) / normal.dot(ray.along);
  if (!(distance > 0) || !std::isfinite(distance)) return std::nullopt;
  return ray.from + distance * ray.along;
}

std::optional<int> pick(const Geometry& geometry, double radius, const Camera& camera,
                        glm::vec2 point, glm::vec2 view, float slack) {
  const Ray ray = sight(camera, point, view);
  const std::size_t n = geometry.bodies.size();
  Pass best;
  std::optional<int> body;
  const auto take = [&](std::size_t i, const Pass& p) {
    if (!(p.pixels <= static_cast<double>(slack)) || !p.before(best)) return;
    best = p;
    body = static_cast<int>(i);
  };
  for (std::size_t i = 0; i < n && geometry.arrows.empty(); ++i)
    take(i, pass(ray, geometry.bodies[i].position, radius * geometry.bodies[i].size));
  const std::size_t fixed = geometry.links.size() > n ? geometry.links.size() - n : 0;
  for (std::size_t k = fixed; k < geometry.links.size(); ++k) {
    const Geometry::Link& link = geometry.links[k];
    take(k - fixed, pass(ray, nearest(ray, link.from, link.to), rod_share * radius));
  }
  for (std::size_t i = 0; i < std::min(n, geometry.arrows.size()); ++i) {
    const Geometry::Arrow& arrow = geometry.arrows[i];
    const double thick = magnet_share * (arrow.to - arrow.from).norm() * arrow.size;
    take(i, pass(ray, nearest(ray, arrow.from, arrow.to), thick));
  }
  return body;
}

std::optional<Spot> spot(const Geometry& geometry, double radius, int body, const Camera& camera,
                         glm::vec2 view) {
  const auto i = static_cast<std::size_t>(body);
  Vec3 at = geometry.bodies[i].position;
  double reach = radius * geometry.bodies[i].size;
  if (i < geometry.arrows.size()) {
    const Geometry::Arrow& arrow = geometry.arrows[i];
    at = (arrow.from + arrow.to) / 2;
    reach = (arrow.to - arrow.from).norm() / 2;
  }
  const Seen seen = see(at, camera, view);
  if (!(seen.clip.w > 0)) return std::nullopt;
  return Spot{seen.at(view), static_cast<float>(reach) * seen.scale * view.y / (2 * seen.clip.w)};
}

}  // namespace twosphere::render
