// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <glm/vec2.hpp>

namespace twosphere::render {

/// Centres of the labels at the tips of the corner axes and of the gravity arrow, in logical pixels
/// from the upper left corner of the target.
struct AxisLabels {
  std::array<glm::vec2, 3> tips;
  glm::vec2 gravity;
  bool has_gravity = false;
};

}  // namespace twosphere::render
