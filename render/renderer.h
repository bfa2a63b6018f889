// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <limits>
#include <memory>

#include "core/base/result.h"
#include "render/camera.h"
#include "render/scene.h"

namespace twosphere::render {

/// The drawing target: a framebuffer object and a rectangle in it, in device pixels from the lower
/// left corner.
struct Target {
  unsigned framebuffer = 0;
  int x = 0, y = 0, width = 0, height = 0;
  float pixel_ratio = 1;  ///< device pixels per logical pixel
  /// Omits the background; the result has premultiplied alpha.
  bool transparent = false;
  /// Draws over the existing contents, without background and corner axes.
  bool inset = false;
  bool axes = true;  ///< draws the corner axes
  /// Draws only `rows` rows starting with this one, counted from the bottom. A picture drawn in
  /// parts is identical to one drawn at once.
  int first_row = 0, rows = std::numeric_limits<int>::max();
};

/// Draws scenes with OpenGL 3.3 core in the current context. Independent of Qt; sets all GL state
/// that it needs.
class Renderer {
 public:
  /// Compiles the shaders; needs a current context, OpenGL 3.3 core or later. The error contains
  /// the log of the driver.
  static Result<std::unique_ptr<Renderer>> create();
  virtual ~Renderer() = default;  ///< needs the same context current

  /// Fills the rectangle, opaquely unless `target.transparent`. Afterwards `target.framebuffer` is
  /// bound, the viewport is set, and all other state has the defaults of OpenGL.
  virtual AxisLabels draw(const Scene& scene, const Camera& camera, const Theme& theme,
                          const Target& target) = 0;
};

}  // namespace twosphere::render
