// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "core/color/palette.h"
#include "ui/shell/frame.h"
#include "ui/shell/key_focus.h"
#include "ui/shell/panel.h"
#include "ui/shell/spoken.h"

namespace twosphere::ui {

/// What a window that is drawn by Dear ImGui has of its own, beside its context: where its widgets
/// are, the mouse, and the keyboard focus. There is one for the main window and one for the window
/// of the plots: Interface::draw_plots().
struct Surface {
  std::map<std::string, Rect> widgets;  ///< of the last frame
  std::optional<Spoken> spoken;         ///< of the last frame; none while there is no screen reader
  HoverState hover;
  KeyFocus focus;
  std::optional<std::pair<Palette, float>> styled;  ///< what the style of its context was made for

  /// Begins a frame: sets the style where these have changed, and forgets the widgets of the frame
  /// before. `keys_shown`: the keys of the widgets are to be shown.
  void begin(Palette palette, float scale, bool keys_shown);
  /// Takes Esc, Enter and the keys of the focus. `free`: nothing covers the widgets.
  void take_keys(bool free);
  /// Whether an animation needs another frame.
  bool animating() const { return hover.waiting || hover.frames_wanted > 0; }
  /// While there is a screen reader, the widgets are described.
  void set_spoken(bool on);
  std::span<const SpokenWidget> spoken_widgets() const;
};

}  // namespace twosphere::ui
