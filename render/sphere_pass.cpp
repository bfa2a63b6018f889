// SPDX-License-Identifier: GPL-3.0-or-later
#include <vector>

#include "render/passes.h"

namespace twosphere::render {

Result<SpherePass> SpherePass::create() { return with_shaders<SpherePass>("sphere"); }

void SpherePass::upload(std::span<const Sphere> spheres, std::span<const Sphere> rings) {
  static_assert(offsetof(Sphere, radius) == sizeof(glm::vec3),
                "centre and radius are read at once");
  if (rings.empty()) {
    write(spheres);
  } else {
    std::vector<Sphere> all(spheres.begin(), spheres.end());
    all.insert(all.end(), rings.begin(), rings.end());
    for (std::size_t i = spheres.size(); i < all.size(); ++i) all[i].radius *= -1;
    write(std::span<const Sphere>(all));
  }
  input<Sphere>(0, 4, offsetof(Sphere, center));
  input<Sphere>(1, 3, offsetof(Sphere, color));
  input<Sphere>(2, 1, offsetof(Sphere, back));
}

}  // namespace twosphere::render
