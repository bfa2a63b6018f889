// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

/// Colours that scene, panels and figures share, as plain numbers.
namespace twosphere {

enum class Palette { dark, light, high_contrast };
inline constexpr std::array palettes{Palette::dark, Palette::light, Palette::high_contrast};
/// "dark", "light", "high_contrast", as settings say it.
std::string_view key(Palette palette);

/// An sRGB colour, 0xRRGGBB.
struct Color {
  std::uint32_t rgb = 0;

  bool operator==(const Color&) const = default;
};

/// Ratio of luminances as WCAG defines it, 1 to 21.
double contrast(Color a, Color b);

}  // namespace twosphere
