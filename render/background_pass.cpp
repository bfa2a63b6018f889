// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include "render/passes.h"

namespace twosphere::render {

namespace {

enum BackgroundUniform : std::size_t { top, bottom };
constexpr std::array<std::string_view, 2> background_uniforms = {"top", "bottom"};

}  // namespace

Result<BackgroundPass> BackgroundPass::create() {
  return with_shaders<BackgroundPass>("background", background_uniforms);
}

void BackgroundPass::draw(const Theme& theme) const {
  program_.use();
  program_.set(top, glm::vec4(theme.background_top, 1));
  program_.set(bottom, glm::vec4(theme.background_bottom, 1));
  vertices_.bind();
  glDisable(GL_BLEND);
  glDisable(GL_DEPTH_TEST);
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

}  // namespace twosphere::render
