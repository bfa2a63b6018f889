// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/cone_pass.h"

#include "render/frame.h"

namespace twosphere::render {

namespace {

struct Instance {
  glm::vec4 base;
  glm::vec3 tip, tint;
  float back;
};

}  // namespace

Result<ConePass> ConePass::create() { return with_shaders<ConePass>("cone"); }

void ConePass::upload(std::span<const Cone> cones) {
  std::vector<Instance> instances;
  instances.reserve(cones.size());
  for (const Cone& c : cones)
    instances.push_back({{c.base, c.radius}, c.tip, linear(c.color), c.back});
  write(std::span<const Instance>(instances));
  input<Instance>(0, 4, offsetof(Instance, base));
  input<Instance>(1, 3, offsetof(Instance, tip));
  input<Instance>(2, 3, offsetof(Instance, tint));
  input<Instance>(3, 1, offsetof(Instance, back));
}

}  // namespace twosphere::render
