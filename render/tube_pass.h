// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "render/covered_pass.h"
#include "render/scene.h"

namespace twosphere::render {

/// Bent rods as straight pieces that meet in the planes that halve the turns, shaded as one smooth
/// surface; drawn like balls.
class TubePass : public CoveredPass {
 public:
  static Result<TubePass> create();
  void upload(std::span<const Tube> tubes);
};

}  // namespace twosphere::render
