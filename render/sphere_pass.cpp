// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/sphere_pass.h"

#include <array>

namespace twosphere::render {

namespace {

enum Uniform : std::size_t { outline_uniform };
constexpr std::array<std::string_view, 1> uniforms = {"outline"};

}  // namespace

Result<SpherePass> SpherePass::create() {
  auto program = gl::Program::create("sphere", uniforms);
  if (!program) return program.error();
  SpherePass pass;
  pass.program_ = std::move(*program);
  return pass;
}

void SpherePass::upload(std::span<const Sphere> spheres) {
  static_assert(offsetof(Sphere, radius) == sizeof(glm::vec3),
                "centre and radius are read at once");
  count_ = spheres.size();
  vertices_.bind();
  instances_.write(GL_ARRAY_BUFFER, spheres);
  vertices_.per_instance(0, 4, sizeof(Sphere), offsetof(Sphere, center));
  vertices_.per_instance(1, 3, sizeof(Sphere), offsetof(Sphere, color));
}

void SpherePass::draw_inside() const {
  glDisable(GL_BLEND);
  glDepthMask(GL_TRUE);
  draw(0);
}

void SpherePass::draw_outline() const {
  glEnable(GL_BLEND);
  glDepthMask(GL_FALSE);
  draw(1);
}

void SpherePass::draw(float outline) const {
  if (count_ == 0) return;
  program_.use();
  program_.set(outline_uniform, outline);
  vertices_.bind();
  gl::draw_quads(count_);
}

}  // namespace twosphere::render
