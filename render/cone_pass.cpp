// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/cone_pass.h"

#include <array>

#include "render/frame.h"

namespace twosphere::render {

namespace {

struct Instance {
  glm::vec4 base;
  glm::vec3 tip, tint;
};

enum Uniform : std::size_t { outline_uniform };
constexpr std::array<std::string_view, 1> uniforms = {"outline"};

}  // namespace

Result<ConePass> ConePass::create() {
  auto program = gl::Program::create("cone", uniforms);
  if (!program) return program.error();
  ConePass pass;
  pass.program_ = std::move(*program);
  return pass;
}

void ConePass::upload(std::span<const Cone> cones) {
  std::vector<Instance> instances;
  instances.reserve(cones.size());
  for (const Cone& c : cones) instances.push_back({{c.base, c.radius}, c.tip, linear(c.color)});
  count_ = instances.size();
  vertices_.bind();
  instances_.write(GL_ARRAY_BUFFER, std::span<const Instance>(instances));
  vertices_.per_instance(0, 4, sizeof(Instance), offsetof(Instance, base));
  vertices_.per_instance(1, 3, sizeof(Instance), offsetof(Instance, tip));
  vertices_.per_instance(2, 3, sizeof(Instance), offsetof(Instance, tint));
}

void ConePass::draw_inside() const {
  glDisable(GL_BLEND);
  glDepthMask(GL_TRUE);
  draw(0);
}

void ConePass::draw_outline() const {
  glEnable(GL_BLEND);
  glDepthMask(GL_FALSE);
  draw(1);
}

void ConePass::draw(float outline) const {
  if (count_ == 0) return;
  program_.use();
  program_.set(outline_uniform, outline);
  vertices_.bind();
  gl::draw_quads(count_);
}

}  // namespace twosphere::render
