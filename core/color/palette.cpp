// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/color/palette.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/color/color_map.h"

namespace twosphere {

namespace {

struct Entry {
  std::string_view integrator;
  Color dark, light;              // the program's own
  Color paper_dark, paper_light;  // as the papers draw it
};

// Okabe and Ito's colours; on light ground the palest are darkened until they stand out 3:1. The
// members of a family take tints of its colour. High contrast stands on black and takes the dark
// palette's.
constexpr std::array table{
    Entry{"variational", {0x56b4e9}, {0x0072b2}, {0xff6b61}, {0xd62017}},
    Entry{"variational4", {0x86caf0}, {0x005a8e}, {0xff9a8f}, {0xa8130c}},
    Entry{"variational6", {0xaddcf5}, {0x00446b}, {0xffbdb4}, {0x7f0b06}},
    Entry{"variational8", {0xd0ebfa}, {0x003050}, {0xffdcd6}, {0x570502}},
    Entry{"variational_cayley", {0x3c93c8}, {0x3f8fc4}, {0xe8514a}, {0xe8564e}},
    Entry{"rotation", {0xf0e442}, {0x857c00}, {0x5fd38d}, {0x1a7f3c}},
    Entry{"rotation4", {0xf6ef8e}, {0x645d00}, {0x93e3b3}, {0x125c2b}},
    Entry{"rotation6", {0xfbf7c9}, {0x433e00}, {0xc5f2d7}, {0x0b3d1c}},
    Entry{"rk4", {0x009e73}, {0x009e73}, {0x9dbcff}, {0x2a4fb0}},
    Entry{"rk45", {0xd55e00}, {0xd55e00}, {0x6f9dff}, {0x1f5fe0}},
    Entry{"rk2", {0xcc79a7}, {0xb8578f}, {0x84abff}, {0x4a74d8}},
    Entry{"heun", {0xe3b1cf}, {0x8c3468}, {0xb9cfff}, {0x14378f}},
    Entry{"rk2_projected", {0xe69f00}, {0xa66f00}, {0xffffff}, {0x000000}},
};

// Looks for lanes of a kind that is there already: no two of one family.
constexpr std::array<std::string_view, 7> spare{"rk45",     "rk4",         "rk2_projected", "rk2",
                                                "rotation", "variational", "heun"};

// Okabe and Ito's in an order in which few are far apart; blue and black lighter on dark ground,
// the pale ones darker on light ground.
constexpr std::array<std::uint32_t, 8> bodies_dark{0x56b4e9, 0xe69f00, 0x009e73, 0xcc79a7,
                                                   0xf0e442, 0xd55e00, 0x3a86d0, 0xd7dde5};
constexpr std::array<std::uint32_t, 8> bodies_light{0x2b87c3, 0xb87400, 0x008a64, 0xb8578f,
                                                    0x857c00, 0xc63d00, 0x00528a, 0x1c232d};

}  // namespace

Color lane_color(std::string_view integrator, Palette palette, LaneColors colors) {
  const bool light = palette == Palette::light;
  for (const Entry& e : table) {
    if (e.integrator != integrator) continue;
    if (colors == LaneColors::paper) return light ? e.paper_light : e.paper_dark;
    return light ? e.light : e.dark;
  }
  return light ? Color{0x1c232d} : palette == Palette::dark ? Color{0xd7dde5} : Color{0xffffff};
}

Color body_color(std::size_t body, std::size_t bodies, Palette palette) {
  const bool light = palette == Palette::light;
  if (bodies <= bodies_dark.size()) return {light ? bodies_light[body] : bodies_dark[body]};
  const double share = static_cast<double>(body) / static_cast<double>(bodies - 1);
  if (light) return color_at(ColorMap::viridis, 0.52 * share, palette);
  const double first = palette == Palette::high_contrast ? 0.15 : 0;
  return color_at(ColorMap::viridis, first + (1 - first) * share, palette);
}

std::string_view lane_look(std::span<const std::string_view> integrators, std::size_t lane) {
  const auto second = [&](std::size_t index) {
    const auto end = integrators.begin() + static_cast<std::ptrdiff_t>(index);
    return std::find(integrators.begin(), end, integrators[index]) != end;
  };
  if (!second(lane)) return integrators[lane];
  std::size_t before = 0;  // of the lanes that need another look
  for (std::size_t i = 0; i < lane; ++i) before += second(i) ? 1 : 0;
  for (const std::string_view look : spare) {
    if (std::find(integrators.begin(), integrators.end(), look) != integrators.end()) continue;
    if (before-- == 0) return look;
  }
  return integrators[lane];
}

}  // namespace twosphere
