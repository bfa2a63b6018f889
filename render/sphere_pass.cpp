// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/sphere_pass.h"

#include <array>

#include "render/frame.h"

namespace twosphere::render {

namespace {

struct Instance {
  glm::vec4 ball;
  glm::vec3 tint;
};

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
  std::vector<Instance> instances;
  instances.reserve(spheres.size());
  for (const Sphere& sphere : spheres)
    instances.push_back({{sphere.center, sphere.radius}, linear(sphere.color)});
  count_ = instances.size();
  vertices_.bind();
  instances_.write(GL_ARRAY_BUFFER, std::span<const Instance>(instances));
  vertices_.per_instance(0, 4, sizeof(Instance), offsetof(Instance, ball));
  vertices_.per_instance(1, 3, sizeof(Instance), offsetof(Instance, tint));
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
