// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>
#include <cstddef>

#include "render/passes.h"

namespace twosphere::render {

namespace {

enum CloudUniform : std::size_t { look_uniform, middle_uniform };

}  // namespace

Result<CloudPass> CloudPass::create() {
  constexpr std::array<std::string_view, 2> uniforms = {"look", "middle"};
  return with_shaders<CloudPass>("cloud", uniforms);
}

void CloudPass::draw(const DotCloud& cloud) {
  if (!cloud.dots || cloud.dots->empty()) return;
  using Dot = DotCloud::Dot;
  glEnable(GL_BLEND);
  glDepthMask(GL_FALSE);
  glEnable(GL_PROGRAM_POINT_SIZE);
  program_.use();
  program_.set(look_uniform, {cloud.radius, cloud.opacity, cloud.back, cloud.extent});
  program_.set(middle_uniform, glm::vec4(cloud.center, 1));
  vertices_.bind();
  if (written_ != cloud.dots) {
    written_ = cloud.dots;
    dots_.write(GL_ARRAY_BUFFER, std::span<const Dot>(*written_));
    vertices_.per_vertex(0, 3, sizeof(Dot), offsetof(Dot, position));
    vertices_.per_vertex(1, 3, sizeof(Dot), offsetof(Dot, color));
  }
  glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(written_->size()));
  glDisable(GL_PROGRAM_POINT_SIZE);
}

}  // namespace twosphere::render
