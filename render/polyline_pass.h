// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "render/gl.h"
#include "render/scene.h"

namespace twosphere::render {

/// Curves of constant width on the screen, at least 1.5 logical pixels, anti-aliased and without
/// gaps. Drawn after the opaque shapes, which occlude them.
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
