// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "render/covered_pass.h"
#include "render/scene.h"

namespace twosphere::render {

/// Rods with flat ends, ray-cast with a blended outline: see CoveredPass. A rod that ends at the
/// centre of a ball is cut at its surface.
class CylinderPass : public CoveredPass {
 public:
  static Result<CylinderPass> create();
  void upload(std::span<const Cylinder> cylinders, std::span<const Sphere> spheres);
};

}  // namespace twosphere::render
