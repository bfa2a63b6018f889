// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "render/gl.h"
#include "render/scene.h"

namespace twosphere::render {

/// Rods with flat ends, drawn like balls: exact, the outline blended by coverage. A rod that ends
/// at the centre of a ball stops at its surface.
class CylinderPass {
 public:
  static Result<CylinderPass> create();
  void upload(std::span<const Cylinder> cylinders, std::span<const Sphere> spheres);
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
