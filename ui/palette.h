// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace twosphere::ui {

enum class Palette { dark, light };

/// An sRGB colour, 0xRRGGBB.
struct Color {
  std::uint32_t rgb = 0;

  bool operator==(const Color&) const = default;
};

/// The colours of a palette by their part in the window.
struct Colors {
  Color scene;    ///< behind the scene, where it is darkest (or lightest)
  Color panel;    ///< columns, transport, cards
  Color field;    ///< frames of inputs and buttons
  Color hovered;  ///< the same under the mouse
  Color line;     ///< separators and plot grids
  Color text;
  Color dim;  ///< units, captions, ticks
  Color accent;
  Color on_accent;  ///< text on the accent
  Color warning;
  Color error;
};
const Colors& colors(Palette palette);

/// Ratio of luminances as WCAG defines it, 1 to 21.
double contrast(Color a, Color b);

}  // namespace twosphere::ui
