// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace twosphere::ui {

/// Where a gesture of the mouse or of fingers is made.
enum class GesturePlace { scene, plots, time_line, number };

/// The effect of a gesture. The key map, the labels that show keys, and the table in the user guide
/// are made from these records.
struct GestureInfo {
  GesturePlace place;
  std::string_view label;  ///< "Orbit"
  std::string_view mouse;  ///< "Left drag"; empty: only fingers do it
  std::string_view touch;  ///< "One finger"; empty: only the mouse does it
};

/// In the order of their places.
std::span<const GestureInfo> gestures();
/// "the scene"
std::string_view name(GesturePlace place);

}  // namespace twosphere::ui
