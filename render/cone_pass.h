// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "render/covered_pass.h"
#include "render/scene.h"

namespace twosphere::render {

/// Arrow heads, ray-cast with a blended outline: see CoveredPass.
class ConePass : public CoveredPass {
 public:
  static Result<ConePass> create();
  void upload(std::span<const Cone> cones);
};

}  // namespace twosphere::render
