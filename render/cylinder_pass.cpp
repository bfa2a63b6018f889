// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <map>
#include <tuple>

#include "render/frame_uniforms.h"
#include "render/passes.h"

namespace twosphere::render {

namespace {

struct CylinderInstance {
  glm::vec4 start, end;
  glm::vec3 tint;
  glm::vec2 cut;
  float back;
};

}  // namespace

Result<CylinderPass> CylinderPass::create() { return with_shaders<CylinderPass>("cylinder"); }

void CylinderPass::upload(std::span<const Cylinder> cylinders, std::span<const Sphere> spheres) {
  if (cylinders.empty()) return write(std::span<const CylinderInstance>());
  std::map<std::tuple<float, float, float>, float> radius_at;
  const auto key = [](glm::vec3 p) { return std::tuple(p.x, p.y, p.z); };
  for (const Sphere& sphere : spheres) {
    float& radius = radius_at[key(sphere.center)];
    radius = std::max(radius, sphere.radius);
  }
  // The radius of the ball at the end of a rod; 0 if there is none wider than the rod.
  const auto cut = [&](glm::vec3 end, float rod) {
    const auto found = radius_at.find(key(end));
    return found == radius_at.end() || found->second <= rod ? 0 : found->second;
  };
  std::vector<CylinderInstance> instances;
  instances.reserve(cylinders.size());
  for (const Cylinder& c : cylinders)
    instances.push_back({{c.from, c.radius},
                         {c.to, c.radius},
                         linear(c.color),
                         {cut(c.from, c.radius), cut(c.to, c.radius)},
                         c.back});
  write(std::span<const CylinderInstance>(instances));
  input<CylinderInstance>(0, 4, offsetof(CylinderInstance, start));
  input<CylinderInstance>(1, 4, offsetof(CylinderInstance, end));
  input<CylinderInstance>(2, 3, offsetof(CylinderInstance, tint));
  input<CylinderInstance>(3, 2, offsetof(CylinderInstance, cut));
  input<CylinderInstance>(4, 1, offsetof(CylinderInstance, back));
}

}  // namespace twosphere::render
