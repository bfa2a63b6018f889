// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "render/gl.h"
#include "render/scene.h"

namespace twosphere::render {

/// Many small balls, one point each: shaded as balls, but with the depth of their front and hard
/// edges, for a small part of what those of SpherePass cost where the processor draws.
class DotPass {
 public:
  /// The error holds the driver's log.
  static Result<DotPass> create();
  void draw(std::span<const Sphere> dots) const;

 private:
  gl::Program program_;
  gl::VertexArray vertices_;
  gl::Buffer instances_;
};

}  // namespace twosphere::render
