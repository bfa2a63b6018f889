// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "render/covered_pass.h"
#include "render/scene.h"

namespace twosphere::render {

/// Balls, and balls of which only the outline is drawn.
class SpherePass : public CoveredPass {
 public:
  static Result<SpherePass> create();
  void upload(std::span<const Sphere> spheres, std::span<const Sphere> rings);
};

}  // namespace twosphere::render
