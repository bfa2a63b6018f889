// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glm/vec2.hpp>
#include <optional>

#include "core/mechanics/system.h"
#include "render/camera.h"

namespace twosphere::render {

/// The body of a figure under a point of the view, by a ray from the camera: spheres of the given
/// radius [m] times their size, the last links and the arrows, as they are drawn. The nearest that
/// the ray meets; if it meets none, the one that it passes closest by, within `slack`. Point (y
/// down), size of the view and slack in the same pixels. Cost: O(n), some nanoseconds per body.
std::optional<int> pick(const Geometry& geometry, double radius, const Camera& camera,
                        glm::vec2 point, glm::vec2 view, float slack);

/// Where a body is drawn: centre and radius in pixels of the view, or nothing if it lies behind the
/// viewer.
struct Spot {
  glm::vec2 center;
  float radius;
};
std::optional<Spot> spot(const Geometry& geometry, double radius, int body, const Camera& camera,
                         glm::vec2 view);

}  // namespace twosphere::render
