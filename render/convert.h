// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <initializer_list>

#include "core/color/palette.h"
#include "core/mechanics/sphere.h"

/// Conversion of numbers of the core to those of the graphics.
namespace twosphere::render {

inline glm::vec3 to_float(const Vec3& v) {
  return {static_cast<float>(v.x()), static_cast<float>(v.y()), static_cast<float>(v.z())};
}

inline glm::mat3 to_matrix(const Mat3& m) {
  return {to_float(Vec3(m.col(0))), to_float(Vec3(m.col(1))), to_float(Vec3(m.col(2)))};
}

constexpr glm::vec3 rgb(unsigned hex) {
  const auto part = [hex](int shift) { return static_cast<float>((hex >> shift) & 0xff) / 255; };
  return {part(16), part(8), part(0)};
}
constexpr glm::vec3 rgb(Color color) { return rgb(color.rgb); }

/// The nearest colour of 8 bits a channel.
inline Color to_color(const glm::vec3& color) {
  Color out;
  for (const float part : {color.r, color.g, color.b})
    out.rgb =
        out.rgb << 8 | static_cast<std::uint32_t>(std::lround(255 * std::clamp(part, 0.0f, 1.0f)));
  return out;
}

inline glm::vec3 mix(glm::vec3 a, glm::vec3 b, float share) { return a + share * (b - a); }

}  // namespace twosphere::render
