// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/color/palette.h"

#include <array>
#include <cstdint>

#include "core/color/color_map.h"

namespace twosphere {

namespace {

// The colours of Okabe and Ito, in an order in which the first few differ strongly. Blue and black
// are lighter on a dark background, pale colours darker on a light one.
constexpr std::array<std::uint32_t, 8> bodies_dark{0x56b4e9, 0xe69f00, 0x009e73, 0xcc79a7,
                                                   0xf0e442, 0xd55e00, 0x3a86d0, 0xd7dde5};
constexpr std::array<std::uint32_t, 8> bodies_light{0x2b87c3, 0xb87400, 0x008a64, 0xb8578f,
                                                    0x857c00, 0xc63d00, 0x00528a, 0x1c232d};

}  // namespace

Color body_color(std::size_t body, std::size_t bodies, Palette palette) {
  const bool light = palette == Palette::light;
  if (bodies <= bodies_dark.size()) return {light ? bodies_light[body] : bodies_dark[body]};
  const double share = static_cast<double>(body) / static_cast<double>(bodies - 1);
  if (light) return color_at(ColorMap::viridis, 0.52 * share, palette);
  const double first = palette == Palette::high_contrast ? 0.15 : 0;
  return color_at(ColorMap::viridis, first + (1 - first) * share, palette);
}

}  // namespace twosphere
