// SPDX-License-Identifier: GPL-3.0-or-later
#include <glm/geometric.hpp>

#include "render/frame_uniforms.h"
#include "render/passes.h"

namespace twosphere::render {

namespace {

struct TubeInstance {
  glm::vec4 start;
  glm::vec3 end, leave, arrive, start_tint, end_tint;
  float back;
};

}  // namespace

Result<TubePass> TubePass::create() { return with_shaders<TubePass>("tube"); }

void TubePass::upload(std::span<const Tube> tubes) {
  std::vector<TubeInstance> instances;
  std::vector<glm::vec3> directions;
  for (const Tube& tube : tubes) {
    const std::size_t n = tube.points.size();
    if (n < 2) continue;
    // Direction at each point: the normal of the plane between two pieces.
    directions.assign(n, glm::vec3(0));
    for (std::size_t i = 0; i + 1 < n; ++i) {
      const glm::vec3 along = glm::normalize(tube.points[i + 1].position - tube.points[i].position);
      directions[i] += along;
      directions[i + 1] += along;
    }
    for (std::size_t i = 0; i + 1 < n; ++i) {
      const Tube::Point &a = tube.points[i], &b = tube.points[i + 1];
      instances.push_back({{a.position, tube.radius},
                           b.position,
                           glm::normalize(directions[i]),
                           glm::normalize(directions[i + 1]),
                           linear(a.color),
                           linear(b.color),
                           tube.back});
    }
  }
  write(std::span<const TubeInstance>(instances));
  input<TubeInstance>(0, 4, offsetof(TubeInstance, start));
  input<TubeInstance>(1, 3, offsetof(TubeInstance, end));
  input<TubeInstance>(2, 3, offsetof(TubeInstance, leave));
  input<TubeInstance>(3, 3, offsetof(TubeInstance, arrive));
  input<TubeInstance>(4, 3, offsetof(TubeInstance, start_tint));
  input<TubeInstance>(5, 3, offsetof(TubeInstance, end_tint));
  input<TubeInstance>(6, 1, offsetof(TubeInstance, back));
}

}  // namespace twosphere::render
