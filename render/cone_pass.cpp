// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/frame_uniforms.h"
#include "render/passes.h"

namespace twosphere::render {

namespace {

struct ConeInstance {
  glm::vec4 base;
  glm::vec3 tip, tint;
  float back;
};

}  // namespace

Result<ConePass> ConePass::create() { return with_shaders<ConePass>("cone"); }

void ConePass::upload(std::span<const Cone> cones) {
  std::vector<ConeInstance> instances;
  instances.reserve(cones.size());
  for (const Cone& c : cones)
    instances.push_back({{c.base, c.radius}, c.tip, linear(c.color), c.back});
  write(std::span<const ConeInstance>(instances));
  input<ConeInstance>(0, 4, offsetof(ConeInstance, base));
  input<ConeInstance>(1, 3, offsetof(ConeInstance, tip));
  input<ConeInstance>(2, 3, offsetof(ConeInstance, tint));
  input<ConeInstance>(3, 1, offsetof(ConeInstance, back));
}

}  // namespace twosphere::render
