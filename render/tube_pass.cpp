// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/tube_pass.h"

#include <array>
#include <glm/geometric.hpp>

#include "render/frame.h"

namespace twosphere::render {

namespace {

struct Instance {
  glm::vec4 start;
  glm::vec3 end, leave, arrive, start_tint, end_tint;
};

enum Uniform : std::size_t { outline_uniform };
constexpr std::array<std::string_view, 1> uniforms = {"outline"};

}  // namespace

Result<TubePass> TubePass::create() {
  auto program = gl::Program::create("tube", uniforms);
  if (!program) return program.error();
  TubePass pass;
  pass.program_ = std::move(*program);
  return pass;
}

void TubePass::upload(std::span<const Tube> tubes) {
  std::vector<Instance> instances;
  std::vector<glm::vec3> directions;
  for (const Tube& tube : tubes) {
    const std::size_t n = tube.points.size();
    if (n < 2) continue;
    // Along the curve at each point: that of the plane between two pieces.
    directions.assign(n, glm::vec3(0));
    for (std::size_t i = 0; i + 1 < n; ++i) {
      const glm::vec3 along = glm::normalize(tube.points[i + 1].place - tube.points[i].place);
      directions[i] += along;
      directions[i + 1] += along;
    }
    for (std::size_t i = 0; i + 1 < n; ++i) {
      const Tube::Point &a = tube.points[i], &b = tube.points[i + 1];
      instances.push_back({{a.place, tube.radius},
                           b.place,
                           glm::normalize(directions[i]),
                           glm::normalize(directions[i + 1]),
                           linear(a.color),
                           linear(b.color)});
    }
  }
  count_ = instances.size();
  vertices_.bind();
  instances_.write(GL_ARRAY_BUFFER, std::span<const Instance>(instances));
  vertices_.per_instance(0, 4, sizeof(Instance), offsetof(Instance, start));
  vertices_.per_instance(1, 3, sizeof(Instance), offsetof(Instance, end));
  vertices_.per_instance(2, 3, sizeof(Instance), offsetof(Instance, leave));
  vertices_.per_instance(3, 3, sizeof(Instance), offsetof(Instance, arrive));
  vertices_.per_instance(4, 3, sizeof(Instance), offsetof(Instance, start_tint));
  vertices_.per_instance(5, 3, sizeof(Instance), offsetof(Instance, end_tint));
}

void TubePass::draw_inside() const {
  glDisable(GL_BLEND);
  glDepthMask(GL_TRUE);
  draw(0);
}

void TubePass::draw_outline() const {
  glEnable(GL_BLEND);
  glDepthMask(GL_FALSE);
  draw(1);
}

void TubePass::draw(float outline) const {
  if (count_ == 0) return;
  program_.use();
  program_.set(outline_uniform, outline);
  vertices_.bind();
  gl::draw_quads(count_);
}

}  // namespace twosphere::render
