// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <glm/vec2.hpp>

namespace twosphere::render {

/// Centres of the labels beyond the tips of the corner axes and of gravity's arrow, in logical
/// pixels from the target's upper left corner.
struct AxisLabels {
  std::array<glm::vec2, 3> tips;
  glm::vec2 gravity;
  bool has_gravity = false;
};

}  // namespace twosphere::render
