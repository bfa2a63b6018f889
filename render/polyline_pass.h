// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "render/gl.h"
#include "render/scene.h"

namespace twosphere::render {

/// Curves of constant width on the screen, at least 1.5 logical pixels, smooth and without gaps.
/// Hidden behind what is opaque; drawn after it.
class PolylinePass {
 public:
  static Result<PolylinePass> create();
  void draw(std::span<const Polyline> polylines, float pixel_ratio) const;

 private:
  gl::Program program_;
  gl::VertexArray vertices_;
  gl::Buffer points_;
};

}  // namespace twosphere::render
