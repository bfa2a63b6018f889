// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <limits>
#include <memory>

#include "core/base/result.h"
#include "render/axis_labels.h"
#include "render/camera.h"
#include "render/scene.h"

namespace twosphere::render {

/// Where to draw: a framebuffer object and a rectangle in it, in device pixels from the lower left
/// corner.
struct Target {
  unsigned framebuffer = 0;
  int x = 0, y = 0, width = 0, height = 0;
  float pixel_ratio = 1;  ///< device pixels per logical pixel
  /// Leaves the background out: what is drawn has its alpha, and colours are multiplied by it.
  bool transparent = false;
  /// Draws over what is there, without background and corner axes.
  bool inset = false;
  /// Draws only so many of its rows from this one on, the lowest being 0: a picture that is drawn
  /// in parts is the same as in one.
  int first_row = 0, rows = std::numeric_limits<int>::max();
};

/// Draws scenes with OpenGL 3.3 core in the current context. Free of Qt; all GL state it needs it
/// sets.
class Renderer {
 public:
  /// Compiles the shaders; needs a current context, OpenGL 3.3 core or later. The error holds the
  /// driver's log.
  static Result<std::unique_ptr<Renderer>> create();
  virtual ~Renderer() = default;  ///< needs the same context current

  /// Covers the rectangle, opaquely unless it is to be transparent. Leaves
  /// `target.framebuffer` bound, the viewport set, and all other state as OpenGL has it at first.
  virtual AxisLabels draw(const Scene& scene, const Camera& camera, const Theme& theme,
                          const Target& target) = 0;
};

}  // namespace twosphere::render
