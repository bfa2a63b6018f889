// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/result.h"
#include "render/renderer.h"

namespace twosphere::render {

/// An image with rows from the top and four bytes per pixel: red, green, blue, alpha (sRGB).
struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> pixels;

  std::uint8_t* at(int x, int y) {
    return pixels.data() + 4 * (static_cast<std::ptrdiff_t>(y) * width + x);
  }
  const std::uint8_t* at(int x, int y) const {
    return pixels.data() + 4 * (static_cast<std::ptrdiff_t>(y) * width + x);
  }
};

/// An OpenGL 3.3 core context with its own framebuffer, created by EGL without a window system.
class Offscreen {
 public:
  /// Makes the context current on the calling thread until destruction. Fails if EGL does not work
  /// without a window system, or if the size is not supported.
  static Result<std::unique_ptr<Offscreen>> create(int width, int height);
  ~Offscreen();
  Offscreen(const Offscreen&) = delete;
  Offscreen& operator=(const Offscreen&) = delete;

  Target target(float pixel_ratio = 1) const;
  Image read() const;

 private:
  Offscreen();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace twosphere::render
