// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/color/color.h"

namespace twosphere {

/// Maps a number to a colour. The first three run from the smallest to the largest value: two are
/// perceptually uniform and suitable for colour-blind readers, the third is blue, green, yellow,
/// red as in the papers. The fourth is for signed numbers: violet below, grey at, orange above
/// zero. The last two are for directions, see direction_color(): hues that end with the first one,
/// whose lightness tells colour-blind readers apart what is opposite, and greys from dark to light.
/// On a dark background the low ends are lighter than on paper, for a contrast of 3:1.
enum class ColorMap { viridis, cividis, paper, diverging, cyclic, lightness };
/// The maps that a user can choose, in the order of the enumeration.
inline constexpr std::array color_maps{ColorMap::viridis, ColorMap::cividis, ColorMap::paper};
/// "viridis", "cividis", "paper", "diverging", "cyclic", "lightness".
std::string_view key(ColorMap map);

/// The colour at s; s is clamped to [0, 1].
Color color_at(ColorMap map, double s, Palette palette);

/// A unit vector by an axis, for its colour.
struct AxisAngles {
  double turn = 0;   ///< azimuth about the axis, from 0 at −180° to 1 at 180°
  double along = 0;  ///< component along the axis, from −1 to 1
};
/// The colour of a direction: the hue is its azimuth, by ColorMap::cyclic; towards the axis it
/// becomes light, away from it dark, with the ends of ColorMap::lightness at the poles.
Color direction_color(const AxisAngles& direction, Palette palette);

/// The colour scale shown in the legend of a scene.
struct ColorBar {
  std::string label;         ///< "spring tension"
  std::string unit;          ///< "N"
  double low = 0, high = 1;  ///< values at both ends
  ColorMap map = ColorMap::viridis;
  bool clipped = false;  ///< some values lie beyond an end and have its colour
  bool root = false;     ///< the colour scales with the square root of the value above `low`

  bool operator==(const ColorBar&) const = default;
};
/// "spring tension [N]".
std::string title_of(const ColorBar& bar);
/// The label beside the bar at s in [0, 1]: "0.5", "≥ 1", "≤ -1".
std::string text_at(const ColorBar& bar, double s);
/// Where the bar has labels: at both ends and in the middle, or only at 0 while all values are 0.
std::vector<double> labels_of(const ColorBar& bar);

}  // namespace twosphere
