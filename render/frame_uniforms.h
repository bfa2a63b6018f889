// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "render/gl.h"

namespace twosphere::render {

/// The uniform block Frame of common.glsl, laid out by std140.
struct Frame {
  glm::mat4 view, projection;
  glm::vec4 viewport, lens, up, sky, earth;
};

/// Converts sRGB to linear light.
glm::vec3 linear(glm::vec3 srgb);

}  // namespace twosphere::render
