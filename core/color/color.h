// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

/// Colours shared by the scene, the panels and the figures.
namespace twosphere {

enum class Palette { dark, light, high_contrast };
inline constexpr std::array palettes{Palette::dark, Palette::light, Palette::high_contrast};
/// "dark", "light", "high_contrast", as in the settings file.
std::string_view key(Palette palette);

/// An sRGB colour, 0xRRGGBB.
struct Color {
  std::uint32_t rgb = 0;

  bool operator==(const Color&) const = default;
};

/// Red, green and blue as linear light, 0 to 1 (IEC 61966-2-1).
std::array<double, 3> linear_light(Color color);

/// Contrast ratio as defined by WCAG, 1 to 21.
double contrast(Color a, Color b);

/// (1 − share) a + share b in each channel of sRGB, rounded; 0 ≤ share ≤ 1.
Color mix(Color a, Color b, double share);

/// A colour of a line that is to stand back, on this ground: mixed with it by up to 35 %, as far as
/// a contrast of 3:1 remains.
Color pale(Color color, Color ground);

}  // namespace twosphere
