// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/color/color_map.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

namespace twosphere {

namespace {

// Equally spaced colours with linear interpolation in sRGB between them. On a dark background the
// hues of the maps with a lightness that rises linearly from 45 of 100.
constexpr std::array<std::uint32_t, 9> viridis{0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c,
                                               0x28ae80, 0x5ec962, 0xaddc30, 0xfde725};
constexpr std::array<std::uint32_t, 10> cividis{0x00204d, 0x00336f, 0x39486b, 0x575c6d, 0x707173,
                                                0x8a8779, 0xa69d75, 0xc4b56c, 0xe4cf5b, 0xffea46};
constexpr std::array<std::uint32_t, 5> paper{0x2038c8, 0x1fa7b8, 0x35b24a, 0xf4dc31, 0xd9261c};
constexpr std::array<std::uint32_t, 9> viridis_dark{
    0x984ba9, 0x8a66c9, 0x6d85cc, 0x50a0c2, 0x4fb5b0, 0x4cca9a, 0x71db73, 0xb6e53a, 0xfde725};
constexpr std::array<std::uint32_t, 10> cividis_dark{0x5668a6, 0x5675c4, 0x7484b1, 0x8c92a7,
                                                     0x9fa0a2, 0xb1aea0, 0xc6bd93, 0xdbcb81,
                                                     0xf0da65, 0xffea46};
constexpr std::array<std::uint32_t, 5> paper_dark{0x4a63e8, 0x1fa7b8, 0x35b24a, 0xf4dc31, 0xe2473c};
// Grey, as the rods are, between violet and orange: these are not colours of lanes, and
// colour-blind readers can distinguish them.
constexpr std::array<std::uint32_t, 5> diverging_dark{0x8f6bf5, 0x9f92e0, 0xa9b3bf, 0xe09a5e,
                                                      0xf07f2e};
constexpr std::array<std::uint32_t, 5> diverging_light{0x5e3bc4, 0x7a6ab8, 0x8b95a1, 0xb8763f,
                                                       0xc2560a};
constexpr std::array<std::uint32_t, 5> diverging_contrast{0xa58bff, 0xc6b8ff, 0xe0e0e0, 0xffc48a,
                                                          0xff9a2e};
// Equal steps of hue, lightest at a bluish yellow and darkest at violet: where colour-blind readers
// see the same hue, opposite directions differ in lightness.
constexpr std::array<std::uint32_t, 13> cyclic_dark{
    0xd76b5a, 0xe08a39, 0xd7b036, 0xb8d162, 0x82e499, 0x36e4ca, 0x05d1ea,
    0x43b2f6, 0x748feb, 0x9471ce, 0xae5ea8, 0xc55b80, 0xd76b5a};
constexpr std::array<std::uint32_t, 13> cyclic_light{
    0x802a20, 0x834700, 0x7e6302, 0x697c1a, 0x398b50, 0x098777, 0x067988,
    0x056493, 0x364890, 0x4f317a, 0x61225d, 0x711e40, 0x802a20};
constexpr std::array<std::uint32_t, 13> cyclic_contrast{
    0xe36d5c, 0xeb8e34, 0xe0b52d, 0xbed85f, 0x82ec9b, 0x21edd1, 0x13d8f1,
    0x48b9fe, 0x7794f7, 0x9b75d9, 0xb761b1, 0xcf5d86, 0xe36d5c};
constexpr std::array<std::uint32_t, 2> lightness_dark{0x656c76, 0xf4f6f8};
constexpr std::array<std::uint32_t, 2> lightness_light{0x1c232d, 0x808994};
constexpr std::array<std::uint32_t, 2> lightness_contrast{0x666666, 0xffffff};

std::span<const std::uint32_t> anchors(ColorMap map, Palette palette) {
  const bool light = palette == Palette::light;
  switch (map) {
    case ColorMap::viridis:
      if (light) return viridis;
      return viridis_dark;
    case ColorMap::cividis:
      if (light) return cividis;
      return cividis_dark;
    case ColorMap::paper:
      if (light) return paper;
      return paper_dark;
    case ColorMap::diverging:
      return light                               ? diverging_light
             : palette == Palette::high_contrast ? diverging_contrast
                                                 : diverging_dark;
    case ColorMap::cyclic:
      if (light) return cyclic_light;
      if (palette == Palette::high_contrast) return cyclic_contrast;
      return cyclic_dark;
    case ColorMap::lightness:
      if (light) return lightness_light;
      if (palette == Palette::high_contrast) return lightness_contrast;
      return lightness_dark;
  }
  return viridis;
}

}  // namespace

std::string_view key(ColorMap map) {
  switch (map) {
    case ColorMap::viridis:
      return "viridis";
    case ColorMap::cividis:
      return "cividis";
    case ColorMap::paper:
      return "paper";
    case ColorMap::diverging:
      return "diverging";
    case ColorMap::cyclic:
      return "cyclic";
    case ColorMap::lightness:
      return "lightness";
  }
  return {};
}

Color color_at(ColorMap map, double s, Palette palette) {
  const std::span<const std::uint32_t> list = anchors(map, palette);
  // NaN has the colour of 0.
  const double whole = s > 0 ? std::min(s, 1.0) : 0.0;
  const double position = whole * static_cast<double>(list.size() - 1);
  const std::size_t i = std::min(static_cast<std::size_t>(position), list.size() - 2);
  return mix({list[i]}, {list[i + 1]}, position - static_cast<double>(i));
}

Color direction_color(const AxisAngles& direction, Palette palette) {
  const Color hue = color_at(ColorMap::cyclic, direction.turn, palette),
              pole = color_at(ColorMap::lightness, direction.along > 0 ? 1 : 0, palette);
  return mix(hue, pole, std::min(1.0, std::abs(direction.along)));  // 1 for NaN
}

std::string title_of(const ColorBar& bar) {
  return bar.unit.empty() ? bar.label : fmt::format("{} [{}]", bar.label, bar.unit);
}

std::string text_at(const ColorBar& bar, double s) {
  std::string number = fmt::format("{:g}", bar.low + (bar.root ? s * s : s) * (bar.high - bar.low));
  if (number.starts_with('-')) number.replace(0, 1, "−");
  if (!bar.clipped || (s > 0 && s < 1) || (s == 0 && bar.low >= 0)) return number;
  return (s > 0 ? "≥ " : "≤ ") + number;
}

std::vector<double> labels_of(const ColorBar& bar) {
  if (bar.low < bar.high) return {0, 0.5, 1};
  return {bar.map == ColorMap::diverging ? 0.5 : 0.0};
}

}  // namespace twosphere
