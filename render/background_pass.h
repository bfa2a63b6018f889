// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "render/gl.h"
#include "render/scene.h"

namespace twosphere::render {

/// Fills the viewport with a vertical gradient.
class BackgroundPass {
 public:
  static Result<BackgroundPass> create();
  void draw(const Theme& theme) const;

 private:
  gl::Program program_;
  gl::VertexArray vertices_;
};

}  // namespace twosphere::render
