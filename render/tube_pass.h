// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "render/gl.h"
#include "render/scene.h"

namespace twosphere::render {

/// Bent rods as straight pieces that meet in the planes that halve the turns, shaded as one smooth
/// surface; drawn like balls.
class TubePass {
 public:
  static Result<TubePass> create();
  void upload(std::span<const Tube> tubes);
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
