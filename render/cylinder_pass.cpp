// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/cylinder_pass.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "render/frame.h"

namespace twosphere::render {

namespace {

struct Instance {
  glm::vec4 start, end;
  glm::vec3 tint;
  glm::vec2 cut;
};

enum Uniform : std::size_t { outline_uniform };
constexpr std::array<std::string_view, 1> uniforms = {"outline"};

}  // namespace

Result<CylinderPass> CylinderPass::create() {
  auto program = gl::Program::create("cylinder", uniforms);
  if (!program) return program.error();
  CylinderPass pass;
  pass.program_ = std::move(*program);
  return pass;
}

void CylinderPass::upload(std::span<const Cylinder> cylinders, std::span<const Sphere> spheres) {
  count_ = cylinders.size();
  if (cylinders.empty()) return;
  std::map<std::tuple<float, float, float>, float> radius_at;
  const auto key = [](glm::vec3 p) { return std::tuple(p.x, p.y, p.z); };
  for (const Sphere& sphere : spheres) {
    float& radius = radius_at[key(sphere.center)];
    radius = std::max(radius, sphere.radius);
  }
  // The radius of the ball that a rod ends in; 0 if there is none that is wider than the rod.
  const auto cut = [&](glm::vec3 end, float rod) {
    const auto found = radius_at.find(key(end));
    return found == radius_at.end() || found->second <= rod ? 0 : found->second;
  };
  std::vector<Instance> instances;
  instances.reserve(cylinders.size());
  for (const Cylinder& c : cylinders)
    instances.push_back({{c.from, c.radius},
                         {c.to, c.radius},
                         linear(c.color),
                         {cut(c.from, c.radius), cut(c.to, c.radius)}});
  vertices_.bind();
  instances_.write(GL_ARRAY_BUFFER, std::span<const Instance>(instances));
  vertices_.per_instance(0, 4, sizeof(Instance), offsetof(Instance, start));
  vertices_.per_instance(1, 4, sizeof(Instance), offsetof(Instance, end));
  vertices_.per_instance(2, 3, sizeof(Instance), offsetof(Instance, tint));
  vertices_.per_instance(3, 2, sizeof(Instance), offsetof(Instance, cut));
}

void CylinderPass::draw_inside() const {
  glDisable(GL_BLEND);
  glDepthMask(GL_TRUE);
  draw(0);
}

void CylinderPass::draw_outline() const {
  glEnable(GL_BLEND);
  glDepthMask(GL_FALSE);
  draw(1);
}

void CylinderPass::draw(float outline) const {
  if (count_ == 0) return;
  program_.use();
  program_.set(outline_uniform, outline);
  vertices_.bind();
  gl::draw_quads(count_);
}

}  // namespace twosphere::render
