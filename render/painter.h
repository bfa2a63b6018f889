// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "core/base/result.h"
#include "render/offscreen.h"
#include "render/renderer.h"

namespace twosphere::render {

/// A tile of a picture: its position from the upper left corner, and the size of the whole picture,
/// in drawn pixels.
struct Tile {
  float x = 0, y = 0, width = 0, height = 0;
  float whole_width = 0, whole_height = 0;
};

/// A scene that fills a part of a picture.
struct PicturePart {
  const Scene& scene;
  const Camera& camera;
  CellArea area;     ///< [pixels]
  bool axes = true;  ///< with the corner axes; one part has them
};

/// Draws scenes to images without a window system: the content of the window with labelled corner
/// axes, supersampled by two in both directions.
class Painter {
 public:
  static constexpr int smallest = 16, largest = 8192;  ///< width and height [pixels]

  /// Keeps an OpenGL context current on this thread. Fails without EGL or if the size is out of
  /// range.
  static Result<std::unique_ptr<Painter>> create(int width, int height);

  /// Draws an opaque image, or one without the background; colours are not premultiplied by alpha.
  /// Lines and corner axes have the same sizes as in a window for pictures from 640x400 to
  /// 1280x800, and scale with smaller and larger ones. `stop` is called after every few
  /// rows of a tile; once it returns true the rest of the picture stays empty. `over` may draw over
  /// every tile, into the bound framebuffer.
  Image paint(const Scene& scene, const Camera& camera, const Theme& theme, bool transparent,
              const std::function<bool()>& stop = {},
              const std::function<void(const Tile&)>& over = {}) const;
  /// The same for parts that cover the picture without gaps.
  Image paint(std::span<const PicturePart> parts, const Theme& theme, bool transparent,
              const std::function<bool()>& stop = {},
              const std::function<void(const Tile&)>& over = {}) const;
  /// Pixels drawn per pixel of the picture, in each direction.
  int samples() const { return samples_; }
  /// Pixels per logical pixel of a picture of this size, which is drawn like a window of 1280x800,
  /// or of half that size.
  static float picture_ratio(int width, int height);

 private:
  Painter() = default;
  int width_ = 0, height_ = 0;
  int samples_ = 1;
  std::unique_ptr<Offscreen> offscreen_;
  std::unique_ptr<Renderer> renderer_;  // destroyed before its context
};

}  // namespace twosphere::render
