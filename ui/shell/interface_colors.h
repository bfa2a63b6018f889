// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/color/palette.h"

namespace twosphere::ui {

using twosphere::Color;
using twosphere::LaneColors;
using twosphere::pale;
using twosphere::Palette;

/// The colours of a palette by their use in the window.
struct Colors {
  Color scene;    ///< background of the scene at its darkest (or lightest)
  Color panel;    ///< columns, transport, cards
  Color field;    ///< background of inputs and buttons
  Color hovered;  ///< the same under the mouse
  Color border;   ///< around fields and buttons
  Color edge;     ///< around menus, lists and cards, which overlap the scene
  Color line;     ///< separators and plot grids
  Color text;
  Color dim;  ///< units, captions, ticks
  Color accent;
  Color on_accent;  ///< text on the accent
  Color warning;
  Color error;
  bool borders = false;  ///< fields and buttons have a border
};
const Colors& colors(Palette palette);

}  // namespace twosphere::ui
