// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glm/vec2.hpp>
#include <optional>

#include "core/mechanics/system.h"
#include "render/camera.h"

namespace twosphere::render {

/// The body under a point of the view, by a ray from the camera. Bodies are tested as drawn:
/// spheres of the given radius [m] times their size, the last links, and the arrows. Returns the
/// nearest body that the ray hits, or else the one that it misses by the least, at most `slack`.
/// Point (y down), size of the view and slack are in the same pixels. Cost: O(n), some nanoseconds
/// per body.
std::optional<int> pick(const Geometry& geometry, double radius, const Camera& camera,
                        glm::vec2 point, glm::vec2 view, float slack);

/// The position of a body on the screen: centre and radius in pixels of the view; none if it is
/// behind the viewer.
struct Spot {
  glm::vec2 center;
  float radius;
};
std::optional<Spot> spot(const Geometry& geometry, double radius, int body, const Camera& camera,
                         glm::vec2 view);

}  // namespace twosphere::render
