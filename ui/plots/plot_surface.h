// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "core/color/palette.h"
#include "ui/shell/frame.h"
#include "ui/shell/key_focus.h"
#include "ui/shell/panel.h"
#include "ui/shell/spoken.h"

namespace twosphere::ui {

/// What a window of the plots alone has of its own, beside its context of Dear ImGui: where its
/// widgets are, the mouse, and the keyboard focus. The plots themselves, their cursor and markers
/// are those of the interface: Interface::draw_plots().
struct PlotSurface {
  std::map<std::string, Rect> widgets;  ///< of the last frame
  std::optional<Spoken> spoken;         ///< of the last frame; none while there is no screen reader
  HoverState hover;
  KeyFocus focus;
  std::optional<std::pair<Palette, float>> styled;  ///< what its context was made for

  /// Whether an animation needs another frame.
  bool animating() const { return hover.waiting || hover.frames_wanted > 0; }
};

}  // namespace twosphere::ui
