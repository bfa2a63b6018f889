// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>

#include "core/base/result.h"
#include "render/offscreen.h"
#include "render/renderer.h"

namespace twosphere::render {

/// A part of a picture that is being drawn, in the pixels that are drawn: from its upper left
/// corner, and the size of all of it.
struct Tile {
  float x = 0, y = 0, width = 0, height = 0;
  float whole_width = 0, whole_height = 0;
};

/// Draws scenes as pictures, without any window system: what the window shows, with the corner
/// axes named, at twice the resolution and averaged.
class Painter {
 public:
  static constexpr int smallest = 16, largest = 8192;  ///< width and height [pixels]

  /// Holds an OpenGL context current on this thread. Fails without EGL, and beyond these sizes.
  static Result<std::unique_ptr<Painter>> create(int width, int height);

  /// Opaque, or without the background; colours are not multiplied by alpha. Lines and corner axes
  /// have the sizes that they have in a window, from 640x400 to 1280x800, and grow and shrink with
  /// larger and smaller pictures. `stop` is asked now and then; once it says true the rest of the
  /// picture stays empty. `over` may draw over every tile, to the framebuffer bound.
  Image paint(const Scene& scene, const Camera& camera, const Theme& theme, bool transparent,
              const std::function<bool()>& stop = {},
              const std::function<void(const Tile&)>& over = {}) const;
  /// Pixels drawn per logical pixel.
  float ratio() const;

 private:
  Painter() = default;
  int width_ = 0, height_ = 0;
  int samples_ = 1;  ///< a pixel is the mean of so many samples both ways
  std::unique_ptr<Offscreen> offscreen_;
  std::unique_ptr<Renderer> renderer_;  // goes before its context
};

}  // namespace twosphere::render
