// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "render/gl.h"
#include "render/scene.h"

namespace twosphere::render {

/// A translucent ball: the far side, then the near side, each with depth test.
class ShellPass {
 public:
  static Result<ShellPass> create();
  void draw(const Shell& shell) const;

 private:
  gl::Program program_;
  gl::VertexArray vertices_;
};

}  // namespace twosphere::render
