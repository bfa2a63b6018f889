// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <imgui/imgui.h>

#include "ui/shell/palette.h"

namespace twosphere::ui {

/// The fonts that load_fonts() loads, in this order.
enum class Face {
  text,        ///< 14 px
  mono,        ///< numbers
  small_text,  ///< captions
  small_mono,  ///< ticks and readouts
  title,
};
ImFont* font(Face face);

inline ImU32 ink(Color c, float alpha = 1) {
  return IM_COL32((c.rgb >> 16) & 0xff, (c.rgb >> 8) & 0xff, c.rgb & 0xff,
                  static_cast<int>(alpha * 255 + 0.5f));
}

}  // namespace twosphere::ui
