// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "render/covered_pass.h"
#include "render/scene.h"

namespace twosphere::render {

/// Bent rods as straight pieces that meet in the bisecting planes, shaded as one smooth surface and
/// ray-cast: see CoveredPass.
class TubePass : public CoveredPass {
 public:
  static Result<TubePass> create();
  void upload(std::span<const Tube> tubes);
};

}  // namespace twosphere::render
