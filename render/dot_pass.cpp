// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/passes.h"

namespace twosphere::render {

Result<DotPass> DotPass::create() { return with_shaders<DotPass>("dot"); }

void DotPass::draw(std::span<const Sphere> dots) const {
  if (dots.empty()) return;
  static_assert(offsetof(Sphere, radius) == sizeof(glm::vec3),
                "centre and radius are read at once");
  glDisable(GL_BLEND);
  glDepthMask(GL_TRUE);
  glEnable(GL_PROGRAM_POINT_SIZE);
  program_.use();
  vertices_.bind();
  instances_.write(GL_ARRAY_BUFFER, dots);
  vertices_.per_vertex(0, 4, sizeof(Sphere), offsetof(Sphere, center));
  vertices_.per_vertex(1, 3, sizeof(Sphere), offsetof(Sphere, color));
  vertices_.per_vertex(2, 1, sizeof(Sphere), offsetof(Sphere, back));
  glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(dots.size()));
  glDisable(GL_PROGRAM_POINT_SIZE);
}

}  // namespace twosphere::render
