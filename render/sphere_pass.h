// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "render/gl.h"
#include "render/scene.h"

namespace twosphere::render {

/// Balls, found by intersecting the line of sight: exact outline and depth at any size. The inside
/// is opaque; the outline is blended by coverage, after everything opaque is drawn, so that no
/// sorting is needed.
class SpherePass {
 public:
  static Result<SpherePass> create();
  void upload(std::span<const Sphere> spheres);
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
