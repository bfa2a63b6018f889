// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/gestures.h"

#include <array>

namespace twosphere::ui {

std::span<const GestureInfo> gestures() {
  using enum GesturePlace;
  static constexpr std::array table{
      GestureInfo{scene, "Orbit", "Left drag", "One finger"},
      GestureInfo{scene, "Pan", "Right or Shift drag", "Two fingers"},
      GestureInfo{scene, "Zoom", "Wheel", "Pinch"},
      GestureInfo{scene, "Fit", "Double click", "Double tap"},
      GestureInfo{scene, "Inspect a body", "Click", "Tap"},
      GestureInfo{scene, "Move a paused body", "Left drag", "One finger"},
      GestureInfo{scene, "Rotate it with all below", "Alt or Shift drag", ""},
      GestureInfo{scene, "Pull a running body", "Ctrl drag", "One finger"},
      GestureInfo{scene, "One cell alone", "Double click its caption", "Double tap its caption"},
      GestureInfo{plots, "Pan", "Left drag", "One finger"},
      GestureInfo{plots, "Go to a time", "Click", "Tap"},
      GestureInfo{plots, "Zoom at the mouse", "Wheel", "Pinch"},
      GestureInfo{plots, "Zoom to a box", "Right drag", ""},
      GestureInfo{plots, "Whole run", "Double click", "Double tap"},
      GestureInfo{plots, "One plot alone", "Double click its title", "Double tap its title"},
      GestureInfo{plots, "Scale and more", "Right click", "Hold"},
      GestureInfo{plots, "Hide a lane", "Click in the legend", "Tap in the legend"},
      GestureInfo{time_line, "Go to a time", "Click, drag", "Tap, one finger"},
      GestureInfo{number, "Change", "Drag, Shift: finer", "One finger"},
      GestureInfo{number, "Type", "Click", "Tap"},
  };
  return table;
}

std::string_view name(GesturePlace place) {
  static constexpr std::array names{"the scene", "the plots", "the time line", "a number"};
  return names[static_cast<std::size_t>(place)];
}

}  // namespace twosphere::ui
