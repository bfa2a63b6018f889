// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "render/gl.h"
#include "render/scene.h"

namespace twosphere::render {

/// Translucent dots from one buffer, written once for each cloud. Drawn after the opaque shapes,
/// which occlude them.
class CloudPass {
 public:
  /// The error contains the log of the driver.
  static Result<CloudPass> create();
  void draw(const DotCloud& cloud);

 private:
  gl::Program program_;
  gl::VertexArray vertices_;
  gl::Buffer dots_;
  std::shared_ptr<const std::vector<DotCloud::Dot>> written_;
};

}  // namespace twosphere::render
