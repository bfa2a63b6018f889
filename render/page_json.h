// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>

#include "core/base/json.h"

/// Numbers as a web page holds them.
namespace twosphere::render::page {

/// With six digits, which are enough for what is drawn, or fewer; 0 if it is not finite.
json::Node drawn(double x, int digits = 6);
json::Node drawn(const glm::vec3& v);
template <class Number>
json::Node whole(Number value) {
  return json::Node::whole(static_cast<std::int64_t>(value));
}

}  // namespace twosphere::render::page
