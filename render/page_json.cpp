// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/page_json.h"

#include <array>
#include <cmath>

namespace twosphere::render::page {

using json::Node;

Node drawn(double x, int digits) {
  if (x == 0 || !std::isfinite(x)) return {0.0};
  const double scale = std::pow(10, digits - 1 - std::floor(std::log10(std::abs(x))));
  return {std::round(x * scale) / scale};
}

Node drawn(const glm::vec3& v) {
  return Node::array(std::array{v.x, v.y, v.z},
                     [](float x) { return drawn(static_cast<double>(x)); });
}

}  // namespace twosphere::render::page
