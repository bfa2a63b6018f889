// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "core/color/color.h"

namespace twosphere {

/// How a number becomes a colour. The first three run from the least to the greatest value: two
/// that rise evenly in lightness and can be read by the colour-blind, and blue, green, yellow, red
/// as in the papers. The last is for signed numbers: violet below, orange above, grey at zero. On
/// dark ground the low ends are lighter than they are drawn on paper, and stand out 3:1.
enum class ColorMap { viridis, cividis, paper, diverging };
/// Those that a user can choose, in the order of the enumeration.
inline constexpr std::array color_maps{ColorMap::viridis, ColorMap::cividis, ColorMap::paper};
/// "viridis", "cividis", "paper", "diverging".
std::string_view key(ColorMap map);

/// The colour at s in [0, 1], beyond that the colour of the end.
Color color_at(ColorMap map, double s, Palette palette);

/// What the colours of a scene mean, as its legend says it.
struct ColorBar {
  std::string label;         ///< "spring tension"
  std::string unit;          ///< "N"
  double low = 0, high = 1;  ///< values at both ends
  ColorMap map = ColorMap::viridis;
  bool clipped = false;  ///< values were beyond an end and have its colour
  bool root = false;     ///< colours go with the square root of what is above `low`

  bool operator==(const ColorBar&) const = default;
};
/// What stands beside a bar at s in [0, 1]: "0.5", "≥ 1", "≤ -1".
std::string text_at(const ColorBar& bar, double s);

}  // namespace twosphere
