// SPDX-License-Identifier: GPL-3.0-or-later
#include <vector>

#include "render/passes.h"

namespace twosphere::render {

Result<SpherePass> SpherePass::create() { return with_shaders<SpherePass>("sphere"); }

void SpherePass::upload(std::span<const Sphere> spheres, std::span<const Ring> rings) {
  static_assert(offsetof(Sphere, radius) == sizeof(glm::vec3),
                "centre and radius are read at once");
  if (rings.empty()) {
    write(spheres);
  } else {
    std::vector<Sphere> all(spheres.begin(), spheres.end());
    for (const Ring& ring : rings)
      all.push_back({ring.center, -ring.radius, ring.color, ring.width});
    write(std::span<const Sphere>(all));
  }
  input<Sphere>(0, 4, offsetof(Sphere, center));
  input<Sphere>(1, 3, offsetof(Sphere, color));
  input<Sphere>(2, 1, offsetof(Sphere, back));
}

}  // namespace twosphere::render
