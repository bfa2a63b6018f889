// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

#include "core/color/palette.h"

namespace twosphere {

enum class Dash { solid, dashed, dotted, dash_dot, long_dash };
enum class Marker { circle, square, triangle, diamond, cross };
inline constexpr std::array all_dashes{Dash::solid, Dash::dashed, Dash::dotted, Dash::dash_dot,
                                       Dash::long_dash};
inline constexpr std::array all_markers{Marker::circle, Marker::square, Marker::triangle,
                                        Marker::diamond, Marker::cross};

/// The appearance of the lines, markers and bodies of an integrator everywhere. Members of a family
/// share a dash pattern and have tints of one colour of Okabe and Ito. No two integrators share a
/// colour, nor, as long as there are free ones, both dash and marker, so that they can be
/// distinguished without colour. The contrast with the background is at least 3:1, and 4.5:1 in the
/// high-contrast palette. The default colours are those of text.
struct Look {
  Color dark{0xd7dde5}, light{0x1c232d};              ///< on a dark and on a light background
  Color paper_dark{0xd7dde5}, paper_light{0x1c232d};  ///< in the colours of the 2009 paper
  Dash dash = Dash::dash_dot;
  Marker marker = Marker::cross;

  /// The high-contrast palette has a black background and uses the colours for dark ones.
  Color color(Palette palette, LaneColors colors) const {
    if (palette == Palette::light) return colors == LaneColors::paper ? paper_light : light;
    return colors == LaneColors::paper ? paper_dark : dark;
  }
  bool operator==(const Look&) const = default;
};

}  // namespace twosphere
