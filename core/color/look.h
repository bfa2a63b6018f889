// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/color/palette.h"

namespace twosphere {

enum class Dash { solid, dashed, dotted, dash_dot, long_dash };
enum class Marker { circle, square, triangle, diamond, cross };

/// What the lines, markers and bodies of an integrator look like, wherever they appear. Members of
/// a family share a dash and take tints of one colour, after Okabe and Ito; no two integrators have
/// both dash and marker the same, so that they are told apart without colour, too. Colours stand
/// out from the palettes' grounds by 3:1, with high contrast by 4.5:1. The defaults are those of
/// text.
struct Look {
  Color dark{0xd7dde5}, light{0x1c232d};              ///< on dark and on light ground
  Color paper_dark{0xd7dde5}, paper_light{0x1c232d};  ///< in the colours of the 2009 paper
  Dash dash = Dash::dash_dot;
  Marker marker = Marker::cross;
  /// Place among the looks that are lent to a second lane of one integrator: those of the lowest
  /// numbers first. 0: never lent.
  int lent = 0;

  /// High contrast has a black ground and takes the colours for dark ones.
  Color color(Palette palette, LaneColors colors) const {
    if (palette == Palette::light) return colors == LaneColors::paper ? paper_light : light;
    return colors == LaneColors::paper ? paper_dark : dark;
  }
  bool operator==(const Look&) const = default;
};

}  // namespace twosphere
