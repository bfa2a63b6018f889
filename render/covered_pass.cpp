// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/passes.h"

namespace twosphere::render {

void CoveredPass::draw_inside() const {
  glDisable(GL_BLEND);
  glDepthMask(GL_TRUE);
  draw(0);
}

void CoveredPass::draw_outline() const {
  glEnable(GL_BLEND);
  glDepthMask(GL_FALSE);
  draw(1);
}

void CoveredPass::draw(float outline) const {
  if (count_ == 0) return;
  program_.use();
  program_.set(0, outline);
  vertices_.bind();
  gl::draw_quads(count_);
}

}  // namespace twosphere::render
