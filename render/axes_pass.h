// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "render/axis_labels.h"
#include "render/frame_uniforms.h"
#include "render/scene.h"

namespace twosphere::render {

/// The directions of e1, e2, e3 as small arrows in the lower left corner, with an arrow for gravity
/// beside them.
class AxesPass {
 public:
  static Result<AxesPass> create();
  AxisLabels draw(const Frame& frame, bool gravity, const Theme& theme) const;

 private:
  gl::Program program_;
  gl::VertexArray vertices_;
  gl::Buffer instances_;
};

}  // namespace twosphere::render
