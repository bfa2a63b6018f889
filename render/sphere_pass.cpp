// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/sphere_pass.h"

namespace twosphere::render {

Result<SpherePass> SpherePass::create() { return with_shaders<SpherePass>("sphere"); }

void SpherePass::upload(std::span<const Sphere> spheres) {
  static_assert(offsetof(Sphere, radius) == sizeof(glm::vec3),
                "centre and radius are read at once");
  write(spheres);
  input<Sphere>(0, 4, offsetof(Sphere, center));
  input<Sphere>(1, 3, offsetof(Sphere, color));
}

}  // namespace twosphere::render
