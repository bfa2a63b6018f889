// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "render/covered_pass.h"
#include "render/scene.h"

namespace twosphere::render {

/// Heads of arrows, drawn like balls: exact, the outline blended by coverage.
class ConePass : public CoveredPass {
 public:
  static Result<ConePass> create();
  void upload(std::span<const Cone> cones);
};

}  // namespace twosphere::render
