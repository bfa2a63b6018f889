// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "render/gl.h"
#include "render/scene.h"

namespace twosphere::render {

/// Heads of arrows, drawn like balls: exact, the outline blended by coverage.
class ConePass {
 public:
  static Result<ConePass> create();
  void upload(std::span<const Cone> cones);
  void draw_inside() const;
  void draw_outline() const;

 private:
  void draw(float outline) const;

  gl::Program program_;
  gl::VertexArray vertices_;
  gl::Buffer instances_;
  std::size_t count_ = 0;
};

}  // namespace twosphere::render
