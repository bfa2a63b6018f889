// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>

#include "render/passes.h"

namespace twosphere::render {

namespace {

enum PolylineUniform : std::size_t { width_uniform, ink_uniform, far_side_uniform, back_uniform };
constexpr std::array<std::string_view, 4> polyline_uniforms = {"width", "ink", "far_side", "back"};
constexpr float thinnest = 1.5f;  // logical pixels
constexpr float outside = -1;     // alpha that marks points outside a curve

bool alike(const Polyline& a, const Polyline& b) {
  return a.width == b.width && a.color == b.color && a.far_side == b.far_side && a.back == b.back;
}

}  // namespace

Result<PolylinePass> PolylinePass::create() {
  return with_shaders<PolylinePass>("polyline", polyline_uniforms);
}

void PolylinePass::draw(std::span<const Polyline> polylines, float pixel_ratio) const {
  // All curves share one buffer. Each segment reads four consecutive points, so both ends of a
  // curve are repeated with the alpha `outside`. Consecutive curves of the same look are drawn in
  // one call.
  std::vector<glm::vec4> points;
  for (const Polyline& line : polylines) {
    if (line.points.size() < 2) continue;
    points.emplace_back(glm::vec3(line.points.front()), outside);
    points.insert(points.end(), line.points.begin(), line.points.end());
    points.emplace_back(glm::vec3(line.points.back()), outside);
  }
  if (points.empty()) return;
  program_.use();
  vertices_.bind();
  points_.write(GL_ARRAY_BUFFER, std::span<const glm::vec4>(points));
  glEnable(GL_BLEND);
  glDepthMask(GL_FALSE);
  std::size_t first = 0;
  for (std::size_t k = 0; k < polylines.size();) {
    const Polyline& line = polylines[k];
    std::size_t count = 0;
    for (; k < polylines.size() && alike(polylines[k], line); ++k)
      if (polylines[k].points.size() >= 2) count += polylines[k].points.size() + 2;
    if (count == 0) continue;
    for (GLuint i = 0; i < 4; ++i)
      vertices_.per_instance(i, 4, sizeof(glm::vec4), (first + i) * sizeof(glm::vec4));
    program_.set(width_uniform, std::max(line.width, thinnest) * pixel_ratio);
    program_.set(ink_uniform, glm::vec4(line.color, 1));
    program_.set(far_side_uniform, line.far_side);
    program_.set(back_uniform, line.back);
    gl::draw_quads(count - 3);
    first += count;
  }
}

}  // namespace twosphere::render
