// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include "render/frame_uniforms.h"
#include "render/passes.h"

namespace twosphere::render {

Result<MeshPass> MeshPass::create() {
  constexpr std::array<std::string_view, 1> uniforms = {"tints"};
  auto pass = with_shaders<MeshPass>("mesh", uniforms);
  if (pass) pass->texture_ = gl::make_texture();
  return pass;
}

void MeshPass::draw(const Mesh& mesh) {
  if (!mesh.shape || mesh.colors.size() != mesh.shape->faces.size()) return;
  vertices_.bind();
  if (shape_ != mesh.shape) {
    shape_ = mesh.shape;
    places_.write(GL_ARRAY_BUFFER, std::span<const glm::vec3>(shape_->vertices));
    vertices_.per_vertex(0, 3, sizeof(glm::vec3), 0);
    indices_.write(GL_ELEMENT_ARRAY_BUFFER,
                   std::span<const std::array<unsigned, 3>>(shape_->faces));
  }
  std::vector<glm::vec4> tints;
  tints.reserve(mesh.colors.size());
  for (const glm::vec3& color : mesh.colors) tints.emplace_back(linear(color), 1);
  colors_.write(GL_TEXTURE_BUFFER, std::span<const glm::vec4>(tints));
  glBindTexture(GL_TEXTURE_BUFFER, texture_.id());
  glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, colors_.id());
  glDisable(GL_BLEND);
  glDepthMask(GL_TRUE);
  program_.use();  // its sampler reads from unit 0
  glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(3 * shape_->faces.size()), GL_UNSIGNED_INT,
                 nullptr);
  glBindTexture(GL_TEXTURE_BUFFER, 0);
  glBindBuffer(GL_TEXTURE_BUFFER, 0);
}

}  // namespace twosphere::render
