// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "render/gl.h"
#include "render/scene.h"

namespace twosphere::render {

/// The ground: a faint disc with grid lines and the soft shadows of the balls and rods vertically
/// above it. Drawn after the opaque shapes; writes no depth.
class GroundPass {
 public:
  static Result<GroundPass> create();
  void draw(const Scene& scene, const Theme& theme, glm::vec3 eye) const;

 private:
  gl::Program ground_, shadow_;
  gl::VertexArray vertices_;
  gl::Buffer instances_;
};

}  // namespace twosphere::render
