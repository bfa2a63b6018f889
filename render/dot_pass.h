// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "render/gl.h"
#include "render/scene.h"

namespace twosphere::render {

/// Many small balls drawn as points: shaded as balls, but with the depth of their front and hard
/// edges. With software rendering this is much cheaper than SpherePass.
class DotPass {
 public:
  /// The error contains the log of the driver.
  static Result<DotPass> create();
  void draw(std::span<const Sphere> dots) const;

 private:
  gl::Program program_;
  gl::VertexArray vertices_;
  gl::Buffer instances_;
};

}  // namespace twosphere::render
