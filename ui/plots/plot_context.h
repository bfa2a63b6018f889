// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string>

#include "ui/plot/draw_list.h"
#include "ui/plot/plot_layout.h"
#include "ui/shell/screen_painter.h"

namespace twosphere::ui {

struct Panel;

/// Sizes of a plot's margins at scale 1 [px].
inline constexpr float plot_left = 56, plot_right = 12, plot_title = 20, plot_time = 36;

/// The names of the two markers.
inline constexpr std::array marker_names{"A", "B"};

/// The context in which the parts of a plot are drawn.
struct PlotContext {
  DrawList& list;
  const Panel& panel;
  const PlotLook& look;
  const ScreenLetters letters{};

  double width(Face face, const std::string& text) const { return letters.width(face, text); }
  void write(Point at, Face face, Color color, const std::string& text) const {
    list.text(at, face, {color}, text);
  }
  /// A line from the top to the bottom of the area.
  void upright(const Area& area, double x, const Stroke& stroke) const {
    list.line({x, area.box.from.y}, {x, area.box.to.y}, stroke);
  }
};

}  // namespace twosphere::ui
