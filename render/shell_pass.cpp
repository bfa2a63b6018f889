// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include "render/frame_uniforms.h"
#include "render/passes.h"

namespace twosphere::render {

namespace {

enum ShellUniform : std::size_t {
  ball_uniform,
  tint_uniform,
  near_uniform,
  zoned_uniform,
  zones_uniform
};
constexpr std::array<std::string_view, 5> shell_uniforms = {"ball", "tint", "near", "zoned",
                                                            "zones"};

}  // namespace

Result<ShellPass> ShellPass::create() { return with_shaders<ShellPass>("shell", shell_uniforms); }

void ShellPass::draw(const Shell& shell) const {
  if (!shell.visible) return;
  glEnable(GL_BLEND);
  glDepthMask(GL_FALSE);
  program_.use();
  program_.set(ball_uniform, glm::vec4(shell.center, shell.radius));
  program_.set(tint_uniform, glm::vec4(linear(shell.color), shell.opacity));
  const bool zoned = shell.zones.size() == shell_zones + 1;
  program_.set(zoned_uniform, zoned ? 1.0f : 0.0f);
  if (zoned) {
    std::array<glm::vec4, shell_zones + 1> tints;
    for (std::size_t i = 0; i < tints.size(); ++i) tints[i] = {linear(shell.zones[i]), 1};
    program_.set(zones_uniform, std::span<const glm::vec4>(tints));
  }
  vertices_.bind();
  for (const float near : {0.0f, 1.0f}) {
    if (near == 0 && !shell.both) continue;
    program_.set(near_uniform, near);
    gl::draw_quads(1);
  }
}

}  // namespace twosphere::render
