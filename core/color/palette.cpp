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

// Hues that bodies and lanes do not have, so that a run is told from both; the first few differ
// strongly from one another.
constexpr std::array<std::uint32_t, branch_color_count> branches_dark{
    0xa4e052, 0xb08cff, 0xffb394, 0x35dccb, 0xf3c6ea, 0x9a9a3a, 0xdf5bf0, 0xff5c8f};
constexpr std::array<std::uint32_t, branch_color_count> branches_light{
    0x2f7a10, 0x7a2bdc, 0x6b3a1e, 0x0f6f7a, 0x702a63, 0x5c5a2a, 0xb030c8, 0xc4184a};

}  // namespace

Color branch_color(int index, Palette palette) {
  const auto& colors = palette == Palette::light ? branches_light : branches_dark;
  return {colors[static_cast<std::size_t>(index) % colors.size()]};
}

Color body_color(std::size_t body, std::size_t bodies, Palette palette) {
  const bool light = palette == Palette::light;
  if (bodies <= bodies_dark.size()) return {light ? bodies_light[body] : bodies_dark[body]};
  const double share = static_cast<double>(body) / static_cast<double>(bodies - 1);
  if (light) return color_at(ColorMap::viridis, 0.52 * share, palette);
  const double first = palette == Palette::high_contrast ? 0.15 : 0;
  return color_at(ColorMap::viridis, first + (1 - first) * share, palette);
}

}  // namespace twosphere
